"""SECURITY.md says what commands do to a project, and which tests hold it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def page() -> str:
    return (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")


def rows(page: str) -> list[str]:
    """The rows of the tables, one for each command."""
    return [line for line in page.splitlines() if line.startswith("| `")]


def test_each_row_names_its_tests(page: str) -> None:
    bad = [
        row
        for row in rows(page)
        if row.count("|") != 6 or not re.search(r"`tests/\S+\.py`", row.rsplit("|", 2)[1])
    ]
    assert bad == [], "command, reads, writes, runs, held by"


def test_every_test_that_is_named_exists(page: str) -> None:
    named = set(re.findall(r"`(tests/[^`]+\.py)`", page))

    assert len(named) >= 8
    assert [name for name in sorted(named) if not (REPOSITORY / name).is_file()] == []
