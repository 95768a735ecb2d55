"""What a run of ``amplify`` learned, before it is printed: plain frozen data for every report."""

from __future__ import annotations

import enum
import posixpath
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.findings import PluginError, Severity
from socrates_amplify.model.coverage import Coverage
from socrates_amplify.model.events import Trace
from socrates_amplify.model.evidence import NOTHING, Evidence
from socrates_amplify.model.exchanges import Exchange, FaultCoverage, fault_coverage
from socrates_amplify.model.faults import Fault, are_one
from socrates_amplify.model.judgement import Judgement
from socrates_amplify.model.order_coverage import OrderCoverage
from socrates_amplify.model.outcomes import in_order
from socrates_amplify.model.search import Defect, Question, Tally
from socrates_amplify.model.serial import Json

FORMAT_VERSION = 1
"""The version of the JSON report; raised when a field changes its meaning or goes away."""


class Status(enum.Enum):
    """How a test ended. The values are a contract: they stand in the JSON report."""

    RESILIENT = "resilient"
    DEFECTIVE = "defective"
    SMELLY = "smelly"
    NO_TARGETS = "no-targets"
    FAILING = "failing"
    FLAKY = "flaky"
    ERROR = "error"
    NOT_RUN = "not-run"


_EXAMINED = (Status.RESILIENT, Status.DEFECTIVE, Status.NO_TARGETS)
OUT_OF_TIME = "the time budget is spent"
NOTHING_SENT = "nothing that can be faulted was sent"
_HINDERED = (Status.FAILING, Status.SMELLY)


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Part ``index`` of ``count``, from 1."""

    count: int
    index: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Part:
    """The tests of one shard, in the order of collection.

    ``plan`` is the same for all parts of one split: it tells parts of different splits, which may
    leave a test out or have it twice, from those that belong together.
    """

    shard: Shard
    plan: str
    collected: int
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedFault:
    """A fault as a report tells it: why it matters, and ``file:line`` of the code it hit."""

    fault: Fault
    why: str = ""
    handler: str = ""


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """A defect with the file that replays it, relative to the project root, and its failing run.

    ``told`` is what an earlier report said of its faults; their traces are then not at hand.
    ``aftermath`` is how the test failed without faults after it, ``pytest_args`` what pytest was
    given beside its tests.
    """

    defect: Defect
    replay: str
    trace: Trace = field(default_factory=Trace)
    told: tuple[ExplainedFault, ...] = ()
    evidence: Evidence = NOTHING
    judgement: Judgement | None = None
    """What it means; None where nobody has judged it, which counts as a warning."""
    aftermath: str = ""
    pytest_args: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """What the user types to replay it."""
        behind = f" -- {shlex.join(self.pytest_args)}" if self.pytest_args else ""
        return f"socrates replay {self.replay}{behind}"

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.judgement.severity if self.judgement else Severity.WARNING

    @property
    def is_known(self) -> bool:
        """Whether it is known which faults it takes, or it is bad enough in any case."""
        reduced = self.defect.minimal or are_one(self.faults)
        return reduced or self.severity is not Severity.INFO

    @property
    def faults(self) -> list[Fault]:
        """The faults in the order in which they happened in the failing run."""
        return [told.fault for told in self.told] or in_order(self.defect.scenario, self.trace)


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test: its status, what it cost to know, and the defects that were found.

    ``targets`` counts the messages that can be faulted, ``faults`` the faults of the asked kinds,
    ``executions`` the runs under faults (control runs are not counted), ``unresolved`` those of
    them that said nothing. ``location`` is ``file:line`` of the test. ``note`` says why, in one
    line, wherever the status alone does not.
    """

    nodeid: str
    status: Status
    location: str = ""
    smells: tuple[str, ...] = ()
    targets: int = 0
    faults: int = 0
    executions: int = 0
    unresolved: int = 0
    duration: float = 0.0
    defects: tuple[FoundDefect, ...] = ()
    note: str = ""
    control: Trace = field(default_factory=Trace)
    questions: tuple[Question, ...] = ()
    pruned: tuple[Fault, ...] = ()
    survived: tuple[Fault, ...] = ()
    """Faults that the test passed under, each alone, though nothing was tried again."""
    orders: OrderCoverage | None = None
    """How far its orders were seen; None where nothing in it can come in another order."""
    passing: Trace = field(default_factory=Trace)
    """A passing run under control, beside which one with another order is shown; empty without one."""
    speculation: Tally | None = None
    """What was executed ahead of the questions; None where only one could run at a time."""
    files: tuple[str, ...] = ()
    """The files of the project that it executes, with and without faults; see ``Outcome.files``."""
    reused: bool = False
    """Whether this is what an earlier run found out, since nothing that it depends on has changed."""
    exchanges: tuple[Exchange, ...] = ()
    """What it sent, by sender, receiver and type, and which kinds of faults were tried on it."""

    __test__ = False  # the name is not meant for pytest


