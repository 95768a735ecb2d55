"""Frozen events that are made quickly."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from socrates.classes.quick import quickly
from socrates_amplify.model.events import Send, Turn

SEND = ("t", "test", "Writer#1", "Go", "d", None)
turn = quickly(Turn)


def test_what_is_made_quickly_is_of_the_same_class() -> None:
    assert type(turn("Writer#1", "t")) is Turn


@pytest.mark.parametrize("more", [(), (True, True, "a.py:1")], ids=["defaults", "given"])
def test_what_is_made_quickly_equals_what_is_made_as_ever(more: tuple[bool | str, ...]) -> None:
    made = quickly(Send)(*SEND, *more)  # type: ignore[arg-type]
    assert made == Send(*SEND, *more)  # type: ignore[arg-type]


def test_what_is_made_quickly_has_the_same_hash() -> None:
    assert hash(turn("Writer#1", "t", copy=1)) == hash(Turn("Writer#1", "t", 1))


def test_what_is_made_quickly_can_not_be_changed() -> None:
    made = turn("Writer#1", "t")
    with pytest.raises(FrozenInstanceError):
        made.actor = "Reader#1"  # type: ignore[misc]


def test_what_is_made_quickly_can_be_replaced() -> None:
    assert replace(turn("Writer#1", "t"), copy=1) == Turn("Writer#1", "t", 1)


def test_what_is_made_quickly_can_be_pickled() -> None:
    made = turn("Writer#1", "t")
    assert pickle.loads(pickle.dumps(made)) == made
