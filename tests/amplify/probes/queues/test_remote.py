"""What a worker in a process of its own asks the test, and what the test answers. Nothing is started."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from socrates_amplify.model.events import Injected, Reply, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.processes.handled import Handled
from socrates_amplify.probes.queues.delivery import Deliveries, Ended
from socrates_amplify.probes.queues.endpoint import QueueEndpoint
from socrates_amplify.probes.queues.remote_worker import RemoteDeliveries, RemoteRecorder
from socrates_amplify.probes.queues.tasks import Task, TaskType
from socrates_amplify.record.recorder import Recorder


class Wire:
    """Writes down what is asked, and answers it as it is told to."""

    def __init__(self, **answers: object) -> None:
        self.asked: list[tuple[str, str, dict[str, object]]] = []
        self._answers = answers

    def ask(self, endpoint: str, do: str, **details: object) -> object:
        self.asked.append((endpoint, do, details))
        return self._answers.get(do)

    def notice(self, notice: object) -> None:
        """Nobody gives notice here."""


def worker(wire: Wire, *, apart: bool = True, **config: object) -> RemoteDeliveries:
    recorder = RemoteRecorder(wire, "rq", eager=True, root="/root", apart=apart)
    return RemoteDeliveries(recorder, config)


def charge(order: object) -> object:
    return order


def task(*, token: str = "") -> Task:
    made = Task(TaskType("charge", charge), (1,), {}, None, (charge.__code__, 0))
    if token:
        made.token = token
    return made


@pytest.mark.parametrize("apart", [True, False])
def test_turns_are_told_with_their_number(apart: bool) -> None:
    wire = Wire()
    recorder = worker(wire, apart=apart).recorder
    recorder.turn(task(token="rq:1"))
    recorder.redelivered(task(token="rq:1"), 2)
    assert wire.asked == [
        ("rq", "turn", {"token": "rq:1", "copy": 0, "apart": apart}),
        ("rq", "turn", {"token": "rq:1", "copy": 2, "apart": apart}),
    ]


@pytest.mark.parametrize("error", [KeyError("x"), "KeyError"], ids=["exception", "name"])
def test_failure_is_told_by_its_name(error: BaseException | str) -> None:
    wire = Wire()
    worker(wire).recorder.failed(task(token="rq:1"), 1, error)
    assert wire.asked == [("rq", "failed", {"token": "rq:1", "copy": 1, "error": "KeyError"})]


def test_reply_is_told_as_text_and_digest() -> None:
    wire = Wire()
    worker(wire).recorder.replied(task(token="rq:1"), {"a": 1})
    ((_, do, details),) = wire.asked
    assert (do, details["text"], len(str(details["digest"]))) == ("replied", "{'a': 1}", 16)


def test_fault_is_told_by_its_kind() -> None:
    wire = Wire()
    worker(wire).recorder.injected(task(token="rq:1"), Fault("t", "restart"))
    assert wire.asked == [("rq", "injected", {"token": "rq:1", "kind": "restart"})]


def test_recorder_of_a_worker_is_as_the_test_says() -> None:
    recorder = worker(Wire()).recorder
    assert (recorder.eager, recorder.root) == (True, "/root")


def test_message_that_is_sent_is_described_without_its_content() -> None:
    wire, sent = Wire(), task()
    sent.context = Handled("rq:7")  # type: ignore[assignment]
    worker(wire, mask=["card"]).post("key", sent)
    ((_, do, details),) = wire.asked
    about: Any = details.pop("about")
    details.pop("site")
    assert (do, details, about["label"], about["content"], len(about["digest"])) == (
        "post",
        {"key": "key", "cause": "rq:7", "to": "charge", "mask": ["card"]},
        "charge(1)",
        None,
        16,
    )


def test_message_that_was_sent_is_let_go() -> None:
    sent = task()
    worker(Wire()).post("key", sent)
    assert sent.payload == ((), {})


def test_message_is_taken_with_its_faults() -> None:
    told = {"token": "rq:3", "turns": 2, "faults": [["t", "restart"]]}
    taken = worker(Wire(take=told)).take("key")
    assert taken is not None
    assert (taken.token, taken.turns, taken.faults) == ("rq:3", 2, (Fault("t", "restart"),))


def test_message_that_the_test_does_not_know_is_not_taken() -> None:
    assert worker(Wire()).take("key") is None


def test_extra_delivery_is_told_when_it_begins() -> None:
    wire, lives = Wire(), list[bool]()

    def life(dies: bool) -> Ended:
        lives.append(dies)
        return Ended("first")

    deliveries = worker(wire)
    ended = deliveries.extra_delivery(task(token="rq:1"), Fault("t", "restart"), life, dies=True)
    deliveries.here.context = None
    assert (ended, lives, wire.asked[1:]) == (
        Ended("first"),
        [True],
        [("rq", "begun", {"token": "rq:1", "kind": "restart"})],
    )


def test_fault_has_happened_with_the_last_delivery() -> None:
    wire, taken = Wire(), task(token="rq:1")
    taken.faults = tuple(Fault("t", kind) for kind in ("lose", "duplicate", "restart"))
    worker(wire).on_last_delivery(taken)
    assert [details["kind"] for _, _, details in wire.asked] == ["duplicate", "restart"]


@pytest.mark.parametrize(("told", "expected"), [(4, 4), (None, 0), ("4", 0)])
def test_count_is_that_of_the_test(told: object, expected: int) -> None:
    assert worker(Wire(count=told)).count("key") == expected


@pytest.mark.parametrize(("told", "token"), [("rq:4", "rq:4"), ("", None), (None, None)])
def test_cause_is_what_the_test_says(told: object, token: str | None) -> None:
    cause: Any = worker(Wire(cause=told)).cause("key")
    assert getattr(cause, "token", None) == token


def test_cause_is_remembered_by_the_test() -> None:
    wire = Wire()
    worker(wire).remember("key", Handled("rq:2"))  # type: ignore[arg-type]
    assert wire.asked == [("rq", "remember", {"key": "key", "cause": "rq:2"})]


def test_worker_holds_nothing_back_and_reads_for_itself() -> None:
    wire = Wire()
    deliveries, frame = worker(wire), sys._getframe()
    read = deliveries.read_result("k", frame, lambda: 1)
    several = deliveries.read_results(["k"], frame, lambda: 2)
    assert (deliveries.next("k"), read, several, wire.asked) == (None, 1, 2, [])


class Test:
    """The test's side: an endpoint with one task that was sent."""

    __test__ = False

    def __init__(self, *faults: str, eager: bool = True) -> None:
        scenario = Scenario.of([Fault("elsewhere", "restart")] if eager else [])
        self.recorder = Recorder(scenario, root="/root")
        self.deliveries = Deliveries(self.recorder)
        self.endpoint = QueueEndpoint(
            "rq", self.deliveries, {"mask": ["card"]}, lambda token: None, lambda wire: None, ()
        )
        self.task = Task(TaskType("charge", charge), (1,), {}, None, (charge.__code__, 0))
        self.deliveries.post("key", self.task)
        if eager:
            self.task.faults = tuple(Fault(self.task.target, kind) for kind in faults)

    def asked(self, do: str, **details: object) -> Any:
        return self.endpoint.answer({"do": do, **details})

    @property
    def trace(self) -> Trace:
        return self.recorder.trace()


