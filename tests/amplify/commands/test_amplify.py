"""``socrates amplify`` as a user meets it: the whole command on real projects."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import pytest


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]
Make = Callable[[str], Path]
Example = Callable[[str, Path], Path]
KINDS = ("--faults", "duplicate,restart")
"""What breaks the example; other orders of its messages take four times as many executions."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, example: Example) -> Path:
    """The defective example."""
    return example("accumulator", tmp_path_factory.mktemp("amplified"))


@pytest.fixture(scope="module")
def amplified(folder: Path, socrates: Run) -> Done:
    """The defective example, amplified once with JSON output."""
    return socrates(folder, "amplify", *KINDS, "--output-format", "json")


@pytest.fixture
def copied(folder: Path, amplified: Done, tmp_path: Path) -> Path:
    """A copy of the example after it was amplified."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


@pytest.fixture(scope="module")
def tests(amplified: Done) -> dict[str, Any]:
    """Its tests by name."""
    found = json.loads(amplified.stdout)["tests"]
    return {test["nodeid"].rpartition("::")[2]: test for test in found}


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """A project with one test module."""

    def make(source: str) -> Path:
        (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
        (tmp_path / "test_it.py").write_text(textwrap.dedent(source))
        return tmp_path

    return make


def test_defects_are_exit_code_1(amplified: Done) -> None:
    assert amplified.returncode == 1


def test_the_duplicate_defect_is_one_fault(tests: dict[str, Any]) -> None:
    (defect,) = tests["test_total_is_kept"]["defects"]

    assert [(fault["kind"], fault["to"]) for fault in defect["faults"]] == [
        ("duplicate", "Stock#1")
    ]


def test_the_restart_defect_is_one_fault(tests: dict[str, Any]) -> None:
    (defect,) = tests["test_reserved_pieces_are_not_available"]["defects"]

    assert [(fault["kind"], fault["message"]) for fault in defect["faults"]] == [
        ("restart", "Reserve(order='A-1', quantity=4)")
    ]


def test_a_sound_test_is_resilient(tests: dict[str, Any]) -> None:
    assert tests["test_every_delivery_is_confirmed"]["status"] == "resilient"


def test_the_failure_says_where(tests: dict[str, Any]) -> None:
    (defect,) = tests["test_reserved_pieces_are_not_available"]["defects"]

    assert defect["failure"] == {
        "type": "AssertionError",
        "message": "assert 10 == 6",
        "location": "tests/test_stock.py:14",
    }


def test_the_repaired_twin_stays_green(tmp_path: Path, example: Example, socrates: Run) -> None:
    twin = example("accumulator_repaired", tmp_path)
    done = socrates(twin, "amplify", "--output-format", "json")
    statuses = {test["status"] for test in json.loads(done.stdout)["tests"]}

    assert (done.returncode, statuses) == (0, {"resilient"})


@pytest.mark.parametrize("name", ["accumulator", "accumulator_repaired"])
def test_the_examples_are_clean(name: str, tmp_path: Path, example: Example, socrates: Run) -> None:
    assert socrates(example(name, tmp_path), "check").returncode == 0


@pytest.mark.parametrize("name", ["accumulator", "accumulator_repaired"])
def test_the_examples_pass_in_plain_pytest(
    name: str, tmp_path: Path, example: Example, python: Run
) -> None:
    done = python(example(name, tmp_path), "pytest", "-q", "-p", "no:cacheprovider")

    assert "4 passed" in done.stdout


def test_the_report_is_written_beside_the_scenarios(copied: Path) -> None:
    page = (copied / ".socrates" / "report.html").read_text()

    assert "2 defects in 4 amplified tests" in page


def test_resuming_executes_nothing_twice(copied: Path, amplified: Done, socrates: Run) -> None:
    flags = ("--resume", *KINDS, "--output-format", "json", "--budget", "1")
    again = socrates(copied, "amplify", *flags)
    before = [test["executions"] for test in json.loads(amplified.stdout)["tests"]]

    assert [test["executions"] for test in json.loads(again.stdout)["tests"]] == before


def test_changed_code_is_not_resumed(
    copied: Path, repair: Callable[[Path], None], socrates: Run
) -> None:
    repair(copied)

    assert socrates(copied, "amplify", "--resume", *KINDS).returncode == 0


@pytest.fixture(scope="module")
def log(folder: Path, amplified: Done, socrates: Run) -> Any:
    """The SARIF log of the defective example."""
    flags = ("--resume", *KINDS, "--output-format", "sarif")
    return json.loads(socrates(folder, "amplify", *flags).stdout)


def test_sarif_of_a_real_run_is_valid(log: Any, sarif_schema: dict[str, object]) -> None:
    assert list(jsonschema.Draft7Validator(sarif_schema).iter_errors(log)) == []


def test_sarif_points_at_the_handler(log: Any) -> None:
    places = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["runs"][0]["results"]
    }

    assert places == {"warehouse/stock.py"}


def test_without_a_terminal_stderr_is_silent(amplified: Done) -> None:
    assert amplified.stderr == ""


def test_colours_by_force_bring_no_progress_bar(copied: Path, socrates: Run) -> None:
    done = socrates(copied, "amplify", "--resume", *KINDS, "--color", "always")

    assert ("\x1b[" in done.stdout, done.stderr) == (True, "")


def test_smelly_tests_are_left_out(project: Make, socrates: Run) -> None:
    root = project(
        "def test_many():\n" + "".join(f"    assert divmod({n}, 1)\n" for n in range(16))
    )
    done = socrates(root, "amplify", "--output-format", "json")
    (test,) = json.loads(done.stdout)["tests"]

    assert (test["status"], test["smells"]) == ("smelly", ["SOC101"])


def test_an_open_gate_lets_them_in(project: Make, socrates: Run) -> None:
    root = project("def test_many():\n" + "".join(f"    assert {n} == {n}\n" for n in range(6)))
    done = socrates(root, "amplify", "--gate", "off", "--output-format", "json")

    assert json.loads(done.stdout)["tests"][0]["status"] == "no-targets"


def test_pytest_arguments_are_handed_on(project: Make, socrates: Run) -> None:
    root = project("def test_a():\n    assert True\n\n\ndef test_b():\n    assert True\n")
    done = socrates(root, "amplify", "--output-format", "json", "--", "-k", "test_b")

    assert [test["nodeid"] for test in json.loads(done.stdout)["tests"]] == ["test_it.py::test_b"]


UNFIT = """
    import os, pytest

    def test_fails():
        assert 1 == 2

    def test_kills_itself():
        os._exit(3)

    def test_sends_nothing():
        assert 1 == 1

    @pytest.mark.skip
    def test_is_skipped():
        assert 1
