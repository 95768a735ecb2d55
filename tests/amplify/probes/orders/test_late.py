"""``delay`` and ``reorder`` in a run under control: a message waits for another one, and for no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pykka
import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.probes.pykka import delayed
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.record.recorder import Recorder


class Writer(pykka.ThreadingActor):
    """Keeps what it gets."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[str] = []

    def on_receive(self, message: object) -> object:
        if message == "read":
            return list(self.got)
        self.got.append(str(message))
        return None


class Reader(pykka.ThreadingActor):
    """Passes on what it gets."""

    def __init__(self, writer: pykka.ActorRef[Writer]) -> None:
        super().__init__()
        self._writer = writer

    def on_receive(self, message: object) -> object:
        self._writer.tell(message)
        return None


Written = Callable[..., tuple[Recorder, list[str]]]


@pytest.fixture
def written() -> Written:
    """Two readers pass a text on to a writer: the recorder, and what was written."""

    def run(*faults: Fault) -> tuple[Recorder, list[str]]:
        recorder = Recorder(Scenario.of([UNFORCED, *faults]))
        undo = [probe.install(recorder, {}) for probe in (PykkaProbe(), OrdersProbe())]
        try:
            writer = Writer.start()
            readers = [Reader.start(writer) for _ in range(2)]
            for reader, text in zip(readers, "ab", strict=True):
                reader.tell(text)
            for reader in readers:
                reader.stop()
            return recorder, writer.ask("read")
        finally:
            pykka.ActorRegistry.stop_all()
            for each in reversed(undo):
                each()

    return run


def fault_on(recorder: Recorder, kind: str, text: str, overtaken_by: str = "") -> Fault:
    """A fault on what a reader passes on."""
    sends = {
        send.message: send for send in recorder.trace().sends if send.receiver.startswith("Writer")
    }
    send = sends[repr(text)]
    detail = sends[repr(overtaken_by)].target if overtaken_by else ""
    return Fault(send.target, kind, send.sender, send.receiver, send.message, detail)


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits by the clock."""
    monkeypatch.setattr(delayed, "PATIENCE", 3600.0)


def test_without_a_fault_what_was_sent_first_comes_first(written) -> None:
    assert written()[1] == ["a", "b"]


@pytest.mark.parametrize(("kind", "other"), [("delay", ""), ("reorder", "b")])
def test_a_late_message_is_handled_after_the_other_one(written, kind, other) -> None:
    recorder, got = written(fault_on(written()[0], kind, "a", other))
    assert (got, recorder.unapplied) == (["b", "a"], [])


def test_a_message_that_waits_in_vain_is_handled_when_nothing_else_can(written) -> None:
    late = replace(fault_on(written()[0], "reorder", "a", "b"), detail="nobody")
    recorder, got = written(late)
    assert (got, [why for _, why in recorder.unapplied]) == (["b", "a"], ["nothing overtook it"])
