"""Values that are said at once: exactly as they would be said after a closer look, or not at all."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest

from socrates_amplify.record.harmless import harmless
from socrates_amplify.record.identity import canonical, short


@dataclass(frozen=True)
class Go:
    left: Any
    text: Any = "go"


@dataclass(slots=True)
class Move:
    to: Any


@dataclass
class Connect:
    port: Any
    password: Any = "x"


@dataclass
class Report:
    report: Any


@dataclass
class Hidden:
    seen: Any
    unseen: Any = field(default=1, repr=False)


@dataclass
class Spoken:
    text: Any

    def __repr__(self) -> str:
        return f"says {self.text}"


@dataclass
class Pair(dict[str, int]):
    left: Any = 1


@dataclass
class Nothing:
    pass


class Colour(Enum):
    RED = 1


class Number(int):
    pass


PARTS = (
    *(5, -7, True, None, 0.5, -0.0, 1e300, float("nan"), 123_456_789, 1_712_345_678, 12_345),
    *(1_712_345_678.5, 2**70, Number(4), Colour.RED, 2j, b"abc"),
    *("go", "go on", "", " go", "go  on", "go\non", "grüße", "it's", "a_b", "7 days", "x" * 15),
    *("x" * 16, "x " * 30, "a0xdeadb", "Bearer abcdefgh", "my Token abcdefgh1", "password=abc"),
    *(
        "sk_live_abcdefghij",
        "12:30:15",
        "2024-01-01T10:00",
        "/tmp/x",
        "0123456789abcdef" * 2,
        "50%",
    ),
    *("a: b", "--password x", "<b>", "deadbeef deadbeef", "token", "1712345678 1712345678"),
)
KEYS = ("left", "password", "port", "a_b", "token", "x" * 20, "a b", "", "0x1234", "api key", "%s")


def whole(part: Any) -> list[object]:
    """Everything that such a part may stand in."""
    alike = [Go(part), Go(1, part), Move(part), Connect(1, part), Connect(part), Report(part)]
    others = [Hidden(part), Hidden(1, part), Spoken(part), Pair(), [part], (part, "x")]
    keyed = [{key: part} for key in KEYS]
    return [
        part,
        *alike,
        *others,
        *keyed,
        {"b": part, "a": 1},
        {1: part},
        OrderedDict(left=part),
        {"left": [part]},
    ]


VALUES = [
    *itertools.chain.from_iterable(map(whole, PARTS)),
    *(Nothing(), Nothing, Go, {}, {f"k{number}": number for number in range(30)}),
    *({"x" * 15: "y" * 15, "z" * 15: "y" * 15, "w" * 15: "y" * 15},),
]


def test_what_is_said_at_once_is_what_a_closer_look_says() -> None:
    quick = {repr(value): harmless(value) for value in VALUES}
    slow = {repr(value): (short(value), canonical(value)) for value in VALUES}
    assert {key: said for key, said in quick.items() if said is not None} == {
        key: slow[key] for key, said in quick.items() if said is not None
    }


@pytest.mark.parametrize(
    "value",
    [5, None, "go", "go on", Go(3, "go on"), Move(0.5), {"left": 3, "text": "go on"}],
    ids=repr,
)
def test_small_message_is_said_at_once(value: object) -> None:
    assert harmless(value) is not None


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(Connect(1), id="field of a secret"),
        pytest.param(Report(12_345), id="field that ends like a port"),
        pytest.param({"token": "abc"}, id="key of a secret"),
        pytest.param("Bearer abcdefgh", id="scheme"),
        pytest.param(1_712_345_678, id="clock"),
        pytest.param(Spoken("a"), id="own repr"),
        pytest.param(Hidden(1), id="hidden field"),
        pytest.param(Go([1]), id="nested"),
    ],
)
def test_what_may_have_to_be_changed_is_looked_at_closely(value: object) -> None:
    assert harmless(value) is None


def test_slot_that_was_never_set_is_looked_at_closely() -> None:
    assert harmless(Move.__new__(Move)) is None
