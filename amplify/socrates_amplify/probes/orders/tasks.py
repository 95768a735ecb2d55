"""Tasks of queues in a controlled run: which of two that nothing orders is handled first.

A queue promises no order, so two tasks may change places unless one was sent because the other was
done, or by a test that had waited for it. A task is held when a worker gets it, until another one
is done; workers go on with what else there is. Only tasks that the test waits for, with all
that they lead to, are offered: a test that reads at once would rightly see the difference.
"""

from __future__ import annotations

import _thread
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Offer
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import Names, forced, then
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.holds import KIND, Holds, looks_again, may_wait
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.strands import Moment, Strand, saw
from socrates_amplify.probes.queues.line import Go, Line
from socrates_amplify.probes.queues.tasks import LATER, Task
from socrates_amplify.record.messages import Context, Phase, address_of
from socrates_amplify.record.recorder import Recorder

_NEAREST = 20
"""With so many later tasks a task is compared."""
NOT_AWAITED = "the test did not wait for it"


@dataclass(slots=True, eq=False)
class _Known:
    """A task of the run; ``number`` is that of its own clock, ``end`` its last moment."""

    task: Task
    name: str
    sent: Moment
    number: int
    told: str
    sent_by: str = ""
    """The thread of another task, or of production code that the test calls, which has sent it."""
    worker: str = ""
    """The thread that handled it."""
    arrival: int = 0
    """Its place among those that workers got; 0 where none got it."""
    end: Moment | None = None


@dataclass(slots=True, eq=False)
class _Held:
    known: _Known
    go: Go
    only_here: bool
    fault: Fault | None
    """A ``delay`` or a ``reorder``; None where an order holds it."""


