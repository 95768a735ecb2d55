"""A test between its runs without faults and its search, and what an earlier search knows of it."""

from __future__ import annotations

from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates_amplify.merge.results import read_test
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import is_unforced
from socrates_amplify.model.results import TestResult
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.store.store import Store


@dataclass(frozen=True, slots=True)
class Prepared:
    """A test after its runs without faults. Without ``faults``, ``result`` is all there is to say."""

    result: TestResult
    control: ControlRuns | None = None
    faults: tuple[Fault, ...] = ()
    spent: float = 0.0
    """Seconds that its runs without faults took, processes and all."""

    @property
    def unreliable(self) -> bool:
        """Whether it counts as failing or flaky unless a defect is found.

        Not if it passes under control and its orders are not asked for: its race may be all.
        """
        known = self.control
        if known is None or known.status not in ("flaky", "failing"):
            return False
        return not known.controlled or any(map(is_unforced, self.faults))

    @property
    def slowest(self) -> float:
        """How long one run of the test takes."""
        return self.control.slowest if self.control and self.faults else 0.0


def kept_result(store: Store, code: str, nodeid: str) -> TestResult | None:
    """What a run that is gone on with found out about a test; None where it did not come to it."""
    kept = store.kept(code, nodeid)
    known = None if kept is None else read_test(kept.document)
    return None if known is None else replace(known, reused=True)
