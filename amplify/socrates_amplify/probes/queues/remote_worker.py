"""Messages in a worker's own process: the test is asked which ones they are, and told the rest.

There is no state here but the message that is being handled. When the test is gone, no message is
known any more, and the worker goes on by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from types import FrameType
from typing import TypeVar

from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.base import Wire
from socrates_amplify.probes.processes.handled import Handled, token_of
from socrates_amplify.probes.queues.delivery import Deliveries, Ended, Life
from socrates_amplify.probes.queues.tasks import Task, TaskType, mask_in
from socrates_amplify.record.identity import canonical, digest, short
from socrates_amplify.record.messages import Context, Message
from socrates_amplify.record.recorder import Recorder

T = TypeVar("T")


class RemoteRecorder(Recorder):
    """Recorder in a worker process; reports its messages to the recorder in the test process.

    ``apart``: the worker that handles messages here is not a part of the test's process, so
    nobody there can say in which order they are handled.
    """

    def __init__(self, wire: Wire, endpoint: str, *, eager: bool, root: str, apart: bool) -> None:
        super().__init__(root=root)
        self.notices.relay = wire.notice
        self.wire = wire
        self.endpoint = endpoint
        self.eager = eager
        self._separate = apart
        self.turn = self._first  # type: ignore[assignment]

    def tell(self, do: str, sent: Message, **details: object) -> None:
        """Say something about a message."""
        self.wire.ask(self.endpoint, do, token=token_of(sent), **details)

    def redelivered(self, sent: Message, copy: int) -> None:
        """A further turn of the same message begins."""
        self.tell("turn", sent, copy=copy, apart=self._separate)

    def failed(self, sent: Message, copy: int, error: BaseException | str) -> None:
        """A turn ended with an exception."""
        name = error if isinstance(error, str) else type(error).__name__
        self.tell("failed", sent, copy=copy, error=name)

    def replied(self, sent: Message, value: object) -> None:
        """The first turn of ``sent`` answered with ``value``."""
        self.tell("replied", sent, text=short(value), digest=digest(canonical(value), 8))

    def injected(self, sent: Message, fault: Fault) -> None:
        """``fault`` was applied to ``sent``."""
        self.tell("injected", sent, kind=fault.kind)

    def _first(self, sent: Message) -> None:
        self.redelivered(sent, 0)


class RemoteDeliveries(Deliveries):
    """The messages of a worker process, by way of the test. Safe to call from any thread."""

    def __init__(self, recorder: RemoteRecorder, config: Mapping[str, object]) -> None:
        super().__init__(recorder)
        self._far = recorder
        self._globs = config.get("mask", ())
        self._kind = TaskType("", None, mask=mask_in(config, recorder.endpoint))

    def _ask(self, do: str, key: str, **details: object) -> object:
        return self._far.wire.ask(self._far.endpoint, do, key=key, **details)

    def post(self, key: str, task: Task) -> None:
        """See ``Deliveries``."""
        about = task.kind.describe(task, task.payload)
        told = replace(about, content=None, digest=digest(canonical(about.content), 8))
        self._ask(
            "post",
            key,
            cause=token_of(task.context),
            to=task.actor.address,
            site=task.site,
            about=asdict(told),
            mask=self._globs,
        )
        task.forget()

    def take(self, key: str) -> Task | None:
        """See ``Deliveries``."""
        told = self._ask("take", key)
        if not isinstance(told, dict):
            return None
        task = Task(self._kind, (), {}, None, (RemoteDeliveries.take.__code__, 0))
        task.token, task.turns = told["token"], told["turns"]
        task.faults = tuple(Fault(target, kind) for target, kind in told["faults"])
        return task

    def extra_delivery(self, task: Task, fault: Fault, life: Life, *, dies: bool) -> Ended:
        """See ``Deliveries``. A test that ends before the last delivery has not seen the fault."""
        self.begin(task)
        self._far.tell("begun", task, kind=fault.kind)
        return life(dies)

    def on_last_delivery(self, task: Task) -> None:
        """Now the fault has happened to the full, and before anybody can tell the test."""
        for fault in task.faults:
            if fault.kind in ("restart", "duplicate"):
                self.recorder.injected(task, fault)

    def next(self, key: str) -> Task | None:
        """Nothing is held back here."""
        return None

    def count(self, key: str) -> int:
        """See ``Deliveries``."""
        counted = self._ask("count", key)
        return counted if isinstance(counted, int) else 0

    def remember(self, key: str, context: Context) -> None:
        """See ``Deliveries``."""
        self._ask("remember", key, cause=token_of(context))

    def cause(self, key: str) -> Context:
        """See ``Deliveries``."""
        token = self._ask("cause", key)
        return Handled(token) if isinstance(token, str) and token else None  # type: ignore[return-value]

    def waiting(self, queue: str, frame: FrameType) -> None:
        """Only a wait of the test counts."""

    def read_result(self, key: str, frame: FrameType, get: Callable[[], T]) -> T:
        """Only what the test takes counts."""
        return get()

    def read_results(self, keys: Iterable[str], frame: FrameType, get: Callable[[], T]) -> T:
        """Only what the test takes counts."""
        return get()
