"""Two orders of one test: as lanes of text, as JSON, and as drawings on the page."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from socrates_amplify.model.events import Event, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.order_coverage import OrderCoverage, ReceiverOrders
from socrates_amplify.model.orders import Names, forced, order_kind, step_sort
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.page import html, lane_drawing, order_matrix
from socrates_amplify.report.trace_views import orders_json, orders_text

CONTEXT = ReportContext(Path("project"))
COVERAGE = OrderCoverage(
    messages=4,
    pairs=4,
    both=2,
    impossible=1,
    receivers=(
        ReceiverOrders(
            "Store#1",
            ("Put(1) of Left#1", "Put(2) of Right#1", "Close() of Test", "Open() of Test"),
            ((), ("broke",), ("both", "one"), ("impossible", "", "")),
            left_out=3,
        ),
    ),
)


def send(sender: str, message: str, sort: str = "app:Put", receiver: str = "Store#1") -> Send:
    channel = "step" if "@" in sort else "message"
    return Send(f"t of {sender}", sender, receiver, message, "d", None, type=sort, channel=channel)


def name(sender: str, sort: str = "app:Put", receiver: str = "Store#1") -> str:
    return Names().name(sender, receiver, sort)


def handled(*sends: Send, failed: str = "") -> Trace:
    """All are sent first, then handled in this order; the last one fails."""
    events: list[Event] = sorted(sends, key=lambda one: one.sender)
    events += [Turn(one.receiver, one.target) for one in sends[:-1]]
    return Trace((*events, Turn(sends[-1].receiver, sends[-1].target, failed=failed)))


LEFT, RIGHT = send("Left#1", "Put(1)"), send("Right#1", "Put(2)")


def defective(passing: Trace, failing: Trace, held: str, awaited: str) -> TestResult:
    fault = Fault("t", order_kind(), "Left#1", "Store#1", "late", forced(held, awaited))
    defect = Defect(Scenario.of([fault]), Failure("AssertionError", "1 == 2", "test.py:1"))
    found = FoundDefect(defect, "replay.json", failing)
    return TestResult(
        "test_a.py::test_a",
        Status.DEFECTIVE,
        defects=(found,),
        note="orders: 4 free pairs",
        control=passing,
        orders=COVERAGE,
        passing=passing,
    )


@pytest.fixture
def test_of_actors() -> TestResult:
    failing = handled(RIGHT, LEFT, failed="ValueError: late")
    return defective(handled(LEFT, RIGHT), failing, name("Left#1"), name("Right#1"))


@pytest.fixture
def lines(test_of_actors: TestResult) -> list[str]:
    return orders_text.render(test_of_actors, CONTEXT).splitlines()


def test_the_passing_run_has_its_pair_in_the_order_of_the_letters(lines: list[str]) -> None:
    assert lines[3:7] == [
        "passes",
        "  Store#1",
        "  A  Put(1)  from Left#1",
        "  B  Put(2)  from Right#1",
    ]


def test_the_failing_run_has_the_same_letters_the_other_way_round(lines: list[str]) -> None:
    assert lines[8:12] == [
        "fails with A after B: AssertionError: 1 == 2",
        "  Store#1",
        "  B  Put(2)  from Right#1",
        "  A  Put(1)  from Left#1  fails: ValueError: late",
    ]


def test_pairs_of_a_receiver_stand_in_a_triangle(lines: list[str]) -> None:
    assert lines[13:19] == [
        "Store#1                 1  2  3",
        "   1 Put(1) of Left#1",
        "   2 Put(2) of Right#1  x",
        "   3 Close() of Test    ●  ◐",
        "   4 Open() of Test     -",
        "  3 messages more",
    ]


def test_a_message_that_never_comes_is_told() -> None:
    failing = handled(RIGHT)
    test = defective(handled(LEFT, RIGHT), failing, name("Left#1"), name("Right#1"))
    assert "  A never comes" in orders_text.render(test, CONTEXT).splitlines()


def test_threads_have_lanes_of_their_own() -> None:
    put = step_sort("put", "shop.py:close+1")
    one = send("write#1", "put at shop.py:3", put, "Queue#1")
    other = send("close#1", "put at shop.py:7", put, "Queue#1")
    held, awaited = name("write#1", put, "Queue#1"), name("close#1", put, "Queue#1")
    test = defective(handled(one, other), handled(other, one), held, awaited)
    assert orders_text.render(test, CONTEXT).splitlines()[3:8] == [
        "passes",
        "  write#1",
        "  │ close#1",
        "  A │  put at shop.py:3 on Queue#1",
        "  │ B  put at shop.py:7 on Queue#1",
    ]


def test_a_test_without_defects_shows_its_passing_run() -> None:
    test = TestResult("test_a.py::test_a", Status.RESILIENT, passing=handled(LEFT, RIGHT))
    assert "  ●  Put(1)  from Left#1" in orders_text.render(test, CONTEXT).splitlines()


def test_a_terminal_that_knows_only_ascii_gets_lanes_of_ascii(test_of_actors: TestResult) -> None:
    drawn = orders_text.render(test_of_actors, ReportContext(Path("project"), encoding="ascii"))
    assert drawn.isascii()


def test_json_names_the_pair_and_has_both_runs(test_of_actors: TestResult) -> None:
    told = json.loads(orders_json.render(test_of_actors, CONTEXT))
    [failing] = told["failing"]
    assert (failing["pairs"], len(told["passing"]["events"]), len(failing["events"])) == (
        [{"late": name("Left#1"), "after": name("Right#1")}],
        4,
        4,
    )


def letters(drawing: str) -> list[str]:
    """The letters of a drawing, from top to bottom."""
    root = ElementTree.fromstring(drawing)
    marked = [one for one in root.iter("text") if one.get("class") == "letter"]
    return [str(one.text) for one in sorted(marked, key=lambda one: float(one.get("y", 0)))]


def test_letters_change_places_between_the_drawings(test_of_actors: TestResult) -> None:
    passing, failing = lane_drawing.drawings(test_of_actors, test_of_actors.defects[0])
    assert (letters(passing), letters(failing)) == (["A", "B"], ["B", "A"])


def test_cells_of_the_page_say_what_was_seen() -> None:
    root = ElementTree.fromstring(order_matrix.matrices(COVERAGE))
    cells = [one.get("class") for one in root.iter("rect")]
    assert cells == ["cell broke", "cell both", "cell one", "cell impossible"]


def test_the_page_has_lanes_in_place_of_sequences_for_an_order(test_of_actors: TestResult) -> None:
    page = html.render(RunResult((test_of_actors,)), CONTEXT)
    assert (page.count('aria-label="lanes"'), "sequence diagram" in page) == (2, False)


def test_more_lanes_than_fit_leave_those_of_the_pair() -> None:
    crowd = [send(f"Other#{number}", "Put()", receiver=f"Shelf#{number}") for number in range(40)]
    run = handled(*crowd, LEFT, RIGHT)
    test = defective(run, run, name("Left#1"), name("Right#1"))
    passing, _ = lane_drawing.drawings(test, test.defects[0])
    assert ("Store#1" in passing, passing.count('class="lifeline"')) == (True, 16)
