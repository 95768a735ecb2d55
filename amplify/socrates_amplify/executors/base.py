"""What an executor is, and the suite that it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Protocol

from socrates.classes.lazy import dataclass
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.rounds import ONCE, Rounds


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """Options of the executor that runs on a cluster."""

    address: str = ""
    """Where the cluster is, ``HOST:PORT`` or ``auto``; empty to start one on this machine."""
    pip: tuple[str, ...] = ()
    """Requirements to install on the nodes."""
    ship_limit: int = 100_000_000
    """How many bytes of the project may be sent."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests to run, as they would be given to pytest in the directory ``cwd``."""

    cwd: Path
    paths: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    probes: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The tables of the probes, by probe name."""
    python: str = ""
    """The Python that runs the tests; empty for the one that runs Socrates."""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    """Environment variables beside those of this process; None for one that must not be set."""
    cluster: ClusterOptions = ClusterOptions()
    rounds: Rounds = ONCE
    until: float | None = None
    """When the tests have to be collected, and runs without faults to end: of ``time.monotonic``."""


Heard = Callable[[str, Outcome], None]
"""Hears of each test of many, by its node id, when it has ended."""


class Executor(Protocol):
    """Runs single tests. ``run`` may be called from any number of threads at once."""

    @property
    def rootdir(self) -> Path:
        """pytest's root directory: locations and node ids are relative to it."""

    @property
    def unfit(self) -> str:
        """Why this executor can't serve the suite, or empty."""

    def collect(self) -> list[str]:
        """The node ids, in pytest's order. Raises ``SocratesError`` when collection fails."""

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario, for at most ``limit`` seconds.

        ``rounds`` are the runs of this execution; without any, those of the suite.

        A test that does not end is a failure of type ``Hang`` that is not final, since a busy
        machine may have caused it; a process that dies is a failure of type ``Crash``. A test
        that stays green though a planned fault was not applied is unresolved.

        When ``ticket`` is cancelled, by another thread, all processes of this execution are ended
        and ``Cancelled`` is raised; an execution that had just ended may still tell its outcome.
        """

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Run these tests once without faults, in this order, as plain pytest does: in one process.

        ``heard`` is called by this thread. A test that takes more than ``limit`` seconds, or that
        ends the process, is not heard of, nor are those behind it. False, and nothing is run,
        where this executor has no way to do it.
        """

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test.

        A message whose content differs is then found again by its place in the code. An executor
        learns by itself from the first passing run without faults.
        """

    def close(self) -> None:
        """End all processes and remove temporary files."""


MakeExecutor = Callable[[str, Suite], Executor]
"""Makes an executor of the given name for a suite."""
