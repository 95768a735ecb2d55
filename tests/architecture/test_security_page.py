"""SECURITY.md says what commands do to a project, and which tests hold it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def page() -> str:
    return (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")


def rows(page: str) -> dict[str, str]:
    """The rows of the tables, by command."""
    found = re.findall(r"^\| `([a-z-]+)`.*\|$", page, re.MULTILINE)
    lines = [line for line in page.splitlines() if line.startswith("| `")]
    return dict(zip(found, lines, strict=True))


@pytest.mark.parametrize("command", ["amplify", "trace", "replay", "merge"])
def test_a_command_has_a_row_that_names_its_tests(page: str, command: str) -> None:
    row = rows(page)[command]

    assert row.count("|") == 6, "command, reads, writes, runs, held by"
    assert re.search(r"`tests/\S+\.py`", row.rsplit("|", 2)[1])


def test_every_test_that_is_named_exists(page: str) -> None:
    named = set(re.findall(r"`(tests/[^`]+\.py)`", page))

    assert len(named) >= 8
    assert [name for name in sorted(named) if not (REPOSITORY / name).is_file()] == []
