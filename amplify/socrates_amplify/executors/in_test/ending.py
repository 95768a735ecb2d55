"""The one test of a test process: run, reported, and then the process ends."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from socrates_amplify.coverage import collect
from socrates_amplify.executors.alarm import ALARM
from socrates_amplify.executors.in_test.repeating import execution_of
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import Extensions
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.originals import Process

NOT_REPORTED = 70
"""The exit code of a process that could not run its test or not report of it."""


@contextlib.contextmanager
def ending_process() -> Iterator[None]:
    """End this process after the block, without any of Python's own cleaning up, and at all costs.

    In a fork of a server that would otherwise go on as a second server.
    """
    code = NOT_REPORTED
    try:
        yield
        code = 0
    except BaseException:
        sys.__excepthook__(*sys.exc_info())
    finally:
        Process.exit(code)


def run_item(
    item: pytest.Item,
    request: Request,
    limit: float | None,
    extensions: Extensions,
    report: Callable[[Outcome], None],
) -> None:
    """Run the test and report; when the alarm comes first, report where it waits, and end.

    Forks that the test makes and that come to its end, too, do not report.
    """
    pid = Process.getpid()
    execution = execution_of(item, request)

    def time_is_over(signum: int, frame: FrameType | None) -> None:
        with ending_process():
            if Process.getpid() == pid:
                report(execution.interrupted(frame, limit or 0.0))
                collect.save()

    Process.on_signal(ALARM, time_is_over)
    with collect.measured(request.scenario, item.config.rootpath):
        outcome = execution.run(extensions)
    Process.on_signal(ALARM, signal.SIG_IGN)
    if Process.getpid() == pid:
        report(outcome)
