"""Pruners leave out faults that can't matter: by the developer's word, or by causality."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence

from socrates.errors import SocratesError
from socrates_amplify.exploration.traces.causality import Causality
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.search import Pruner

Patterns = Sequence[Mapping[str, str]]
"""Each entry is a set of globs that must all match: ``{"kind": "restart", "to": "Ledger#*"}``."""

FIELDS = ("kind", "from", "to", "message")


class NoPruner:
    """Keeps everything."""

    name = "none"

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """All faults."""
        return faults


class PatternsPruner:
    """Keeps faults that match one of ``include`` (or all, without any) and none of ``exclude``."""

    name = "patterns"

    def __init__(self, include: Patterns = (), exclude: Patterns = ()) -> None:
        for entry in (*include, *exclude):
            for key in entry:
                if key not in FIELDS:
                    known = ", ".join(FIELDS)
                    raise SocratesError(f"unknown key {key!r} in a fault pattern; use {known}")
        self._include = tuple(include)
        self._exclude = tuple(exclude)

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults that the developer wants."""
        return [
            fault
            for fault in faults
            if (not self._include or any(_matches(fault, entry) for entry in self._include))
            and not any(_matches(fault, entry) for entry in self._exclude)
        ]


class CausalityPruner:
    """Keeps faults whose effect can reach the failing actor's last turn (RT-DD-O).

    Without a failure, or when the failing actor is unknown, it keeps everything.
    """

    name = "causality"

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults on messages in the causal past of the failing actor."""
        if failure is None or not failure.actor:
            return faults
        past = Causality(control).past([failure.actor])
        if not past:
            return faults
        known = {send.target for send in control.sends}
        return [fault for fault in faults if fault.target in past or fault.target not in known]


def _matches(fault: Fault, globs: Mapping[str, str]) -> bool:
    values = {
        "kind": fault.kind,
        "from": fault.sender,
        "to": fault.receiver,
        "message": fault.message,
    }
    return all(fnmatch.fnmatchcase(values[key], glob) for key, glob in globs.items())


class CriticalServicesPruner:
    """Leaves out what ``inner`` does, and what takes a critical service down.

    That is a fault on a call to it, and on whatever is called in order to answer such a call.
    """

    name = "critical"

    def __init__(self, inner: Pruner, critical: Sequence[str]) -> None:
        self._inner = inner
        self._critical = tuple(critical)

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """The faults after which the system must go on."""
        kept = self._inner.prune(faults, control, failure)
        if not self._critical:
            return kept
        causes = {send.target: send.cause for send in control.sends}
        receivers = {send.target: send.receiver for send in control.sends}

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
