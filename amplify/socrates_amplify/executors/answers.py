"""Makes an outcome of what a test process sent, or of the way in which it ended."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import HANG, MISTAKE, Failure, Outcome, Verdict
from socrates_amplify.model.serial import outcome_from_json

_KILLED = 9
"""SIGKILL, which not every system knows by name."""
_UNREADABLE = "what its process reported can't be read: the test wrote to a descriptor of ours"


def place_of(nodeid: str, lines: Mapping[str, int]) -> str:
    """``file:line`` of a collected test."""
    return f"{nodeid.partition('::')[0]}:{lines[nodeid]}"


def outcome_among_others(body: bytes, place: str) -> Outcome:
    """The outcome that a process with many tests reported of the one at ``place``."""
    return outcome_of({"hung": False, "code": 0, "duration": 0.0}, body, Scenario(), None, place)


def outcome_of(
    header: dict[str, object], body: bytes, scenario: Scenario, limit: float | None, place: str
) -> Outcome:
    """The outcome a process reported, else a hang or a crash at ``place``, the test's own line.

    Both are failures, because a system that stops answering under a fault is not resilient. A
    hang is not final: the machine may have been busy, so another try may end. Neither is a process
    that was killed: the system kills processes when memory runs out, whichever process used it.
    """
    told = _reported(body)
    if told is not None:
        return checked(told)
    duration = header["duration"]
    assert isinstance(duration, float)
    if header["hung"]:
        failure = Failure(HANG, f"did not end within {limit or 0:.3g} s", place)
        return Outcome(
            scenario, Verdict.FAIL, failure, duration=duration, final=False, status="hung"
        )
    code = header["code"]
    failure = Failure("Crash", _UNREADABLE if body else _how_it_ended(code), place)
    final = bool(body) or code != -_KILLED
    return Outcome(
        scenario, Verdict.FAIL, failure, duration=duration, final=final, status="crashed"
    )


def _reported(body: bytes) -> Outcome | None:
    """The outcome in what a process sent; None for nothing, and for what a test wrote there."""
    try:
        return outcome_from_json(json.loads(body)) if body else None
    except (ValueError, RecursionError, SocratesError):
        return None


def checked(outcome: Outcome) -> Outcome:
    """The outcome itself. Raises SocratesError when it says that the settings are wrong."""
    if outcome.failure is not None and outcome.failure.type == MISTAKE:
        raise SocratesError(outcome.failure.message)
    return outcome


def _how_it_ended(code: object) -> str:
    if not isinstance(code, int):
        return "the test ended the process that started it"
    if code == -_KILLED:
        return "the process was ended by SIGKILL, as the system does when memory runs out"
    if code >= 0:
        return f"the process ended with exit code {code} before the test did"
    try:
        return f"the process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"the process was ended by signal {-code}"
