"""Services without which failing is right: ``critical = ["auth"]``."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.search import Pruner


class UncriticalPruner:
    """Leaves out what ``inner`` does, and what takes a critical service down.

    That is a fault on a call to it, and on whatever is called in order to answer such a call.
    """

    name = "critical"

    def __init__(self, inner: Pruner, critical: Sequence[str]) -> None:
        self._inner = inner
        self._critical = tuple(critical)

    def prune(
        self, faults: Sequence[Fault], baseline: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults after which the system must go on."""
        kept = self._inner.prune(faults, baseline, failure)
        if not self._critical:
            return kept
        causes = {send.target: send.cause for send in baseline.sends}
        receivers = {send.target: send.receiver for send in baseline.sends}

        def counts(fault: Fault) -> bool:
            if self._fits(fault.receiver):
                return False
            cause = causes.get(fault.target)
            while cause is not None:
                if self._fits(receivers.get(cause, "")):
                    return False
                cause = causes.get(cause)
            return True

        return [fault for fault in kept if counts(fault)]

    def _fits(self, receiver: str) -> bool:
        return any(fnmatch.fnmatchcase(receiver, glob) for glob in self._critical)
