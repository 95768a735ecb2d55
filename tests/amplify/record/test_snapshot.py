"""Messages that may be read after the run: what can't change, and is small."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from socrates_amplify.record import snapshot as module
from socrates_amplify.record.snapshot import UNSAFE, snapshot


class Colour(enum.Enum):
    RED = []  # noqa: RUF012


class Point(NamedTuple):
    x: object
    y: object


@dataclass(frozen=True)
class Empty:
    pass


@dataclass(frozen=True)
class One:
    x: object


@dataclass(frozen=True)
class Two:
    x: object
    y: object


@dataclass(frozen=True)
class Promised:
    x: int
    name: str


@dataclass
class Open:
    x: int = 1


class Plain:
    pass


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of types by now is forgotten, and there is no sample between two."""
    monkeypatch.setattr(module, "_readers", {})
    monkeypatch.setattr(module, "_trusted", {})
    monkeypatch.setattr(module, "_SAMPLE", 1)


@pytest.mark.parametrize(
    "value",
    [
        *(1, 1.5, True, None, "text", "x" * 199, Colour.RED, (), (1, "a", None), Point(1, 2)),
        *(Empty(), One(1), One("a"), Two(1, None), Promised(1, "a")),
    ],
    ids=repr,
)
def test_value_that_stays_as_it_is(value: object) -> None:
    assert [snapshot(value) is value for _ in range(2)] == [True, True]


@pytest.mark.parametrize(
    "value",
    [
        *("x" * 200, [], set(), b"bytes", Plain(), Open(), ((1,),), ([],), Point(1, [])),
        *(One([]), Two(1, []), Two([], 1), One("x" * 200), {"a": []}, {"a": "x" * 200}),
        *(Promised([], "a"), Promised(1, "x" * 200)),  # type: ignore[arg-type]
    ],
    ids=lambda value: repr(value)[:30],
)
def test_value_that_may_change_or_is_large(value: object) -> None:
    assert [snapshot(value) is UNSAFE for _ in range(2)] == [True, True]


def test_dictionary_is_copied() -> None:
    value = {"a": 1}
    copy = snapshot(value)
    assert (copy, copy is value) == ({"a": 1}, False)


def test_declaration_that_says_less_than_the_truth_is_not_trusted_again() -> None:
    told = [snapshot(Promised(x, "a")) is UNSAFE for x in (1, [], [], 2)]  # type: ignore[arg-type]
    assert told == [False, True, True, False]


def test_of_types_that_promise_small_values_one_in_many_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_SAMPLE", 4)
    monkeypatch.setattr(module, "_count", iter(range(1, 9)))
    snapshot(Promised(1, "a"))
    told = [snapshot(Promised([], "a")) is UNSAFE for _ in range(4)]  # type: ignore[arg-type]
    assert told == [False, False, False, True]


@dataclass(frozen=True)
class Optional:
    x: "int | None" = None  # noqa: UP037
    y: list[int] = field(default_factory=list)


def test_type_with_a_list_promises_nothing() -> None:
    told = [snapshot(Optional(y=[1])) is UNSAFE for _ in range(3)]
    assert told == [True] * 3
