"""From one failing scenario to one minimal defect, by reading first and searching second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from socrates_amplify.exploration.shrink.reduction import by_receiver, flatten, needed_units
from socrates_amplify.exploration.shrink.shrinking import Shrinking
from socrates_amplify.exploration.traces.families import family, receivers
from socrates_amplify.exploration.traces.suspicion import Suspicion
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.labels import named
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.search import ExploreOptions, Problem

MAX_SUSPECTS = 3
"""How many suspects are asked about one by one before the search by prefixes."""

MAX_GUESSES = 3
"""How many single faults of one suspect are asked before the suspect as a whole."""


class Reducer(Shrinking):
    """Shrinks a failing scenario of messages, led by what traces make suspicious.

    Costs one question when the first guess is right, about ``log2(actors) + 2`` when any message
    of one actor will do, and ``k * log2(faults)`` more or less when ``k`` particular faults are
    needed together.
    """

    def __init__(
        self,
        problem: Problem,
        options: ExploreOptions,
        suspicion: Suspicion,
        faults: Sequence[Fault],
        failure: Failure,
        final: bool = True,
    ) -> None:
        super().__init__(problem, options, faults, failure, final)
        self._suspicion = suspicion

    def _search(self, relevant: Sequence[Fault]) -> None:
        self._by_suspects(relevant)
        if len(self.best) > 2:
            self._by_prefixes(relevant)

    def _by_suspects(self, faults: Sequence[Fault]) -> None:
        """Ask for the likeliest fault of each strong suspect, then for the suspect as a whole."""
        faulted = {fault.receiver for fault in faults}
        suspects = [actor for actor in self._suspicion.strong if actor in faulted]
        for actor in suspects[:MAX_SUSPECTS]:
            mine = self._suspicion.best_first(actor, faults)
            if self._guess(mine, ()):
                return
            if 1 < len(mine) < len(self.best) and self._fails(mine, f"{actor} alone is to blame"):
                return

    def _by_prefixes(self, relevant: Sequence[Fault]) -> None:
        """Actor by actor, then message by message within the actors that are needed."""
        if 1 < len(relevant) < len(self.best):
            self._fails(relevant, "what pruning kept breaks the test")
        order = self._suspicion.order(self.best)
        every, what = by_receiver(order), receivers(order)
        actors = needed_units(every, (), self._fails, what, self._guess_or_fails)
        for number, unit in enumerate(actors):
            if len(unit) == 1 or len(self.best) == 1:
                continue
            context = flatten(actors[:number] + actors[number + 1 :])
            likely = self._suspicion.best_first(unit[0].receiver, unit)
            if self._guess(likely, context):
                actors[number] = [fault for fault in likely if fault in self.best]
            else:
                units = [[fault] for fault in likely]
                actors[number] = flatten(needed_units(units, context, self._fails, "faults"))

    def _guess(self, likely: Sequence[Fault], context: Sequence[Fault]) -> bool:
        """Ask for the likeliest fault of each family, then for all kinds on one target together."""
        anchor = _anchor(likely)
        for fault in _representatives(likely, anchor)[:MAX_GUESSES]:
            if self._fails([*context, fault], f"{named(fault)} is enough"):
                return True
        same = [fault for fault in likely if fault.target == anchor]
        kinds = " and ".join(fault.kind for fault in same)
        together = f"{kinds} of {same[0].message} together are enough"
        return 1 < len(same) < len(likely) and self._fails([*context, *same], together)

    def _guess_or_fails(self, faults: Sequence[Fault], hypothesis: str) -> bool:
        """As ``_fails``; when one actor is left, single faults of it are asked first."""
        if len({fault.receiver for fault in faults}) == 1 and self._guess(
            self._suspicion.best_first(faults[0].receiver, faults), ()
        ):
            return True
        return self._fails(faults, hypothesis)


def _anchor(likely: Sequence[Fault]) -> str:
    """The first target that can be hit in several ways, else the likeliest one."""
    counts = Counter(fault.target for fault in likely)
    return next((f.target for f in likely if counts[f.target] > 1), likely[0].target)


def _representatives(likely: Sequence[Fault], anchor: str) -> list[Fault]:
    """The likeliest fault, then one of each other family, on the anchor where there is one."""
    chosen = {family(likely[0]): likely[0]}
    for fault in sorted(likely, key=lambda fault: fault.target != anchor):
        chosen.setdefault(family(fault), fault)
    return list(chosen.values())
