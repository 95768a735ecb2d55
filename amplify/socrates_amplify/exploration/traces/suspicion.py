"""Turns a comparison of traces into an order of suspects and one best guess for each."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.exploration.traces.causality import Causality
from socrates_amplify.exploration.traces.comparison import Comparison, Conduct, compare
from socrates_amplify.exploration.traces.families import unique
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.outcomes import Failure


class Reader:
    """Reads faulted traces against one control. Without traces it knows only the given order."""

    def __init__(self, control: Trace, use_traces: bool = True) -> None:
        self._use = use_traces
        self._conduct = Conduct(control) if use_traces else Conduct(Trace())
        self._causality = Causality(control if use_traces else Trace())

    def read(self, trace: Trace, failure: Failure | None) -> Suspicion:
        """What one run under faults says about who is to blame."""
        if not self._use or not trace.events:
            return Suspicion(())
        comparison = compare(self._conduct, trace)
        odd = comparison.suspects()
        seen = [failure.actor] if failure is not None and failure.actor else []
        past = self._causality.ancestors(seen[0]) if seen else []
        return Suspicion(tuple(unique([*odd, *seen, *past])), tuple(odd or seen), comparison)


class Suspicion:
    """Actors in the order to blame them: ``actors``; those with evidence: ``strong``."""

    def __init__(
        self,
        actors: Sequence[str],
        strong: Sequence[str] = (),
        comparison: Comparison | None = None,
    ) -> None:
        self.actors = tuple(actors)
        self.strong = tuple(strong)
        self._comparison = comparison
        self._rank = {actor: rank for rank, actor in enumerate(actors)}

    def order(self, faults: Sequence[Fault]) -> list[Fault]:
        """The faults by how much their receiver is suspected; a stable sort."""
        last = len(self._rank)
        return sorted(faults, key=lambda fault: self._rank.get(fault.receiver, last))

    def best_first(self, actor: str, faults: Sequence[Fault]) -> list[Fault]:
        """The faults on this actor, the likeliest culprit first.

        A second delivery that visibly did something comes first. Else the last fault before the
        actor's first visible change: by then whatever was going to go wrong had gone wrong.
        """
        mine = [fault for fault in faults if fault.receiver == actor]
        comparison = self._comparison
        if comparison is None or actor not in comparison.conduct.acts:
            return mine
        acts = comparison.conduct.acts[actor]
        position = {act.target: number for number, act in enumerate(acts) if not act.copy}
        change = comparison.changed.get(actor, len(acts))
        echoes = comparison.echoes(actor, comparison.harmless())

        def rank(fault: Fault) -> tuple[bool, bool, int]:
            place = position.get(fault.target, -1)
            echoed = fault.target in echoes and kind_of(fault.kind).redelivers
            before = 0 <= place < change
            return (not before, not echoed, -place if before else place)

        return sorted(mine, key=rank)
