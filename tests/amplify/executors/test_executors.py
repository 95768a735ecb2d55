"""What executors make of tests that behave, and of tests that don't."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.run.choose_executor import make_executor

RUDE = """
    import os, signal, sys, threading, time
    from pathlib import Path
    import pytest

    HERE = os.getcwd()

    def test_good():
        assert os.getcwd() == HERE

    def test_hang():
        time.sleep(1000)

    def test_hang_that_ignores_signals():
        for number in range(1, signal.NSIG):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        time.sleep(1000)

    def test_exit():
        os._exit(3)

    def test_segfault():
        os.kill(os.getpid(), signal.SIGSEGV)

    def test_chdir(tmp_path):
        os.chdir(tmp_path)
        os.rmdir(tmp_path)

    def test_leaves_a_thread():
        threading.Thread(target=time.sleep, args=(1000,)).start()

    def test_forks_and_both_go_on():
        os.fork()

    def test_daemonises():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
                time.sleep(1000)
            os._exit(0)
        while not Path(os.environ["PID_FILE"]).exists():
            time.sleep(0.01)

    def test_meets_another():
        place = Path(os.environ["PID_FILE"]).parent
        (place / f"here-{os.getpid()}").touch()
        while len(list(place.glob("here-*"))) < 2:
            time.sleep(0.01)

    def test_kills_its_parent():
        os.kill(os.getppid(), signal.SIGKILL)

    def test_closes_everything():
        os.closerange(3, 256)

    def test_stops_the_session():
        pytest.exit("enough")

    def test_raises_system_exit():
        sys.exit(4)
"""


@pytest.fixture(scope="module")
def pid_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the daemon says who it is."""
    path = tmp_path_factory.mktemp("daemon") / "pid"
    os.environ["PID_FILE"] = str(path)
    yield path
    del os.environ["PID_FILE"]


@pytest.fixture(scope="module")
def rude(project, pid_file: Path) -> ForkExecutor:
    """A suite of tests that do what tests should not."""
    executor: ForkExecutor = project({"test_rude.py": RUDE})
    return executor


@pytest.fixture
def outcome(rude: ForkExecutor) -> Callable[[str], Outcome]:
    """Run a rude test without faults, for at most a second if it hangs."""
    return lambda name: rude.run(f"test_rude.py::{name}", Scenario(), 1 if "hang" in name else 20)


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("test_hang", "Hang", "did not end within 1 s"),
        ("test_exit", "Crash", "the process ended with exit code 3 before the test did"),
        ("test_segfault", "Crash", "the process was ended by SIGSEGV"),
        (
            "test_closes_everything",
            "Crash",
            "the process ended with exit code 70 before the test did",
        ),
        ("test_kills_its_parent", "Crash", "the test ended the process that started it"),
        ("test_stops_the_session", "Exit", "enough"),
        ("test_raises_system_exit", "SystemExit", "4"),
    ],
)
def test_a_rude_test_fails(outcome, name: str, kind: str, message: str) -> None:
    failure = outcome(name).failure
    assert (failure.type, failure.message) == (kind, message)


@pytest.mark.parametrize(
    "name",
    [
        "test_good",
        "test_chdir",
        "test_leaves_a_thread",
        "test_forks_and_both_go_on",
        "test_daemonises",
    ],
)
def test_a_test_that_leaves_things_behind_passes(outcome, name: str) -> None:
    assert outcome(name).verdict is Verdict.PASS


def test_the_server_survives_all_of_them(rude: ForkExecutor, outcome) -> None:
    for nodeid in rude.collect():
        if "hang" not in nodeid and "meets" not in nodeid:
            rude.run(nodeid, Scenario(), 5.0)
    assert outcome("test_good").verdict is Verdict.PASS


def test_a_hang_says_where_and_is_not_final(outcome) -> None:
    hung = outcome("test_hang")
    assert (hung.failure.location, hung.final) == ("test_rude.py:12", False)


