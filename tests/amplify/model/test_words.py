"""How small things of the model are told in words."""

from __future__ import annotations

import pytest

from socrates.findings import PluginError
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.results import Shard
from socrates_amplify.model.rounds import ONCE, Rounds


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Notice("a library is too old"), "a library is too old"),
        (Notice("boom", "acme", "acme.py:3"), "plugin 'acme' failed: boom (acme.py:3)"),
        (Rounds(3, 2.5), "3 runs, 2.5 s to recover"),
        (Rounds(2), "2 runs, 0 s to recover"),
        (Shard(4, 1), "1/4"),
    ],
    ids=["warning", "failure of a plugin", "rounds", "no time to recover", "shard"],
)
def test_words(thing: object, words: str) -> None:
    assert str(thing) == words


def test_a_failure_of_a_plugin_comes_back_from_its_notice() -> None:
    error = PluginError("acme", "boom", "acme.py:3")
    assert (Notice.of(error).failure, Notice("a warning").failure) == (error, None)


def test_more_than_one_run_is_several() -> None:
    assert (ONCE.several, Rounds(2).several) == (False, True)
