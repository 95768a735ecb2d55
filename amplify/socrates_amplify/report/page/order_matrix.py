"""What was seen of the pairs that nothing orders: a small triangle for each receiver."""

from __future__ import annotations

from socrates_amplify.model.order_coverage import (
    BOTH,
    BROKE,
    IMPOSSIBLE,
    ONE,
    OrderCoverage,
    ReceiverOrders,
)
from socrates_amplify.report.markup import Markup, join, number, tag
from socrates_amplify.report.words import counted, shorten

_SIDE, _TOP, _LETTER = 20.0, 24.0, 6.2
_LONGEST = 42
WORDS = {
    BOTH: "seen in both orders",
    ONE: "seen in one order",
    BROKE: "the other order breaks the test",
    IMPOSSIBLE: "the other order is impossible",
}


def matrices(orders: OrderCoverage) -> Markup:
    """One triangle beside the other."""
    return tag("div", *map(_matrix, orders.receivers), class_="matrices")


def _matrix(orders: ReceiverOrders) -> Markup:
    count = len(orders.messages)
    longest = max((len(shorten(message, _LONGEST)) for message in orders.messages), default=0)
    labels = 40 + _LETTER * longest
    width, height = labels + _SIDE * count, _TOP + _SIDE * count
    pieces = []
    for place, (message, row) in enumerate(zip(orders.messages, orders.rows, strict=True)):
        y = _TOP + _SIDE * place
        pieces.append(_text(f"{place + 1}", 18, y + 14, "place"))
        pieces.append(_text(shorten(message, _LONGEST), 26, y + 14, "what", message))
        if place < count - 1:
            pieces.append(_text(f"{place + 1}", labels + _SIDE * (place + 0.5), 16, "column"))
        for column, cell in enumerate(row):
            if cell:
                hint = f"{orders.messages[column]} and {message}: {WORDS[cell]}"
                pieces.append(_cell(labels + _SIDE * column, y, cell, hint))
    left_out = f"{counted(orders.left_out, 'message')} more" if orders.left_out else ""
    return tag(
        "div",
        tag("h4", orders.receiver),
        tag(
            "svg",
            *pieces,
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=number(width),
            height=number(height),
            role="img",
            aria_label="pairs",
            class_="pairs",
        ),
        tag("p", left_out, class_="note") if left_out else None,
    )


def _cell(x: float, y: float, state: str, hint: str) -> Markup:
    side = number(_SIDE - 3)
    box = tag("rect", tag("title", hint), x=number(x + 1.5), y=number(y + 1.5),
              width=side, height=side, rx=3, class_=f"cell {state}")  # fmt: skip
    if state != ONE:
        return box
    # One order of two: half of the cell is full.
    half = f"M{number(x + 2)} {number(y + _SIDE - 2)} v{number(4 - _SIDE)} l{side} {side} z"
    return join(box, tag("path", d=half, class_="half"))


def _text(text: str, x: float, y: float, style: str, title: str = "") -> Markup:
    hint = tag("title", title) if title and title != text else None
    return tag("text", hint, text, x=number(x), y=number(y), class_=style)
