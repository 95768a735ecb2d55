"""From one failing set of call faults to one minimal defect: the last failed call is asked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from socrates_amplify.exploration.shrink.reduction import needed_units
from socrates_amplify.exploration.shrink.shrinking import Shrinking
from socrates_amplify.exploration.traces.families import endpoint
from socrates_amplify.model.faults import Fault


class Narrowing(Shrinking):
    """Faults come in the order in which they were applied; ``causes`` says by which call.

    One question when the last failed call is to blame, since after the one that breaks a test
    there is seldom another; ``k * log2(n)`` more or less when ``k`` of ``n`` endpoints are needed.
    """

    causes: Mapping[str, str | None] = {}

    def _fails(self, faults: Sequence[Fault], hypothesis: str) -> bool:
        """Ask, unless all these calls are only made under other faults: then nothing would happen."""
        reachable = {send.target for send in self._problem.control.sends}
        return any(f.target in reachable for f in faults) and super()._fails(faults, hypothesis)

    def _search(self, relevant: Sequence[Fault]) -> None:
        if not self._guess(relevant) and len(self.best) > 2:
            units: dict[tuple[str, str], list[Fault]] = {}
            for fault in self.best:
                units.setdefault(endpoint(fault), []).append(fault)
            needed_units(list(units.values()), (), self._fails, "endpoints")

    def _guess(self, relevant: Sequence[Fault]) -> bool:
        """The last call; all attempts at it; all that its service called; what pruning kept."""
        last = relevant[-1]
        attempts = [fault for fault in relevant if endpoint(fault) == endpoint(last)]
        cause = self.causes.get(last.target)
        siblings = [fault for fault in relevant if self.causes.get(fault.target) == cause]
        guesses = [
            ([last], f"{last.what} of {last.message} is enough"),
            (attempts, f"all {len(attempts)} attempts at {last.message} must fail"),
            (siblings, f"calls of {last.sender} must fail, {len(siblings)} together"),
            (list(relevant), "what pruning kept breaks the test"),
        ]
        asked: list[list[Fault]] = []
        for faults, hypothesis in guesses:
            if len(faults) < len(self.best) and faults not in asked:
                asked.append(faults)
                if self._fails(faults, hypothesis):
                    return True
        return False
