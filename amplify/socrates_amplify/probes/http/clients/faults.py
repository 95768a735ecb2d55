"""What all client hooks do alike: the body of an injected answer, and waiting."""

from __future__ import annotations

from socrates_amplify.model.faults import BAD_GATEWAY, error_body
from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.calls.journal import Attempt, Journal

LATE = ("timeout", "lost-reply")
"""Kinds that the caller sees as an answer that did not come in time."""


def body_of(status: int, method: str) -> bytes:
    """The body of an injected answer; none for a HEAD."""
    return b"" if method == "HEAD" else error_body(status).encode()


def headers_of(status: int) -> dict[str, str]:
    """The headers of an injected answer."""
    kind = "text/html" if status == BAD_GATEWAY else "application/json"
    return {"Content-Type": kind, "Content-Length": str(len(error_body(status)))}


def patience(attempt: Attempt, journal: Journal, timeout: float | None) -> float:
    """Seconds to wait before the fault of ``attempt`` shows."""
    if attempt.kind in LATE and journal.settings.honest_timeouts:
        return timeout or 0.0
    if attempt.kind == "slow":
        return journal.settings.slow if timeout is None else min(journal.settings.slow, timeout)
    return 0.0


def too_slow(attempt: Attempt, journal: Journal, timeout: float | None) -> bool:
    """Whether the call must end with a timeout: it is one, or is slower than the caller waits."""
    slow = attempt.kind == "slow" and timeout is not None and journal.settings.slow >= timeout
    return slow or attempt.kind in LATE


def rest_of(attempt: Attempt, journal: Journal, timeout: float | None, since: float) -> float:
    """Seconds that a caller goes on waiting for a lost reply who has waited ``since`` then."""
    return max(0.0, patience(attempt, journal, timeout) - (Clock.now() - since))
