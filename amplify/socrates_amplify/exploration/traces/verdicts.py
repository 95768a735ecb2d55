"""Reading outcomes: did it fail, how, and which faults were really applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from socrates_amplify.exploration.traces.alternatives import is_call
from socrates_amplify.model.events import Injected
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict


def failure_of(outcome: Outcome) -> Failure | None:
    """Why it failed, or None when it passed or is unresolved."""
    if outcome.verdict is not Verdict.FAIL:
        return None
    return outcome.failure or Failure("unknown", outcome.reason, "")


def applied(outcome: Outcome, faults: Iterable[Fault]) -> list[Fault]:
    """Those of the faults that the trace shows as injected."""
    done = {(e.target, e.kind) for e in outcome.trace.events if isinstance(e, Injected)}
    return [fault for fault in faults if (fault.target, fault.kind) in done]


def answer_of(outcome: Outcome) -> str:
    """The verdict for people. A pass without all calls is one for those that were made."""
    answered = outcome.verdict is not Verdict.UNRESOLVED
    if answered or outcome.failure is not None or outcome.declined:
        return outcome.verdict.value
    made = len(applied(outcome, outcome.scenario))
    left = vanished(outcome, list(outcome.scenario))
    if left and made + len(left) == len(outcome.scenario):
        return f"{Verdict.PASS.value} ({len(left)} not made)"
    return str(outcome.verdict.value)


def vanished(outcome: Outcome, faults: Sequence[Fault]) -> list[Fault]:
    """The faults on calls that were not made, if others were applied: those did away with them."""
    done = set(applied(outcome, faults))
    return [fault for fault in faults if is_call(fault) and fault not in done] if done else []
