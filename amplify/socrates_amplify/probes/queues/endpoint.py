"""Where the test answers what workers in processes of their own ask about their messages.

A worker says which message it got, by the queue's own id, and is told what shall happen to it.
It says what became of it, and what it sends in turn; the test's recorder takes it down as if the
worker were a thread of the test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Offer
from socrates_amplify.probes.base import Wire
from socrates_amplify.probes.processes.handled import token_of
from socrates_amplify.probes.queues.delivery import Deliveries
from socrates_amplify.probes.queues.tasks import LATER, Mask, Task, TaskType, in_line
from socrates_amplify.record.messages import Context, Described, Message

Answer = Callable[[Mapping[str, Any]], object]


class QueueEndpoint:
    """One queue's side of the channel; ``forked`` is told when this process is a fork."""

    def __init__(
        self,
        name: str,
        deliveries: Deliveries,
        config: Mapping[str, object],
        context_of: Callable[[str], Context],
        forked: Callable[[Wire], None],
        modules: Sequence[str],
    ) -> None:
        self.name = name
        self.modules = modules
        self.forked = forked
        self._deliveries = deliveries
        self._recorder = deliveries.recorder
        self._config = config
        self._context_of = context_of
        self._known: list[Task] = []
        self._kinds: dict[str, ReportedTaskType] = {}
        self._answers: dict[str, Answer] = {
            "hello": self._hello,
            "post": self._post,
            "take": self._take,
            "turn": self._turn,
            "failed": self._failed,
            "replied": self._replied,
            "begun": self._begun,
            "injected": self._injected,
            "remember": self._remember,
            "cause": self._cause,
            "count": lambda request: self._deliveries.count(request["key"]),
        }

    def answer(self, request: Mapping[str, Any]) -> object:
        """See ``Endpoint``."""
        return self._answers[request["do"]](request)

    def token_of(self, sent: Message) -> str:
        """See ``Endpoint``."""
        if not isinstance(sent, Task):
            return ""
        if not token_of(sent):
            sent.token = f"{self.name}:{len(self._known)}"
            self._known.append(sent)
        return sent.token

    def sent_of(self, token: str) -> Task | None:
        """See ``Endpoint``."""
        name, _, number = token.partition(":")
        if name != self.name or not number.isdecimal() or int(number) >= len(self._known):
            return None
        return self._known[int(number)]

    def _of(self, request: Mapping[str, Any]) -> Task:
        found = self.sent_of(request["token"])
        if found is None:
            raise LookupError(request["token"])
        return found

    def _hello(self, request: Mapping[str, Any]) -> object:
        recorder = self._recorder
        return {"config": dict(self._config), "root": recorder.root, "eager": recorder.eager}

    def _post(self, request: Mapping[str, Any]) -> None:
        address = request["to"]
        if address not in self._kinds:
            self._kinds[address] = ReportedTaskType(address, request["mask"])
        told = request["about"]
        about = Described(**{**told, "offers": tuple(Offer(*offer) for offer in told["offers"])})
        context = self._context_of(request["cause"])
        task = ReportedTask(self._kinds[address], about, context, request["site"])
        self._deliveries.post(request["key"], task)

    def _take(self, request: Mapping[str, Any]) -> object:
        task = self._deliveries.take(request["key"])
        if task is None:
            return None
        planned = self._deliveries.planned(task).values()
        return {
            "token": self.token_of(task),
            "turns": task.turns,
            # Who goes first is not for a single process to say.
            "faults": [[fault.target, fault.kind] for fault in planned if fault.kind not in LATER],
        }

    def _turn(self, request: Mapping[str, Any]) -> None:
        task, copy = self._of(request), request["copy"]
        task.turns = copy + 1
        if copy:
            self._recorder.redelivered(task, copy)
        else:
            self._recorder.turn(task)
        if request["apart"]:
            self._recorder.handled_elsewhere(task)

    def _failed(self, request: Mapping[str, Any]) -> None:
        self._recorder.failed(self._of(request), request["copy"], request["error"])

    def _replied(self, request: Mapping[str, Any]) -> None:
        self._recorder.replied(self._of(request), _Answer(request["text"], request["digest"]))

    def _begun(self, request: Mapping[str, Any]) -> None:
        fault = self._deliveries.planned(self._of(request))[request["kind"]]
        self._recorder.not_applied(fault, "the test did not wait for its worker to be done with it")

    def _injected(self, request: Mapping[str, Any]) -> None:
        task = self._of(request)
        self._recorder.injected_apart(task, self._deliveries.planned(task)[request["kind"]])

    def _remember(self, request: Mapping[str, Any]) -> None:
        self._deliveries.remember(request["key"], self._context_of(request["cause"]))

    def _cause(self, request: Mapping[str, Any]) -> str:
        context = self._deliveries.cause(request["key"])
        if isinstance(context, Task):
            self.token_of(context)
        return token_of(context)


class ReportedTaskType(TaskType):
    """A task of which another process told."""

    def __init__(self, address: str, mask: list[str]) -> None:
        queue, _, name = address.rpartition("/")
        super().__init__(name, None, queue=queue, mask=Mask(mask))

    def describe(self, sent: Message, content: object) -> Described:
        """What the other process said about it."""
        assert isinstance(content, Described)
        if isinstance(sent, Task) and sent.joins:
            return replace(content, offers=in_line(content.offers))
        return content


class ReportedTask(Task):
    """A message that another process sends; its place in the code is told, too."""

    __slots__ = ("_place",)

    def __init__(
        self, kind: ReportedTaskType, about: Described, context: Context, place: str
    ) -> None:
        super().__init__(kind, (), {}, context, (ReportedTask.__init__.__code__, 0))
        self.payload = about
        self._place = place

    @property
    def site(self) -> str:
        """Where in the code of the other process it was sent."""
        return self._place

    def keep(self) -> bool:
        """There is nothing here but what was told: the recorder sees to that."""
        return False


@dataclass(frozen=True, slots=True, repr=False)
class _Answer:
    """What a task answered in another process, as it is shown there."""

    text: str
    digest: str

    def __repr__(self) -> str:
        return self.text