@pytest.mark.parametrize("eager", [True, False])
def test_worker_is_told_the_settings(eager: bool) -> None:
    told = Test(eager=eager).asked("hello")
    assert told == {"config": {"mask": ["card"]}, "root": "/root", "eager": eager}


def test_worker_gets_the_faults_that_it_can_apply() -> None:
    test = Test("restart", "delay")
    assert test.asked("take", key="key") == {
        "token": "rq:0",
        "turns": 0,
        "faults": [[test.task.target, "restart"]],
    }


def test_worker_gets_nothing_for_what_nobody_sent() -> None:
    assert Test().asked("take", key="other") is None


def test_token_stays_the_same() -> None:
    test = Test()
    assert [test.endpoint.token_of(test.task) for _ in range(2)] == ["rq:0", "rq:0"]


@pytest.mark.parametrize("token", ["rq:1", "other:0", "rq:x", "rq", ""])
def test_token_of_nothing(token: str) -> None:
    test = Test()
    test.asked("take", key="key")
    assert test.endpoint.sent_of(token) is None


def test_token_stands_for_its_message() -> None:
    test = Test()
    test.asked("take", key="key")
    assert test.endpoint.sent_of("rq:0") is test.task


def test_unknown_token_is_named() -> None:
    with pytest.raises(LookupError, match="rq:9"):
        Test().asked("failed", token="rq:9", copy=0, error="KeyError")


@pytest.mark.parametrize("apart", [True, False])
def test_turns_of_a_worker_are_in_the_trace(apart: bool) -> None:
    test = Test()
    test.asked("take", key="key")
    for copy in (0, 1):
        test.asked("turn", token="rq:0", copy=copy, apart=apart)
    turns = [event for event in test.trace.events if isinstance(event, Turn)]
    found = ([turn.copy for turn in turns], turns[0].apart, test.task.turns)
    assert found == ([0, 1], apart, 2)


def test_failure_and_reply_of_a_worker_are_in_the_trace() -> None:
    test = Test()
    test.asked("take", key="key")
    test.asked("turn", token="rq:0", copy=0, apart=True)
    test.asked("replied", token="rq:0", text="7", digest="abc")
    test.asked("turn", token="rq:0", copy=1, apart=True)
    test.asked("failed", token="rq:0", copy=1, error="KeyError")
    events = test.trace.events
    failed = [event.failed for event in events if isinstance(event, Turn)]
    replies = [event.value for event in events if isinstance(event, Reply)]
    assert (failed, replies) == (["", "KeyError"], ["7"])


def test_fault_of_a_worker_is_in_the_trace() -> None:
    test = Test("restart")
    test.asked("take", key="key")
    test.asked("injected", token="rq:0", kind="restart")
    assert [event.kind for event in test.trace.events if isinstance(event, Injected)] == ["restart"]


def test_fault_that_has_only_begun_is_not_applied() -> None:
    test = Test("restart")
    test.asked("take", key="key")
    test.asked("begun", token="rq:0", kind="restart")
    told = "the test did not wait for its worker to be done with it"
    assert list(test.recorder.missed.values()) == [told]


def test_requests_are_counted_by_key() -> None:
    test = Test()
    assert [test.asked("count", key=key) for key in ("a", "a", "b")] == [0, 1, 0]


def test_cause_that_is_a_task_has_a_token() -> None:
    test = Test()
    test.deliveries.remember("later", test.task)
    found = [test.asked("cause", key=key) for key in ("later", "unknown")]
    assert found == ["rq:0", ""]


def test_message_of_a_worker_is_in_the_trace_as_it_was_told() -> None:
    wire, test = Wire(), Test()
    sent = Task(
        TaskType("mails.welcome", charge, queue="mails", offers=("restart",)),
        (7,),
        {},
        None,
        (charge.__code__, 0),
    )
    worker(wire, mask=["card"]).post("other", sent)
    test.asked("post", **wire.asked[0][2])
    send = test.trace.sends[-1]
    assert (send.receiver, send.message, [offer.kind for offer in send.offers]) == (
        "mails/mails.welcome",
        "welcome(7)",
        ["restart"],
    )
