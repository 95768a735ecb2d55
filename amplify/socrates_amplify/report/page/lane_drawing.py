"""Two orders of one test as lanes: when each message was sent and when it was handled.

A message is an arrow that falls from its sender, where it was sent, to its receiver, where it was
handled: one that overtakes another crosses it. What a thread does is a point in its own lane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from socrates_amplify.model.results import FoundDefect, TestResult
from socrates_amplify.report.drawing.folding import folded
from socrates_amplify.report.drawing.lanes import Moment, marks_of, moments_of, pairs_of
from socrates_amplify.report.markup import Markup, join, number, tag
from socrates_amplify.report.words import counted, shorten

_COLUMN, _MARGIN, _ROW, _TOP = 104.0, 52.0, 24.0, 36.0
_LABELS = 250.0
"""The width of the words beside the lanes."""
_MOST_LANES = 16


def is_of_orders(found: FoundDefect) -> bool:
    """Whether an order is part of what breaks the test."""
    return bool(pairs_of(found))


def drawings(test: TestResult, found: FoundDefect) -> tuple[Markup, Markup]:
    """The passing run under control and the failing one, with the same lanes and the same letters."""
    marks = marks_of(found)
    passing, failing = moments_of(test.passing, marks), moments_of(found.trace, marks)
    lanes = _chosen([*passing, *failing])
    return _drawing(passing, lanes), _drawing(failing, lanes)


def _chosen(moments: Sequence[Moment]) -> list[str]:
    """Who sends and who handles, in the order of appearance; of too many, those of marked moments stay."""
    everyone = dict.fromkeys(end for one in moments for end in (one.sender, one.lane))
    important = dict.fromkeys(end for one in moments if one.mark for end in (one.sender, one.lane))
    kept = set([*important, *(end for end in everyone if end not in important)][:_MOST_LANES])
    return [lane for lane in everyone if lane in kept]


def _drawing(moments: Sequence[Moment], lanes: Sequence[str]) -> Markup:
    if not moments:
        return tag("p", "Too long to draw; socrates trace --orders shows it.", class_="note")
    shown = list(folded([one for one in moments if one.lane in lanes]))
    height = _TOP + _ROW * (len(shown) + 1)
    places = {lane: _MARGIN + _COLUMN * place for place, lane in enumerate(lanes)}
    words = max(places.values(), default=0.0) + 26
    pieces = [_lane(lane, x, height) for lane, x in places.items()]
    handled: list[tuple[int, float]] = []
    for place, one in enumerate(shown):
        y = _TOP + _ROW * (place + 1)
        if isinstance(one, int):
            pieces.append(_text(f"⋯ {counted(one, 'row')} more", words, y + 4, "what"))
            continue
        before = [height_of for done, height_of in handled if done < one.sent]
        start = before[-1] + 5 if before else _TOP
        pieces.append(_moment(one, places, (start, y), words))
        handled.append((one.done, y))
    return tag(
        "svg",
        *pieces,
        viewBox=f"0 0 {number(words + _LABELS)} {number(height)}",
        width=number(words + _LABELS),
        height=number(height),
        role="img",
        aria_label="lanes",
        class_="lanes fit",
    )


def _lane(lane: str, x: float, height: float) -> Markup:
    return join(
        tag("line", x1=number(x), y1=30, x2=number(x), y2=number(height - 4), class_="lifeline"),
        tag("rect", x=number(x - 46), y=6, width=92, height=24, rx=6, class_="actor"),
        _text(shorten(lane, 14), x, 22, "actor-name", lane),
    )


def _moment(
    one: Moment, places: Mapping[str, float], rows: tuple[float, float], words: float
) -> Markup:
    """The way of a message from where it was sent to where it was handled, and what it says."""
    style = " marked" if one.mark else ""
    (start, y), x = rows, places[one.lane]
    source = places.get(one.sender)
    label = one.label + (f" ✖ {one.failed}" if one.failed else "")
    return join(
        None if source is None or source == x else tag(
            "line", x1=number(source), y1=number(start), x2=number(x), y2=number(y),
            class_=f"arrow{style}"),
        tag("circle", cx=number(x), cy=number(y), r=9 if one.mark else 4, class_=f"moment{style}"),
        _text(one.mark, x, y + 4, "letter") if one.mark else None,
        _text(shorten(label, 38), words, y + 4, f"what{style}", label),
    )  # fmt: skip


def _text(text: str, x: float, y: float, style: str, title: str = "") -> Markup:
    hint = tag("title", title) if title and title != text else None
    return tag("text", hint, text, x=number(x), y=number(y), class_=style)
