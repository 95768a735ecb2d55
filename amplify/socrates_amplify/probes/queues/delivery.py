"""How a task is delivered, once or again; shared by the queue probes.

- ``restart``: a worker runs the task and dies before it could tell anybody. The message comes
  again, to the worker that then counts.
- ``duplicate``: the message was delivered to two workers. Both come to an end; the first one's
  result is the one that the queue keeps, and what the second raises is its own affair.

The queue's own bookkeeping (acknowledgement, stored result, retry, next step of a pipeline or
chain) happens once, as it does without faults. Copies run in the worker's own thread: memory of
the process is not lost, and a connection that belongs to the thread stays usable.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Fault
from socrates_amplify.originals import Threads
from socrates_amplify.probes.queues.line import Line
from socrates_amplify.probes.queues.space import WAIT
from socrates_amplify.probes.queues.tasks import Task
from socrates_amplify.record.messages import Actor, Context, Described, Message, Phase
from socrates_amplify.record.recorder import Recorder

T = TypeVar("T")

TURN_PATIENCE = 0.1
"""Seconds that a task waits for the one before it, in runs with faults. Short, because tasks that
take their time are meant to run beside each other, and tests may look at the clock."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run of a task's code ended."""

    value: object = None
    error: BaseException | None = None


Life = Callable[[bool], Ended]
"""Runs the task once more on fresh arguments; True: the worker dies right after its code."""


class _Running(threading.local):
    task: Task | None = None
    first: Ended | None = None
    instead: Callable[[], object] | None = None


class Turns:
    """One task at a time, in the order in which workers got them: so a run can be repeated.

    A task that waits for another one would wait for ever, so the other is let through after a
    while.
    """

    def __init__(self) -> None:
        self._changed = Threads.Condition()
        self._line: deque[object] = deque()
        self._owner: int | None = None

    @contextmanager
    def one(self) -> Iterator[None]:
        """Around a turn; a turn within a turn of the same thread is a part of it."""
        me, ticket = threading.get_ident(), object()
        if self._owner == me:
            yield
            return
        with self._changed:
            self._line.append(ticket)
            free = self._changed.wait_for(
                lambda: self._owner is None and self._line[0] is ticket, TURN_PATIENCE
            )
            self._line.remove(ticket)
            if free:
                self._owner = me
        try:
            yield
        finally:
            with self._changed:
                if self._owner == me:
                    self._owner = None
                self._changed.notify_all()


