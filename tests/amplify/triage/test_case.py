"""What is known of a defect: only outages, which circumstance, whose tasks, which calls again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.evidence import Evidence, Frame, Link
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CIRCUMSTANCE, STEP, TASK
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.classify import classify

FAILURE = Failure("AssertionError", "assert 1 == 2", "tests/test_shop.py:3")
DOWN = Fault("t1", "connection-error", "test", "shop", "GET /")
LOST = Fault("t1", "lost-reply", "test", "shop", "GET /")
TWICE = Fault("t1", "duplicate", "test", "Stock#1", "Add(1)")
ZONE = Fault("circumstance:zone", CIRCUMSTANCE, "process", "zone", "TZ=b instead of a")
SEND = Send("t1", "test", "shop", "GET /", "d", None)
LINK = Link("E", "shop", frames=(Frame("test", "t", "tests/test_shop.py", "test_a", 3),))


def case(*faults: Fault, links: tuple[Link, ...] = (), sends: tuple[Send, ...] = ()) -> Case:
    return Case(faults, FAILURE, Evidence(links), Trace(sends[:1]), Trace(sends))


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ((DOWN,), True),
        ((LOST,), True),
        ((DOWN, LOST), True),
        ((TWICE,), False),
        ((DOWN, TWICE), False),
        ((), False),
    ],
)
def test_only_outages(faults: tuple[Fault, ...], expected: bool) -> None:
    assert case(*faults).only_outages is expected


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ((DOWN,), ""),
        ((ZONE,), "zone"),
        ((ZONE, replace(ZONE, target="circumstance:b", receiver="")), "zone and circumstance:b"),
    ],
)
def test_circumstance(faults: tuple[Fault, ...], expected: str) -> None:
    assert case(*faults).circumstance == expected


@pytest.mark.parametrize(
    ("send", "expected"),
    [
        (replace(SEND, channel=TASK), True),
        (SEND, False),
        (replace(SEND, channel=TASK, target="t2"), False),
    ],
)
def test_task_of_a_queue(send: Send, expected: bool) -> None:
    assert case(DOWN, sends=(send,)).of_tasks is expected


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        (replace(SEND, target="t2"), True),
        (replace(SEND, target="t2", receiver="bank"), False),
        (replace(SEND, target="t2", message="POST /"), False),
        (SEND, False),
    ],
)
def test_call_that_is_made_again(again: Send, expected: bool) -> None:
    assert case(LOST, sends=(SEND, again)).repeats_a_done_call is expected


def test_call_that_failed_may_be_made_again() -> None:
    assert not case(DOWN, sends=(SEND, replace(SEND, target="t2"))).repeats_a_done_call


@pytest.mark.parametrize(
    ("before", "now", "handler", "expected"),
    [
        ("200 OK", "500 Oops", "shop.py:3", "shop"),
        ("500 Oops", "500 Oops", "shop.py:3", ""),
        ("200 OK", "503 Busy", "shop.py:3", ""),
        ("200 OK", "500 Oops", "", ""),
        (None, "500 Oops", "shop.py:3", ""),
    ],
)
def test_service_that_is_broken_now(
    before: str | None, now: str, handler: str, expected: str
) -> None:
    control = () if before is None else (Reply("shop", "t1", before, "d"),)
    failing = (Turn("shop", "t1", handler=handler), Reply("shop", "t1", now, "d"))
    found = Case((DOWN,), FAILURE, Evidence(), Trace(control), Trace(failing))
    assert found.broken_service == expected


PRODUCTION = Link(
    "KeyError",
    "builtins",
    frames=(*LINK.frames, Frame("production", "shop", "shop.py", "fetch", 7)),
    raised=True,
)


def test_first_error_that_left_a_handler() -> None:
    escapes = (LINK, PRODUCTION, replace(PRODUCTION, type="ValueError"))
    found = Case((DOWN,), FAILURE, Evidence(escapes=escapes)).escaped
    assert found is not None
    assert found.link.type == "KeyError"


@pytest.mark.parametrize(
    ("fault", "sends", "why"),
    [
        pytest.param(ZONE, (), "depends on zone", id="circumstance"),
        pytest.param(TWICE, (), "is done twice", id="redelivered"),
        pytest.param(LOST, (SEND, replace(SEND, target="t2")), "is done twice", id="called again"),
        pytest.param(Fault("t1", "restart"), (), "forgets in a restart", id="restart"),
        pytest.param(
            Fault("t1", "restart"),
            (replace(SEND, channel=TASK),),
            "is done twice when its worker dies",
            id="worker",
        ),
        pytest.param(Fault("t1", "reorder"), (), "depends on the order", id="order"),
        pytest.param(Fault("t1", "delay"), (), "depends on the order", id="delay"),
        pytest.param(Fault("t1", "drop"), (), "is not what it was", id="dropped"),
    ],
)
def test_effect_is_told_by_the_kind(fault: Fault, sends: tuple[Send, ...], why: str) -> None:
    assert classify(case(fault, links=(LINK,), sends=sends)).why == why


@pytest.mark.parametrize(
    ("calls", "why"),
    [(20, "too long in fetch (shop.py:7)"), (21, "too long in fetch (shop.py:7) after 21 calls")],
)
def test_hang_is_told_with_its_place_and_its_retries(calls: int, why: str) -> None:
    other = replace(SEND, receiver="bank")
    trace = Trace((*(replace(SEND, target=f"t{n}") for n in range(calls)), other))
    hang = Failure("Hang", "too long", "tests/test_shop.py:3")
    assert classify(Case((DOWN,), hang, Evidence((PRODUCTION,)), failing=trace)).why == why


def test_aftermath_is_told_up_to_a_length() -> None:
    judged = classify(replace(case(DOWN), aftermath="x" * 81))
    assert judged.why == f"still fails once the service is up again: {'x' * 79}…"


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        (
            "a>threads put@test_shop.py:test_a.<locals>.run+3 1 after b>q get@test_shop.py:f+1 1",
            True,
        ),
        ("a>threads put@test_shop.py:run+3 1 after b>q get@shop.py:Shop.take+1 1", False),
        ("a>Stock#1 shop:Add 1 after b>Stock#1 shop:Take 1", False),
        ("", False),
    ],
)
def test_steps_of_the_test_itself(detail: str, expected: bool) -> None:
    fault = Fault("order", "order", detail=detail)
    failure = Failure("AssertionError", "", "tests/test_shop.py:3")
    assert Case((fault,), failure).of_test_steps is expected


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (("tests/test_shop.py:3", "tests/test_shop.py:9"), True),
        (("tests/test_shop.py:3", "shop.py:9"), False),
        (("tests/test_shop.py:3", ""), False),
    ],
)
def test_starts_of_threads_are_where_their_code_is(places: tuple[str, str], expected: bool) -> None:
    starts = tuple(
        replace(
            SEND,
            target=name,
            sender=name,
            receiver="threads",
            channel=STEP,
            type="start@",
            handler=place,
        )
        for name, place in zip("ab", places, strict=True)
    )
    fault = Fault("b", "order", detail="b>threads start@ 1 after a>threads start@ 1")
    failure = Failure("AssertionError", "", "tests/test_shop.py:3")
    found = Case((fault,), failure, control=Trace(starts))
    assert found.of_test_steps is expected


@pytest.mark.parametrize(("file", "expected"), [("test_shop.py", True), ("shop.py", False)])
def test_cancelled_task_of_the_test_itself(file: str, expected: bool) -> None:
    step = replace(SEND, channel=STEP, type=f"wait@{file}:test_a.<locals>.run+3")
    failure = Failure("AssertionError", "", "tests/test_shop.py:3")
    found = Case((Fault(SEND.target, "cancel"),), failure, control=Trace((step,)))
    assert found.of_test_steps is expected


@pytest.mark.parametrize(
    ("handlers", "expected"),
    [
        (("", "/venv/lib/python3.11/site-packages/mopidy/core/actor.py:99"), True),
        (("shop/stock.py:3", "/venv/lib/python3.11/site-packages/mopidy/core/actor.py:99"), False),
        (("", ""), False),
    ],
)
def test_order_of_what_a_library_handles(handlers: tuple[str, str], expected: bool) -> None:
    sends = tuple(
        Send(target, "test", "Core#1", "get()", "d", None, type=f"core:{target}", handler=handler)
        for target, handler in zip(("a", "b"), handlers, strict=True)
    )
    detail = "test>Core#1 core:a 1 after test>Core#1 core:b 1"
    order = Fault("a", "order", detail=detail)
    found = Case((order,), FAILURE, control=Trace(sends))
    assert found.of_libraries is expected
