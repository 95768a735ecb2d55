"""What the first test of a module touches, and where its values come from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.model.context import FileContext
from socrates_rules.mystery_guest.origin import Known
from socrates_rules.mystery_guest.touches import Touch, TouchFinder
from socrates_rules.mystery_guest.tracing import Origins

Write = Callable[[str, str], Path]
OpenModule = Callable[..., FileContext]
TouchesOf = Callable[[str], list[Touch]]
OriginOf = Callable[[str], Known]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Adds a module to the project."""

    def write_module(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write_module


@pytest.fixture
def touches_of(open_module: OpenModule) -> TouchesOf:
    """What the first test of a module touches and nothing manages."""

    def find(text: str) -> list[Touch]:
        file = open_module(text)
        return TouchFinder(file.tests[0], file.inference, file.fixtures).unmanaged()

    return find


@pytest.fixture
def origin_of(open_module: OpenModule) -> OriginOf:
    """Where the value comes from that the first test assigns in its last statement."""

    def trace(text: str) -> Known:
        file = open_module(text)
        test = file.tests[0]
        value = getattr(test.node.body[-1], "value", None)
        return Origins(test, file.inference).of(value, test.scope).known

    return trace