"""
FLAKY = """
    import pathlib

    def test_it():
        marker = pathlib.Path(f"{__file__}.ran")
        first = not marker.exists()
        marker.touch()
        assert first
"""


def test_tests_that_can_not_be_amplified(project: Make, socrates: Run) -> None:
    done = socrates(project(UNFIT), "amplify", "--gate", "off", "--output-format", "json")
    tests = json.loads(done.stdout)["tests"]

    assert {test["nodeid"].rpartition("::")[2]: test["status"] for test in tests} == {
        "test_fails": "failing",
        "test_kills_itself": "failing",
        "test_sends_nothing": "no-targets",
        "test_is_skipped": "not-run",
    }


def test_a_flaky_test_can_not_be_amplified(project: Make, socrates: Run) -> None:
    done = socrates(project(FLAKY), "amplify", "--gate", "off", "--output-format", "json")
    (test,) = json.loads(done.stdout)["tests"]

    assert test["status"] == "flaky"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        pytest.param(["--explorer", "socratik"], "did you mean 'socratic'?", id="explorer"),
        pytest.param(["--pruner", "causalty"], "did you mean 'causality'?", id="pruner"),
        pytest.param(["--prioritiser", "fan-im-desc"], "did you mean 'fan-in-desc'?", id="order"),
        pytest.param(["--faults", "duplikate"], "did you mean 'duplicate'?", id="kind"),
        pytest.param(["--include", "form=A"], "did you mean 'from'?", id="pattern"),
        pytest.param(["--explorer", "static"], "--scenario", id="static without a scenario"),
        pytest.param(["--budget", "0"], "'0' is not a whole number", id="no budget"),
        pytest.param(["--time-budget", "soon"], "write it like 90s", id="no duration"),
        pytest.param(["--report", "."], "--report: . is a folder", id="a folder for a report"),
        pytest.param(["gone.py"], "gone.py", id="no such file"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], complaint: str, project: Make, socrates: Run
) -> None:
    done = socrates(project("def test_it():\n    assert True\n"), "amplify", *arguments)

    assert (done.returncode, done.stdout) == (2, ""), "a mistake prints no results"
    assert complaint in done.stderr, "the way out is told"
    assert len(done.stderr.splitlines()) == 1, "in one line"


def test_no_tests_is_a_mistake(project: Make, socrates: Run) -> None:
    done = socrates(project("x = 1\n"), "amplify")

    assert (done.returncode, "no tests were collected" in done.stderr) == (2, True)


def test_a_collection_error_is_named(project: Make, socrates: Run) -> None:
    done = socrates(project("import nowhere_to_be_found\n"), "amplify")
    (line,) = done.stderr.splitlines()

    assert (done.returncode, "nowhere_to_be_found" in line) == (2, True)


def test_a_corrupt_store_is_named_and_the_run_goes_on(project: Make, socrates: Run) -> None:
    root = project("def test_it():\n    assert True\n")
    (root / ".socrates").mkdir()
    (root / ".socrates" / "store.sqlite").write_bytes(b"junk" * 1000)
    done = socrates(root, "amplify", "--resume")

    assert (done.returncode, "store.sqlite.corrupt-1" in done.stderr) == (0, True)


ACTORS = """
    import pykka

    class Counter(pykka.ThreadingActor):
        def on_receive(self, message):
            return 1

    def test_it():
        counter = Counter.start()
        try:
            assert counter.ask("hello") == 1
        finally:
            counter.stop()
