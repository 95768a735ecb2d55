"""``--jobs``: the same report in less time, and Ctrl-C leaves nothing behind."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.model.results import RunResult, Status, TestResult
from socrates_amplify.model.search import Tally
from socrates_amplify.report import ReportContext, text
from socrates_amplify.report.page import html
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.settings.jobs import AUTO, usable_cores

TEST = "tests/test_dock.py::test_total_is_kept"
TOLD = "executions created 9, finished 7, cancelled 2, reused 3"


@pytest.fixture(scope="module")
def reports(
    tmp_path_factory: pytest.TempPathFactory,
    example: Callable[[str, Path], Path],
    socrates: Callable[..., Any],
) -> dict[str, dict[str, Any]]:
    """The same test, amplified with more and more jobs; the second time its duration is known."""
    project = example("accumulator", tmp_path_factory.mktemp("jobs"))
    return {
        jobs: json.loads(
            socrates(project, "amplify", TEST, "--jobs", jobs, "--output-format", "json").stdout
        )
        for jobs in ("1", "3")
    }


def without_times(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The tests of a report, but for what may differ from run to run."""
    return [
        {key: value for key, value in test.items() if key not in ("duration", "speculation")}
        for test in report["tests"]
    ]


def test_more_jobs_find_the_same_in_the_same_order(reports) -> None:
    assert without_times(reports["3"]) == without_times(reports["1"])


def test_one_job_has_nothing_to_tell_of_speculation(reports) -> None:
    assert {test["speculation"] for test in reports["1"]["tests"]} == {None}


def test_the_report_counts_what_was_made_ahead(reports) -> None:
    counted = [test["speculation"] for test in reports["3"]["tests"]]
    told = [(row["created"], row["finished"] + row["cancelled"]) for row in counted]
    assert [created for created, _ in told] == [ended for _, ended in told]
    assert sum(created for created, _ in told) > 0


def test_an_execution_ahead_is_used_where_jobs_are_left(reports) -> None:
    assert sum(test["speculation"]["reused"] for test in reports["3"]["tests"]) > 0


@pytest.fixture
def speculated() -> RunResult:
    """A test for which executions were made ahead."""
    test = TestResult("test_a.py::test_a", Status.RESILIENT, speculation=Tally(9, 7, 2, 3))
    return RunResult((test,))


def test_the_page_tells_what_was_made_ahead(speculated: RunResult) -> None:
    assert TOLD in html.render(speculated, ReportContext(Path.cwd()))


@pytest.mark.parametrize(("verbose", "told"), [(True, True), (False, False)])
def test_the_text_tells_it_only_who_wants_to_know(
    speculated: RunResult, verbose: bool, told: bool
) -> None:
    shown = text.render(speculated, ReportContext(Path.cwd(), verbose=verbose))
    assert (TOLD in shown) is told


def test_without_speculation_nothing_is_made_ahead(
    tmp_path: Path, example: Callable[[str, Path], Path], socrates: Callable[..., Any]
) -> None:
    project = example("accumulator", tmp_path)
    flags = (TEST, "--faults", "duplicate", "--jobs", "8", "--no-speculation")
    report = json.loads(socrates(project, "amplify", *flags, "--output-format", "json").stdout)
    assert {test["speculation"] for test in report["tests"]} == {None}


@pytest.mark.parametrize("jobs", ["0", "-2", "many", "1.5", ""])
def test_jobs_that_are_no_number_are_refused(
    tmp_path: Path, socrates: Callable[..., Any], jobs: str
) -> None:
    done = socrates(tmp_path, "amplify", f"--jobs={jobs}")
    assert (done.returncode, "whole number from 1 up, or auto" in done.stderr) == (2, True)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """One test that does nothing."""
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    return Suite(tmp_path)


def test_auto_is_one_job_for_each_core(suite: Suite) -> None:
    with SuiteRunner(suite, ("duplicate",), jobs=AUTO) as runner:
        assert runner.jobs == usable_cores()


def test_more_jobs_than_cores_get_more_time(suite: Suite) -> None:
    control = ControlRuns("test_it.py::test_it", "ok", slowest=2.0)
    cores = usable_cores()
    limits = []
    for jobs in (1, cores, 3 * cores):
        with SuiteRunner(suite, ("duplicate",), jobs=jobs) as runner:
            limits.append(runner.limit(control))
    assert limits == [25.0, 25.0, 75.0]


SLOW = """
import time
import pykka, pytest

class Stock(pykka.ThreadingActor):
    def on_receive(self, message):
        return message

@pytest.mark.parametrize("number", range(3))
def test_slow(number):
    stock = Stock.start()
    stock.tell({"delivery_id": number})
    stock.ask("read")
    time.sleep(2)
    stock.stop()
"""


