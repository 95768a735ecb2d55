"""What one execution said: pass, fail with a signature, or unresolved."""

from __future__ import annotations

import enum
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Injected, Trace
from socrates_amplify.model.evidence import NOTHING, Evidence
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.notices import Notice

MISTAKE = "a mistake in the settings"
"""The type of a failure that is no test's: no exception can be called so."""

HANG = "Hang"
"""The type of the failure of a test that did not end in time."""
EVERYTHING = "*"
"""Stands for every file of a project: nobody saw which ones were executed."""
REPLACES = "a patch replaces "
"""How the reason of a run begins that passed while a framework's functions or classes were replaced."""
_DECLINED = frozenset({"skipped", "xfailed", "xpassed"})
"""Statuses of a test that was not asked for its answer, or whose answer does not count."""


class Verdict(enum.Enum):
    """The three answers of delta debugging."""

    PASS = "pass"
    FAIL = "fail"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a test failed, stable between runs of the same defect.

    ``message`` is normalised (no addresses, uuids, clocks, temporary paths); ``location`` is
    ``file:line`` of the failing line; ``actor`` is the one whose reply the failing assertion
    looked at, or empty when it is unknown.
    """

    type: str
    message: str
    location: str
    actor: str = ""
    shown: str = field(default="", compare=False)
    """The message as it was, for people: only secrets are hidden. Empty where it is the same."""

    @property
    def told(self) -> str:
        """The message for people."""
        return self.shown or self.message

    @property
    def signature(self) -> tuple[str, str, str]:
        """What must agree for two failures to be of the same kind."""
        return (self.type, self.location, self.actor)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test under one scenario.

    ``final`` is False for what another try may answer differently (a hang that was ended by the
    time limit): such outcomes are never cached as verdicts.
    """

    scenario: Scenario
    verdict: Verdict
    failure: Failure | None = None
    reason: str = ""
    trace: Trace = field(default_factory=Trace)
    duration: float = 0.0
    final: bool = True
    status: str = ""
    """pytest's own word: passed, failed, error, skipped, xfailed, xpassed; or hung, crashed."""
    evidence: Evidence = NOTHING
    """How the faults led to the failure; nothing for a run that passed."""
    notices: tuple[Notice, ...] = ()
    """What the user must hear, whatever the verdict: libraries that could not be patched, say."""
    skipped: tuple[str, ...] = ()
    """Why parts of the test, its subtests, skipped themselves although the test went on."""
    aftermath: str = ""
    """How the test failed without faults afterwards, in the same process; empty where it did not."""

    files: tuple[str, ...] = ()
    """The files of the project that the run executed, ``*`` for any; nothing where that is not known."""

    @property
    def declined(self) -> bool:
        """Whether the test skipped itself or was expected to fail: it says nothing about faults."""
        return self.status in _DECLINED


def in_order(scenario: Scenario, trace: Trace) -> list[Fault]:
    """The faults in the order in which they happened; those that did not come last."""
    hits = [(event.target, event.kind) for event in trace.events if isinstance(event, Injected)]
    places = {hit: place for place, hit in reversed(list(enumerate(hits)))}
    return sorted(scenario, key=lambda fault: places.get((fault.target, fault.kind), len(hits)))
