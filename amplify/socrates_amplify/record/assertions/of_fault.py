"""Which exceptions that a test has at hand are those of the planned faults."""

from __future__ import annotations

from collections.abc import Collection
from types import FrameType

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.evidence import Link
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.record.evidence import links_of
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.record.unasked import is_a

_WORD = later(r"\w+")
_CLI_RESULTS = ("click.testing", "asyncclick.testing", "typer.testing")
"""Modules whose results keep the exception that a command ended with."""


def statuses_of(recorder: Recorder) -> frozenset[int]:
    """The statuses of the error replies that are planned."""
    faults = (fault for fault in recorder.scenario if kind_of(fault.kind).answers)
    return frozenset(int(fault.detail) for fault in faults if fault.detail.isdecimal())


def is_of_fault(link: Link, statuses: Collection[int]) -> bool:
    """Whether an exception is the injected one, or names a status that was."""
    if link.origin == "ours":
        return True
    return not {str(status) for status in statuses}.isdisjoint(_WORD.findall(link.message))


def end_of_command(value: object) -> BaseException | None:
    """The exception that a command ended with, of its result in a test of click's kind; None for anything else."""
    if type(value).__module__ not in _CLI_RESULTS:
        return None
    error = getattr(value, "exception", None)
    return error if is_a(error, BaseException) else None


def ended_a_command(recorder: Recorder, frame: FrameType | None) -> tuple[Link, ...]:
    """The error, with its chain, by which a command ended that the test has run itself: a fault's, or an exit."""
    statuses = statuses_of(recorder)
    for value in list(frame.f_locals.values()) if frame is not None else ():
        error = end_of_command(value)
        links = links_of(error, recorder.roles) if error is not None else ()
        exits = isinstance(error, SystemExit) and error.code not in (None, 0)
        if exits or any(is_of_fault(link, statuses) for link in links):
            return links
    return ()
