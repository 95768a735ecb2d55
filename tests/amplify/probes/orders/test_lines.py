"""Which task of a queue is held, what lets it go, and which orders are offered: without any queue."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.orders import tasks as module
from socrates_amplify.probes.orders.strands import Strand
from socrates_amplify.probes.orders.tasks import NOT_AWAITED, TaskOrder

DELAY = Fault("t-a", "delay")
AFTER_B = Fault("t-a", "reorder", detail="t-b")
STUCK = "nothing else could go on before it"


class Task:
    """A task of a queue, of the test's own or of another task."""

    def __init__(self, name: str, *faults: Fault, context: object = None) -> None:
        self.actor = SimpleNamespace(address=name)
        self.target = f"t-{name}"
        self.sort = f"app:{name}"
        self.faults = faults
        self.context = context
        self.turns = 0
        self.joins = False


class Baton:
    """One thread, which is the test's."""

    closed = False
    lost = ""

    def __init__(self) -> None:
        self.main = Strand(0, "test")
        self.current: Strand | None = self.main
        self.log: list[object] = []
        self._numbers = iter(range(1, 100))

    def here(self) -> Strand | None:
        return self.current

    def number(self) -> int:
        return next(self._numbers)

    def join(self, name: str) -> Strand:
        return Strand(50, name)

    def started(self, strand: Strand) -> None:
        self.log.append(("started", strand.name))

    def enter(self, strand: Strand) -> None:
        self.log.append(("entered", strand.name))

    def wake(self, strand: Strand, *, unseen: bool) -> None:
        self.log.append(("woken", strand.name, unseen))

    def pause(self, strand: Strand, seconds: float | None = None) -> None:
        self.log.append(("paused", strand.name))
        self.closed = True


class Holds:
    """Holds the tasks with these addresses."""

    def __init__(self, held: Iterable[str] = ()) -> None:
        self.held = set(held)
        self.log: list[object] = []

    def holds(self, name: str) -> bool:
        return any(f">{held}" in name for held in self.held)

    def begin(self, name: str, task: object) -> None:
        self.log.append(("begin", task))

    def finish(self, name: str) -> None:
        self.log.append("finish")

    def drop(self, name: str) -> None:
        self.log.append("drop")

    def about(self, name: str) -> list[Fault]:
        return [AFTER_B] if self.holds(name) else []


class Recorder:
    """What was said of faults."""

    void = ""

    def __init__(self) -> None:
        self.said: list[tuple[object, ...]] = []

    def injected(self, task: Task, fault: Fault) -> None:
        self.said.append(("injected", task.target, fault))

    def not_applied(self, fault: Fault, why: str) -> None:
        self.said.append(("not applied", fault, why))

    def withdrawn(self, fault: Fault, why: str) -> None:
        self.said.append(("withdrawn", fault, why))


class Chance:
    """Prefers what comes late in the alphabet."""

    def __init__(self) -> None:
        self.handled: list[str] = []

    def priority(self, chain: str) -> float:
        return float(ord(chain[-1]))

    def handle(self, chain: str) -> None:
        self.handled.append(chain[-1])