def test_several_executions_at_once(rude: ForkExecutor, pid_file: Path) -> None:
    def meet(_: int) -> Outcome:
        return rude.run("test_rude.py::test_meets_another", Scenario(), 60.0)

    with ThreadPoolExecutor(2) as pool:
        verdicts = [outcome.verdict for outcome in pool.map(meet, range(2))]
    assert verdicts == [Verdict.PASS, Verdict.PASS]


@pytest.fixture(params=["fork", "subprocess"])
def any_executor(
    request: pytest.FixtureRequest, write_suite: Callable[..., Suite], tmp_path: Path
) -> Iterator[Callable[..., Executor]]:
    """Each kind of executor on a project."""
    opened: list[Executor] = []

    def open_it(files: dict[str, str], *args: str) -> Executor:
        opened.append(make_executor(request.param, write_suite(tmp_path, files, args)))
        return opened[-1]

    yield open_it
    for executor in opened:
        executor.close()


BOTH = """
    import os, pathlib, time

    PID = pathlib.Path("pid")

    def test_passes(tmp_path):
        assert tmp_path.is_dir()

    def test_hangs():
        time.sleep(1000)

    def test_ends_its_parent():
        os.kill(os.getppid(), 9)

    def test_starts_a_daemon():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                PID.write_text(str(os.getpid()))
                time.sleep(1000)
            os._exit(0)
        while not PID.exists() or not PID.read_text():
            time.sleep(0.01)

    def test_tells_a_secret():
        raise OSError("GET http://bank/pay?token=s3cr3t&amount=3")
"""


@dataclass(frozen=True)
class Runner:
    """Runs one of the tests above."""

    executor: Executor
    folder: Path

    def __call__(self, name: str, limit: float = 60.0) -> Outcome:
        return self.executor.run(f"test_it.py::{name}", Scenario(), limit)


@pytest.fixture(scope="module", params=["fork", "subprocess"])
def both(
    request: pytest.FixtureRequest,
    write_suite: Callable[..., Suite],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Runner]:
    """Each kind of executor on one project."""
    folder = tmp_path_factory.mktemp("both")
    executor = make_executor(request.param, write_suite(folder, {"test_it.py": BOTH}))
    yield Runner(executor, folder)
    executor.close()


def test_both_executors_run_a_test(both) -> None:
    assert both("test_passes").verdict is Verdict.PASS


def test_both_executors_end_a_hang(both) -> None:
    failure = both("test_hangs", 2.0).failure
    assert failure is not None
    assert (failure.type, failure.location) == ("Hang", "test_it.py:10")


def test_both_executors_survive_the_end_of_a_parent(both) -> None:
    failure = both("test_ends_its_parent").failure
    assert failure is not None
    assert failure.type == "Crash"


def test_both_executors_end_daemons(both) -> None:
    both("test_starts_a_daemon")
    with pytest.raises(ProcessLookupError):
        os.kill(int((both.folder / "pid").read_text()), 0)


def test_an_unknown_test_is_named(both) -> None:
    with pytest.raises(SocratesError, match=r"test_it\.py::test_other is not among the collected"):
        both("test_other")


def test_secrets_in_a_query_are_no_part_of_a_failure(both) -> None:
    failure = both("test_tells_a_secret").failure
    assert failure.message == "GET http://bank/pay?token=***&amount=3"


def test_both_executors_select_as_pytest_does(any_executor) -> None:
    text = "def test_one(): pass\ndef test_two(): pass\n"
    executor = any_executor({"test_it.py": text}, "-k", "two")
    assert executor.collect() == ["test_it.py::test_two"]


def test_no_tests_is_an_empty_list(project) -> None:
    assert project({"test_it.py": "x = 1\n"}).collect() == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"test_it.py": "import nothing_like_this\n"}, "test_it.py: ModuleNotFoundError"),
        ({"test_it.py": "def test_it(:\n"}, "test_it.py: SyntaxError"),
        ({"test_it.py": "raise ValueError('no\\nSee docs')\n"}, "test_it.py: ValueError: no;"),
        (
            {"test_it.py": "import pytest\npytest.fail('Not here.\\nSee docs', pytrace=False)\n"},
            "test_it.py: Not here.;",
        ),
        ({"conftest.py": "1/0\n"}, "ZeroDivisionError"),
    ],
    ids=["import", "syntax", "two lines", "two lines of a text", "conftest"],
)
def test_a_collection_error_is_one_line(project, files: dict[str, str], expected: str) -> None:
    executor = project(files)
    with pytest.raises(SocratesError) as caught:
        executor.collect()
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_both_executors_say_what_pytest_could_not_do(any_executor) -> None:
    executor = any_executor({"test_it.py": "def test_it(): pass\n"}, "--no-such-option")
    with pytest.raises(SocratesError, match="unrecognized arguments: --no-such-option"):
        executor.collect()


