"""Why a test failed, in a form that is the same whenever the same thing goes wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType

import pytest

from socrates_amplify.model.outcomes import HANG, Failure
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.record.assertions.asserted import asserted, caught, with_frames
from socrates_amplify.record.assertions.asserted_reply import actor_looked_at
from socrates_amplify.record.evidence import link_of_wait, links_of, text_of
from socrates_amplify.record.identity import scrub
from socrates_amplify.record.recorder import Recorder

_MESSAGE = 500


def watch_test_case(item: pytest.Item, recorder: Recorder) -> None:
    """Have the exceptions of a testtools test case told by its own hook: pytest sees only their text."""
    add: Callable[..., None] | None = getattr(
        getattr(item, "instance", None), "addOnException", None
    )
    if callable(add):
        seen: list[BaseException] = []
        add(lambda about: seen.append(about[1]))
        recorder.true_error = lambda error: seen[0] if seen else error


def failure_of(
    item: pytest.Item,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    recorder: Recorder,
) -> Failure:
    """The failure that one phase of a test ended with."""
    if call.excinfo is None:
        # A plugin turned a pass into a failure: a strict xfail that passed, for one.
        return _told("Failed", report.longreprtext, _item_location(item))
    error = recorder.true_error(call.excinfo.value)
    frame, line = _last_frame(error, recorder.test_file)
    if recorder.eager and (report.when == "call" or not recorder.links):
        recorder.links = with_frames(links_of(error, recorder.roles), recorder)
        recorder.asserted = asserted(recorder, frame, line)
        recorder.caught = caught(recorder, frame, line)
    location = f"{_relative(recorder.test_file, item)}:{line}" if frame else _anywhere(item, error)
    actor = actor_looked_at(recorder, frame, line)
    return _told(_name_of(error), _story_of(error), location, actor)


def failure_in(report: pytest.TestReport, item: pytest.Item, recorder: Recorder) -> Failure:
    """The failure that a report tells of, when there is nothing but the report."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return _told("Failed", report.longreprtext, _item_location(item))
    kind, _, message = crash.message.partition(": ")
    if not kind.isidentifier():
        kind, message = "AssertionError", crash.message
    location = f"{_relative(str(crash.path), item)}:{crash.lineno}"
    return _told(kind, message, location, actor_looked_at(recorder, None, crash.lineno))


def waiting_failure(
    frame: FrameType | None, recorder: Recorder, limit: float, item: pytest.Item
) -> Failure:
    """The failure of a test that did not end: where it waits, and for whom."""
    recorder.links = (link_of_wait(frame, recorder.roles),)
    while frame is not None and frame.f_code.co_filename != recorder.test_file:
        frame = frame.f_back
    waiting = [consumption for consumption in recorder.reply_reads if consumption.pending]
    location = (
        f"{_relative(recorder.test_file, item)}:{frame.f_lineno}" if frame else _item_location(item)
    )
    recorder.trace()
    return Failure(
        type=HANG,
        message=f"did not end within {limit:.3g} s",
        location=location,
        actor=waiting[-1].sent.actor.address if waiting else "",
    )


def _frames(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _last_frame(error: BaseException, filename: str) -> tuple[FrameType | None, int]:
    """The innermost frame of the test's own file, and the line it was at.

    What an actor raised goes on in the actor's thread, which may be in the same file: that is not
    where the test failed. Of a group, the first member that passed through the test's file counts.
    """
    found = _last_frame_in(error.__traceback__, filename)
    if found[0] is None and isinstance(error, BaseExceptionGroup):
        inside = (_last_frame(member, filename) for member in error.exceptions)
        return next((place for place in inside if place[0] is not None), found)
    return found


def _last_frame_in(traceback: TracebackType | None, filename: str) -> tuple[FrameType | None, int]:
    found: tuple[FrameType | None, int] = (None, 0)
    previous: FrameType | None = None
    for entry in _frames(traceback):
        frame = entry.tb_frame
        # A finished coroutine or generator has no caller any more, so None says nothing.
        if found[0] is not None and frame.f_back is not None and frame.f_back is not previous:
            break
        if frame.f_code.co_filename == filename:
            found = (frame, entry.tb_lineno)
        previous = frame
    return found


def _anywhere(item: pytest.Item, error: BaseException) -> str:
    """The innermost line of the project when the test's own file is not on the way."""
    root = str(item.config.rootpath) + os.sep
    inside = [
        entry
        for entry in _frames(error.__traceback__)
        if entry.tb_frame.f_code.co_filename.startswith(root)
        and "site-packages" not in entry.tb_frame.f_code.co_filename
    ]
    if not inside:
        return _item_location(item)
    last = inside[-1]
    return f"{_relative(last.tb_frame.f_code.co_filename, item)}:{last.tb_lineno}"


def _item_location(item: pytest.Item) -> str:
    path, line, _ = item.location
    return f"{path.replace(os.sep, '/')}:{(line or 0) + 1}"


def _relative(filename: str, item: pytest.Item) -> str:
    root = str(item.config.rootpath) + os.sep
    name = filename[len(root) :] if filename.startswith(root) else filename
    return name.replace(os.sep, "/")


def _name_of(error: BaseException) -> str:
    """The exception's type; of a group also those of its members: others are another failure."""
    name = type(error).__name__
    if not isinstance(error, BaseExceptionGroup):
        return name
    return f"{name}[{', '.join(sorted({_name_of(leaf) for leaf in _leaves(error)}))}]"


def _story_of(error: BaseException) -> str:
    """What it says; of a group what the first of its members says, too."""
    if not isinstance(error, BaseExceptionGroup):
        return text_of(error)
    first = next(_leaves(error))
    return f"{text_of(error)}: {_name_of(first)}: {text_of(first)}"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _leaves(member)
    else:
        yield error


def _told(kind: str, text: str, location: str, actor: str = "") -> Failure:
    """A failure with its message in both forms: to compare runs by, and to read."""
    message, shown = _one_line(scrub(text)), _one_line(text)
    return Failure(kind, message, location, actor, "" if shown == message else shown)


def _one_line(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return without_secrets(first)[:_MESSAGE]
