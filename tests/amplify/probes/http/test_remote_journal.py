"""What a service in a process of its own asks the test about calls, and what the test answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.model.events import Reply, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.http.calls.endpoint import answer
from socrates_amplify.probes.http.calls.journal import Attempt, Call, LocalJournal, shown
from socrates_amplify.probes.http.calls.outgoing import Outgoing, is_http
from socrates_amplify.probes.http.calls.remote import RemoteJournal
from socrates_amplify.probes.http.calls.settings import CallSettings
from socrates_amplify.probes.processes.handled import Handled
from socrates_amplify.record.messages import CurrentContext
from socrates_amplify.record.recorder import Recorder

GET = Outgoing("requests", "GET", "http://prices/7", timeout=2.0)


@pytest.fixture(autouse=True)
def _nothing_is_handled() -> Iterator[None]:
    """What is handled in one test is not handled in the next one."""
    yield
    CurrentContext().context = None


class Wire:
    """Writes down what is asked, and answers it as it is told to."""

    def __init__(self, **answers: object) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._answers = answers

    def ask(self, endpoint: str, do: str, **details: object) -> object:
        assert endpoint == "http"
        self.asked.append((do, details))
        return self._answers.get(do)


def service(**answers: object) -> tuple[Wire, RemoteJournal]:
    wire: Any = Wire(**answers)
    journal = RemoteJournal(wire)
    wire.asked.clear()
    return wire, journal


def test_settings_are_those_of_the_test() -> None:
    told = {"header": False, "slow": 7.0, "honest_timeouts": True}
    assert service(hello=told)[1].settings == CallSettings(
        header=False, slow=7.0, honest_timeouts=True
    )


def test_settings_of_a_test_that_is_gone_are_the_usual_ones() -> None:
    assert service()[1].settings == CallSettings()


def test_call_of_a_service_is_numbered_by_the_test() -> None:
    _, journal = service(begin=[4, "run-4", "status", "503"])
    made = journal.begin(GET, sys._getframe())
    assert (made.number, made.token, made.kind, made.detail) == (4, "run-4", "status", "503")


def test_call_is_told_with_who_makes_it_and_why() -> None:
    wire, journal = service(listening="prices")
    journal.listening(80, "hint", "shown")
    journal.here.context = Handled("run-2")  # type: ignore[assignment]
    journal.begin(GET, sys._getframe())
    told = wire.asked[1][1]
    assert (told["cause"], told["sender"], Outgoing(**told["outgoing"])) == ("run-2", "prices", GET)


def test_nobody_is_told_of_a_call_that_the_test_does_not_know() -> None:
    wire, journal = service()
    made = journal.begin(GET, sys._getframe())
    made.replied(200, b"x")
    assert (made.kind, [do for do, _ in wire.asked]) == ("", ["begin"])


@pytest.mark.parametrize(
    ("say", "what", "details"),
    [
        pytest.param(lambda call: call.injected(), "injected", [], id="injected"),
        pytest.param(lambda call: call.lost(), "lost", [], id="lost"),
        pytest.param(lambda call: call.failed(), "failed", [], id="failed"),
        pytest.param(lambda call: call.replied(200, b"a  b"), "replied", [200, "a b"], id="body"),
        pytest.param(lambda call: call.replied(204), "replied", [204, ""], id="no body"),
    ],
)
def test_end_of_a_call_is_told(say: Any, what: str, details: list[object]) -> None:
    wire, journal = service(begin=[0, "run-0", "", ""])
    say(journal.begin(GET, sys._getframe()))
    assert wire.asked[-1] == ("tell", {"what": what, "number": 0, "details": details})


def test_service_handles_a_call_until_it_leaves() -> None:
    wire, journal = service()
    leave = journal.enter("run-1")
    context: Any = journal.here.context
    journal.handled_by("app.py:3")
    leave()
    assert (context.token, journal.here.context, wire.asked) == (
        "run-1",
        None,
        [("enter", {"token": "run-1"}), ("handled", {"token": "run-1", "place": "app.py:3"})],
    )


@pytest.mark.parametrize(("token", "place"), [("run-1", ""), ("", "app.py:3")])
def test_place_of_nothing_is_not_told(token: str, place: str) -> None:
    wire, journal = service()
    if token:
        journal.here.context = Handled(token)  # type: ignore[assignment]
    journal.handled_by(place)
    assert wire.asked == []


def test_error_in_a_service_is_left_to_the_caller() -> None:
    wire, journal = service()
    journal.escaped(KeyError())
    assert wire.asked == []


class Calls:
    """The test's side of the channel."""

    def __init__(self, **settings: Any) -> None:
        planned = [Fault("elsewhere", "status")]
        self.recorder = Recorder(Scenario.of(planned), root="/root")
        self.journal = LocalJournal(self.recorder, CallSettings(**settings))
        self.causes: list[str] = []

    def asked(self, do: str, **details: object) -> Any:
        return answer(self.journal, {"do": do, **details}, self._context_of)

    def _context_of(self, token: str) -> Call | None:
        self.causes.append(token)
        return self.journal.call_of(token)

    def begun(self, cause: str = "") -> list[Any]:
        outgoing = {"library": "requests", "method": "GET", "url": "http://prices/7"}
        told = self.asked("begin", cause=cause, sender="shop", outgoing=outgoing, way="w")
        return list(told)


