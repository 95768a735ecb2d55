"""Failures keep their type, their message and their place, whatever runs the test."""

from __future__ import annotations

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure

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