@dataclass(frozen=True, slots=True)
class TracedTest:
    """A test and what was traced while it ran without faults."""

    nodeid: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class RunResult:
    """All tests in the order of collection, and whether the run came to its end."""

    tests: tuple[TestResult, ...] = ()
    duration: float = 0.0
    warnings: tuple[str, ...] = ()
    interrupted: bool = False
    report: str = ""
    """The HTML report that goes with this run, if one was written."""
    rootdir: str = ""
    """Where node ids and locations start, as seen from where the user is; empty for right there."""

    coverage: Coverage | None = None
    """What runs under faults covered beyond the suite, if that was asked for."""

    errors: tuple[PluginError, ...] = ()
    """Plugins that failed; the run went on without what they would have done."""

    shard: Part | None = None
    """Which part of the collected tests these are; None for all of them."""

    fail_on: Severity = Severity.WARNING
    """From which severity on a defect fails the run."""
    min_severity: Severity = Severity.INFO
    """From which severity on reports for people show a defect."""

    fail_under: float = 0.0
    """The fault coverage, in percent, below which the run fails."""

    resumed: str = ""
    """What ``--resume`` reused, or why it reused nothing; empty where nobody asked."""

    accepted: frozenset[str] = frozenset()
    """The groups of defects that the baseline accepts: they don't fail the run."""
    gone: tuple[str, ...] = ()
    """What the baseline accepts and this run could have found, but did not."""

    document: Json | None = None
    """The JSON report that this result was read from, which may say more than the fields here;
    None for the result of a run."""

    def place(self, location: str) -> str:
        """A node id or location as the user would type it, from where they are."""
        if not self.rootdir or not location:
            return location
        path, test, name = location.partition("::")
        return f"{posixpath.normpath(posixpath.join(self.rootdir, path))}{test}{name}"

    def count(self, status: Status) -> int:
        """How many tests ended so."""
        return Counter(test.status for test in self.tests)[status]

    @property
    def found(self) -> Iterator[tuple[TestResult, FoundDefect]]:
        """All defects, each with its test."""
        return ((test, found) for test in self.tests for found in test.defects)

    @property
    def defects(self) -> int:
        """How many defects were found in all tests together."""
        return sum(len(test.defects) for test in self.tests)

    @property
    def executions(self) -> int:
        """How many runs under faults all tests took together."""
        return sum(test.executions for test in self.tests)

    @property
    def exit_code(self) -> int:
        """2 when a plugin failed, 1 with a defect that fails the run or too little fault coverage, 2
        when something else went wrong or no test could be examined, else 0."""
        if self.errors:
            return 2
        if any(self.fails(found) for _, found in self.found):
            return 1
        if self.missed and not (self.interrupted or self.unexamined):
            return 1
        return 2 if self.interrupted or self.count(Status.ERROR) or self.unexamined else 0

    @property
    def fault_coverage(self) -> FaultCoverage:
        """Of all kinds of faults that the traces of these tests offer, how many were tried."""
        return fault_coverage(exchange for test in self.tests for exchange in test.exchanges)

    @property
    def missed(self) -> bool:
        """Whether less was tried than is asked for. One of several parts can't know; all together do."""
        return self.shard is None and self.fault_coverage.percent < self.fail_under

    def fails(self, found: FoundDefect) -> bool:
        """Whether a defect fails the run: it is bad enough, and nobody has accepted it."""
        accepted = found.judgement is not None and found.judgement.group in self.accepted
        return found.severity.at_least(self.fail_on) and not accepted

    @property
    def out_of_time(self) -> int:
        """How many tests were not begun because the time budget was spent."""
        return sum(test.note.startswith(OUT_OF_TIME) for test in self.tests)

    @property
    def unexamined(self) -> str:
        """Why no test at all could be examined; empty if any was, or if nobody can say so.

        One of several parts can't, nor a run that was interrupted before it came to the others.
        """
        counts = Counter(test.status for test in self.tests)
        partly = self.shard is not None or self.interrupted
        if partly or any(counts[status] for status in _EXAMINED):
            return ""
        reasons = [f"{counts[status]} {status.value}" for status in _HINDERED if counts[status]]
        if reasons and self.out_of_time:
            reasons = [f"the time budget was spent before {self.out_of_time} tests"]
        return f"nothing could be examined: {', '.join(reasons)}" if reasons else ""
