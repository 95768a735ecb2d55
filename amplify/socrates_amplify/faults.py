"""For users' tests: whether a fault was injected into the run that is under way.

Tests import this module, or take the fixture ``faults``, to say what they expect of a system in
distress: ``injected()`` and ``injected_on("reviews")`` are always false outside of an amplified run.
"""

from __future__ import annotations

import fnmatch

from socrates_amplify.model.faults import Fault

_applied: list[Fault] = []


def injected(kind: str = "") -> bool:
    """Whether a fault (of this kind) has happened in this test so far."""
    return any(not kind or fault.kind == kind for fault in _applied)


def injected_on(receiver: str, kind: str = "") -> bool:
    """Whether a fault (of this kind) has happened to a call or a message to ``receiver`` so far.

    ``receiver`` is the name that reports use, or a glob; ``Stock`` is every ``Stock#1``, too.
    """
    return any(
        not kind or fault.kind == kind
        for fault in _applied
        if fnmatch.fnmatchcase(fault.receiver, receiver)
        or fnmatch.fnmatchcase(fault.receiver.partition("#")[0], receiver)
    )


def run_started() -> None:
    """For the recorder: a run begins, in which nothing has been injected yet."""
    _applied.clear()


def was_applied(fault: Fault) -> None:
    """For the recorder: ``fault`` has happened."""
    _applied.append(fault)
