"""The warm process: pytest imported, plugins loaded, tests collected; each execution a fork.

Many tests can also be run in one fork, one after the other: each is then told of as it ends.

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
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import NoReturn

import pytest

from socrates.classes.lazy import dataclass
from socrates_amplify.executors import reaping
from socrates_amplify.executors.alarm import ALARM, GRACE
from socrates_amplify.executors.fork.lost_threads import lost_threads, revive, threads_to_revive
from socrates_amplify.executors.in_test import handed
from socrates_amplify.executors.in_test.collecting import collection_error, listing_of
from socrates_amplify.executors.in_test.ending import ending_process, run_item
from socrates_amplify.executors.in_test.together import run_together
from socrates_amplify.executors.pipe import FD_VARIABLE, Unpacker, pack
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.extensions.collect import Extensions, for_test_process
from socrates_amplify.extensions.guarded_probe import unguarded
from socrates_amplify.lazy_pattern import compile_all
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_to_json
from socrates_amplify.originals import Clock, Files, JsonText, Process
from socrates_amplify.probes.base import Probe
from socrates_amplify.record.whose import install_folders

_PAUSE = 0.02
"""Seconds in which tests that run together report before they are heard: to wake up here, and the
executor, for each of them would take longer than many a test."""

_Work = Callable[[int], None]
"""What a fork does; it reports to the pipe that it is given."""


@dataclass(slots=True)
class _Child:
    """One fork under way: a test, or ``many`` of them, the limit then being for each."""

    number: int
    pid: int
    fd: int
    limit: float | None
    deadline: float | None
    started: float
    told: bool = False
    silent: bool = False
    many: bool = False
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
        self._is_warm = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._errors.append(collection_error(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve instead of running everything once."""
        self._items = {item.nodeid: item for item in session.items}
        self._extensions = for_test_process()
        install_folders()
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
        gc.freeze()  # forks share what is there, garbage included: to look for it takes longer
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
            if any(child.many and child.fd in ready for child in self._children.values()):
                Clock.wait(_PAUSE)
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
            asked = JsonText.loads(body)
            if header.get("many"):
                self._start(number, limit, self._group(GroupRequest.from_json(asked)), many=True)
            else:
                self._start(number, limit, self._single(Request.from_json(asked), limit))
        return bool(data)

    def _single(self, request: Request, limit: float | None) -> _Work:
        item = self._items[request.nodeid]
        self._warm_up()
        return lambda fd: run_item(
            item, request, limit, self._extensions, lambda outcome: report(fd, outcome)
        )

    def _warm_up(self) -> None:
        """Do once what else each fork would; most suites have tests of which none is run by itself."""
        if not self._is_warm:
            self._is_warm = True
            warm_up(self._extensions.available_probes)
            gc.freeze()
        compile_all()

    def _group(self, request: GroupRequest) -> _Work:
        items = [self._items[nodeid] for nodeid in request.nodeids]
        return lambda fd: run_together(
            items, request, self._extensions, lambda nodeid, outcome: report(fd, outcome, nodeid)
        )

    def _start(self, number: int, limit: float | None, work: _Work, *, many: bool = False) -> None:
        reading, writing = Files.pipe()
        now = Clock.now()
        revived = threads_to_revive()
        with warnings.catch_warnings():
            # Python warns of forks where threads run; ``lost_threads`` has looked at those.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = Process.fork()
        if pid == 0:
            self._be_child((reading, writing), work, revived)
        Files.close(writing)
        deadline = None if limit is None else now + limit
        self._children[pid] = _Child(number, pid, reading, limit, deadline, now, many=many)

    def _be_child(
        self, ends: tuple[int, int], work: _Work, revived: Iterable[threading.Thread]
    ) -> NoReturn:
        """Run what was asked for and end, whatever a test does to this process."""
        reading, writing = ends
        with ending_process():
            Files.close(reading)
            self._connection.close()
            for child in self._children.values():
                Files.close(child.fd)
            revive(revived)
            Process.setsid()
            reaping.adopt_orphans()
            fresh_capture(next(iter(self._items.values())).config)
            work(writing)
        raise AssertionError("the process has ended")

    def _look_after(self, child: _Child, readable: bool) -> None:
        """Read what a child says, end it when its time is over, notice when it is gone."""
        now = Clock.now()
        if readable and child.many:
            if self._pass_on(child) and child.limit is not None:
                child.deadline = now + child.limit
        elif readable:
            child.result = self._hear(child) or child.result
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
            self._drain(child)
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

    def _drain(self, child: _Child) -> None:
        Files.set_blocking(child.fd, False)
        with contextlib.suppress(BlockingIOError):
            while not child.silent and child.result is None:
                if child.many:
                    self._pass_on(child)
                else:
                    child.result = self._hear(child)

    def _pass_on(self, child: _Child) -> bool:
        """Tell the executor of each test of many that has ended; False when nothing was said."""
        data = Files.read(child.fd, 1 << 20)
        child.silent = not data
        try:
            for header, body in child.unpacker.feed(data):
                told = {"id": child.number, "nodeid": str(header["nodeid"])}
                self._connection.sendall(pack(told, body))
        except (ValueError, LookupError, TypeError, AttributeError):
            child.result = b""  # a test wrote there: what comes behind it can't be read
        return bool(data)

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
    """Have each probe do here, once, what it would else do in every fork."""
    for probe in probes:
        # What a probe can't do is told by the executions, where it has its settings.
        with contextlib.suppress(Exception):
            unguarded(probe).warm_up()


def report(fd: int, outcome: Outcome, nodeid: str = "") -> None:
    """Write the outcome of a test to a pipe."""
    body = JsonText.dumps(outcome_to_json(outcome)).encode()
    Files.write_all(fd, pack({"nodeid": nodeid}, body))


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


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """See ``handed``."""
    handed.take(early_config, FD_VARIABLE)


def pytest_configure(config: pytest.Config) -> None:
    """Connect to the executor that started this process."""
    fd = handed.taken(config)
    if fd:
        server = ForkServer(Files.socket(fileno=int(fd)))
        config.pluginmanager.register(server, "socrates-fork-server")
