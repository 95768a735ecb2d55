"""Real Pykka systems under a real probe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pykka
import pytest

from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.record.index import Known
from socrates_amplify.record.recorder import Recorder

Patterns = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Ran:
    """One run of some code with the probe on."""

    recorder: Recorder
    trace: Trace

    def faults(self, *kinds: str) -> list[Fault]:
        """What the run offers."""
        return PykkaProbe().faults_of(self.trace, kinds)

    def replies(self, actor: str) -> list[str]:
        """What an actor answered, in order."""
        return [
            event.value
            for event in self.trace.events
            if isinstance(event, Reply) and event.actor == actor
        ]

    def turns(self, actor: str) -> list[str]:
        """The messages that an actor handled, in order, copies included."""
        said = {send.target: send.message for send in self.trace.sends}
        return [
            said[event.target]
            for event in self.trace.events
            if isinstance(event, Turn) and event.actor == actor
        ]

    @property
    def messages(self) -> list[Send]:
        """The messages that are not the framework's own."""
        return [send for send in self.trace.sends if not send.internal]


Run = Callable[..., Ran]


@pytest.fixture
def run() -> Iterator[Run]:
    """Run code with the Pykka probe on; all actors are stopped in the end."""

    def run_code(
        code: Callable[[], object],
        faults: Sequence[Fault] = (),
        patterns: Patterns | None = None,
        known: Trace | None = None,
    ) -> Ran:
        recorder = Recorder(Scenario.of(faults), Known.of(known) if known else None)
        recorder.test_file = __file__
        undo = PykkaProbe().install(recorder, patterns or {})
        try:
            code()
            pykka.ActorRegistry.stop_all()
        finally:
            undo()
        return Ran(recorder, recorder.trace())

    yield run_code
    pykka.ActorRegistry.stop_all()
