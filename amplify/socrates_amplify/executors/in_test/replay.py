"""A pytest plugin that runs one test under one scenario, with all that pytest shows as usual.

``socrates replay`` loads it into a pytest of its own. Unlike the executors it keeps the terminal,
so the traceback and ``--pdb`` are the user's.
"""

from __future__ import annotations

import _thread
import faulthandler
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from socrates_amplify.executors.alarm import ALARM
from socrates_amplify.executors.in_test import handed
from socrates_amplify.executors.in_test.execution import Execution
from socrates_amplify.executors.in_test.repeating import Repeated, execution_of
from socrates_amplify.executors.replaying import OUTCOME, STARTED, VARIABLE
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import for_test_process
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_to_json
from socrates_amplify.originals import Clock, Files, JsonText, Process

_PATIENCE = 3.0
"""Seconds that threads of a test have to end once pytest is over, before they are left behind."""


class Replay:
    """Runs the requested test under its faults, and no other test."""

    def __init__(self, home: Path) -> None:
        asked = JsonText.loads(Files.read_bytes(home / "request.json"))
        self._home = home
        self._request = Request.from_json(asked["request"])
        self._limit: float | None = asked["limit"]
        self._running = False
        self._code = 0

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep the requested test alone."""
        others = [item for item in items if item.nodeid != self._request.nodeid]
        items[:] = [item for item in items if item.nodeid == self._request.nodeid]
        config.hook.pytest_deselected(items=others)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Run the test once under its faults; the usual protocol runs inside."""
        if self._running:
            return None
        self._running = True
        execution = execution_of(item, self._request)
        if self._limit is not None:
            self._heed(item.config, execution, self._limit)
        Files.write_bytes(self._home / STARTED, b"")
        outcome = execution.run(for_test_process())
        Process.on_signal(ALARM, signal.SIG_IGN)
        self._report(outcome)
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep with what this process is to end."""
        self._code = int(exitstatus)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Pytest is over: threads of the test that wait for each other must not keep its process."""
        _thread.start_new_thread(_end, (self._code,))

    def _heed(self, config: pytest.Config, execution: Execution | Repeated, limit: float) -> None:
        """Show where the test waits when the command says that its time is over, and end."""
        capture = config.pluginmanager.get_plugin("capturemanager")

        def time_is_over(signum: int, frame: FrameType | None) -> None:
            self._report(execution.interrupted(frame, limit))
            if capture is not None:
                capture.suspend_global_capture(in_=True)
            faulthandler.dump_traceback(sys.__stderr__ or 2)
            Process.exit(1)

        Process.on_signal(ALARM, time_is_over)

    def _report(self, outcome: Outcome) -> None:
        data = JsonText.dumps(outcome_to_json(outcome)).encode()
        Files.write_bytes(self._home / OUTCOME, data)


def _end(code: int) -> None:
    Clock.wait(_PATIENCE)
    with suppress(OSError, ValueError):  # whoever has closed them does not want to see more
        sys.stdout.flush()
        sys.stderr.flush()
    Process.exit(code)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """See ``handed``."""
    handed.take(early_config, VARIABLE)


def pytest_configure(config: pytest.Config) -> None:
    """Take the request of the command that started this process, once."""
    home = handed.taken(config)
    if home:
        config.pluginmanager.register(Replay(Path(home)), "socrates-replay")
