"""By which clock an execution runs: the real one, or a virtual one in which waiting takes no time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.orders import NOT_CONTROLLED, as_ordinary, has_orders, under_control
from socrates_amplify.model.outcomes import HANG, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds

_LONGER = 60.0
"""Seconds more for a test that does not end while a service is down: it may wait between its tries."""
_LONGER_LOOKS = 2
_WAITS = "it did not end in time, as tests before it that did when they were given longer"
_TOO_LONG = "it did not end in time, and the time budget does not let it be given longer"
_SHARE = 3
"""A longer look may take one part in so many of the time that is left."""
_WAITED = 1.0
"""Seconds by which a run under a fault is longer than one without, if the test waits between its tries."""
_ENOUGH = 2
"""So many tests that wait under faults, and the others of the suite will, too."""


class Given(NamedTuple):
    """What is to be run, and for how many seconds at the most."""

    nodeid: str
    scenario: Scenario
    limit: float
    ticket: Ticket | None
    rounds: Rounds | None


class Clocks:
    """Chooses the clock for each execution of a suite, by what its tests did so far."""

    def __init__(
        self, run: Callable[[Given], Outcome], left: Callable[[], float] = lambda: math.inf
    ) -> None:
        self._run = run
        self._left = left
        """How many seconds of the time budget are left."""
        self._longer, self._too_short = _LONGER_LOOKS, False
        self._waiting: set[str] = set()
        self._real_only: set[str] = set()
        """Tests that could not be run in virtual time."""

    def run(self, given: Given, *, races: bool, usual: float) -> Outcome:
        """Run a test; ``usual`` is how long it takes without faults.

        A test that races runs in virtual time, and so does one that waits under outages; one that gets
        out of control then runs as if it did neither.
        """
        if has_orders(given.scenario) or not given.scenario.faults:
            return self._run(given)
        at_once = races or self._waits(given)
        outcome = self._virtual(given) if at_once else None
        if outcome is not None:
            return outcome
        outcome = self._run(given)
        if not is_hang(outcome):
            waited = given.rounds is None and outcome.duration > usual + _WAITED
            self._waiting.update([given.nodeid] if waited and _is_outage(given.scenario) else ())
            return outcome
        # A bounded retry may only wait between its tries: in virtual time that takes none.
        faster = None if at_once else self._virtual(given)
        self._waiting.update([given.nodeid] if faster else ())
        return faster or self._given_longer(given, outcome)

    def _waits(self, given: Given) -> bool:
        if given.nodeid in self._real_only or not _is_outage(given.scenario):
            return False
        return given.nodeid in self._waiting or len(self._waiting) >= _ENOUGH

    def _virtual(self, given: Given) -> Outcome | None:
        """The outcome of a run in virtual time; None where it could not be controlled."""
        outcome = self._run(given._replace(scenario=under_control(given.scenario)))
        if NOT_CONTROLLED in outcome.reason:
            self._real_only.add(given.nodeid)
            return None
        return replace(outcome, scenario=given.scenario, trace=as_ordinary(outcome.trace))

    def _given_longer(self, given: Given, hung: Outcome) -> Outcome:
        """What a test says of an outage for which it waits by the real clock.

        The first few are given longer. If one of them ends then, those after them can't be trusted.
        """
        if not _is_outage(hung.scenario):
            return hung
        if self._longer > 0:
            if self._left() < _SHARE * (given.limit + _LONGER):
                return replace(hung, verdict=Verdict.UNRESOLVED, failure=None, reason=_TOO_LONG)
            self._longer -= 1
            outcome = self._run(given._replace(limit=given.limit + _LONGER))
            self._too_short = self._too_short or not is_hang(outcome)
            return outcome
        if self._too_short:
            return replace(hung, verdict=Verdict.UNRESOLVED, failure=None, reason=_WAITS)
        return hung


def is_hang(outcome: Outcome) -> bool:
    """Whether a test did not end."""
    return outcome.failure is not None and outcome.failure.type == HANG


def _is_outage(scenario: Scenario) -> bool:
    return all(kind_of(fault.kind).outage for fault in scenario)
