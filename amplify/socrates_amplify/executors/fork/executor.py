"""The executor that keeps a warm pytest process and forks it for each execution."""

from __future__ import annotations

import contextlib
import itertools
import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue

from socrates.errors import SocratesError
from socrates.files import temporary
from socrates_amplify.executors import reaping
from socrates_amplify.executors.answers import outcome_among_others, outcome_of, place_of
from socrates_amplify.executors.base import Heard, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.fork import early
from socrates_amplify.executors.fork.quarantine import Quarantine
from socrates_amplify.executors.launch import (
    TOO_LATE,
    collection_problem,
    left_to_collect,
    lines_of,
    pytest_command,
    unknown_test,
)
from socrates_amplify.executors.pipe import FD_VARIABLE, Unpacker, pack
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.executors.waiting import Process, ends_within
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.record.index import Known

_Reply = tuple[dict[str, object], bytes]


class ForkExecutor:
    """Starts the server with the first call, and again if a test has ended it."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._known: dict[str, Known] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        self._home = temporary.make()
        self._server: _Server | None = None
        self._quarantine = Quarantine()
        self._closed = False

    def collect(self) -> list[str]:
        """The node ids, in pytest's order."""
        return list(self._alive(self._suite.until).tests)

    @property
    def rootdir(self) -> Path:
        """pytest's root directory: locations and node ids are relative to it."""
        return self._alive().rootdir

    @property
    def unfit(self) -> str:
        """Why forks can't serve this suite (importing the tests started a thread), or empty."""
        threads = self._alive().threads
        return f"importing the tests started threads: {', '.join(threads)}" if threads else ""

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario; see ``Executor.run``."""
        lines = self._alive().tests
        if nodeid not in lines:
            raise SocratesError(unknown_test(nodeid))
        ticket = ticket or Ticket()
        with self._quarantine.together():
            header, body = self._ask(nodeid, scenario, limit, ticket, rounds)
        if header is _DEAD[0]:
            # One of the tests that ran together has ended the server: the one that does so alone.
            with self._quarantine.alone():
                header, body = self._ask(nodeid, scenario, limit, ticket, rounds)
        if header.get("cancelled"):
            raise Cancelled
        outcome = outcome_of(header, body, scenario, limit, place_of(nodeid, lines))
        if not scenario.faults and outcome.verdict is Verdict.PASS and nodeid not in self._known:
            self.learn(nodeid, outcome.trace)
        return outcome

    def _ask(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None,
        ticket: Ticket,
        rounds: Rounds | None,
    ) -> _Reply:
        ticket.check()
        known = self._known.get(nodeid, Known())
        suite = self._suite
        with self._place() as (server, number, tmp):
            runs = rounds or suite.rounds
            request = Request(nodeid, scenario, known, suite.probes, str(tmp), runs)
            return server.ask(number, limit, request, ticket)

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Run these tests once, in one process; see ``Executor.run_together``."""
        ticket.check()
        lines = self._alive().tests

        def told(nodeid: str, body: bytes) -> None:
            heard(nodeid, outcome_among_others(body, place_of(nodeid, lines)))

        with self._quarantine.together(), self._place() as (server, number, tmp):
            request = GroupRequest(tuple(nodeids), self._suite.probes, str(tmp))
            header, _ = server.ask(number, limit, request, ticket, told)
        if header.get("cancelled"):
            raise Cancelled
        return True

    @contextlib.contextmanager
    def _place(self) -> Iterator[tuple[_Server, int, Path]]:
        """The server, the number of a request to it, and a folder for what its tests leave."""
        number = next(self._numbers)
        tmp = self._home / str(number)
        server = self._alive()
        tmp.mkdir(parents=True)  # a test may have removed the folder above, too
        try:
            yield server, number, tmp
        finally:
            shutil.rmtree(tmp, ignore_errors=True)

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test."""
        self._known[nodeid] = Known.of(trace)

    def close(self) -> None:
        """End the server and all that still runs in it."""
        self._closed = True
        with self._lock:
            if self._server is not None:
                self._server.close()
                self._server = None
        shutil.rmtree(self._home, ignore_errors=True)

    def _alive(self, until: float | None = None) -> _Server:
        with self._lock:
            if self._closed:
                raise Cancelled
            if self._server is None or self._server.gone:
                if self._server is not None:
                    self._server.close()
                self._home.mkdir(exist_ok=True)
                temporary.claim(self._home)
                self._server = _Server(self._suite, self._home, until)
            return self._server


class _Server:
    """The process of the server, and the thread that reads its replies."""

    def __init__(self, suite: Suite, home: Path, until: float | None = None) -> None:
        self._waiting: dict[int, SimpleQueue[_Reply]] = {}
        self._lock = threading.Lock()
        # With one lock for both, a full pipe would stop the thread that reads the replies.
        self._sending = threading.Lock()
        self._output = home / "pytest-output.txt"
        self._process, self._connection = _started(suite, self._output)
        self.gone = False
        self._unpacker = Unpacker()
        try:
            self._connection.settimeout(left_to_collect(until))
            hello = self._first_message()
            self._connection.settimeout(None)
        except TimeoutError:
            reaping.kill_group(self._process.pid)
            self._process.wait()
            self._connection.close()
            raise SocratesError(TOO_LATE) from None
        except BaseException:
            # Ctrl-C, say: a process that is still importing would not notice that we are gone.
            reaping.kill_group(self._process.pid)
            self._process.wait()
            raise
        self.tests = lines_of(hello["tests"])
        self.threads: list[str] = _texts(hello["threads"])
        self.rootdir = Path(str(hello["rootdir"]))
        threading.Thread(target=self._listen, name="socrates-fork", daemon=True).start()

    def ask(
        self,
        number: int,
        limit: float | None,
        request: Request | GroupRequest,
        ticket: Ticket,
        told: Callable[[str, bytes], None] = lambda nodeid, body: None,
    ) -> _Reply:
        """Send a request and wait for its reply, which says if the execution was cancelled.

        Of many tests, ``told`` hears of each before the reply is there.
        """
        replies: SimpleQueue[_Reply] = SimpleQueue()
        body = json.dumps(request.to_json()).encode()
        with self._lock:
            if self.gone:
                return _DEAD
            self._waiting[number] = replies
        many = isinstance(request, GroupRequest)
        if not self._send({"id": number, "limit": limit, "many": many}, body):
            return _DEAD
        with ticket.ended_by(lambda: self._cancel(number)):
            while True:
                reply = replies.get()
                if "nodeid" not in reply[0]:
                    return reply
                told(str(reply[0]["nodeid"]), reply[1])

    def _cancel(self, number: int) -> None:
        if number in self._waiting:
            self._send({"id": number, "cancel": True})

    def _send(self, header: dict[str, object], body: bytes = b"") -> bool:
        try:
            with self._sending:
                self._connection.sendall(pack(header, body))
        except OSError:
            self.gone = True
        return not self.gone

    def close(self) -> None:
        """Let the server end by itself, which ends its forks; end it if it does not."""
        self.gone = True
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        if not ends_within(self._process, 5):
            self._process.kill()
            self._process.wait()
        self._connection.close()

    def _first_message(self) -> dict[str, object]:
        while data := self._connection.recv(1 << 16):
            for header, _ in self._unpacker.feed(data):
                errors = _texts(header["errors"])
                if errors:
                    self.close()
                    raise SocratesError(collection_problem(errors))
                return header
        code = self._process.wait()
        self._connection.close()
        raise SocratesError(collection_problem([], self._output, code))

    def _listen(self) -> None:
        try:
            while data := self._connection.recv(1 << 20):
                for header, body in self._unpacker.feed(data):
                    number = header["id"]
                    assert isinstance(number, int)
                    with self._lock:
                        replies = self._waiting[number]
                        if "nodeid" not in header:
                            del self._waiting[number]
                    replies.put((header, body))
        except OSError:
            # The server was killed: the same as its end.
            pass
        with self._lock:
            self.gone = True
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for replies in waiting:
            replies.put(_DEAD)


def _started(suite: Suite, output: Path) -> tuple[Process, socket.socket]:
    """The process of the server, and our end of the connection to it."""
    command, environment = pytest_command(suite, "socrates_amplify.executors.fork.server")
    forked = None if suite.environment else early.take(command, suite.cwd, environment, output)
    if forked is not None:
        return forked, forked.connection
    ours, theirs = socket.socketpair()
    environment[FD_VARIABLE] = str(theirs.fileno())
    with theirs, output.open("wb") as written:
        process = subprocess.Popen(
            command,
            cwd=suite.cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    return process, ours


_DEAD: _Reply = ({"hung": False, "code": None, "duration": 0.0}, b"")
"""What a request gets when the server itself is gone."""


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(item) for item in value]
