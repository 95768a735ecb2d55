"""Workers in virtual time: any number of workers, any duration of an execution, in no time at all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates_amplify.exploration.speculate.speculation import Job
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome


@dataclass(eq=False, slots=True)
class SimulatedJob:
    """An execution that ends when the clock says so."""

    workers: SimulatedWorkers
    scenario: Scenario
    ends: float
    cancelled: bool = False
    outcome: Outcome | None = None

    def done(self) -> bool:
        """Whether its time has come."""
        return self.ends <= self.workers.clock

    def result(self) -> Outcome:
        """What the simulation says, with the time it took here."""
        if self.outcome is None:
            duration = self.workers.takes(self.scenario)
            self.outcome = replace(self.workers.run(self.scenario), duration=duration)
        return self.outcome

    def cancel(self) -> None:
        """Free its slot."""
        self.cancelled = True


class SimulatedWorkers:
    """``workers`` executions at once, each as long as ``takes`` says. ``clock`` is the time."""

    def __init__(
        self,
        workers: int,
        run: Callable[[Scenario], Outcome],
        takes: Callable[[Scenario], float] = lambda scenario: 1.0,
    ) -> None:
        self._workers = workers
        self.run = run
        self.takes = takes
        self.clock = 0.0
        self.most = 0
        """How many executions were under way at once, at most."""
        self._jobs: list[SimulatedJob] = []

    def slots(self) -> int:
        """Always all workers."""
        return self._workers

    @property
    def under_way(self) -> list[SimulatedJob]:
        """What runs now."""
        return [job for job in self._jobs if not job.cancelled and not job.done()]

    def start(self, scenario: Scenario) -> SimulatedJob:
        """Start an execution at once."""
        self._jobs = self.under_way
        job = SimulatedJob(self, scenario, self.clock + self.takes(scenario))
        self._jobs.append(job)
        return job

    def wait(self, jobs: Collection[Job]) -> None:
        """Go on in time to the next end of an execution."""
        under_way = self.under_way
        self.most = max(self.most, len(under_way))
        self.clock = max(self.clock, min(job.ends for job in under_way))
