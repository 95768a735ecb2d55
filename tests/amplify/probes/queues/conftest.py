"""Code run under a real probe, and real servers on free ports of this machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from rq import Queue

from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.queues.probe import QueueProbe
from socrates_amplify.probes.queues.space import task_faults
from socrates_amplify.record.index import Known
from socrates_amplify.record.recorder import Recorder


@dataclass(frozen=True)
class Ran:
    """One run of some code with a probe on."""

    recorder: Recorder
    trace: Trace
    value: object

    @property
    def messages(self) -> list[tuple[str, str, str]]:
        """Who sent what to whom, without waits."""
        return [(send.sender, send.receiver, send.message) for send in self.sends]

    @property
    def sends(self) -> list[Send]:
        """The messages that are not the framework's own."""
        return [send for send in self.trace.sends if not send.internal]

    @property
    def kinds_offered(self) -> list[str]:
        """What may happen to its first message."""
        return [offer.kind for offer in self.sends[0].offers]

    def faults(self, *kinds: str) -> list[Fault]:
        """What the run offers."""
        return task_faults(self.trace, kinds)

    def fault(self, kind: str, message: str) -> Fault:
        """The one fault of this kind on this message."""
        (found,) = [fault for fault in self.faults(kind) if fault.message == message]
        return found

    def turns(self) -> list[str]:
        """The messages in the order in which they were handled, copies included."""
        said = {send.target: send.message for send in self.trace.sends}
        return [said[event.target] for event in self.trace.events if isinstance(event, Turn)]

    def replies(self) -> list[str]:
        """What tasks answered."""
        return [event.value for event in self.trace.events if isinstance(event, Reply)]


Run = Callable[..., Ran]


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Run:
    """Run code under the probe that the test's module names as ``PROBE``."""

    def run_code(
        code: Callable[[], object],
        faults: Sequence[Fault] = (),
        config: Mapping[str, object] | None = None,
        known: Trace | None = None,
        probe: type[QueueProbe] | None = None,
    ) -> Ran:
        recorder = Recorder(Scenario.of(faults), Known.of(known) if known else None)
        recorder.test_file = str(request.path)
        undo = (probe or request.module.PROBE)().install(recorder, config or {})
        try:
            value = code()
        finally:
            undo()
        return Ran(recorder, recorder.trace(), value)

    return run_code


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis server of our own."""
    program = _program("redis-server")
    port, folder = _free_port(), tmp_path_factory.mktemp("redis")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", "."]
    with _server(command, port, folder):
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture
def connection(redis_url: str) -> Iterator[redis.Redis]:
    """An empty Redis."""
    client = redis.Redis.from_url(redis_url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def queue(connection: redis.Redis) -> Queue:
    """RQ's usual queue."""
    return Queue(connection=connection)


@pytest.fixture(scope="session")
def rabbitmq_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A RabbitMQ server of our own."""
    program = _program("rabbitmq-server", "/usr/lib/rabbitmq/bin")
    names = _program("epmd")
    port, names_port, folder = _free_port(), _free_port(), tmp_path_factory.mktemp("rabbitmq")
    home = {
        "HOME": str(folder),
        "RABBITMQ_NODENAME": f"socrates-{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(_free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "ERL_EPMD_PORT": str(names_port),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
    }
    # Erlang's server of names would else be started as a daemon, and stay.
    with (
        _server([names, "-port", str(names_port), "-address", "127.0.0.1"], names_port, folder),
        _server([program], port, folder, home, patience=60),
    ):
        yield f"amqp://guest:guest@127.0.0.1:{port}"


def _program(name: str, *folders: str) -> str:
    path = os.pathsep.join([*folders, os.environ.get("PATH", ""), "/usr/sbin"])
    found = shutil.which(name, path=path)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@contextlib.contextmanager
def _server(
    command: Sequence[str],
    port: int,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    patience: float = 10,
) -> Iterator[None]:
    """Run a server until the block is left; skip by name where it can't be started."""
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        if not _listens(port, process, patience):
            said = (folder / "output.txt").read_text(errors="replace").strip()[-200:]
            pytest.skip(f"{Path(command[0]).name} could not be started: {said}")
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait(60)


def _listens(port: int, process: subprocess.Popen[bytes], patience: float) -> bool:
    over = time.monotonic() + patience
    while process.poll() is None and time.monotonic() < over:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        time.sleep(0.02)
    return False
