"""The executor for clusters, on a real one of up to two nodes, and its mistakes, which need none."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import ClusterOptions, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.executors.ray.cluster import check_address
from socrates_amplify.executors.ray.executor import RayExecutor
from socrates_amplify.executors.ray.shipping import parse_size, shipped_files, stage
from socrates_amplify.executors.ray.versions import about_here, difference, mismatch
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.probes.space import message_faults
from socrates_amplify.run.choose_executor import make_executor

_LONG = 120.0

TESTS = """
    import os
    import resource
    import signal
    import subprocess
    import time
    from pathlib import Path

    import pykka
    import pytest

    SHARED = Path(r"{shared}")


    class Stock(pykka.ThreadingActor):
        persistence_id = "stock"

        def __init__(self):
            super().__init__()
            self.total = 0

        def on_receive(self, message):
            if message == "read":
                return self.total
            self.total += message["pieces"]


    @pytest.fixture
    def stock():
        yield Stock.start()
        pykka.ActorRegistry.stop_all()


    def parent_of(pid):
        return int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])


    def test_total(stock):
        stock.tell({{"delivery_id": 1, "pieces": 3}})
        assert stock.ask("read") == 3


    def test_waits(stock):
        child = subprocess.Popen(["sleep", "600"])
        worker = parent_of(os.getppid())
        part = SHARED / f"part-{{os.getpid()}}"
        part.write_text(f"{{os.getpid()}} {{child.pid}} {{worker}} {{Path.cwd()}}")
        part.rename(SHARED / f"running-{{os.getpid()}}")
        while not (SHARED / "go").exists():
            time.sleep(0.05)
        child.kill()


    def test_takes_too_much(stock):
        most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (most + 50_000_000, most + 50_000_000))
        bytearray(500_000_000)


    def test_ends_its_worker(stock):
        os.kill(parent_of(os.getppid()), signal.SIGKILL)
        time.sleep(60)
    """
MANY = """
    import pytest
    from test_it import Stock, stock, test_waits as wait


    @pytest.mark.parametrize("number", range(4))
    def test_many(stock, number):
        stock.tell({"delivery_id": number, "pieces": 3})
        wait(stock)
        stock.ask("read")
    """


@dataclass(frozen=True)
class Running:
    """One execution of ``test_waits`` under way."""

    test: int
    child: int
    worker: int
    cwd: str


@dataclass(frozen=True)
class Project:
    """A project, and the folder through which its tests can be watched."""

    root: Path
    shared: Path

    def running(self, number: int) -> list[Running]:
        """So many executions of ``test_waits``, once they run."""
        deadline = time.monotonic() + _LONG
        while len(found := sorted(self.shared.glob("running-*"))) < number:
            if time.monotonic() > deadline:
                raise TimeoutError("the test never started")
            time.sleep(0.05)
        read = [path.read_text().split() for path in found]
        return [Running(int(a), int(b), int(c), cwd) for a, b, c, cwd in read]

    def reset(self) -> None:
        """Forget all that ran."""
        for path in self.shared.iterdir():
            path.unlink()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Its ``secret`` folder is ignored by git."""
    root, shared = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("shared")
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (root / "test_it.py").write_text(dedent(TESTS.format(shared=shared)))
    (root / "test_many.py").write_text(dedent(MANY))
    (root / ".gitignore").write_text("secret/\n")
    (root / "secret").mkdir()
    (root / "secret" / "data.bin").write_bytes(bytes(5000))
    return Project(root, shared)


