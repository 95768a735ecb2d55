"""Small projects, fixed by the real engine and the real rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from socrates.findings import CheckResult, Finding
from socrates.fixes.apply import FixedFile, fix_all
from socrates.session import Session, check, prepare

NAME = "test_example.py"


@dataclass(frozen=True, slots=True)
class Fixed:
    """A project after its fixes: the test file, what was done, and what is still found."""

    text: str
    file: FixedFile
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    folder: Path

    @property
    def applied(self) -> list[str]:
        """The smells that were mended, by name, in the order of their fixes."""
        return [change.findings[0].name for change in self.file.applied]

    @property
    def reasons(self) -> list[str]:
        """Why findings have no fix."""
        return [reason for _, reason in self.file.unfixed]


FixText = Callable[..., Fixed]


def look(folder: Path, select: str) -> tuple[Session, CheckResult]:
    """Check a folder with some rules only."""
    session = prepare([], isolated=True, cwd=folder, flags={"select": [select], "jobs": 1})
    return session, check(session, use_cache=False)


@pytest.fixture
def fix_text(tmp_path: Path) -> FixText:
    """Write a test file with its surroundings, fix it on disk, and check it again from there."""

    def fix(
        text: str, select: str, files: Mapping[str, str] | None = None, *, unsafe: bool = True
    ) -> Fixed:
        (tmp_path / "pyproject.toml").touch()
        for name, content in {NAME: text, **(files or {})}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(content), encoding="utf-8", newline="")
        session, result = look(tmp_path, select)
        fixed = fix_all(session, result, unsafe=unsafe)
        assert not fixed.errors, "no rule fails while it looks for a fix"
        file = next((f for f in fixed.files if f.filename == NAME), FixedFile(NAME))
        with (tmp_path / NAME).open(encoding="utf-8", newline="") as stream:
            after = stream.read()
        return Fixed(after, file, result.findings, look(tmp_path, select)[1].findings, tmp_path)

    return fix
