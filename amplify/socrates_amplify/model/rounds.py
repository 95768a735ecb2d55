"""How often a test is run: executions per test, and runs per execution."""

from __future__ import annotations

from socrates.classes.lazy import dataclass

DEFAULT_BUDGET = 100
"""Executions per test where the user says nothing."""
NOT_RECOVERED = "NotRecovered"
"""The type of a failure without any fault, after runs that had some."""
NOT_REPEATABLE = "NotRepeatable"
"""The type of a failure of a test that can't be run twice in one process, faults or not."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The runs of one execution: ``repeat`` under the scenario, then one without faults if several.

    The run without faults is tried again until it passes, for at most ``recovery`` seconds; with 0
    it must pass at the first try. ``aftermath`` asks for the run without faults though the one
    under faults has failed.
    """

    repeat: int = 1
    recovery: float = 0.0
    aftermath: bool = False

    @property
    def several(self) -> bool:
        """Whether an execution is more than one run of its test."""
        return self.repeat > 1 or self.aftermath

    def __str__(self) -> str:
        told = f"{self.repeat} runs, {self.recovery:g} s to recover"
        return f"{told}, whatever they say" if self.aftermath else told


ONCE = Rounds()
"""One run, which is what an execution usually is."""
AFTERMATH = Rounds(recovery=1.0, aftermath=True)
"""One run under faults, whatever it says, and then without: does anything stay behind?"""
