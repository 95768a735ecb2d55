"""How often a test is run in one execution: under its faults, and then without."""

from __future__ import annotations

from dataclasses import dataclass

NOT_RECOVERED = "NotRecovered"
"""The type of a failure without any fault, after runs that had some."""
NOT_REPEATABLE = "NotRepeatable"
"""The type of a failure of a test that can't be run twice in one process, faults or not."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """``repeat`` runs under the scenario; if more than one, a run without faults must pass then.

    It must do so within ``recovery`` seconds, tried again and again; 0 for at the first try.
    """

    repeat: int = 1
    recovery: float = 0.0

    @property
    def several(self) -> bool:
        """Whether an execution is more than one run of its test."""
        return self.repeat > 1

    def __str__(self) -> str:
        return f"{self.repeat} runs, {self.recovery:g} s to recover"


ONCE = Rounds()
"""One run, which is what an execution usually is."""