def test_all_jobs_share_one_time_budget(tmp_path: Path, socrates: Callable[..., Any]) -> None:
    """Two runs without faults already take it all, whichever test they are of."""
    (tmp_path / "test_it.py").write_text(SLOW)
    flags = ("--jobs", "2", "--time-budget", "4s", "--output-format", "json")
    done = socrates(tmp_path, "amplify", "--gate", "off", *flags)
    tests = json.loads(done.stdout)["tests"]
    told = {(test["executions"], test["note"].partition(":")[0]) for test in tests}
    assert told == {(0, "the time budget is spent")}


CRASHES = """
import ctypes, os, signal
import pykka, pytest

ENDS = {
    "exit": lambda: os._exit(3),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: ctypes.string_at(0),
    "calm": lambda: None,
    "server": lambda: os.kill(os.getppid(), signal.SIGKILL),
}

class Stock(pykka.ThreadingActor):
    def __init__(self, end):
        super().__init__()
        self.end, self.count = end, 0

    def on_receive(self, message):
        self.count += message != "read"
        if self.count > 1:
            self.end()

@pytest.mark.parametrize("how", ENDS)
def test_it(how):
    stock = Stock.start(ENDS[how])
    stock.tell({"delivery_id": 1})
    stock.ask("read")
    stock.stop()
"""


def test_a_crash_costs_one_execution_and_no_other_test(
    tmp_path: Path, socrates: Callable[..., Any]
) -> None:
    """One that was killed is asked once more, for the system may have done it."""
    (tmp_path / "test_it.py").write_text(CRASHES)
    flags = ("--jobs", "2", "--faults", "duplicate", "--output-format", "json")
    done = socrates(tmp_path, "amplify", "--gate", "off", *flags)
    told = [(test["status"], test["executions"]) for test in json.loads(done.stdout)["tests"]]
    assert told == [
        ("defective", 1),
        ("defective", 2),
        ("defective", 1),
        ("resilient", 1),
        ("defective", 1),
    ]


ENDLESS = """
import os, pathlib, subprocess, sys, time
import pytest

@pytest.mark.parametrize("number", range(6))
def test_endless(number):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    here = pathlib.Path(f"{os.getpid()}-{child.pid}.pids")
    here.touch()
    time.sleep(600)
"""


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_ctrl_c_leaves_no_process(
    tmp_path: Path,
    started: Callable[..., subprocess.Popen[str]],
    alive: Callable[[int], bool],
    executor: str,
) -> None:
    (tmp_path / "test_it.py").write_text(ENDLESS)
    flags = ("--executor", executor, "--gate", "off", "--jobs", "3")
    process = started(tmp_path, "amplify", *flags)
    soon(lambda: len(pids(tmp_path)) == 6)
    process.send_signal(signal.SIGINT)
    code = process.wait(60)

    assert code == 2, "the run was interrupted"
    assert [pid for pid in pids(tmp_path) if alive(pid)] == [], "nothing outlives it"


SEARCHED = """
import os, pathlib, time
import pykka

class Stock(pykka.ThreadingActor):
    starts = 0

    def __init__(self):
        super().__init__()
        Stock.starts += 1

    def on_receive(self, message):
        return message

def test_echo():
    stock = Stock.start()
    echoes = [stock.ask(number) for number in range(8)]
    if Stock.starts > 1:
        pathlib.Path(f"{os.getpid()}.pids").touch()
        time.sleep(600)
    stock.stop()
    assert echoes == list(range(8))
"""


def test_ctrl_c_ends_executions_ahead_too(
    tmp_path: Path,
    started: Callable[..., subprocess.Popen[str]],
    alive: Callable[[int], bool],
) -> None:
    (tmp_path / "test_it.py").write_text(SEARCHED)
    (tmp_path / "pyproject.toml").write_text(
        "[tool.socrates.amplify.pykka]\npersistent = ['test_it:Stock']\n"
    )
    process = started(tmp_path, "amplify", "--gate", "off", "--jobs", "3", "--faults", "restart")
    soon(lambda: len(pids(tmp_path)) >= 3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)

    assert (process.returncode, "interrupted" in out) == (2, True)
    assert [pid for pid in pids(tmp_path) if alive(pid)] == []


def pids(folder: Path) -> list[int]:
    """The processes that have left their number there."""
    return [int(word) for file in folder.glob("*.pids") for word in file.stem.split("-")]


def soon(true: Callable[[], bool]) -> None:
    """Wait until it is true."""
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)
