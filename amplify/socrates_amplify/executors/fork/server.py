"""The warm process: pytest imported, plugins loaded, tests collected; each execution a fork.

A pytest plugin. Once collection is done it takes the place of pytest's own loop and serves
requests until the executor closes the connection. It never starts a thread, since a fork has only
the thread that forked; a few threads of libraries are started again there. No fixture has been set
up before a fork, so fixtures of every scope are made anew in it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import threading
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

import pytest

from socrates_amplify.executors import reaping
from socrates_amplify.executors.alarm import ALARM, GRACE
from socrates_amplify.executors.fork.lost_threads import lost_threads, revive, threads_to_revive
from socrates_amplify.executors.in_test.collecting import collection_error, listing_of
from socrates_amplify.executors.in_test.ending import ending_process, run_item
from socrates_amplify.executors.pipe import Unpacker, pack
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import Extensions, for_test_process
from socrates_amplify.extensions.guarded_probe import unguarded
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_to_json
from socrates_amplify.originals import Clock, Files, JsonText, Process
from socrates_amplify.probes.base import Probe
from socrates_amplify.record.recorder import Recorder

FD_VARIABLE = "SOCRATES_AMPLIFY_FD"


@dataclass(slots=True)
class _Child:
    """One execution under way."""

    number: int
    pid: int
    fd: int
    limit: float | None
    deadline: float | None
    started: float
    told: bool = False
    silent: bool = False
    result: bytes | None = None
    unpacker: Unpacker = field(default_factory=Unpacker)


class ForkServer:
    """Takes requests from a socket, forks, watches the forks, sends results back."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._errors: list[str] = []
        self._items: dict[str, pytest.Item] = {}
        self._extensions: Extensions
        self._children: dict[int, _Child] = {}
        self._unpacker = Unpacker()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._errors.append(collection_error(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve instead of running everything once."""
        self._items = {item.nodeid: item for item in session.items}
        self._extensions = for_test_process()
        warm_up(self._extensions.available_probes)
        self._connection.sendall(
            pack(
                {
                    "tests": listing_of(session),
                    "errors": self._errors,
                    "rootdir": str(session.config.rootpath),
                    "threads": lost_threads(),
                }
            )
        )
        reaping.adopt_orphans()
        gc.collect()
        gc.freeze()
        self._serve()
        # Nobody reads a summary of a session without tests, and some plugins take seconds for it.
        if session.config.pluginmanager.has_plugin("terminalreporter"):
            session.config.pluginmanager.unregister(name="terminalreporter")
        return True

    def _serve(self) -> None:
        while True:
            waiting: list[socket.socket | int] = [self._connection]
            waiting += [child.fd for child in self._children.values()]
            ready, _, _ = Files.select(waiting, [], [], 0.02 if self._children else None)
            if self._connection in ready and not self._take_requests():
                break
            for child in list(self._children.values()):
                self._look_after(child, child.fd in ready)
        for child in list(self._children.values()):
            reaping.kill_group(child.pid)
        reaping.kill_orphans(keep=())

    def _take_requests(self) -> bool:
        """Start what was asked for; False when the executor has closed the connection."""
        data = self._connection.recv(1 << 16)
        for header, body in self._unpacker.feed(data):
            number, limit = header["id"], header.get("limit")
            assert isinstance(number, int)
            if header.get("cancel"):
                self._cancel(number)
                continue
            assert limit is None or isinstance(limit, (int, float))
            self._start(number, limit, Request.from_json(JsonText.loads(body)))
        return bool(data)

    def _start(self, number: int, limit: float | None, request: Request) -> None:
        reading, writing = Files.pipe()
        now = Clock.now()
        revived = threads_to_revive()
        with warnings.catch_warnings():
            # Python warns of forks where threads run; ``lost_threads`` has looked at those.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = Process.fork()
        if pid == 0:
            self._be_child((reading, writing), limit, request, revived)
        Files.close(writing)
        deadline = None if limit is None else now + limit
        self._children[pid] = _Child(number, pid, reading, limit, deadline, now)

    def _be_child(
        self,
        ends: tuple[int, int],
        limit: float | None,
        request: Request,
        revived: Iterable[threading.Thread],
    ) -> NoReturn:
        """Run the test and end, whatever the test does to this process."""
        reading, writing = ends
        with ending_process():
            Files.close(reading)
            self._connection.close()
            for child in self._children.values():
                Files.close(child.fd)
            revive(revived)
            Process.setsid()
            reaping.adopt_orphans()
            item = self._items[request.nodeid]
            fresh_capture(item.config)
            run_item(
                item, request, limit, self._extensions, lambda outcome: report(writing, outcome)
            )
        raise AssertionError("the process has ended")

    def _look_after(self, child: _Child, readable: bool) -> None:
        """Read what a child says, end it when its time is over, notice when it is gone."""
        if readable:
            child.result = self._hear(child) or child.result
        now = Clock.now()
        ended, status = Process.waitpid(child.pid, os.WNOHANG)
        if ended == 0 and child.result is None:
            if child.deadline is None or now < child.deadline:
                return
            if not child.told:
                child.told = True
                child.deadline = now + GRACE
                Process.kill(child.pid, ALARM)
                return
        self._finish(child, ended, status)

    def _cancel(self, number: int) -> None:
        """End a cancelled execution; one that has ended already has sent its result."""
        for child in list(self._children.values()):
            if child.number == number:
                self._finish(child, 0, 0, cancelled=True)

    def _finish(self, child: _Child, ended: int, status: int, *, cancelled: bool = False) -> None:
        if child.result is None and ended:
            # The end of its result may still be in the pipe.
            child.result = self._drain(child)
        reaping.kill_group(child.pid)
        if not ended:
            _, status = Process.waitpid(child.pid, 0)
        Files.close(child.fd)
        del self._children[child.pid]
        reaping.kill_orphans(keep=self._children)
        header: dict[str, object] = {
            "id": child.number,
            "hung": child.told,
            "cancelled": cancelled,
            "code": os.waitstatus_to_exitcode(status),
            "duration": Clock.now() - child.started,
        }
        self._connection.sendall(pack(header, child.result or b""))

    def _drain(self, child: _Child) -> bytes | None:
        Files.set_blocking(child.fd, False)
        try:
            while not child.silent:
                result = self._hear(child)
                if result is not None:
                    return result
        except BlockingIOError:
            return None
        return None

    def _hear(self, child: _Child) -> bytes | None:
        """Read on; the result, once all of it is there. A test may have written there, too."""
        data = Files.read(child.fd, 1 << 20)
        child.silent = not data
        try:
            for _, body in child.unpacker.feed(data):
                return body
        except ValueError:
            return data  # no outcome can be read from it, and the executor says so
        return None


def warm_up(probes: Iterable[Probe]) -> None:
    """Have each probe import what it needs here, once, instead of in every fork."""
    for probe in probes:
        # What a probe can't do is told by the executions, where it has its settings.
        with contextlib.suppress(Exception):
            unguarded(probe).install(Recorder(), {})()


def report(fd: int, outcome: Outcome) -> None:
    """Write an outcome to a pipe."""
    Files.write_all(fd, pack({}, JsonText.dumps(outcome_to_json(outcome)).encode()))


def fresh_capture(config: pytest.Config) -> None:
    """Capture into files of this process, not into those that all forks would share.

    The streams stay the same objects: a module may have kept ``sys.stdout`` when it was imported.
    """
    manager = config.pluginmanager.getplugin("capturemanager")
    capturing = getattr(manager, "_global_capturing", None)
    for stream in (getattr(capturing, "out", None), getattr(capturing, "err", None)):
        captured = getattr(stream, "targetfd", None)
        if stream is None or captured is None:
            continue  # captured in memory, which forks do not share
        with Files.temporary_file() as fresh:
            file = stream.tmpfile.fileno()
            Files.dup2(fresh.fileno(), file, inheritable=False)
            if stream._state == "started":
                Files.dup2(file, captured)


def pytest_configure(config: pytest.Config) -> None:
    """Connect to the executor that started this process."""
    fd = os.environ.pop(FD_VARIABLE, "")
    if fd:
        server = ForkServer(Files.socket(fileno=int(fd)))
        config.pluginmanager.register(server, "socrates-fork-server")
