"""What a pytest process tells its executor about collecting: the tests, and what went wrong."""

from __future__ import annotations

import re

import pytest

_NAMED = re.compile(r"[\w.]*(Error|Exception|Warning)\b")
"""The first line of an exception's text; further lines say less."""


def listing_of(session: pytest.Session) -> dict[str, int]:
    """The node ids of a session in order, each with the line of its test."""
    return {item.nodeid: (item.location[1] or 0) + 1 for item in session.items}


def collection_error(report: pytest.CollectReport) -> str:
    """One line about what could not be collected, and why."""
    lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line[:2] == "E "]
    named = [line for line in lines if _NAMED.match(line)]
    # Of exceptions in a chain the last one counts; of a text that names none, its first line.
    detail = (named[-1:] or lines[:1] or report.longreprtext.strip().splitlines() or [""])[0]
    return f"{report.nodeid}: {detail}"
