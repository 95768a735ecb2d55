"""Where a defect is: the code that made the faulted call, or what handles the faulted message."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.evidence import Evidence, Frame, Injection, Link
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.judgement import Site
from socrates_amplify.model.kinds import STEP
from socrates_amplify.model.orders import by_chance
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.sites import site_of

DROP = Fault("t1", "drop", "test", "app/Stock#1", "Count(1)")
CALL = Fault("t1", "timeout", "shop", "stock", "GET /")
TIME = Fault("time-zone", "circumstance", "process", "zone", "UTC")
CHANCE = Fault("order", "order", detail=by_chance(0, 3, 6))
LATE = Fault("t1", "order", "load()#1", "Lock#1", "acquire at a.py:7 after acquire of load()#2")
FAILURE = Failure("E", "", "t.py:1")


def send(handler: str = "", kind: str = "app:Count") -> Send:
    return Send("t1", "test", "app/Stock#1", "Count(1)", "", None, handler=handler, type=kind)


def step(kind: str) -> Send:
    return Send("t1", "load()#1", "Lock#1", "acquire", "", None, type=kind, channel=STEP)


@pytest.mark.parametrize(
    ("faults", "events", "expected"),
    [
        pytest.param((), (), Site("", "nowhere"), id="no fault"),
        pytest.param((TIME,), (), Site("time-zone", "time-zone"), id="circumstance"),
        pytest.param((CALL,), (), Site("shop -> stock", "shop -> stock"), id="call"),
        pytest.param((CALL, DROP), (), Site("Stock|", "Stock"), id="the last one"),
        pytest.param((DROP,), (send(),), Site("Stock|Count", "Stock Count"), id="message"),
        pytest.param((DROP,), (send(kind="app:Stock"),), Site("Stock|Stock", "Stock"), id="same"),
        pytest.param(
            (DROP,), (send("a.py:7"),), Site("Stock|Count", "Stock Count", "a.py:7"), id="handler"
        ),
        pytest.param(
            (DROP,),
            (send(), Turn("x", "t9", handler="z.py:1"), Turn("x", "t1", handler="b.py:3")),
            Site("Stock|Count", "Stock Count", "b.py:3"),
            id="handler that a turn shows",
        ),
        pytest.param(
            (DROP,),
            (send(kind="app:Stock.add"),),
            Site("Stock|Stock.add", "Stock.add"),
            id="method",
        ),
        pytest.param((CHANCE,), (), Site("|", "the test"), id="orders by chance"),
        pytest.param(
            (LATE,),
            (step("acquire@a.py:Shop.buy+4"),),
            Site("Lock|Shop.buy+4", "Shop.buy"),
            id="step",
        ),
        pytest.param(
            (LATE,), (step("result@"),), Site("Lock|result", "result of load()"), id="result"
        ),
        pytest.param((LATE,), (step("load()@"),), Site("Lock|load()", "load()"), id="said once"),
    ],
)
def test_site(faults: tuple[Fault, ...], events: tuple[object, ...], expected: Site) -> None:
    case = Case(faults, FAILURE, control=Trace(events))  # type: ignore[arg-type]
    assert site_of(case) == expected


def call_from(function: str, target: str) -> Injection:
    frame = Frame("production", "shop", "shop.py", function, 3)
    return Injection(target, "timeout", (frame,), f"get_{function}()")


CALLS = (CALL, Fault("t2", "timeout", "shop", "prices", "GET /"))
CALLED = (call_from("stock", "t1"), call_from("prices", "t2"))


@pytest.mark.parametrize(
    ("passed", "minimal", "expected"),
    [
        pytest.param(("title", "stock"), False, "stock", id="the error came through one"),
        pytest.param((), False, "prices or 1 other call", id="nothing says which"),
        pytest.param((), True, "prices", id="all are needed"),
    ],
)
def test_site_of_a_scenario_that_may_hold_too_much(
    passed: tuple[str, ...], minimal: bool, expected: str
) -> None:
    frames = tuple(Frame("production", "shop", "shop.py", name, 9) for name in passed)
    evidence = Evidence((Link("Timeout", "requests", frames=frames),), CALLED)
    case = Case(CALLS, FAILURE, evidence, minimal=minimal)
    assert site_of(case).name == expected
