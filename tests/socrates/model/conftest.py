"""The real model of a small project, for tests about resources and where values come from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from socrates.discovery.files import TestFile
from socrates.discovery.pytest_config import PytestConfig
from socrates.model.context import FileContext
from socrates.model.python.origin import Known
from socrates.model.python.project import Project
from socrates.settings import Settings
from socrates_rules.mystery_guest.touches import Touch, TouchFinder
from socrates_rules.mystery_guest.tracing import Origins

Write = Callable[[str, str], Path]
TouchesOf = Callable[[str], list[Touch]]
OriginOf = Callable[[str], Known]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Adds a module to the project."""

    def write_module(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(dedent(text))
        return path

    return write_module


@pytest.fixture
def model_of(tmp_path: Path, write: Write) -> Callable[[str], FileContext]:
    """The model of a test module with this text."""

    def build(text: str) -> FileContext:
        path = write("test_case.py", text)
        project = Project(tmp_path, PytestConfig(tmp_path))
        module = project.load(path)
        assert module is not None, "the text of the test must be valid Python"
        return FileContext(module, TestFile(path), project, Settings(tmp_path))

    return build


@pytest.fixture
def touches_of(model_of: Callable[[str], FileContext]) -> TouchesOf:
    """What the first test of a module touches and nothing manages."""

    def find(text: str) -> list[Touch]:
        file = model_of(text)
        return TouchFinder(file.tests[0], file.inference, file.fixtures).unmanaged()

    return find


@pytest.fixture
def origin_of(model_of: Callable[[str], FileContext]) -> OriginOf:
    """Where the value comes from that the first test assigns in its last statement."""

    def trace(text: str) -> Known:
        file = model_of(text)
        test = file.tests[0]
        value = getattr(test.node.body[-1], "value", None)
        return Origins(test, file.inference).of(value, test.scope).known

    return trace
