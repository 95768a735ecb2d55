"""What every reduction of a failing scenario does, whatever it searches by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from socrates_amplify.exploration.shrink.reduction import one_minimal
from socrates_amplify.exploration.traces.verdicts import failure_of
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.search import Defect, ExploreOptions, Problem


class Shrinking(ABC):
    """Shrinks one failing scenario. ``best`` is at any time the smallest one seen to fail.

    Guarantee: after ``reduce``, ``best`` is 1-minimal if the test is deterministic (with
    ``monotonic``: and if adding faults never repairs a failing test). A single fault needs no
    proof, since the control passes; several are asked once more, because the longer the search,
    the more an accident of timing is worth checking.
    """

    def __init__(
        self,
        problem: Problem,
        options: ExploreOptions,
        faults: Sequence[Fault],
        failure: Failure,
        final: bool = True,
    ) -> None:
        self._problem = problem
        self._options = options
        self._final = final
        self.best = list(faults)
        self.failure = failure
        self.pruned: tuple[Fault, ...] = ()
        self.repeats = True
        """False when several faults together, or a hang, broke the test once but not again."""
        self.proven = False
        """Whether runs before have shown already that it takes each of the faults."""

    def reduce(self) -> None:
        """Search, then check."""
        if not self.proven:
            self._search(self._relevant())
            if not self._options.monotonic:
                one_minimal(self.best, self._fails)
        if len(self.best) > 1 or not self._final:
            outcome = self._problem.again(Scenario.of(self.best), "it happens every time")
            self.repeats = failure_of(outcome) is not None

    def defect(self, note: str = "") -> Defect:
        """What is known now; with a note, that the reduction did not come to its end."""
        minimal = not note or len(self.best) == 1 or self.proven
        return Defect(Scenario.of(self.best), self.failure, minimal, "" if minimal else note)

    @abstractmethod
    def _search(self, relevant: Sequence[Fault]) -> None:
        """Make ``best`` small by asking ``_fails``; ``relevant`` is what the pruner kept."""

    def _relevant(self) -> list[Fault]:
        if self._options.pruner is None:
            return self.best
        kept = self._options.pruner.prune(self.best, self._problem.control, self.failure)
        keep = set(kept)
        self.pruned = tuple(fault for fault in self.best if fault not in keep)
        return list(kept) or self.best

    def _fails(self, faults: Sequence[Fault], hypothesis: str) -> bool:
        outcome = self._problem.consider(Scenario.of(faults), hypothesis)
        failure = failure_of(outcome)
        if failure is None:
            return False
        if len(faults) < len(self.best):
            self.best, self.failure, self._final = list(faults), failure, outcome.final
        return True
