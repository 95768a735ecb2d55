"""For all tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import settings

from socrates.discovery import pytest_config
from socrates.discovery.files import TestFile
from socrates.model.context import FileContext
from socrates.model.python import source
from socrates.model.python.project import Project
from socrates.settings import Settings

# Each of the many processes that tests start would else compile our packages anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A busy machine is no defect, and the same commit must give the same answer twice. Examples that
# are always the same show by fifty what they show by hypothesis's usual hundred.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("steady")

OpenModule = Callable[..., FileContext]


def pytest_configure(config: pytest.Config) -> None:
    """Keep files in their order: pytest-xdist would take those with few tests last.

    Ours with few tests take longest; one of them at the end keeps one worker busy and no other.
    A process that collects tests makes hardly any garbage by that, and need not look for it.
    """
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    if getattr(config.option, "dist", "no") == "no":
        gc.disable()


def pytest_collection_finish() -> None:
    """Have the garbage collector work again, and leave the collected tests alone."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def open_module(tmp_path: Path) -> OpenModule:
    """Writes the files of a small project and opens one of them, ``test_it.py`` unless told."""

    def make(files: Mapping[str, str] | str, name: str = "test_it.py") -> FileContext:
        written = {name: files} if isinstance(files, str) else files
        for path, text in written.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(dedent(text), encoding="utf-8")
        path_of_module = tmp_path / name
        project = Project(tmp_path, pytest_config.load(path_of_module.parent))
        parsed = source.parse(source.read(path_of_module))
        module = project.make_module(path_of_module, parsed)
        return FileContext(module, TestFile(path_of_module), project, Settings(tmp_path))

    return make


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Callable[[str, str], str]:
    """What the file of this name in ``data`` beside the test says.

    Where a text is meant to change, run the test with ``SOCRATES_WRITE_DATA=1``: the file is then
    written anew. Read what has changed in it.
    """

    def read(name: str, told: str) -> str:
        path = request.path.parent / "data" / name
        if os.environ.get("SOCRATES_WRITE_DATA"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(told, encoding="utf-8")
        return path.read_text(encoding="utf-8")

    return read


@pytest.fixture
def coloured_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with 256 colours, whatever the environment asks for."""
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
