"""A pytest plugin that writes down which blocks each test executes, and how long it takes.

Lines of JSON go to the file that ``MUTANTS_OUT`` names: ``[name, seconds, blocks]``. The name is a node id; what a
fixture for more than one test executes is written under the file, or under the folder of a fixture for several
files: each of the tests there may depend on it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mutation import tracing

_MARKS = tracing.marks(Path(os.environ["MUTANTS_FOLDER"]))
_OUT = Path(os.environ["MUTANTS_OUT"])
_failed: set[str] = set()


def _take() -> list[int]:
    """The blocks that were executed since the last time."""
    taken = bytes(_MARKS)
    _MARKS[:] = bytes(len(taken))
    return [number for number, mark in enumerate(taken) if mark]


def _write(name: str, seconds: float, blocks: list[int]) -> None:
    with _OUT.open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, round(seconds, 3), blocks]) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Writes what a test that passes has executed."""
    _take()
    started = time.monotonic()
    result = yield
    if item.nodeid not in _failed:
        _write(item.nodeid, time.monotonic() - started, _take())
    return result


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[Any]:
    """Writes what a fixture of several tests has executed under their file."""
    if fixturedef.scope == "function":
        return (yield)
    before = _take()
    started = time.monotonic()
    try:
        return (yield)
    finally:
        file = request._pyfuncitem.nodeid.partition("::")[0]
        shared = fixturedef.baseid if fixturedef.scope in ("session", "package") else file
        _write(shared or file, time.monotonic() - started, _take())
        for number in before:
            _MARKS[number] = 1


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test that fails, or is skipped, without any change can't notice one."""
    if not report.passed:
        _failed.add(report.nodeid)
