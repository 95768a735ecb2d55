"""Many tests of one process, one after the other, as plain pytest runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from socrates.errors import SocratesError
from socrates_amplify.coverage import collect
from socrates_amplify.executors.in_test.execution import (
    Execution,
    installed,
    misled,
    own_temporary_directory,
    recorder_for,
)
from socrates_amplify.executors.in_test.listener import listening
from socrates_amplify.executors.in_test.once import without_reruns
from socrates_amplify.executors.request import GroupRequest
from socrates_amplify.extensions.collect import Extensions
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.originals import Process
from socrates_amplify.record.executed import ExecutedFiles

Report = Callable[[str, Outcome], None]


def run_together(
    items: Sequence[pytest.Item], request: GroupRequest, extensions: Extensions, report: Report
) -> None:
    """Run these tests without faults and report each when it has ended.

    Fixtures of modules and sessions are shared, as always. Forks that a test makes and that come
    to its end, too, do not report.
    """
    pid = Process.getpid()
    first = items[0]
    without_reruns(first.config)
    own_temporary_directory(first.config, request.tmp)
    # One recorder for all: a worker or server that a session shares keeps the hooks it began with.
    recorder = recorder_for(first, request.of(first.nodeid))
    executed = ExecutedFiles(str(first.config.rootpath), str(first.path), cheaply=True)
    try:
        with (
            collect.measured(Scenario(), first.config.rootpath),
            installed(extensions, recorder, request.probes) as replaced,
            listening(first.config) as listener,
        ):
            for item, following in zip(items, [*items[1:], None], strict=True):
                execution = Execution(item, request.of(item.nodeid), recorder, executed, replaced)
                outcome = execution.run_among_others(extensions, following, listener)
                if Process.getpid() != pid:
                    return
                report(item.nodeid, outcome)
    except SocratesError as error:
        report(first.nodeid, misled(Scenario(), error))