class Lab:
    """The line of one run, and which tasks went, in their order."""

    def __init__(self, held: str = "", chance: Chance | None = None, causal: bool = False) -> None:
        self.baton, self.holds, self.recorder = Baton(), Holds(held), Recorder()
        made: Any = TaskOrder
        self.order: TaskOrder = made(self.baton, self.holds, self.recorder, chance, causal)
        self.went: list[str] = []
        self._worker = Strand(40, "worker")

    def arrives(self, *tasks: Any, only_here: bool = False) -> None:
        for task in tasks:
            self.order.arrive(task, lambda task=task: self.went.append(task.target), only_here)

    def sends(self, *tasks: Any) -> None:
        for task in tasks:
            self.order.sent(task)

    def handles(self, *tasks: Any) -> None:
        """A worker's thread handles them."""
        self.baton.current = self._worker
        for task in tasks:
            with self.order.turn(task):
                pass
            self.order.finished(task)
        self.baton.current = self.baton.main


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The threads that are to let tasks go: they are not started."""
    started: list[object] = []
    monkeypatch.setattr(module, "Task", Task)
    monkeypatch.setattr(
        module,
        "_thread",
        SimpleNamespace(start_new_thread=lambda act, given: started.append((act, given))),
    )
    return started


def test_task_that_nobody_holds_goes_at_once() -> None:
    lab, a = Lab(), Task("a")
    lab.sends(a)
    lab.arrives(a)
    assert (lab.went, lab.order.empty) == (["t-a"], True)


def test_task_that_was_never_sent_goes_at_once() -> None:
    lab = Lab(held="a")
    lab.arrives(Task("a"))
    assert lab.went == ["t-a"]


def test_task_that_was_handled_before_goes_at_once() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    a.turns = 1
    lab.arrives(a)
    assert lab.went == ["t-a"]


def test_task_in_a_thread_without_control_goes_at_once() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.baton.current = None
    lab.arrives(a)
    assert lab.went == ["t-a"]


def test_task_that_is_held_waits_and_a_thread_of_ours_stands_by(threads: list[object]) -> None:
    lab, a, b = Lab(held="ab"), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    assert (lab.went, lab.order.empty, len(threads), lab.baton.log) == (
        [],
        False,
        1,
        [("started", "line")],
    )


def test_task_that_only_its_own_thread_can_let_go_needs_no_thread_of_ours(
    threads: list[object],
) -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a, only_here=True)
    assert (lab.went, threads) == ([], [])


def test_task_that_is_no_longer_held_goes_when_another_one_is_done() -> None:
    lab, a, b = Lab(held="a"), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    lab.holds.held.clear()
    lab.handles(b)
    assert (lab.went, lab.order.empty) == (["t-b", "t-a"], True)


def test_task_that_is_still_held_stays() -> None:
    lab, a, b = Lab(held="a"), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    lab.handles(b)
    assert lab.went == ["t-b"]


def test_delayed_task_goes_after_one_that_came_later() -> None:
    lab, a, b = Lab(), Task("a", DELAY), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    lab.handles(b)
    assert (lab.went, lab.recorder.said) == (["t-b", "t-a"], [("injected", "t-a", DELAY)])


def test_delayed_task_does_not_go_after_one_that_came_earlier() -> None:
    lab, a, b = Lab(), Task("a", DELAY), Task("b")
    lab.sends(a, b)
    lab.arrives(b, a)
    lab.handles(b)
    assert lab.went == ["t-b"]


def test_reordered_task_goes_after_the_one_that_is_named() -> None:
    lab, a, b, c = Lab(), Task("a", AFTER_B), Task("b"), Task("c")
    lab.sends(a, b, c)
    lab.arrives(a, b, c)
    lab.handles(c)
    before = list(lab.went)
    lab.handles(b)
    assert (before, lab.went[2:]) == (["t-b", "t-c"], ["t-a"])


def test_reordered_task_that_comes_after_the_named_one_is_in_order() -> None:
    lab, a, b = Lab(), Task("a", AFTER_B), Task("b")
    lab.sends(a, b)
    lab.arrives(b)
    lab.handles(b)
    lab.arrives(a)
    assert (lab.went, lab.recorder.said) == (["t-b", "t-a"], [("injected", "t-a", AFTER_B)])


def test_end_of_a_task_that_was_never_sent_lets_nothing_go() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a)
    lab.holds.held.clear()
    lab.order.finished(Task("b"))  # type: ignore[arg-type]
    assert lab.went == []


def test_task_that_another_thread_let_go_meanwhile_goes_once() -> None:
    lab, a, b = Lab(held="a"), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    lab.holds.held.clear()
    [held] = lab.order._held
    assert (lab.order._take(held), lab.order._take(held)) == (True, False)


def test_turn_of_a_task_that_is_not_known_is_only_its_turn() -> None:
    lab = Lab()
    lab.handles(Task("a"))
    assert lab.holds.log == []


def test_turn_begins_and_ends_what_waited() -> None:
    lab, a = Lab(), Task("a")
    lab.sends(a)
    lab.handles(a)
    assert lab.holds.log == [("begin", a), "finish"]


@pytest.mark.parametrize(
    ("faults", "said", "dropped"),
    [
        pytest.param((), [], ["drop"], id="order"),
        pytest.param((DELAY,), [("not applied", DELAY, "over")], [], id="delay"),
    ],
)
def test_what_is_flushed_goes_with_a_reason(
    faults: tuple[Fault, ...], said: list[object], dropped: list[object]
) -> None:
    lab, a = Lab(held="a"), Task("a", *faults)
    lab.sends(a)
    lab.arrives(a)
    lab.order.flush("over")
    assert (lab.went, lab.recorder.said, lab.holds.log) == (["t-a"], said, dropped)


def test_waiting_without_control_lets_everything_go() -> None:
    lab, a = Lab(), Task("a", DELAY)
    lab.sends(a)
    lab.arrives(a)
    lab.baton.current = None
    TaskOrder.wait(lab.order)
    assert (lab.went, lab.recorder.said) == (["t-a"], [("not applied", DELAY, NOT_AWAITED)])


def test_waiting_under_control_lets_others_go_on() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a)
    TaskOrder.wait(lab.order)
    assert (lab.went, lab.baton.log[-1]) == ([], ("paused", "test"))


def test_nothing_is_left_of_a_closed_line() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a)
    lab.order.close()
    assert (lab.order.empty, lab.went) == (True, [])


def test_first_of_the_held_tasks_is_let_go_where_no_thread_can_go_on() -> None:
    lab, a, b = Lab(held="ab"), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    let = lab.order.let_go(None)
    lab.order._let_tasks_go(Strand(50, "line"))
    assert (let, lab.went, lab.holds.log, lab.baton.log[1]) == (
        True,
        ["t-a"],
        ["drop"],
        ("woken", "line", True),
    )


def test_delay_of_a_task_that_is_let_go_was_not_applied() -> None:
    lab, a = Lab(), Task("a", DELAY)
    lab.sends(a)
    lab.arrives(a)
    lab.order.let_go(None)
    assert lab.recorder.said == [("not applied", DELAY, STUCK)]


def test_nothing_is_let_go_where_nothing_is_held() -> None:
    assert not Lab().order.let_go(None)


def test_task_that_only_its_own_thread_can_let_go_is_not_let_go() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a, only_here=True)
    assert not lab.order.let_go(None)


def test_what_is_held_waits_for_a_thread_that_sleeps() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.arrives(a)
    sleeper = Strand(3, "other")
    sleeper.sleeping = True
    assert not lab.order.let_go(sleeper)


def test_chance_holds_all_tasks_and_chooses_among_them() -> None:
    chance = Chance()
    lab, a, b = Lab(chance=chance), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a, b)
    lab.order.let_go(None)
    lab.order._let_tasks_go(Strand(50, "line"))
    assert (lab.went, chance.handled, lab.holds.log) == (["t-b"], ["b"], [])


def test_chance_does_not_hold_what_only_its_own_thread_can_let_go() -> None:
    lab, a = Lab(chance=Chance()), Task("a")
    lab.sends(a)
    lab.arrives(a, only_here=True)
    assert lab.went == ["t-a"]


def test_end_of_a_task_lets_nothing_go_that_chance_holds() -> None:
    lab, a, b = Lab(chance=Chance()), Task("a"), Task("b")
    lab.sends(a, b)
    lab.arrives(a)
    lab.handles(b)
    assert lab.went == []


def test_lost_control_lets_everything_go() -> None:
    lab, a = Lab(), Task("a", DELAY)
    lab.sends(a)
    lab.arrives(a)
    lab.baton.lost = "a C thread"
    lab.order._let_tasks_go(Strand(50, "line"))
    told = ("not applied", DELAY, "the order was not controlled")
    assert (lab.went, lab.recorder.said) == (["t-a"], [told])


def done(lab: Lab, *tasks: Task) -> None:
    lab.sends(*tasks)
    lab.arrives(*tasks)
    lab.handles(*tasks)


def offered(lab: Lab) -> dict[str, int]:
    return {target: len(offers) for target, offers in lab.order.offers().items()}


def test_tasks_that_the_test_waited_for_may_change_places() -> None:
    lab = Lab()
    done(lab, Task("a"), Task("b"), Task("c"))
    lab.order.awaited()
    lab.order.settle()
    assert offered(lab) == {"t-a": 2, "t-b": 1}


def test_tasks_that_the_test_did_not_wait_for_are_not_offered() -> None:
    lab = Lab()
    done(lab, Task("a"), Task("b"))
    lab.order.settle()
    assert offered(lab) == {}


def test_wait_for_one_task_says_nothing_of_the_others() -> None:
    lab, a, b = Lab(), Task("a"), Task("b")
    done(lab, a, b)
    lab.order.awaited(a)  # type: ignore[arg-type]
    lab.order.end_of_test()
    assert lab.order._unseen == {b}


def test_only_the_wait_of_the_test_counts() -> None:
    lab, a = Lab(), Task("a")
    done(lab, a)
    lab.baton.current = Strand(4, "other")
    lab.order.awaited()
    lab.order.end_of_test()
    assert lab.order._unseen == {a}


def test_what_is_sent_after_a_wait_does_not_overtake() -> None:
    lab = Lab()
    done(lab, Task("a"))
    lab.order.awaited()
    done(lab, Task("b"))
    lab.order.awaited()
    lab.order.settle()
    assert offered(lab) == {}


def test_task_that_joins_others_does_not_overtake() -> None:
    lab, a, b = Lab(), Task("a"), Task("b")
    b.joins = True
    done(lab, a, b)
    lab.order.awaited()
    lab.order.settle()
    assert offered(lab) == {}


def test_where_queues_keep_the_order_of_a_sender_it_stays() -> None:
    lab = Lab(causal=True)
    done(lab, Task("a"), Task("b"))
    lab.order.awaited()
    lab.order.settle()
    assert offered(lab) == {}


def test_fault_of_a_task_that_the_test_did_not_wait_for_is_taken_back() -> None:
    lab, a = Lab(held="a"), Task("a")
    lab.sends(a)
    lab.order.settle()
    said = [("withdrawn", AFTER_B, NOT_AWAITED)]
    assert (lab.recorder.said, lab.recorder.void) == (said, NOT_AWAITED)


def test_task_that_led_to_one_that_the_test_did_not_wait_for_is_not_offered() -> None:
    lab, a, b = Lab(), Task("a"), Task("b")
    done(lab, a, b)
    lab.order.awaited()
    lab.sends(Task("c", context=a))
    lab.order.settle()
    assert lab.order._that_led_to_unseen() - lab.order._unseen == {a}


def test_fault_of_a_task_that_the_test_waited_for_stays() -> None:
    lab = Lab(held="a")
    a = Task("a")
    lab.sends(a)
    lab.handles(a)
    lab.order.awaited()
    lab.order.settle()
    assert (lab.recorder.said, lab.recorder.void) == ([], "")