"""


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param(
            '[tool.socrates.amplify.pykka]\npersistent = ["test_it:Countr"]',
            "'test_it:Countr' matches no actor of any test; did you mean 'test_it:Counter'?",
            id="an actor that nobody starts",
        ),
        pytest.param(
            "[tool.socrates.amplify]\nbudgte = 3",
            "budgte: unknown key; did you mean 'budget'?",
            id="an unknown key",
        ),
        pytest.param(
            "[tool.socrates.amplify.pyka]\n",
            "[tool.socrates.amplify.pyka]: no such probe; did you mean 'pykka'?",
            id="an unknown probe",
        ),
    ],
)
def test_settings_that_mean_nothing_are_told(
    table: str, complaint: str, project: Make, socrates: Run
) -> None:
    root = project(ACTORS)
    (root / "pyproject.toml").write_text(table)

    assert complaint in socrates(root, "amplify").stderr


SLOW = """
    import time

    def test_it():
        open("started", "w").close()
        time.sleep(60)
"""


@pytest.mark.parametrize(
    ("times", "ignored"),
    [(1, False), (2, False), (1, True)],
    ids=["once", "twice", "ignored at the start"],
)
def test_ctrl_c_ends_it(
    times: int, ignored: bool, project: Make, started: Callable[..., subprocess.Popen[str]]
) -> None:
    root = project(SLOW)
    process = started(root, "amplify", "--gate", "off", interrupts_ignored=ignored)
    deadline = time.monotonic() + 60
    while not (root / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    out, err = process.communicate(timeout=30)

    assert process.returncode == 2, "a run without an end found nothing"
    assert "interrupted" in out + err, "it is said"
    assert "Traceback" not in err, "in plain words"