def test_service_is_told_the_settings_that_it_needs() -> None:
    calls = Calls(slow=3.0, header=False, honest_timeouts=True, processes=False)
    assert calls.asked("hello") == {"header": False, "slow": 3.0, "honest_timeouts": True}


def test_calls_of_services_are_counted_and_traced() -> None:
    calls = Calls()
    (first, token, *fault), (second, *_) = calls.begun(), calls.begun()
    send = calls.recorder.trace().sends[0]
    assert (first, second, token.endswith("-0"), fault) == (0, 1, True, ["", ""])
    assert (send.message, send.sender, calls.causes) == ("GET /7", "shop", ["", ""])


def test_call_that_a_service_handles_has_a_turn_and_a_place() -> None:
    calls = Calls()
    token = calls.begun()[1]
    calls.asked("enter", token=token)
    calls.asked("handled", token=token, place="/root/app/views.py:3")
    turns = [event for event in calls.recorder.trace().events if isinstance(event, Turn)]
    assert [turn.handler for turn in turns] == ["app/views.py:3"]


@pytest.mark.parametrize("token", ["", "other-0", "-0", "x"])
def test_header_of_another_run_is_nothing(token: str) -> None:
    calls = Calls()
    calls.begun()
    assert calls.journal.call_of(token) is None


def test_number_beyond_the_last_call_is_nothing() -> None:
    calls = Calls()
    run, _, _ = calls.begun()[1].partition("-")
    found = [calls.journal.call_of(f"{run}-{number}") for number in ("1", "x", "-1")]
    assert found == [None, None, None]


def test_reply_to_a_call_is_traced() -> None:
    calls = Calls()
    calls.begun()
    calls.asked("tell", what="replied", number=0, details=[200, "fine"])
    replies = [event for event in calls.recorder.trace().events if isinstance(event, Reply)]
    assert [reply.value for reply in replies] == ["200 fine"]


def attempt_under(*kinds: str) -> tuple[Calls, Attempt]:
    calls = Calls()
    calls.begun()
    call = calls.journal._calls[0]
    call.faults = tuple(Fault("t", kind, detail=kind) for kind in kinds)
    return calls, calls.journal._attempt(call)


@pytest.mark.parametrize(
    ("kinds", "kind", "missed"),
    [
        ((), "", 0),
        (("unknown",), "", 0),
        (("slow",), "slow", 0),
        (("status", "timeout"), "timeout", 1),
        (("slow", "status", "connection-error"), "connection-error", 2),
    ],
)
def test_first_of_several_faults_is_applied(kinds: tuple[str, ...], kind: str, missed: int) -> None:
    calls, made = attempt_under(*kinds)
    reasons = set(calls.recorder.missed.values())
    expected = {"another fault hit the same call"} if missed else set()
    assert (made.kind, made.detail, len(calls.recorder.missed), reasons) == (
        kind,
        kind,
        missed,
        expected,
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b" a\n  b ", "a b"),
        (b"\xff", "�"),
        (b"x" * 180, "x" * 180),
        (b"x" * 181, f"{'x' * 180}..."),
    ],
    ids=["spaces", "no text", "just short", "long"],
)
def test_beginning_of_a_body(body: bytes, expected: str) -> None:
    assert shown(body) == expected


@pytest.mark.parametrize("size", [181, 1_000])
def test_so_much_of_a_body_is_kept(size: int) -> None:
    told: list[tuple[object, ...]] = []
    Attempt(0, "", "", "", lambda *given: told.append(given)).replied(200, b"x" * size)
    assert told == [("replied", 0, 200, b"x" * 181)]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a", True),
        ("HTTPS://a", True),
        ("ftp://a", False),
        ("http", True),
        ("/http://a", False),
        (SimpleNamespace(), False),
    ],
)
def test_address_of_http(url: object, expected: bool) -> None:
    assert is_http(url) is expected
