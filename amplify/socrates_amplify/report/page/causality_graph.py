"""The causality graph: which message led to which, with what was pruned in grey.

Every message hangs under the one whose turn sent it; those of the test itself are the roots.
Reading order is the order of sending.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.report.markup import Markup, join, number, tag
from socrates_amplify.report.words import shorten

_WIDTH = 250.0
_HEIGHT = 34.0
_GAP = 46.0
_MAX = 150
"""How many messages are all drawn; of more, ``_FEW`` around the faults."""
_FEW = 40


def graph(
    trace: Trace,
    *,
    faulted: Collection[str] = (),
    faultable: Collection[str] = (),
    pruned: Collection[str] = (),
) -> Markup:
    """The messages of a run as a forest. The three collections are targets."""
    if not trace.events:
        return tag("p", "Too long to draw; socrates trace shows it.", class_="note")
    told = [send for send in trace.sends if not send.internal]
    sends = _within_limit(told, faulted)
    depths, ranks = _places(sends)
    pieces = [_edge(send, depths, ranks, pruned) for send in sends if send.cause in ranks]
    for send in sends:
        x, y = 8 + depths[send.target] * (_WIDTH + _GAP), 8 + ranks[send.target] * (_HEIGHT + 8)
        pieces.append(_node(send, x, y, _style(send.target, faulted, faultable, pruned)))
    width = 16 + (max(depths.values(), default=0) + 1) * (_WIDTH + _GAP) - _GAP
    height = 16 + (max(ranks.values(), default=0) + 1) * (_HEIGHT + 8)
    left_out = len(told) - len(sends)
    note = tag("p", f"{left_out} more messages are not drawn.", class_="note") if left_out else None
    return join(
        tag("svg", *pieces, viewBox=f"0 0 {number(width)} {number(height)}",
            width=number(width), height=number(height), role="img", aria_label="causality graph"),
        note,
    )  # fmt: skip


def _within_limit(sends: Sequence[Send], faulted: Collection[str]) -> list[Send]:
    """All sends; of more than ``_MAX``, those nearest to the faults, and their causes."""
    if len(sends) <= _MAX:
        return list(sends)
    by_target = {send.target: send for send in sends}
    centres = [index for index, send in enumerate(sends) if send.target in faulted] or [0]
    nearest = sorted(range(len(sends)), key=lambda index: min(abs(index - c) for c in centres))
    chosen: set[str] = set()
    for index in nearest:
        step: str | None = sends[index].target
        while step is not None and step in by_target and step not in chosen:
            chosen.add(step)
            step = by_target[step].cause
        if len(chosen) >= _FEW:
            break
    return [send for send in sends if send.target in chosen]


def _places(sends: Sequence[Send]) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Column (causal depth) and row of each message; a first child shares its parent's row."""
    children: dict[str | None, list[str]] = defaultdict(list)
    known = {send.target for send in sends}
    for send in sends:
        children[send.cause if send.cause in known else None].append(send.target)
    depths: dict[str, int] = {}
    ranks: dict[str, int] = {}
    row = -1
    stack = [(target, 0, True) for target in reversed(children[None])]
    while stack:
        target, depth, new_row = stack.pop()
        if target in depths:
            continue
        row += new_row
        depths[target], ranks[target] = depth, row
        below = [(child, depth + 1, index > 0) for index, child in enumerate(children[target])]
        stack.extend(reversed(below))
    for target in known - depths.keys():  # a cycle cannot happen in a real trace; draw it anyway
        row += 1
        depths[target], ranks[target] = 0, row
    return depths, ranks


def _edge(
    send: Send, depths: Mapping[str, int], ranks: Mapping[str, int], pruned: Collection[str]
) -> Markup:
    cause = send.cause or ""
    x1 = 8 + depths[cause] * (_WIDTH + _GAP) + _WIDTH
    y1 = 8 + ranks[cause] * (_HEIGHT + 8) + _HEIGHT / 2
    x2 = 8 + depths[send.target] * (_WIDTH + _GAP)
    y2 = 8 + ranks[send.target] * (_HEIGHT + 8) + _HEIGHT / 2
    middle = (x1 + x2) / 2
    path = (
        f"M{number(x1)} {number(y1)} C{number(middle)} {number(y1)} "
        f"{number(middle)} {number(y2)} {number(x2)} {number(y2)}"
    )
    return tag("path", d=path, class_="edge pruned" if send.target in pruned else "edge")


def _node(send: Send, x: float, y: float, style: str) -> Markup:
    return tag(
        "g",
        tag("title", f"{send.sender} -> {send.receiver}: {send.message}"),
        tag("rect", x=number(x), y=number(y), width=number(_WIDTH), height=number(_HEIGHT), rx=6),
        tag("text", shorten(send.message, 38), x=number(x + 10), y=number(y + 15), class_="what"),
        tag("text", shorten(f"{send.sender} → {send.receiver}", 42),
            x=number(x + 10), y=number(y + 28), class_="who"),
        class_=f"message {style}",
    )  # fmt: skip


def _style(
    target: str, faulted: Collection[str], faultable: Collection[str], pruned: Collection[str]
) -> str:
    if target in faulted:
        return "faulted"
    if target in pruned:
        return "pruned"
    return "faultable" if target in faultable else "plain"
