"""How often a fault is needed, as it is told of the defects of one place."""

from __future__ import annotations

import pytest

from socrates_amplify.model.defect_groups.honest_errors import how_often
from socrates_amplify.model.events import Event, Injected, Reply, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect
from socrates_amplify.model.search import Defect


def found(struck: int, *answers: str) -> FoundDefect:
    """The first ``struck`` calls are refused, the others are answered so; an empty answer is none."""
    events: list[Event] = []
    for number in range(struck + len(answers)):
        target = f"t{number}"
        events.append(Send(target, "test", "maps", "GET /", "", None, channel=CALL))
        if number < struck:
            events.append(Injected(target, "connection-error"))
        elif answer := answers[number - struck]:
            events.append(Reply("maps", target, answer, ""))
    faults = [Fault(f"t{n}", "connection-error", "test", "maps", "GET /") for n in range(struck)]
    defect = Defect(Scenario.of(faults), Failure("E", "", "t.py:1"))
    return FoundDefect(defect, "r.json", Trace(tuple(events)))


@pytest.mark.parametrize(
    ("defects", "expected"),
    [
        pytest.param([found(3)], "connection-error 3 times", id="all by faults"),
        pytest.param([found(1, "200")], "connection-error", id="a call that goes well"),
        pytest.param(
            [found(2, "500")], "connection-error beside the test's own errors", id="an error reply"
        ),
        pytest.param(
            [found(2, "")], "connection-error beside the test's own errors", id="no answer"
        ),
        pytest.param([found(1, "500")], "connection-error", id="a single fault"),
        pytest.param([found(1), found(3)], "connection-error 1 to 3 times", id="from test to test"),
        pytest.param([found(2, ""), found(3)], "connection-error 3 times", id="one of each"),
        pytest.param([found(1, "500"), found(3)], "connection-error 3 times", id="a single one"),
    ],
)
def test_number_is_of_tests_whose_service_does_not_fail_by_itself(
    defects: list[FoundDefect], expected: str
) -> None:
    assert how_often(defects) == [expected]


@pytest.mark.parametrize(
    ("alike", "expected"), [(True, ["status 500"]), (False, ["status 500", "status 502"])]
)
def test_a_page_is_told_where_it_may_do_something_else(alike: bool, expected: list[str]) -> None:
    replies = [Fault("t0", "status", "test", "maps", "GET /", detail) for detail in ("500", "502")]
    defects = [
        FoundDefect(Defect(Scenario.of([fault]), Failure("E", "", "t.py:1")), "r.json")
        for fault in replies
    ]
    assert how_often(defects, alike=alike) == expected
