"""A project on disk and the real engine with the real rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates import registry
from socrates.engine.run import check
from socrates.findings import CheckResult
from socrates.settings import Settings

SMELLY = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"

Check = Callable[..., CheckResult]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project with a configuration of its own."""
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    return tmp_path


@pytest.fixture
def checked(project: Path) -> Check:
    """Check the project with all rules; ``use_cache`` is off unless asked for."""

    def run(*targets: str, use_cache: bool = False, jobs: int = 1) -> CheckResult:
        settings = Settings(project)
        rules = registry.installed().active(settings)
        return check(
            targets or ["."], settings, rules=rules, use_cache=use_cache, jobs=jobs, cwd=project
        )

    return run


@pytest.fixture
def smelly() -> str:
    """A module with one test that has a smell on row 1."""
    return SMELLY
