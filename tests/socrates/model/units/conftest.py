"""The real model of a project of several files, for tests about units and their methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from socrates.discovery.files import TestFile
from socrates.discovery.pytest_config import PytestConfig
from socrates.model.context import FileContext
from socrates.model.python.project import Project
from socrates.settings import Settings

ModelOf = Callable[[str, Mapping[str, str]], FileContext]


@pytest.fixture
def project_model(tmp_path: Path) -> ModelOf:
    """The model of one test module of a project."""

    def build(name: str, files: Mapping[str, str]) -> FileContext:
        for other, text in files.items():
            path = tmp_path / other
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        project = Project(tmp_path, PytestConfig(tmp_path))
        module = project.load(tmp_path / name)
        assert module is not None, "the text of the test must be valid Python"
        return FileContext(module, TestFile(tmp_path / name), project, Settings(tmp_path))

    return build
