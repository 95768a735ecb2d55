"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from socrates_amplify.lazy_pattern import compile_all, later


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of what is compiled from now on."""
    texts: list[str] = []
    compile_all()
    real = re.compile

    def noted(text: str, flags: int = 0) -> re.Pattern[str]:
        texts.append(text)
        return real(text, flags)

    monkeypatch.setattr(re, "compile", noted)
    return texts


def test_it_finds_what_a_pattern_finds() -> None:
    assert later("B+", re.I).sub("-", "abba") == "a-a"


def test_nothing_is_compiled_before_it_is_used(compiled: list[str]) -> None:
    later("a+")
    assert compiled == []


def test_it_is_compiled_once(compiled: list[str]) -> None:
    pattern = later("a+")
    pattern.search("a")
    pattern.match("a")
    assert compiled == ["a+"]


def test_all_can_be_compiled_ahead(compiled: list[str]) -> None:
    pattern = later("a+")
    compile_all()
    pattern.search("a")
    assert compiled == ["a+"]


def test_it_has_nothing_that_a_pattern_has_beside_its_methods() -> None:
    with pytest.raises(AttributeError, match="groups"):
        _ = later("a+").groups