class TaskOrder(Line):
    """The tasks of one run, from being sent to being done."""

    def __init__(
        self,
        baton: Baton,
        holds: Holds,
        recorder: Recorder,
        chance: Chance | None = None,
        causal: bool = False,
    ) -> None:
        self._baton = baton
        self._holds = holds
        self._recorder = recorder
        self._chance = chance
        self._causal = causal
        self._names = Names()
        self._counts: Counter[str] = Counter()
        self._arrivals = 0
        self._known: dict[Task, _Known] = {}
        self._done: list[_Known] = []
        self._held: list[_Held] = []
        self._let: deque[Go] = deque()
        self._helper: Strand | None = None
        self._unseen: set[Task] | None = None
        self.operations: Operations | None = None
        """Lets threads stand still."""

    def sent(self, task: Task) -> None:
        """Give the task its name, and note what its sender had seen."""
        strand = self._baton.here()
        address = task.actor.address
        self._counts[address] += 1
        self._known[task] = _Known(
            task,
            self._names.name(address_of(task.context), address, task.sort),
            strand.tick() if strand is not None else Moment(-1, 0, {}),
            self._baton.number(),
            f"{address}#{self._counts[address]}",
        )

    def gone(self, task: Task) -> None:
        """A task is on its way: the task that sent it may go on only after it, if a scenario says so."""
        strand, known = self._baton.here(), self._known.get(task)
        if strand is None or known is None or self.operations is None:
            return
        if task.context is None and not self._recorder.roles.is_production(task.code):
            return  # what a test does after sending is its own story
        known.sent_by = strand.name
        self.operations.stand_still(strand, known.name)

    def arrive(self, task: Task, go: Go, only_here: bool = False) -> None:
        """A worker got a task: let it ``go`` unless it has to wait for another one."""
        known = self._known.get(task)
        if known is None or task.turns or self._baton.here() is None:
            go()
            return
        self._arrivals += 1
        known.arrival = self._arrivals
        later = next((fault for fault in task.faults if fault.kind in LATER), None)
        if later is not None and any(one.task.target == later.detail for one in self._done):
            self._recorder.injected(task, later)
            later = None
        by_chance = self._chance is not None and not only_here
        if later is not None or by_chance or self._holds.holds(known.name):
            self._held.append(_Held(known, go, only_here, later))
            if not only_here:
                self._serve()
        else:
            go()

    @contextmanager
    def turn(self, task: Task) -> Iterator[None]:
        """Around the handling of a task: what its thread did before is no cause of what it does now."""
        strand, known = self._baton.here(), self._known.get(task)
        if strand is None or known is None:
            yield
            return
        self._holds.begin(known.name, task)
        known.worker = strand.name
        with strand.turned_into(known.number, known.told, known.sent):
            try:
                yield
            finally:
                known.end = strand.tick()
                self._done.append(known)

    def finished(self, task: Task) -> None:
        """A task is done: those that waited for it go now."""
        known = self._known.get(task)
        if known is None:
            return
        self._holds.finish(known.name)
        if self.operations is not None:
            self.operations.look_again()
        for held in [one for one in self._held if self._may_go(one, known)]:
            if not self._take(held):
                continue
            if held.fault is not None:
                self._recorder.injected(held.known.task, held.fault)
            held.go()

    def _may_go(self, held: _Held, done: _Known) -> bool:
        if held.fault is None:
            return self._chance is None and not self._holds.holds(held.known.name)
        if held.fault.detail:
            return held.fault.detail == done.task.target
        return done.arrival > held.known.arrival

    def awaited(self, task: Task | None = None) -> None:
        """The test has waited: what is done by now comes before all that it does from now on."""
        strand = self._baton.here()
        if strand is not self._baton.main or strand is None:
            return
        done = self._done if task is None else [one for one in self._done if one.task is task]
        strand.sees([one.end for one in done if one.end is not None])

    @property
    def empty(self) -> bool:
        """Whether nothing is held back."""
        return not self._held

    def wait(self) -> None:
        """Let others go on; if none can, what is held goes."""
        strand = self._baton.here()
        if strand is None:
            self.flush(NOT_AWAITED)
        else:
            self._baton.pause(strand, 0.001)

    def let_go(self, sleeper: Strand | None) -> bool:
        """No thread can go on: let the first task go that is held; False where none is."""
        held = [one for one in self._held if not one.only_here]
        if not held or may_wait(sleeper, self._baton) or self._helper is None:
            return False
        if self._chance is None and self._is_coming(held[0], sleeper):
            return False
        first = held[0]
        if self._chance is not None:
            priority = self._chance.priority
            first = max(held, key=lambda one: priority(_chain(one.known.name)))
            self._chance.handle(_chain(first.known.name))
        self._take(first)
        self._give_up(first, "nothing else could go on before it")
        self._let.append(first.go)
        self._baton.wake(self._helper, unseen=True)
        return True

    def _is_coming(self, held: _Held, sleeper: Strand | None) -> bool:
        """Whether what ``held`` waits for has been sent, and a thread of the queue looks for it later.

        A task with a delay comes so: consumers ask again and again, each time for a while.
        """
        if held.fault is not None or not looks_again(sleeper, self._baton):
            return False
        awaited = self._holds.awaited(held.known.name)
        waiting = {one.known for one in self._held}
        return any(
            known.name in awaited and known.end is None and known not in waiting
            for known in self._known.values()
        )

    def flush(self, why: str) -> None:
        """Let everything go in this thread."""
        while self._held:
            first = self._held[0]
            if self._take(first):
                self._give_up(first, why)
                first.go()

    def close(self) -> None:
        """The run is over, and nobody waits for what is left."""
        self._held.clear()

    def end_of_test(self) -> None:
        """The test's own code is over: what it has not waited for, it could not judge."""
        past = self._baton.main.past
        self._unseen = {
            known.task
            for known in self._known.values()
            if known.end is None or past.get(known.number, 0) < known.end.own
        }

    def settle(self) -> None:
        """Take back what was said of a fault whose tasks the test did not wait for."""
        if self._unseen is None:
            self.end_of_test()
        led = self._that_led_to_unseen()
        for known in self._known.values():
            if known.task in led:
                for fault in self._holds.about(known.name):
                    self._recorder.withdrawn(fault, NOT_AWAITED)
                    self._recorder.void = NOT_AWAITED

    def offers(self) -> dict[str, tuple[Offer, ...]]:
        """By target: the later tasks that could have been done before it."""
        led = self._that_led_to_unseen()
        done = [one for one in self._done if one.arrival and one.task not in led]
        offers: dict[str, tuple[Offer, ...]] = {}
        for position, first in enumerate(done):
            led_to = [one for one in self._known.values() if saw(one.sent, first.number, 1)]
            found = [
                Offer(KIND, forced(first.name, _name_without(second, led_to)))
                for second in done[position + 1 : position + 1 + _NEAREST]
                if self._may_overtake(second, first)
            ]
            if first.sent_by and self._was_elsewhere(first):
                found.append(Offer(KIND, forced(then(first.name), first.name)))
            if found:
                offers[first.task.target] = tuple(found)
        return offers

    def _was_elsewhere(self, known: _Known) -> bool:
        """Whether another thread than its sender's handled it, or could have: the sender need not end first."""
        if known.task.context is None:
            return known.worker != known.sent_by
        stem = known.worker.partition("#")[0]
        return sum(strand.name.partition("#")[0] == stem for strand in self._baton.strands) > 1

    def _may_overtake(self, second: _Known, first: _Known) -> bool:
        if second.task.joins or saw(second.sent, first.number, 1):
            return False  # it is sent only after the first one has begun
        if saw(first.sent, second.number, 1):
            return False  # the first one was sent by it, and done before it went on
        return not (self._causal and first.sent.before(second.sent))

    def _that_led_to_unseen(self) -> set[Task]:
        """The tasks that the test did not wait for, and those that caused them."""
        led: set[Task] = set()
        for task in self._unseen or ():
            cause: Context = task
            while cause is not None and cause not in led:
                if isinstance(cause, Task):
                    led.add(cause)
                sent = cause.sent if isinstance(cause, Phase) else cause
                cause = sent.context
        return led

    def _give_up(self, held: _Held, why: str) -> None:
        if held.fault is not None:
            self._recorder.not_applied(held.fault, why)
        elif self._chance is None:
            self._holds.drop(held.known.name)

    def _take(self, held: _Held) -> bool:
        """Take it out of the line; False where another thread has, after control was lost."""
        try:
            self._held.remove(held)
        except ValueError:
            return False
        return True

    def _serve(self) -> None:
        """Have a thread of ours let tasks go where no thread of the run can: it waits in the line."""
        if self._helper is None:
            self._helper = strand = self._baton.join("line")
            _thread.start_new_thread(self._let_tasks_go, (strand,))
            self._baton.started(strand)

    def _let_tasks_go(self, strand: Strand) -> None:
        self._baton.enter(strand)
        while not self._baton.closed:
            if self._baton.lost:
                self.flush("the order was not controlled")
                return
            while self._let:
                self._let.popleft()()
            self._baton.pause(strand)


def _name_without(task: _Known, others: Iterable[_Known]) -> str:
    """What ``task`` is called where ``others`` are not sent before it: those of one kind are numbered."""
    stem, _, number = task.name.rpartition(" ")
    kin = [one.name.rpartition(" ") for one in others]
    return f"{stem} {int(number) - sum(s == stem and int(n) < int(number) for s, _, n in kin)}"


def _chain(name: str) -> str:
    return name.partition(" ")[0]
