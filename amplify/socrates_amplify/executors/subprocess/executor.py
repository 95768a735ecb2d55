"""The executor that starts a fresh pytest process for each execution: slow, and always right."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import temporary
from socrates_amplify.executors import reaping
from socrates_amplify.executors.alarm import ALARM, GRACE
from socrates_amplify.executors.answers import outcome_among_others, outcome_of, place_of
from socrates_amplify.executors.base import Heard, Suite
from socrates_amplify.executors.cancelling import Ticket
from socrates_amplify.executors.launch import (
    TOO_LATE,
    collection_problem,
    left_to_collect,
    lines_of,
    pytest_command,
    unknown_test,
)
from socrates_amplify.executors.pipe import OUTCOMES, Unpacker
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.executors.waiting import ends_within
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.record.index import Known

_MARGIN = 2.0
"""A start may take so many times as long as the one for collecting; more counts as a hang."""
_PAUSE = 0.05
"""Seconds between two looks at what a process has written."""
_SUPERVISOR = "socrates_amplify.executors.subprocess.supervise"


class SubprocessExecutor:
    """For suites that can't be forked, because importing them starts threads or connections."""

    unfit = ""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._known: dict[str, Known] = {}
        self._numbers = itertools.count(1)
        self._home = temporary.make()
        self._tests: dict[str, int] | None = None
        self._rootdir = suite.cwd
        self._startup = 0.0

    def collect(self) -> list[str]:
        """The node ids, in pytest's order."""
        return list(self._listing())

    def _listing(self) -> dict[str, int]:
        if self._tests is None:
            home = self._new_home()
            started = time.monotonic()
            process = self._start(home)
            try:
                in_time = ends_within(process, left_to_collect(self._suite.until))
                if not in_time:
                    _let_go(process)
            finally:
                self._end(process, home)
            code = process.wait()
            if not in_time:
                raise SocratesError(TOO_LATE)
            self._startup = _MARGIN * (time.monotonic() - started)
            found = home / "tests.json"
            if not found.exists():
                raise SocratesError(collection_problem([], home / "pytest-output.txt", code))
            listing = json.loads(found.read_text())
            if listing["errors"]:
                raise SocratesError(collection_problem(listing["errors"]))
            self._tests = lines_of(listing["tests"])
            self._rootdir = Path(listing["rootdir"])
            shutil.rmtree(home, ignore_errors=True)
        return self._tests

    @property
    def rootdir(self) -> Path:
        """pytest's root directory: locations and node ids are relative to it."""
        self.collect()
        return self._rootdir

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario; see ``Executor.run``.

        The limit is for the test: what pytest needs to start, as seen while collecting, is added.
        """
        lines = self._listing()
        if nodeid not in lines:
            raise SocratesError(unknown_test(nodeid))
        ticket = ticket or Ticket()
        ticket.check()
        home = self._new_home()
        tmp = home / "tmp"
        tmp.mkdir()
        known = self._known.get(nodeid, Known())
        suite = self._suite
        runs = rounds or suite.rounds
        request = Request(nodeid, scenario, known, suite.probes, str(tmp), runs)
        (home / "request.json").write_text(
            json.dumps({"request": request.to_json(), "limit": limit})
        )
        started = time.monotonic()
        process = self._start(home)
        try:
            with ticket.ended_by(lambda: _let_go(process)):
                hung = self._wait(process, None if limit is None else limit + self._startup)
        finally:
            self._end(process, home)
            if ticket.cancelled:
                shutil.rmtree(home, ignore_errors=True)
        ticket.check()
        code = process.wait()
        written = home / "outcome.json"
        # A test that has killed its supervisor is a crash, whether or not it could still report.
        crashed = code < 0 and not hung
        body = written.read_bytes() if written.exists() and not crashed else b""
        shutil.rmtree(home, ignore_errors=True)
        header: dict[str, object] = {
            "hung": hung,
            "code": code,
            "duration": time.monotonic() - started,
        }
        outcome = outcome_of(header, body, scenario, limit, place_of(nodeid, lines))
        if not scenario.faults and outcome.verdict is Verdict.PASS and nodeid not in self._known:
            self.learn(nodeid, outcome.trace)
        return outcome

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Run these tests once, in one process; see ``Executor.run_together``."""
        lines = self._listing()
        ticket.check()
        home = self._new_home()
        tmp = home / "tmp"
        tmp.mkdir()
        request = GroupRequest(tuple(nodeids), self._suite.probes, str(tmp))
        (home / "group.json").write_text(json.dumps(request.to_json()))
        process = self._start(home)
        try:
            with ticket.ended_by(lambda: _let_go(process)):
                for nodeid, body in _told(process, home / OUTCOMES, limit + self._startup):
                    heard(nodeid, outcome_among_others(body, place_of(nodeid, lines)))
        finally:
            self._end(process, home)
            shutil.rmtree(home, ignore_errors=True)
        ticket.check()
        return True

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test."""
        self._known[nodeid] = Known.of(trace)

    def close(self) -> None:
        """Remove the temporary files; no process outlives its ``run``."""
        shutil.rmtree(self._home, ignore_errors=True)

    def _new_home(self) -> Path:
        home = self._home / str(next(self._numbers))
        home.mkdir(parents=True)
        return home

    def _start(self, home: Path) -> subprocess.Popen[bytes]:
        pytest, environment = pytest_command(
            self._suite, "socrates_amplify.executors.subprocess.single"
        )
        command = [sys.executable, "-m", _SUPERVISOR, str(home / "pid"), *pytest]
        environment["SOCRATES_AMPLIFY_HOME"] = str(home)
        with (home / "pytest-output.txt").open("wb") as output:
            return subprocess.Popen(
                command,
                cwd=self._suite.cwd,
                env=environment,
                stdin=subprocess.PIPE,  # closed when this process ends, however: then the supervisor ends too
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _end(self, process: subprocess.Popen[bytes], home: Path) -> None:
        """End the test's processes first: their supervisor then cleans up and ends by itself."""
        with contextlib.suppress(OSError, ValueError):
            reaping.kill_group(int((home / "pid").read_text()))
        ends_within(process, GRACE)
        reaping.kill_group(process.pid)
        _let_go(process)

    def _wait(self, process: subprocess.Popen[bytes], limit: float | None) -> bool:
        """Wait for the end; True if the process had to be told that its time was over."""
        if ends_within(process, limit):
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, ALARM)
        ends_within(process, GRACE)
        return True


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Tell the supervisor to end the test and itself, whatever either is doing."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _told(
    process: subprocess.Popen[bytes], written: Path, limit: float
) -> Iterator[tuple[str, bytes]]:
    """What a process writes of its tests until it ends or is silent for ``limit`` seconds.

    A test may have written to the file, too: what comes behind that can't be read.
    """
    unpacker = Unpacker()
    place, deadline = 0, time.monotonic() + limit
    while True:
        ended = process.poll() is not None
        if written.exists():
            with written.open("rb") as file:
                file.seek(place)
                data = file.read()
            place += len(data)
            if data:
                deadline = time.monotonic() + limit
            try:
                for header, body in unpacker.feed(data):
                    yield str(header["nodeid"]), body
            except (ValueError, LookupError, TypeError):
                return
        if ended or time.monotonic() >= deadline:
            return
        time.sleep(_PAUSE)
