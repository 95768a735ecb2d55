"""Failures keep their type, their message and their place, whatever runs the test."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.record.assertions.failures import failure_in
from socrates_amplify.record.recorder import Recorder

TESTTOOLS = """\
import unittest

class StringError(Exception):
    pass

class TestCase(unittest.TestCase):
    '''Runs a test as testtools does: pytest is told a text, hooks get the exception.'''

    def addOnException(self, handler):
        self.handlers = [handler]

    def run(self, result=None):
        result.startTest(self)
        try:
            getattr(self, self._testMethodName)()
        except Exception as error:
            for handler in self.handlers:
                handler((type(error), error, error.__traceback__))
            result.addError(self, (StringError, StringError("traceback-1: ..."), None))
        else:
            result.addSuccess(self)
        result.stopTest(self)

class TestShop(TestCase):
    def test_title(self):
        raise KeyError("title")
"""
GROUP = """\
def test_group():
    raise ExceptionGroup("several", [KeyError("a"), ExceptionGroup("more", [OSError("b")])])
"""
TIMES = """\
import datetime
def test_when():
    assert datetime.datetime(2026, 1, 2, 3, 4, 5).isoformat() == "2027-01-02T03:04:05"
"""
HELPER = """\
def check(value):
    assert value == 2
def test_helper():
    check(1)
"""


@pytest.fixture
def failure(project):
    """How the only test of a file fails."""

    def run(source: str) -> Failure:
        executor = project({"test_a.py": source})
        (nodeid,) = executor.collect()
        failed = executor.run(nodeid, Scenario(), 20.0).failure
        assert failed is not None
        return failed

    return run


@pytest.mark.parametrize(
    ("source", "kind", "place"),
    [
        pytest.param(TESTTOOLS, "KeyError", "test_a.py:26", id="testtools"),
        pytest.param(GROUP, "ExceptionGroup[KeyError, OSError]", "test_a.py:2", id="group"),
        pytest.param(HELPER, "AssertionError", "test_a.py:2", id="helper"),
    ],
)
def test_a_failure_keeps_its_type_and_its_place(failure, source, kind, place) -> None:
    failed = failure(source)
    assert (failed.type, failed.location) == (kind, place)


def test_a_group_tells_its_first_member(failure) -> None:
    assert failure(GROUP).message == "several (2 sub-exceptions): KeyError: 'a'"


def test_a_failure_is_shown_as_it_was(failure) -> None:
    assert failure(TIMES).told == "assert '2026-01-02T03:04:05' == '2027-01-02T03:04:05'"


def test_a_failure_is_compared_without_what_differs_from_run_to_run(failure) -> None:
    assert failure(TIMES).message == "assert '<time>' == '<time>'"


def reported(crash: object | None) -> Any:
    """What pytest says of a failure when only its report is left."""
    return SimpleNamespace(longrepr=SimpleNamespace(reprcrash=crash), longreprtext="it failed")


def item() -> Any:
    config = SimpleNamespace(rootpath=Path("/p"))
    return SimpleNamespace(path=Path("/p/test_a.py"), config=config, location=("test_a.py", 4, "t"))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("KeyError: 'id'", ("KeyError", "'id'")),
        ("KeyError", ("KeyError", "")),
        ("assert 1 == 2: no", ("AssertionError", "assert 1 == 2: no")),
    ],
)
def test_failure_by_its_report_alone(message: str, expected: tuple[str, str]) -> None:
    crash = SimpleNamespace(message=message, path="/p/test_a.py", lineno=9)
    found = failure_in(reported(crash), item(), Recorder(Scenario()))
    assert (found.type, found.message, found.location) == (*expected, "test_a.py:9")


def test_failure_whose_report_has_no_place_is_at_the_test() -> None:
    found = failure_in(reported(None), item(), Recorder(Scenario()))
    assert (found.type, found.message, found.location) == ("Failed", "it failed", "test_a.py:5")