def test_threads_since_import_are_told(project) -> None:
    text = """
        import threading, time
        threading.Thread(target=time.sleep, args=(60,), name="since-import", daemon=True).start()
        def test_it(): pass
    """
    assert "since-import" in project({"test_it.py": text}).unfit


def test_a_thread_that_listens_to_other_processes_of_pytest_does_not_matter(project) -> None:
    text = """
        import threading, time
        def run_server(): time.sleep(60)
        run_server.__module__ = "pytest_rerunfailures"
        threading.Thread(target=run_server, daemon=True).start()
        def test_it(): pass
    """
    assert project({"test_it.py": text}).unfit == ""


@pytest.fixture
def timed(project) -> ForkExecutor:
    """A project whose broker is ready when it is imported, as dramatiq's guide has it."""
    text = """
        import threading, time
        import dramatiq
        from dramatiq.brokers.stub import StubBroker
        from dramatiq.middleware import TimeLimit, TimeLimitExceeded

        broker = StubBroker(middleware=[TimeLimit(interval=10)])
        broker.emit_after("process_boot")
        ENDED = []

        @dramatiq.actor(broker=broker, time_limit=20)
        def work():
            try:
                while True:
                    time.sleep(0.01)
            except TimeLimitExceeded:
                ENDED.append("in time")

        def test_it():
            worker = dramatiq.Worker(broker, worker_timeout=10)
            worker.start()
            work.send()
            broker.join("default")
            worker.stop()
            assert ENDED == ["in time"]
    """
    executor: ForkExecutor = project({"test_it.py": text})
    return executor


def test_a_keeper_of_time_limits_does_not_matter(timed: ForkExecutor) -> None:
    assert timed.unfit == ""


def test_time_limits_are_kept_in_a_fork(timed: ForkExecutor) -> None:
    assert timed.run("test_it.py::test_it", Scenario(), 20.0).verdict is Verdict.PASS


def test_no_executor_lets_a_plugin_run_a_failed_test_again(any_executor) -> None:
    plugin = """
        from _pytest.runner import runtestprotocol

        class Again:
            def pytest_runtest_protocol(self, item, nextitem):
                runtestprotocol(item, log=False, nextitem=nextitem)
                item._initrequest()
                for report in runtestprotocol(item, log=False, nextitem=nextitem):
                    item.ihook.pytest_runtest_logreport(report=report)
                return True

        def pytest_configure(config):
            config.pluginmanager.register(Again(), "rerunfailures")
    """
    text = "TRIES = []\ndef test_it():\n    TRIES.append(1)\n    assert len(TRIES) == 2\n"
    executor = any_executor({"conftest.py": plugin, "test_it.py": text})
    assert executor.run("test_it.py::test_it", Scenario(), 20.0).verdict is Verdict.FAIL


def test_nothing_is_left_in_the_temporary_directory(
    write_suite, tmp_path: Path, monkeypatch
) -> None:
    project, temporary = tmp_path / "project", tmp_path / "tmp"
    project.mkdir()
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    text = """
        import tempfile

        def test_it(tmp_path):
            made = tmp_path / "made"
            made.touch()
            with open("used", "w") as file:
                print(tempfile.gettempdir(), made, sep="\\n", file=file)
    """
    executor = ForkExecutor(write_suite(project, {"test_it.py": text}))
    executor.run("test_it.py::test_it", Scenario(), 20.0)
    executor.close()
    used = [Path(line) for line in (project / "used").read_text().splitlines()]
    assert (used[0], temporary in used[1].parents) == (temporary, True), "the test used it"
    assert list(temporary.iterdir()) == []
