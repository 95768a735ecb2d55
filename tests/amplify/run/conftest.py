"""Real Pykka systems under a real probe, and small projects run by real executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pykka
import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
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


Project = Callable[..., ForkExecutor]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Write a project and open it with the fork server; closed in the end."""
    opened: list[ForkExecutor] = []

    def open_project(
        files: Mapping[str, str], *pytest_args: str, **tables: Patterns
    ) -> ForkExecutor:
        executor = ForkExecutor(
            suite_of(tmp_path_factory.mktemp("project"), files, pytest_args, tables)
        )
        opened.append(executor)
        return executor

    yield open_project
    for executor in opened:
        executor.close()


def suite_of(
    folder: Path,
    files: Mapping[str, str],
    pytest_args: Sequence[str] = (),
    tables: Mapping[str, Patterns] | None = None,
) -> Suite:
    """A project on disk."""
    for name, text in files.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    if "pytest.ini" not in files:
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    arguments = ("-p", "no:cacheprovider", *pytest_args)
    return Suite(folder, pytest_args=arguments, probes=dict(tables or {}))


@pytest.fixture(scope="session")
def write_suite() -> Callable[..., Suite]:
    """Writes a project to disk, for tests that open it in their own way."""
    return suite_of
