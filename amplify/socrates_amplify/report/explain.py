"""In words: what a fault did that it should not have done, read from the two traces."""

from __future__ import annotations

from collections.abc import Iterator

from socrates_amplify.events import Reply, Trace, Turn
from socrates_amplify.faults import Fault
from socrates_amplify.results import FoundDefect, TestResult

_NEUTRAL = {
    "duplicate": "a second delivery should change nothing",
    "restart": "a restart should lose nothing",
    "drop": "a late redelivery should change nothing",
    "delay": "a delay should change nothing",
    "reorder": "the order of two senders should not matter",
}
_MAX = 60


def explain(fault: Fault, baseline: Trace, failing: Trace) -> str:
    """What changed in the receiver's behaviour: its first other answer, else its first crash.

    Falls back to what the fault should have meant when the traces do not tell.
    """
    crash = next(_crashes(fault.receiver, failing), "")
    if crash:
        return f"{fault.receiver} then fails: {shorten(crash)}"
    before = {reply.target: reply for reply in _replies(fault.receiver, baseline)}
    for reply in _replies(fault.receiver, failing):
        usual = before.get(reply.target)
        if usual is not None and usual.digest != reply.digest:
            return (
                f"{fault.receiver} then answers {shorten(reply.value)} "
                f"instead of {shorten(usual.value)}"
            )
    return _NEUTRAL.get(fault.kind, "a resilient system would not notice")


def explanations(test: TestResult, found: FoundDefect) -> list[tuple[Fault, str]]:
    """Each fault of a defect, in order, with its explanation."""
    return [(fault, explain(fault, test.baseline, found.trace)) for fault in found.defect.scenario]


def shorten(text: str, limit: int = _MAX) -> str:
    """``text`` on one line, cut in the middle of nothing: the end is replaced by an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _replies(actor: str, trace: Trace) -> Iterator[Reply]:
    return (event for event in trace.events if isinstance(event, Reply) and event.actor == actor)


def _crashes(actor: str, trace: Trace) -> Iterator[str]:
    return (
        event.failed
        for event in trace.events
        if isinstance(event, Turn) and event.actor == actor and event.failed
    )
