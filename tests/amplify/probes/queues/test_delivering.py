"""How tasks are held back, delivered once or again, and described: the parts of all queue probes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from socrates_amplify.model.events import Offer, Reply, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.queues import delayed
from socrates_amplify.probes.queues.delayed import DelayedTasks
from socrates_amplify.probes.queues.delivery import Deliveries, Ended, Turns, caller, ended
from socrates_amplify.probes.queues.tasks import (
    Mask,
    Task,
    TaskType,
    handler_of,
    in_line,
    type_of,
)
from socrates_amplify.record.recorder import Recorder


def charge(order: object, card: object = None, *, note: object = None) -> object:
    """A task."""
    return order


def task_of(target: str, *faults: Fault, kind: TaskType | None = None) -> Task:
    made = Task(kind or TaskType("charge", charge), (1,), {}, None, (task_of.__code__, 0))
    made.target, made.faults = target, faults
    return made


class Heard:
    """Writes down which faults were applied, and which not."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def injected(self, task: Task, fault: Fault) -> None:
        self.lines.append(f"{fault.kind} of {task.target}")

    def not_applied(self, fault: Fault, why: str) -> None:
        self.lines.append(f"no {fault.kind}: {why}")


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def held(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Held tasks whose clock never runs out, unless a test says so."""
    monkeypatch.setattr(delayed, "PATIENCE", 600.0)
    made = DelayedTasks(heard)  # type: ignore[arg-type]
    yield made
    made.close()


def arriving(held: DelayedTasks, heard: Heard, task: Task) -> None:
    held.arrive(task, lambda: heard.lines.append(f"{task.target} goes"))


def test_a_task_without_such_a_fault_goes_at_once(held: DelayedTasks, heard: Heard) -> None:
    arriving(held, heard, task_of("a", Fault("a", "duplicate")))
    assert (heard.lines, held.empty) == (["a goes"], True)


def test_a_delayed_task_waits_for_any_that_came_later(held: DelayedTasks, heard: Heard) -> None:
    first, later = task_of("a", Fault("a", "delay")), task_of("b")
    arriving(held, heard, first)
    held.finished(task_of("earlier"))
    waits = (list(heard.lines), held.empty)
    arriving(held, heard, later)
    held.finished(later)
    assert waits == ([], False)
    assert heard.lines == ["b goes", "delay of a", "a goes"]


def test_a_reordered_task_waits_for_the_one_that_is_named(held: DelayedTasks, heard: Heard) -> None:
    first, other, named = (
        task_of("a", Fault("a", "reorder", detail="c")),
        task_of("b"),
        task_of("c"),
    )
    arriving(held, heard, first)
    for later in (other, named):
        arriving(held, heard, later)
        held.finished(later)
    assert heard.lines == ["b goes", "c goes", "reorder of a", "a goes"]


def test_a_task_is_not_held_for_one_that_went_first_by_itself(
    held: DelayedTasks, heard: Heard
) -> None:
    held.finished(task_of("b"))
    arriving(held, heard, task_of("a", Fault("a", "reorder", detail="b")))
    assert heard.lines == ["reorder of a", "a goes"]


def test_a_task_that_comes_again_is_not_held(held: DelayedTasks, heard: Heard) -> None:
    again = task_of("a", Fault("a", "delay"))
    again.turns = 1
    arriving(held, heard, again)
    assert heard.lines == ["a goes"]


def test_at_the_end_everything_goes(held: DelayedTasks, heard: Heard) -> None:
    arriving(held, heard, task_of("a", Fault("a", "delay")))
    held.close()
    arriving(held, heard, task_of("b", Fault("b", "delay")))
    assert heard.lines == ["no delay: the test ended first", "a goes", "b goes"]


def test_a_wait_that_nothing_ends_is_given_up(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delayed, "PATIENCE", 0.01)
    gone = threading.Event()
    made = DelayedTasks(heard)  # type: ignore[arg-type]
    made.arrive(task_of("a", Fault("a", "delay")), gone.set)
    assert gone.wait(60)
    assert (heard.lines, made.empty) == (["no delay: nothing overtook it"], True)
    made.close()


def delivered(*kinds: str, life: Callable[[bool], Ended], code: Callable[[], object]) -> Any:
    """What a worker gets for a task under these faults, and the trace of it."""
    recorder = Recorder(Scenario.of([Fault("elsewhere", "duplicate")]))
    deliveries = Deliveries(recorder)
    kind = TaskType("charge", charge, offers=("duplicate", "restart"))
    task = Task(kind, (1,), {}, None, (task_of.__code__, 0))
    deliveries.post("1", task)
    task.faults = tuple(Fault(task.target, one) for one in kinds)

    def official() -> object:
        return deliveries.around_task_code(lambda: code(), (), {})

    value = ended(lambda: deliveries.deliver(task, life, official))
    return value, recorder.trace()


def turns(trace: Trace) -> list[tuple[int, str]]:
    return [(e.copy, e.failed) for e in trace.events if isinstance(e, Turn)]


def answers(trace: Trace) -> list[str]:
    return [event.value for event in trace.events if isinstance(event, Reply)]


@pytest.mark.parametrize(
    ("kinds", "first", "count", "answer"),
    [
        pytest.param((), Ended(), 1, "second", id="no fault"),
        pytest.param(("restart",), Ended("first"), 2, "second", id="the worker died"),
        pytest.param(("duplicate",), Ended("first"), 2, "first", id="two deliveries"),
        pytest.param(
            ("duplicate",), Ended(error=KeyError()), 2, "second", id="the first one failed"
        ),
        pytest.param(("duplicate", "restart"), Ended("first"), 3, "first", id="both"),
    ],
)
def test_which_of_several_deliveries_counts(
    kinds: tuple[str, ...], first: Ended, count: int, answer: str
) -> None:
    value, trace = delivered(*kinds, life=lambda dies: first, code=lambda: "second")
    assert (value, len(turns(trace)), answers(trace)) == (Ended(answer), count, [repr(answer)])


def failing() -> object:
    raise ValueError("no")


@pytest.mark.parametrize(
    ("first", "raised", "failed"),
    [
        pytest.param(Ended("first"), False, "", id="the second one's own affair"),
        pytest.param(Ended(error=KeyError()), True, "ValueError", id="both failed"),
    ],
)
def test_a_failure_of_the_second_delivery(first: Ended, raised: bool, failed: str) -> None:
    value, trace = delivered("duplicate", life=lambda dies: first, code=failing)
    assert (value.error is not None, turns(trace)[-1][1]) == (raised, failed)


def test_only_a_restart_dies_after_its_code() -> None:
    told: list[bool] = []

    def life(dies: bool) -> Ended:
        told.append(dies)
        return Ended()

    delivered("duplicate", "restart", life=life, code=lambda: 1)
    assert told == [True, False]


def test_how_code_ended() -> None:
    error = ended(failing).error
    assert (ended(lambda: 3), type(error)) == (Ended(3), ValueError)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_who_wants_to_end_is_let(kind: type[BaseException]) -> None:
    def stop() -> None:
        raise kind

    with pytest.raises(kind):
        ended(stop)


def test_the_code_that_sent_is_the_first_outside() -> None:
    frame = sys._getframe()
    assert (caller(frame, ("elsewhere.",)), caller(frame, (__name__,)) is frame) == (frame, False)


def test_a_turn_within_a_turn_is_a_part_of_it() -> None:
    line = Turns()
    with line.one(), line.one():
        inner = line._owner
    assert (inner, line._owner) == (threading.get_ident(), None)


def test_messages_are_taken_in_their_order_and_the_last_one_again() -> None:
    deliveries = Deliveries(Recorder())
    kind = TaskType("charge", charge)
    first, second = (Task(kind, (n,), {}, None, (task_of.__code__, 0)) for n in range(2))
    for task in (first, second):
        deliveries.post("1", task)
    seen = [deliveries.next("1"), *(deliveries.take("1") for _ in range(3)), deliveries.next("1")]
    assert seen == [first, first, second, second, second]
    assert (deliveries.take("2"), deliveries.next("2")) == (None, None)


def test_what_is_asked_for_is_counted() -> None:
    deliveries = Deliveries(Recorder())
    assert [deliveries.count(key) for key in ("a", "a", "b")] == [0, 1, 0]


def test_the_first_cause_is_remembered() -> None:
    deliveries, kind = Deliveries(Recorder()), TaskType("charge", charge)
    cause, other = task_of("a"), task_of("b")
    deliveries.remember("1", cause)
    deliveries.remember("1", other)
    task = Task(kind, (1,), {}, None, (task_of.__code__, 0))
    deliveries.post("1", task)
    assert (task.context, task.joins, deliveries.cause("1"), deliveries.cause("2")) == (
        cause,
        True,
        cause,
        None,
    )


# -- what a task is -------------------------------------------------------------------------------


@wraps(charge)
def wrapped(*args: object) -> None:
    """A decorated task."""


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (charge, f"{__name__}:charge"),
        (wrapped, f"{__name__}:charge"),
        (None, ""),
        (object(), ""),
    ],
    ids=["function", "decorated", "none", "no function"],
)
def test_type_of_a_task(function: Any, kind: str) -> None:
    assert type_of(function) == kind


def test_a_task_whose_function_is_elsewhere_has_its_name_as_type() -> None:
    assert TaskType("shop.charge", None).type == ":shop.charge"


@pytest.mark.parametrize("root", ["", "/elsewhere"])
def test_handler_outside_of_the_project_is_told_whole(root: str) -> None:
    assert handler_of(charge, root) == f"{__file__}:{charge.__code__.co_firstlineno}"


def test_handler_inside_of_the_project_is_told_from_there() -> None:
    folder, _, name = __file__.rpartition("/")
    found = [handler_of(one, folder) for one in (charge, wrapped, None)]
    line = charge.__code__.co_firstlineno
    assert found == [f"{name}:{line}", f"{name}:{line}", ""]


@pytest.mark.parametrize(("queue", "address"), [("", "charge"), ("mails", "mails/charge")])
def test_address_of_a_task(queue: str, address: str) -> None:
    made = TaskType("charge", charge, queue=queue)
    assert (made.actor.address, made.actor.key) == (address, address)


def test_a_task_that_joins_others_can_not_be_overtaken() -> None:
    offers = tuple(Offer(kind) for kind in ("duplicate", "delay", "reorder"))
    assert in_line(offers) == (Offer("duplicate"),)


@pytest.mark.parametrize(
    ("joins", "note", "label", "kinds"),
    [
        (False, "", "charge(1, card=2)", ["duplicate", "delay"]),
        (True, "retry 1", "charge(1, card=2) retry 1", ["duplicate"]),
    ],
)
def test_description_of_a_task(joins: bool, note: str, label: str, kinds: list[str]) -> None:
    kind = TaskType("shop.charge", charge, offers=("duplicate", "delay"), promise="charge")
    task = Task(kind, (1,), {"card": 2}, None, (task_of.__code__, 0), note)
    task.joins = joins
    told = kind.describe(task, ((1,), {"card": 2}))
    assert (told.label, [offer.kind for offer in told.offers]) == (label, kinds)
    assert (told.at_least_once, told.promise, told.channel) == (True, "charge", "task")


def test_a_task_that_is_not_repeated_promises_nothing() -> None:
    kind = TaskType("charge", charge, offers=("lose",))
    assert kind.describe(task_of("a", kind=kind), ((1,), {})).at_least_once is False


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("card-1", "***"),
        ("other", "other"),
        (["card-1", ("card-2", 3)], ["***", ("***", 3)]),
        ({"password": 1, "x": "card-1", 3: "y"}, {"password": "***", "x": "***", 3: "y"}),
        (7, 7),
    ],
)
def test_masked_values(value: object, shown: object) -> None:
    assert Mask(["card-*"])(value) == shown


@pytest.mark.parametrize(
    "function", [charge, None, print, 3], ids=["own", "none", "built in", "no"]
)
def test_arguments_without_a_name_are_shown(function: Any) -> None:
    kind = TaskType("charge", function)
    told = kind.describe(task_of("a", kind=kind), ((1, 2, 3, 4), {}))
    assert told.label == "charge(1, 2, 3, 4)"


def test_a_label_has_room_for_a_little_whatever_the_name() -> None:
    kind = TaskType("x" * 100, None)
    told = kind.describe(task_of("a", kind=kind), (("y" * 50,), {}))
    assert told.label == f"{'x' * 100}('yyyyyyyy...)"


@pytest.mark.parametrize("code", [failing, lambda: 3])
def test_code_of_a_task_ends_as_it_would_without_us(code: Callable[[], object]) -> None:
    deliveries = Deliveries(Recorder(Scenario()))
    task = task_of("t1")
    deliveries.post("1", task)
    deliveries.here.context = task
    try:
        told = ended(lambda: deliveries.around_task_code(code, (), {}))
    finally:
        deliveries.here.context = None
    expected = ended(code)
    assert (told.value, type(told.error)) == (expected.value, type(expected.error))


def reading(sent: str, late: str = "") -> tuple[list[bool], list[object], object]:
    """What is being read while a test waits for the result of task 1, and what was read then."""
    recorder = Recorder()
    deliveries, kind = Deliveries(recorder), TaskType("charge", charge)
    task = Task(kind, (1,), {}, None, (task_of.__code__, 0))
    if sent:
        deliveries.post(sent, task)
    meanwhile: list[bool] = []

    def get() -> int:
        if late:
            deliveries.post(late, task)
        meanwhile.extend(read.pending for read in recorder.reply_reads)
        return 7

    value = deliveries.read_result("1", sys._getframe(), get)
    return meanwhile, [read.value for read in recorder.reply_reads], value


@pytest.mark.parametrize(
    ("sent", "late", "expected"),
    [
        pytest.param("1", "", ([True], [7], 7), id="sent before"),
        pytest.param("", "1", ([], [7], 7), id="sent meanwhile"),
        pytest.param("2", "", ([], [], 7), id="another was sent"),
    ],
)
def test_result_is_read_of_the_task_it_belongs_to(
    sent: str, late: str, expected: tuple[list[bool], list[object], object]
) -> None:
    assert reading(sent, late) == expected
