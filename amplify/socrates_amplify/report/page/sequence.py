"""Sequence diagrams: which actor sent what to which in one run, top to bottom, faults marked.

A long run is folded: rows that are the same in both runs and far from anything that is not are
replaced by one line that says how many they were.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.kinds import CIRCUMSTANCE, kind_of
from socrates_amplify.report.drawing.folding import folded
from socrates_amplify.report.markup import Markup, join, number, tag
from socrates_amplify.report.words import shorten

_COLUMNS = ((3, 230.0), (5, 190.0))
"""Up to how many actors a column has which width; ``_NARROW`` for more actors."""
_NARROW = 150.0
_MARGIN = 70.0
_ROW = 26.0
_TOP = 46.0
_MAX_ACTORS = 24


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a diagram. ``key`` finds the same line in the other run; ``mark`` says why it matters."""

    key: tuple[str, ...]
    source: str
    destination: str
    label: str
    kind: str
    mark: str = ""


def diagram(trace: Trace, other: Trace, faulted: Collection[str] = ()) -> Markup:
    """The run as SVG, beside which ``other`` is shown: rows that ``other`` lacks are marked."""
    known = {row.key for row in rows(other)}
    marked = [
        Row(row.key, row.source, row.destination, row.label, row.kind, _mark(row, known, faulted))
        for row in rows(trace)
    ]
    shown, actors = list(folded(marked)), _actors(marked)
    height = _TOP + _ROW * (len(shown) + 1)
    column = next((wide for most, wide in _COLUMNS if len(actors) <= most), _NARROW)
    width = 2 * _MARGIN + column * max(0, len(actors) - 1)
    places = {actor: _MARGIN + column * index for index, actor in enumerate(actors)}
    pieces = [_lifeline(actor, places[actor], height) for actor in actors]
    for index, item in enumerate(shown):
        y = _TOP + _ROW * (index + 1)
        pieces.append(_fold(item, y, width) if isinstance(item, int) else _line(item, y, places))
    return tag(
        "svg",
        *pieces,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
        role="img",
        aria_label="sequence diagram",
        class_="fit" if len(actors) <= _COLUMNS[-1][0] else None,
    )


def rows(trace: Trace) -> Iterator[Row]:
    """The lines of a trace: messages, answers, second deliveries, applied faults, crashes.

    Messages of the framework to itself are left out.
    """
    sends = {send.target: send for send in trace.sends if not send.internal}
    for event in trace.events:
        match event:
            case Send(target, sender, receiver, message) if target in sends:
                yield Row(("send", target), sender, receiver, message, "send")
            case Reply(actor, target, value, digest):
                send = sends.get(target)
                if send is not None and send.wants_reply:
                    yield Row(("reply", target, digest), actor, send.sender, value, "reply")
            case Turn(actor, target, copy, failed):
                send = sends.get(target)
                if copy and send is not None:
                    key = ("copy", target, str(copy))
                    yield Row(key, send.sender, actor, f"again: {send.message}", "send", "fault")
                if failed:
                    yield Row(("crash", target, failed), actor, actor, failed, "crash")
            case Injected(target, kind) if target in sends or not kind_of(kind).schedules:
                send = sends.get(target)
                where = send.receiver if send else TEST
                # The target of a circumstance is its kind and its name.
                told = target if CIRCUMSTANCE in kind_of(kind).channels else kind
                yield Row(("fault", target, kind), where, where, told, "fault", "fault")
            case _:
                pass


def _mark(row: Row, known: Collection[tuple[str, ...]], faulted: Collection[str]) -> str:
    if row.mark:
        return row.mark
    if row.key[0] == "send" and row.key[1] in faulted:
        return "target"
    return "" if row.key in known else "changed"


def _actors(marked: Sequence[Row]) -> list[str]:
    """Actors in the order of appearance, the test first; of too many, those of marked rows stay."""
    important = [end for row in marked if row.mark for end in (row.source, row.destination)]
    everyone = [end for row in marked for end in (row.source, row.destination)]
    chosen = set(list(dict.fromkeys([TEST, *important, *everyone]))[:_MAX_ACTORS])
    return [actor for actor in dict.fromkeys([TEST, *everyone]) if actor in chosen]


def _lifeline(actor: str, x: float, height: float) -> Markup:
    return join(
        tag("line", x1=x, y1=34, x2=x, y2=number(height - 6), class_="lifeline"),
        tag("rect", x=number(x - 62), y=8, width=124, height=26, rx=6, class_="actor"),
        _text(shorten(actor, 18), x, 25, "actor-name", actor),
    )


def _line(row: Row, y: float, places: dict[str, float]) -> Markup:
    start, end = places.get(row.source), places.get(row.destination)
    if start is None or end is None:
        return join()
    style = f"{row.kind} {row.mark}".strip()
    if row.kind in ("fault", "crash"):
        label = f"⚡ {row.label}" if row.kind == "fault" else f"✖ {row.label}"
        return join(
            tag("rect", x=number(start - 64), y=number(y - 12), width=128, height=19, rx=4,
                class_=f"badge {row.kind}"),
            _text(shorten(label, 20), start, y + 2, f"badge-text {row.kind}", row.label),
        )  # fmt: skip
    if start == end:
        path = f"M{number(start)} {number(y - 6)} h24 v10 h-20"
        return join(
            tag("path", d=path, class_=f"arrow {style}"),
            _head(start + 3, y + 4, -1, style),
            _text(shorten(row.label, 22), start + 30, y + 2, f"label start {style}", row.label),
        )
    direction = 1 if end > start else -1
    room = int(abs(end - start) / 6.4)
    return join(
        tag("line", x1=number(start), y1=number(y), x2=number(end - 6 * direction), y2=number(y),
            class_=f"arrow {style}"),
        _head(end, y, direction, style),
        _text(shorten(row.label, max(8, room)), (start + end) / 2, y - 5, f"label {style}", row.label),
    )  # fmt: skip


def _head(x: float, y: float, direction: int, style: str) -> Markup:
    back = x - 7 * direction
    points = (
        f"{number(x)},{number(y)} {number(back)},{number(y - 3.5)} {number(back)},{number(y + 3.5)}"
    )
    return tag("polygon", points=points, class_=f"head {style}")


def _fold(count: int, y: float, width: float) -> Markup:
    words = "1 line as in the other run" if count == 1 else f"{count} lines as in the other run"
    return join(
        tag("line", x1=8, y1=number(y - 4), x2=number(width - 8), y2=number(y - 4), class_="fold"),
        tag("rect", x=number(width / 2 - 90), y=number(y - 13), width=180, height=18,
            class_="fold-paper"),
        _text(f"⋯ {words}", width / 2, y, "fold-text"),
    )  # fmt: skip


def _text(text: str, x: float, y: float, style: str, title: str = "") -> Markup:
    hint = tag("title", title) if title and title != text else None
    return tag("text", hint, text, x=number(x), y=number(y), class_=style)
