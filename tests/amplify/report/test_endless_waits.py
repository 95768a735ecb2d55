"""What is said of calls whose caller does not say how long it waits."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Offer, Send, Trace
from socrates_amplify.model.kinds import CALL, TASK, Channel
from socrates_amplify.model.results import RunResult, Status, TestResult
from socrates_amplify.report.endless_waits import line_about

REFUSED, LATE = Offer("connection-error"), Offer("timeout")


def call(site: str, *offers: Offer, channel: Channel = CALL) -> Send:
    return Send(site, "test", "shop", "GET /", "", None, offers=offers, channel=channel, site=site)


def said(*sends: Send) -> str:
    return line_about(
        RunResult((TestResult("test_a.py::test_a", Status.RESILIENT, control=Trace(sends)),))
    )


@pytest.mark.parametrize(
    ("sends", "expected"),
    [
        pytest.param((call("a.py:get", REFUSED, LATE),), "", id="with a timeout"),
        pytest.param((call("a.py:get"),), "", id="that can't be faulted"),
        pytest.param((call("a.py:get", REFUSED, channel=TASK),), "", id="a task"),
        pytest.param((call("", REFUSED),), "", id="of nobody knows whom"),
        pytest.param(
            (call("a.py:get", REFUSED, LATE), call("a.py:get", REFUSED)),
            "Calls from 1 place set no timeout, so none was tried there: some calls of get (a.py)",
            id="with one at times",
        ),
        pytest.param(
            (call("a.py:get", REFUSED), call("a.py:get", REFUSED)),
            "Calls from 1 place set no timeout, so none was tried there: get (a.py)",
            id="without one",
        ),
        pytest.param(
            tuple(call(f"a.py:get_{number}", REFUSED) for number in range(5)),
            "Calls from 5 places set no timeout, so none was tried there: "
            "get_0 (a.py), get_1 (a.py), get_2 (a.py) and 2 more",
            id="many",
        ),
    ],
)
def test_calls_without_a_timeout_are_named(sends: tuple[Send, ...], expected: str) -> None:
    assert said(*sends) == expected