@dataclass(frozen=True)
class Processes:
    """What runs on this machine."""

    folder: Path

    def gone(self, pid: int) -> bool:
        """Whether a process ends soon; one that nobody waits for is as good as gone."""
        deadline = time.monotonic() + _LONG
        while time.monotonic() < deadline:
            if self._state(pid)[0] == "Z":
                return True
            time.sleep(0.05)
        return False

    def parent(self, pid: int) -> int:
        """Who started it."""
        return int(self._state(pid)[1])

    def with_variable(self, variable: str) -> list[int]:
        """All that inherited this environment variable."""
        found = []
        for path in self.folder.glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if variable.encode() in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return found

    def _state(self, pid: int) -> list[str]:
        try:
            return (self.folder / f"{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return ["Z", "0"]


@pytest.fixture(scope="module")
def processes() -> Processes:
    """What runs on this machine."""
    return Processes(Path("/proc"))


_NODES: list[Any] = []
"""All nodes that there ever were, kept for later tests that fork this process.

Otherwise only ``atexit`` refers to them, which multiprocessing clears in each process that it
forks (since Python 3.13), and Ray's client crashes when it is freed there.
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """One node on this machine, to which others can be added."""
    pytest.importorskip("ray", reason="Ray is not installed")
    from ray.cluster_utils import Cluster

    class KeptCluster(Cluster):
        def add_node(self, **settings: Any) -> Any:
            _NODES.append(super().add_node(**settings))
            return _NODES[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_prestart_worker_first_driver", "0")
        head = {"num_cpus": 2, "include_dashboard": False}
        nodes = KeptCluster(initialize_head=True, head_node_args=head)
        yield nodes
        nodes.shutdown()


@pytest.fixture(scope="module")
def second(cluster: Any) -> Any:
    """A second node, which the last test that uses it may end: the others need only one."""
    return cluster.add_node(num_cpus=2)


@pytest.fixture(scope="module")
def executor(cluster: Any, second: Any, project: Project) -> Iterator[RayExecutor]:
    """The executor of the project, on both nodes."""
    executor = RayExecutor(
        Suite(project.root, cluster=ClusterOptions(cluster.address)), make_executor
    )
    executor.collect()
    yield executor
    executor.close()


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(project: Project) -> Iterator[Start]:
    """Starts ``socrates amplify`` in the project; nothing outlives the test."""
    processes: list[subprocess.Popen[str]] = []

    def start(*args: str, **variables: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "socrates", "amplify", "--executor", "ray", "--gate"]
        pipe, around = subprocess.PIPE, {**os.environ, **variables}
        run = subprocess.Popen(
            [*command, "off", "--output-format", "json", *args],
            cwd=project.root, env=around, stdout=pipe, stderr=pipe, text=True,
        )  # fmt: skip
        processes.append(run)
        return run

    project.reset()
    yield start
    for process in processes:
        process.kill()
        process.communicate(timeout=120)


WAITS = "test_it.py::test_waits"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, of which there are many
]


def test_a_fault_does_on_a_node_what_it_does_here(executor: RayExecutor, project: Project) -> None:
    here = ForkExecutor(Suite(project.root))
    verdicts = []
    for one in (here, executor):
        trace = one.run("test_it.py::test_total", Scenario()).trace
        scenario = Scenario.of(message_faults(trace, ["duplicate"]))
        verdicts.append((scenario.key, one.run("test_it.py::test_total", scenario).failure))
    here.close()

    assert verdicts[0] == verdicts[1]


def test_jobs_that_nobody_counted_are_the_processors_of_all_nodes(
    executor: RayExecutor,
) -> None:
    assert executor.processors == 4


def test_two_executions_run_on_two_nodes(executor: RayExecutor, project: Project) -> None:
    project.reset()
    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(executor.run, WAITS, Scenario(), _LONG) for _ in range(2)]
        running = project.running(2)
        (project.shared / "go").touch()
        verdicts = [run.result().verdict for run in runs]

    assert (len({one.worker for one in running}), verdicts) == (2, [Verdict.PASS] * 2)


def test_what_git_ignores_stays_here(executor: RayExecutor, project: Project) -> None:
    project.reset()
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(executor.run, WAITS, Scenario(), _LONG)
        (running,) = project.running(1)
        sent = {path.name for path in Path(running.cwd).iterdir()}
        (project.shared / "go").touch()
        run.result()

    assert ("test_it.py" in sent, "secret" in sent) == (True, False)


def test_what_is_cancelled_is_gone_with_its_processes(
    executor: RayExecutor, project: Project, processes: Processes
) -> None:
    project.reset()
    ticket = Ticket()
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(executor.run, WAITS, Scenario(), _LONG, ticket)
        (running,) = project.running(1)
        ticket.cancel()
        with pytest.raises(Cancelled):
            run.result()

    assert processes.gone(running.test), "the test still runs"
    assert processes.gone(running.child), "its child still runs"


def test_a_worker_that_is_ended_costs_one_try(executor: RayExecutor, project: Project) -> None:
    project.reset()
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(executor.run, WAITS, Scenario(), _LONG)
        (running,) = project.running(1)
        # As the system does with one that takes too much memory.
        os.kill(running.worker, signal.SIGKILL)
        project.running(2)
        (project.shared / "go").touch()

    assert run.result().verdict is Verdict.PASS


def test_an_execution_that_runs_out_of_memory_is_told(executor: RayExecutor) -> None:
    outcome = executor.run("test_it.py::test_takes_too_much", Scenario(), _LONG)

    assert outcome.failure is not None
    assert outcome.failure.type == "MemoryError"


def test_an_execution_that_always_ends_its_worker_is_a_crash(executor: RayExecutor) -> None:
    outcome = executor.run("test_it.py::test_ends_its_worker", Scenario(), _LONG)

    assert outcome.failure is not None
    assert (outcome.failure.type, outcome.final) == ("Crash", False)


def test_a_lost_node_changes_no_result(
    cluster: Any, second: Any, start: Start, project: Project, processes: Processes
) -> None:
    (raylet,) = second.all_processes["raylet"]
    run = start("--address", cluster.address, "--jobs", "auto", "test_many.py")
    there = [
        one for one in project.running(4) if processes.parent(one.worker) == raylet.process.pid
    ]
    cluster.remove_node(second, allow_graceful=False)
    for one in there:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one.worker, signal.SIGKILL)
    (project.shared / "go").touch()
    out, err = run.communicate(timeout=120)

    assert there, "no test ran on the node"
    assert run.returncode == 0, err
    assert {test["status"] for test in json.loads(out)["tests"]} == {"resilient"}


def test_a_run_goes_on_where_its_dead_driver_stopped(
    cluster: Any, start: Start, project: Project, processes: Processes
) -> None:
    asked = ("--address", cluster.address, "test_it.py::test_total", WAITS)
    first = start(*asked)
    (running,) = project.running(1)
    before = _outcomes(project)
    first.kill()
    assert processes.gone(running.child), "what the dead driver had started still runs"
    (project.shared / "go").touch()

    second = start(*asked, "--resume")
    document = json.loads(second.communicate(timeout=120)[0])

    assert [test["status"] for test in document["tests"]] == ["defective", "no-targets"]
    assert set() < before <= _outcomes(project), "what was known was asked again"


def _outcomes(project: Project) -> set[tuple[object, ...]]:
    path = project.root / ".socrates" / "store.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT nodeid, scenario, finished FROM outcomes")
        return set(rows.fetchall())


def test_another_socrates_on_a_node_is_named(cluster: Any, start: Start, tmp_path: Path) -> None:
    (tmp_path / "socrates").mkdir()
    (tmp_path / "socrates" / "__init__.py").write_text('__version__ = "0.0.7"\n')
    node = cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path)})
    run = start("--address", cluster.address)
    _, err = run.communicate(timeout=120)
    cluster.remove_node(node)

    assert (run.returncode, err.count("\n")) == (2, 1)
    assert "has Socrates 0.0.7, here it is" in err


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
def test_ctrl_c_ends_a_cluster_of_our_own(
    start: Start, project: Project, processes: Processes
) -> None:
    mark = f"of-{os.getpid()}"
    run = start(WAITS, SOCRATES_TEST_MARK=mark)
    project.running(1)
    started = processes.with_variable(f"SOCRATES_TEST_MARK={mark}")
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=120)

    assert (run.returncode, len(started) > 5) == (2, True)
    assert all(processes.gone(pid) for pid in started), "something is left running"


def _sizes(root: Path, **sizes: int) -> Path:
    for name, size in sizes.items():
        (root / name).write_bytes(bytes(size))
    return root


def test_a_project_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    root = _sizes(tmp_path, big=9000, small=10)

    with pytest.raises(
        SocratesError, match=r"9 kB to ship, more than --ship-limit 5 kB .*big 9 kB"
    ):
        stage(root, tmp_path / "copy", 5000)


def test_a_project_within_the_limit_is_copied(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    root = _sizes(tmp_path / "from", small=10)

    stage(root, tmp_path / "to", 5000)

    assert [path.name for path in (tmp_path / "to").iterdir()] == ["small"]


def test_environments_and_stores_are_not_shipped(tmp_path: Path) -> None:
    for folder, file in ((".venv", "pyvenv.cfg"), (".socrates", "store.sqlite"), ("a", "b.py")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).touch()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)

    assert list(shipped_files(tmp_path)) == [tmp_path / "a" / "b.py"]


@pytest.mark.parametrize(
    ("text", "size"),
    [("100MB", 100_000_000), ("1.5g", 1_500_000_000), ("2000", 2000), ("3 kb", 3000)],
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert parse_size(text, "--ship-limit") == size


@pytest.mark.parametrize("text", ["", "much", "-1MB", "0", "1TB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(SocratesError, match=r"--ship-limit: .* is no size"):
        parse_size(text, "--ship-limit")


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("somewhere", "write it as HOST:PORT"),
        ("ray://here:10001", "give --address auto, or its HOST:PORT"),
        ("127.0.0.1:99999999", "nobody answers"),
        ("127.0.0.1:1", "nobody answers"),
    ],
)
def test_an_address_where_nobody_is_told_in_one_line(address: str, problem: str) -> None:
    with pytest.raises(SocratesError, match=problem) as raised:
        check_address(address)

    assert "\n" not in str(raised.value)


@pytest.fixture
def chatterbox() -> Iterator[str]:
    """A server that greets whoever comes, in no language that Ray knows."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as threads:

        def greet() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"220 hello\r\n")
                connection.recv(1)

        threads.submit(greet)
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_server_that_is_not_ray_is_told(chatterbox: str) -> None:
    with pytest.raises(SocratesError, match="is not Ray"):
        check_address(chatterbox)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"python": "CPython 3.9"}, "has CPython 3.9, here it is CPython 3."),
        ({"socrates": "0.0.1"}, "has Socrates 0.0.1, here it is"),
        ({"socrates": ""}, "has no Socrates, here it is"),
    ],
)
def test_the_difference_between_two_machines_is_named(change: dict[str, str], told: str) -> None:
    assert difference(about_here(), {**about_here(), **change}).startswith(told)


