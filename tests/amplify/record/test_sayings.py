"""What messages and replies say: the readable form and the digest."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from socrates_amplify.record.identity import canonical, digest, short
from socrates_amplify.record.sayings import Sayings


@dataclass(frozen=True)
class Go:
    number: int


@dataclass(frozen=True)
class Writer:
    number: int


def name_of(value: object) -> str | None:
    return "Writer#1" if isinstance(value, Writer) else None


def key_of(value: object) -> str | None:
    return "key" if isinstance(value, Writer) else None


@pytest.fixture
def say() -> Sayings:
    return Sayings(name_of, key_of)


VALUES = (
    *(5, -7, True, None, 3.5, 1e300, float("nan"), 10**15, 1_712_345_678, 1_712_345_678.5, 2**90),
    *("go", Writer(1), "password=hunter2", [Writer(1)], {"token": "abc"}, Go(1), Go, (1, None)),
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_message_says_what_is_short_and_digests_what_is_canonical(
    value: object, say: Sayings
) -> None:
    expected = (short(value, name_of), digest(canonical(value, key_of), 8))
    assert say.message(value) == expected


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_reply_says_the_same_as_a_message(value: object, say: Sayings) -> None:
    assert say.value(value) == say.message(value)


def test_message_that_is_passed_on_says_the_same(say: Sayings) -> None:
    message = Go(1)
    assert say.message(message) == say.message(message)


def test_message_that_changes_says_something_else(say: Sayings) -> None:
    message = [1]
    before = say.message(message)
    message.append(2)
    assert say.message(message) != before


def test_text_is_shown_without_secrets(say: Sayings) -> None:
    shown, _ = say.text("password=hunter2")
    assert shown == "password=***"


def test_clock_in_a_text_makes_no_difference(say: Sayings) -> None:
    assert say.text("at 10:00:00.5") == say.text("at 11:30:00.1")