class Deliveries:
    """The messages of one run, from being sent to being handled. Safe to call from any thread."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.here = recorder.here
        self._eager = recorder.eager
        self._pending: dict[str, list[Task]] = {}
        self._latest: dict[str, Task] = {}
        self._running = _Running()
        self._turns = Turns()
        self.line: Line | None = None
        """Who decides on the order of tasks where the run is under control."""
        self._waits: dict[str, Actor] = {}
        self._causes: dict[str, Context] = {}
        self._counts: Counter[str] = Counter()

    def post(self, key: str, task: Task) -> None:
        """A message is about to be sent. ``key`` is the queue's own id of it."""
        if key in self._causes:
            task.context, task.joins = self._causes[key], True
        if not self._eager and task.keep():
            # The same as ``sent`` does in this case, without a look at what was seen already.
            self.recorder.turn(task)
        else:
            self.recorder.sent(task)
        if self.line is not None:
            self.line.sent(task)
        task.forget()
        self._latest[key] = task
        waiting = self._pending.get(key)
        if waiting is None:
            self._pending[key] = [task]
        else:
            waiting.append(task)

    def posted(self, key: str) -> None:
        """The message of this id has been sent."""
        task = self._latest.get(key) if self.line is not None else None
        if task is not None and self.line is not None:
            self.line.gone(task)

    def take(self, key: str) -> Task | None:
        """The message that a worker got: the oldest that it did not get yet, else the last again."""
        waiting = self._pending.get(key)
        if waiting:
            return waiting.pop(0)
        return self._latest.get(key)

    def remember(self, key: str, context: Context) -> None:
        """Record ``context`` as the cause of message ``key``, which is sent only after its dependencies finish."""
        self._causes.setdefault(key, context)

    def cause(self, key: str) -> Context:
        """What is remembered as the cause of a message."""
        return self._causes.get(key)

    def count(self, key: str) -> int:
        """How often this was asked before."""
        self._counts[key] += 1
        return self._counts[key] - 1

    def next(self, key: str) -> Task | None:
        """The message that ``take`` would give."""
        waiting = self._pending.get(key)
        return waiting[0] if waiting else self._latest.get(key)

    def planned(self, task: Task) -> dict[str, Fault]:
        """What shall happen to this message, by kind."""
        return {fault.kind: fault for fault in task.faults} if self._eager else {}

    def deliver_unfaulted(self, task: Task, run: Callable[..., T], *args: object) -> T:
        """Let a worker handle ``task`` in a run without faults: as little as can be done."""
        here = self.here
        before = here.context
        if task.turns:
            self.recorder.redelivered(task, task.turns)
        else:
            self.recorder.turn(task)
        task.turns += 1
        task.answered = False
        here.context = task
        try:
            return run(*args)
        finally:
            here.context = before

    def deliver(
        self,
        task: Task,
        life: Life,
        official: Callable[[], T],
        instead: Callable[[], object] | None = None,
    ) -> T:
        """Let a worker handle ``task`` by ``official``, with its faults before it.

        ``instead`` of the task's own code, where it shall not run at all. Without faults in the
        whole run, ``deliver_unfaulted`` does.
        """
        before = self.here.context
        planned = self.planned(task)
        first: Ended | None = None
        with self._turns.one() if self.line is None else self.line.turn(task):
            try:
                if "restart" in planned:
                    self.extra_delivery(task, planned["restart"], life, dies=True)
                if "duplicate" in planned:
                    first = self.extra_delivery(task, planned["duplicate"], life, dies=False)
                self.begin(task)
                self._running.task, self._running.first = task, first
                self._running.instead = instead
                return official()
            finally:
                self._running.task = None
                self.here.context = before

    def around_task_code(
        self, run: Callable[..., T], args: Sequence[object], kwargs: dict[str, object]
    ) -> T:
        """Around a task's own code: what it returns is the task's answer."""
        if self._eager:
            return self._around_faulted_code(lambda: run(*args, **kwargs))
        task = self.here.context
        if not isinstance(task, Task) or task.answered:
            return run(*args, **kwargs)
        task.answered = True
        try:
            value = run(*args, **kwargs)
        except BaseException as error:
            self.recorder.failed(task, task.turns - 1, error)
            raise
        if value is not None:
            self.recorder.replied(task, task.kind.result(value))
        return value

    def _around_faulted_code(self, run: Callable[[], T]) -> T:
        task, first = self._running.task, self._running.first
        if task is None:
            return run()
        self._running.task = None
        if self._running.instead is not None:
            return self._running.instead()  # type: ignore[return-value]
        survived = first is not None and first.error is None
        try:
            value = run()
        except BaseException as error:
            if not survived or not isinstance(error, Exception):
                self.recorder.failed(task, task.turns - 1, error)
                raise
            value = first.value  # type: ignore[union-attr, assignment]
        finally:
            # What the queue does next is done for the message, however often it was delivered.
            self.here.context = task
            self.on_last_delivery(task)
        if survived:
            value = first.value  # type: ignore[union-attr, assignment]
        if value is not None:
            self.recorder.replied(task, task.kind.result(value))
        return value

    def on_last_delivery(self, task: Task) -> None:
        """The last delivery of a message has come to its end, and nobody knows of it yet."""

    def waiting(self, queue: str, frame: FrameType) -> None:
        """The test waits for a queue: what it sends from now on comes after."""
        if self.here.context is None:
            actor = self._waits.get(queue)
            if actor is None:
                actor = self._waits[queue] = Actor(object, None, False, _describe_wait)
                actor.key = actor.address = queue
            self.recorder.sent(Message("wait", actor, None, frame.f_code, frame.f_lasti, False))

    def waited(self, task: Task | None = None) -> None:
        """The test has waited for a task, or for a queue that is empty now."""
        if self.line is not None and self.here.context is None:
            self.line.awaited(task)

    def read_result(self, key: str, frame: FrameType, get: Callable[[], T]) -> T:
        """Around the test's own wait for the result of a task."""
        if self.here.context is not None:
            return get()
        task = self._latest.get(key)
        if task is None:
            # It is sent later, by another task; by then there is a result.
            value = get()
            task = self._latest.get(key)
            if task is not None:
                with self.recorder.reading_reply(task, frame) as taken:
                    taken.keep(value)
                self.waited(task)
            return value
        with self.recorder.reading_reply(task, frame) as taken:
            value = get()
            taken.keep(value)
        self.waited(task)
        return value

    def read_results(self, keys: Iterable[str], frame: FrameType, get: Callable[[], T]) -> T:
        """Around the test's own wait for the results of several tasks together."""
        value = get()
        if self.here.context is None:
            for key in keys:
                if key in self._latest:
                    self.recorder.reading_reply(self._latest[key], frame).pending = False
                    self.waited(self._latest[key])
        return value

    def extra_delivery(self, task: Task, fault: Fault, life: Life, *, dies: bool) -> Ended:
        """A delivery that there would not be without a fault."""
        self.begin(task)
        self.recorder.injected(task, fault)
        return life(dies)

    def begin(self, task: Task) -> None:
        """A delivery begins: the next one, if there was one before."""
        number, task.turns = task.turns, task.turns + 1
        task.answered = False
        if number == 0:
            self.recorder.turn(task)
            context: Context = task
        else:
            self.recorder.redelivered(task, number)
            context = Phase(task, f"delivery {number + 1}")
        self.here.context = context


def ended(run: Callable[[], object]) -> Ended:
    """How ``run`` ended, whatever it raised."""
    try:
        return Ended(run())
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Ended(error=error)


def caller(frame: FrameType, packages: tuple[str, ...]) -> FrameType:
    """The first frame outside of modules that start so: the code that sent a message.

    Ours should be among them, since there are more of them in a run with faults.
    """
    while frame.f_globals.get("__name__", "").startswith(packages) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _describe_wait(sent: Message, content: object) -> Described:
    return Described(WAIT, content, "wait", internal=True)