def test_two_machines_that_are_alike_have_no_difference() -> None:
    assert difference(about_here(), about_here()) == ""


RAY_SAYS = """Version mismatch: The cluster was started with:
    Ray: 2.60.0
    Python: 3.11.7
This process on node 192.0.2.2 was started with:
    Ray: 2.60.0
    Python: 3.12.1
"""


def test_another_python_than_the_cluster_s_is_named_on_one_line() -> None:
    told = "the cluster has Ray 2.60.0 on Python 3.11.7, here it is Ray 2.60.0 on Python 3.12.1;"

    assert mismatch(RAY_SAYS).startswith(told)


def test_what_is_no_mismatch_is_told_as_it_is() -> None:
    assert mismatch("Could not find any running Ray instance.") == ""


def _machine(packages: dict[str, str], *plugins: str) -> dict[str, object]:
    return {"python": "3", "socrates": "1", "packages": packages, "plugins": list(plugins)}


def test_another_version_of_a_package_is_a_difference() -> None:
    here = _machine({"a": "1", "b": "1"})

    assert difference(here, _machine({"a": "2"})) == "has a 2 instead of 1"


def test_a_plugin_of_pytest_that_is_missing_is_a_difference() -> None:
    here = _machine({"a": "1", "b": "1"}, "b")

    assert difference(here, _machine({"a": "1"})) == "has b missing instead of 1"
