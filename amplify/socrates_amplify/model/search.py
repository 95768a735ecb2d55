"""The seams of an analysis: explorer x pruner x prioritiser, and the gateway that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.order_coverage import OrderCoverage
from socrates_amplify.model.outcomes import Failure, Outcome


class BudgetSpent(Exception):  # noqa: N818 - it ends a search, it is no error
    """Raised by the gateway when no execution is left; explorers let it pass or end early."""


@dataclass(frozen=True, slots=True)
class Question:
    """One step of the search for the report: what was asked, why, and what came back."""

    scenario: Scenario
    hypothesis: str
    answer: str
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Defect:
    """A scenario that flips the test. ``minimal`` is False only with a reason (``note``)."""

    scenario: Scenario
    failure: Failure
    minimal: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What an explorer found, and why it stopped (``exhausted`` is False when the budget ended it)."""

    defects: tuple[Defect, ...] = ()
    exhausted: bool = True
    note: str = ""
    pruned: tuple[Fault, ...] = ()
    idle: bool = False
    """Whether the test turned out to have nothing that could be tried."""
    orders: OrderCoverage = field(default_factory=OrderCoverage)
    passing: Trace = field(default_factory=Trace)
    """A passing run under control, beside which one with another order is shown; empty without one."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The executions of one search: ``created = finished + cancelled``.

    ``reused`` are those that were started ahead and then asked for. The columns are those of
    table 4 of Zhou et al.; nothing waits in a queue here, so nothing is ever removed from one.
    """

    created: int = 0
    finished: int = 0
    cancelled: int = 0
    reused: int = 0


class Problem(Protocol):
    """What an explorer sees: the passing control, the fault space, and one question to ask."""

    @property
    def control(self) -> Trace:
        """The trace of the passing run."""

    @property
    def faults(self) -> Sequence[Fault]:
        """The fault space after pruning and prioritising, in the order to try."""

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """Ask. Answers come from the cache, else cost one execution; raises BudgetSpent."""

    def again(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """Execute once more whatever is known, to see whether it repeats; raises BudgetSpent."""

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """The faults that this trace offers: how targets that appear under faults join in."""


class Explorer(Protocol):
    """Finds minimal failing scenarios by asking a problem."""

    name: str

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Search until done or out of budget."""


class Pruner(Protocol):
    """Leaves out faults that can't matter."""

    name: str

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults worth trying."""


class Prioritiser(Protocol):
    """Orders faults so that likely culprits come first."""

    name: str

    def prioritise(self, faults: Sequence[Fault], control: Trace) -> Sequence[Fault]:
        """The same faults in another order."""


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """Knobs of a search.

    ``max_defects`` ends it early; ``max_faults`` bounds the faults of one scenario and
    ``reduction`` leaves out what others imply, both for the exhaustive search alone;
    ``monotonic`` trusts that a subset of a passing scenario passes; ``pruner`` is asked once a
    failure is known; without ``use_traces`` only verdicts are looked at. ``apart`` are the keys of
    faults that are asked by themselves, whatever is known of others of their family.
    """

    max_defects: int | None = None
    max_faults: int | None = None
    reduction: bool = True
    monotonic: bool = False
    seed: int = 0
    pruner: Pruner | None = None
    use_traces: bool = True
    criterion: str = "pr"
    """Which pairs of messages have to be seen in both orders: ``pr``, ``pcr`` or ``pbr``."""
    apart: frozenset[str] = frozenset()
