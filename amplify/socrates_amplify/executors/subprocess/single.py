"""Runs one test of a fresh pytest process. A pytest plugin, loaded by the subprocess executor."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from types import FrameType

import pytest

from socrates_amplify.coverage.collect import measured
from socrates_amplify.executors.alarm import ALARM
from socrates_amplify.executors.in_test.collecting import collection_error, listing_of
from socrates_amplify.executors.in_test.repeating import execution_of
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import for_test_process
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_to_json

HOME_VARIABLE = "SOCRATES_AMPLIFY_HOME"


class SingleRun:
    """Takes the place of pytest's loop: lists the tests, and runs the one asked for, if any."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._errors.append(collection_error(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Tell what was collected; run the requested test."""
        request_file = self._home / "request.json"
        if not request_file.exists():
            tests = {
                "tests": listing_of(session),
                "errors": self._errors,
                "rootdir": str(session.config.rootpath),
            }
            self._write("tests.json", tests)
            return True
        text = json.loads(request_file.read_text())
        request = Request.from_json(text["request"])
        item = next(item for item in session.items if item.nodeid == request.nodeid)
        self._run(item, request, text["limit"])
        return True

    def _run(self, item: pytest.Item, request: Request, limit: float | None) -> None:
        pid = os.getpid()
        execution = execution_of(item, request)

        def time_is_over(signum: int, frame: FrameType | None) -> None:
            if os.getpid() == pid:
                self._report(execution.interrupted(frame, limit or 0.0))
            os._exit(0)

        signal.signal(ALARM, time_is_over)
        with measured(request.scenario, item.config.rootpath):
            outcome = execution.run(for_test_process())
        signal.signal(ALARM, signal.SIG_IGN)
        if os.getpid() == pid:
            self._report(outcome)
        os._exit(0)

    def _report(self, outcome: Outcome) -> None:
        self._write("outcome.json", outcome_to_json(outcome))

    def _write(self, name: str, value: object) -> None:
        part = self._home / f"{name}.part"
        part.write_text(json.dumps(value))
        part.replace(self._home / name)


def pytest_configure(config: pytest.Config) -> None:
    """Take the request of the executor that started this process."""
    home = os.environ.pop(HOME_VARIABLE, "")
    if home:
        config.pluginmanager.register(SingleRun(Path(home)), "socrates-single-run")
