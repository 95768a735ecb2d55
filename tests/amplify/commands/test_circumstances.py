"""Circumstances in real projects: the smallest difference that breaks a test, and breaks it again."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, Protocol

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.run.choose_executor import make_executor
from socrates_amplify.settings.circumstances import TABLE
from socrates_amplify.settings.circumstances_table import read_table

Run = Callable[..., "Done"]
Make = Callable[..., Path]


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


DECLARED = """
    [tool.socrates.amplify.circumstances]
    workers = { environment = "WORKERS", simple = 1, general = 4 }
    debug = { environment = "APP_DEBUG", general = "yes" }
    prefetch = { setting = "app.settings:PREFETCH", simple = 1, general = 10 }
    batch = { setting = "app.settings:OPTIONS.batch", general = 100 }
    time-zone = { general = "Pacific/Kiritimati" }
    hash-seed = { general = 2 }
    """
SETTINGS = """
    import os

    PREFETCH = 5
    OPTIONS = {"batch": 1}
    WORKERS = int(os.environ["WORKERS"])
    DEBUG = "APP_DEBUG" in os.environ
    """
TESTS = """
    import time

    from app import settings


    def test_load_is_limited():
        assert settings.WORKERS * settings.PREFETCH < 40


    def test_day():
        assert time.localtime(1_700_000_000).tm_mday == 14


    def test_first_of_a_set():
        assert next(iter({"a", "b", "c", "d", "e"})) == "d"


    def test_debugging_is_off():
        assert not settings.DEBUG


    def test_batches():
        assert settings.OPTIONS["batch"] <= 64


    def test_nothing_matters():
        assert settings.PREFETCH != 5
    """


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """A project with these circumstances, settings and tests."""

    def make(declared: str = DECLARED, tests: str = TESTS, settings: str = SETTINGS) -> Path:
        return _write(tmp_path, declared, tests, settings)

    return make


def _write(folder: Path, declared: str, tests: str, settings: str) -> Path:
    (folder / "app").mkdir()
    (folder / "app" / "__init__.py").touch()
    (folder / "app" / "settings.py").write_text(dedent(settings))
    head = '[tool.pytest.ini_options]\npythonpath = ["."]\n'
    (folder / "pyproject.toml").write_text(head + dedent(declared))
    (folder / "test_app.py").write_text(dedent(tests))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all kinds of circumstances."""
    return _write(tmp_path_factory.mktemp("around"), DECLARED, TESTS, SETTINGS)


@pytest.fixture(scope="module")
def amplified(folder: Path, socrates: Run) -> Done:
    """That project, amplified."""
    return socrates(folder, "amplify", "--output-format", "json")


def _defects(done: Done) -> dict[str, list[list[str]]]:
    return {
        test["nodeid"].rpartition("::")[2]: [
            [fault["to"] for fault in defect["faults"]] for defect in test["defects"]
        ]
        for test in json.loads(done.stdout)["tests"]
    }


@pytest.mark.parametrize(
    ("test", "minimal"),
    [
        ("test_load_is_limited", [["workers", "prefetch"]]),
        ("test_day", [["time-zone"]]),
        ("test_first_of_a_set", [["hash-seed"]]),
        ("test_debugging_is_off", [["debug"]]),
        ("test_batches", [["batch"]]),
        ("test_nothing_matters", []),
    ],
)
def test_the_minimal_difference_is_found(
    test: str, minimal: list[list[str]], amplified: Done
) -> None:
    assert _defects(amplified)[test] == minimal


def test_a_circumstance_is_a_fault_like_any_other(amplified: Done) -> None:
    tests = json.loads(amplified.stdout)["tests"]
    (fault,) = next(test for test in tests if "test_day" in test["nodeid"])["defects"][0]["faults"]

    assert fault == {
        "kind": "circumstance",
        "from": "process",
        "to": "time-zone",
        "message": "time-zone=Pacific/Kiritimati instead of UTC",
        "index": "circumstance:time-zone",
    }


@pytest.fixture(scope="module")
def replays(amplified: Done) -> dict[str, str]:
    """The scenario files by test."""
    found: list[dict[str, Any]] = json.loads(amplified.stdout)["tests"]
    return {
        test["nodeid"].rpartition("::")[2]: test["defects"][0]["replay"]
        for test in found
        if test["defects"]
    }


@pytest.mark.parametrize("test", ["test_load_is_limited", "test_first_of_a_set"])
def test_a_replay_breaks_the_test_again(
    test: str, folder: Path, replays: dict[str, str], at_terminal: Run
) -> None:
    done = at_terminal(folder, "replay", replays[test])

    assert (done.returncode, "breaks again" in done.stdout) == (1, True)


def test_a_kept_test_fails_while_the_circumstance_matters(
    folder: Path, replays: dict[str, str], python: Run, tmp_path: Path
) -> None:
    program = (
        "from pathlib import Path\n"
        "from socrates_amplify.regression import assert_survives\n"
        f"def test_it():\n    assert_survives(Path({str(folder / replays['test_day'])!r}))\n"
    )
    (tmp_path / "test_kept.py").write_text(program)

    done = python(tmp_path, "pytest", "-q")

    assert (done.returncode, "does not survive" in done.stdout) == (1, True)


def test_resuming_asks_nothing_again(folder: Path, amplified: Done, socrates: Run) -> None:
    again = socrates(folder, "amplify", "--resume", "--output-format", "json")

    assert _defects(again) == _defects(amplified)


def test_a_circumstance_that_is_gone_is_unresolved(
    project: Make, socrates: Run, at_terminal: Run
) -> None:
    declared = "[tool.socrates.amplify.circumstances]\ntime-zone = { general = 'Asia/Tokyo' }\n"
    tests = "import time\ndef test_zone():\n    assert time.localtime(0).tm_hour == 0\n"
    folder = project(declared, tests, "")
    document = json.loads(socrates(folder, "amplify", "--output-format", "json").stdout)
    (folder / "pyproject.toml").write_text("")

    done = at_terminal(folder, "replay", document["tests"][0]["defects"][0]["replay"])

    assert (done.returncode, "time-zone is declared any more" in done.stderr) == (2, True)


def test_a_variable_that_the_tests_set_themselves_is_unresolved(
    project: Make, socrates: Run
) -> None:
    declared = (
        "[tool.socrates.amplify.circumstances]\n"
        "mode = { environment = 'MODE', simple = 'a', general = 'b' }\n"
    )
    folder = project(declared, "def test_it():\n    assert True\n", "")
    (folder / "conftest.py").write_text("import os\nos.environ['MODE'] = 'a'\n")

    done = socrates(folder, "amplify", "--output-format", "json")

    note = json.loads(done.stdout)["tests"][0]["note"]
    assert (done.returncode, "the tests change MODE themselves" in note) == (2, True)


def test_a_suite_that_can_not_be_collected_fails(project: Make, socrates: Run) -> None:
    declared = (
        "[tool.socrates.amplify.circumstances]\n"
        "mode = { environment = 'MODE', simple = 'a', general = 'b' }\n"
    )
    tests = "import os\nassert os.environ['MODE'] == 'a'\ndef test_it():\n    assert True\n"

    done = socrates(project(declared, tests, ""), "amplify", "--output-format", "json")

    (defect,) = json.loads(done.stdout)["tests"][0]["defects"]
    assert defect["failure"]["type"] == "CollectionError"


def test_a_setting_that_does_not_exist_is_a_mistake(project: Make, socrates: Run) -> None:
    declared = (
        "[tool.socrates.amplify.circumstances]\n"
        "prefetch = { setting = 'app.settings:PREFETHC', general = 10 }\n"
    )
    folder = project(declared, "def test_it():\n    assert True\n", "PREFETCH = 1\n")

    done = socrates(folder, "amplify")

    assert (done.returncode, "did you mean 'PREFETCH'?" in done.stderr) == (2, True)


def test_a_module_that_does_not_exist_is_a_mistake(project: Make, socrates: Run) -> None:
    declared = (
        "[tool.socrates.amplify.circumstances]\n"
        "prefetch = { setting = 'app.setings:PREFETCH', simple = 1, general = 10 }\n"
    )
    folder = project(declared, "def test_it():\n    assert True\n", "PREFETCH = 1\n")

    done = socrates(folder, "amplify")

    assert (done.returncode, "app.setings cannot be imported" in done.stderr) == (2, True)


def test_faults_can_be_asked_for_without_circumstances(project: Make, socrates: Run) -> None:
    done = socrates(
        project(), "amplify", "test_app.py::test_day", "--faults", "duplicate", "-q",
        "--output-format", "json",
    )  # fmt: skip

    assert json.loads(done.stdout)["tests"][0]["status"] == "no-targets"


ACTORS = """
    import pykka
    import pytest


    class Till(pykka.ThreadingActor):
        def __init__(self):
            super().__init__()
            self.log = []

        def on_receive(self, message):
            if message == "read":
                return list(self.log)
            self.log.append(message)


    class Clerk(pykka.ThreadingActor):
        def on_receive(self, message):
            till, text = message
            till.tell(text)


    @pytest.fixture
    def actors():
        yield
        pykka.ActorRegistry.stop_all()


    def test_opening_comes_first(actors):
        till = Till.start()
        Clerk.start().ask((till, "open"))
        Clerk.start().ask((till, "close"))

        assert till.ask("read")[0] == "open"
    """


@pytest.mark.parametrize(
    ("pair", "kinds"),
    [("['*open*', '*close*']", ["reorder"]), ("['*close*', '*open*']", ["reorder"])],
)
def test_the_order_of_a_pair_of_messages_is_a_circumstance(
    pair: str, kinds: list[str], project: Make, socrates: Run
) -> None:
    declared = f"[tool.socrates.amplify.circumstances]\nopening = {{ order = {pair} }}\n"

    done = socrates(project(declared, ACTORS, ""), "amplify", "--output-format", "json")

    (defect,) = json.loads(done.stdout)["tests"][0]["defects"]
    assert [fault["kind"] for fault in defect["faults"]] == kinds


def test_an_order_of_messages_that_never_come_is_told(project: Make, socrates: Run) -> None:
    declared = "[tool.socrates.amplify.circumstances]\nopening = { order = ['a*', 'b*'] }\n"

    done = socrates(project(declared, ACTORS, ""), "amplify")

    assert "opening: no test has messages like 'a*' and 'b*'" in done.stderr


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ({"workers": 4}, "workers must be a table"),
        ({"workers": {"environment": "W", "general": 4, "simpel": 1}}, "did you mean 'simple'"),
        ({"workers": {"environment": "W"}}, "workers: needs general"),
        ({"workers": {"general": 4}}, "workers: say what it is"),
        ({"timezone": {"general": "UTC"}}, "did you mean 'time-zone'"),
        ({"w": {"environment": "W", "setting": "a:B", "general": 1}}, "exclude each other"),
        ({"w": {"setting": "app.settings", "general": 1}}, "not a name like"),
        ({"w": {"environment": "A=B", "general": 1}}, "not a name like"),
        ({"w": {"environment": "W", "general": True}}, "must be a text or a number"),
        ({"w": {"environment": "W", "simple": 1, "general": 1}}, "make them differ"),
        ({"hash-seed": {"general": -1}}, "must be a whole number"),
        ({"hash-seed": {"general": "1"}}, "must be a whole number"),
        ({"locale": {"general": 3}}, "must be the name of a locale"),
        ({"o": {"order": ["a"]}}, "must be two patterns"),
        ({"o": {"order": ["a", "b"], "general": 1}}, "neither simple nor general"),
        (
            {"time-zone": {"general": "Asia/Tokyo"}, "z": {"environment": "TZ", "general": "x"}},
            "time-zone and z both set TZ",
        ),
    ],
)
def test_a_bad_declaration_is_told_in_one_line(declared: dict[str, Any], problem: str) -> None:
    with pytest.raises(SocratesError, match=problem):
        read_table(declared)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("time-zone", "Europe/Berlim", "did you mean 'Europe/Berlin'"),
        ("locale", "xx_YY.UTF-8", "is not installed"),
    ],
)
def test_what_this_machine_has_not_is_told(
    name: str, value: str, problem: str, project: Make, socrates: Run
) -> None:
    declared = f"[tool.socrates.amplify.circumstances]\n{name} = {{ general = '{value}' }}\n"

    done = socrates(project(declared), "amplify")

    assert (done.returncode, problem in done.stderr) == (2, True)


def test_settings_are_checked_before_anything_runs(project: Make, socrates: Run) -> None:
    done = socrates(project("[tool.socrates.amplify.circumstances]\nworkers = 4\n"), "amplify")

    assert (done.returncode, done.stderr.count("\n"), "must be a table" in done.stderr) == (
        2,
        1,
        True,
    )


def test_this_process_keeps_its_environment(amplified: Done) -> None:
    script = "import os; print(os.environ.get('WORKERS'), os.environ.get('APP_DEBUG'))"

    seen = subprocess.check_output(
        [sys.executable, "-c", script], text=True, env=dict(os.environ), timeout=120
    )

    assert seen == "None None\n"


@pytest.fixture
def around(tmp_path: Path) -> Iterator[Executor]:
    """An executor with circumstances, for a suite that needs a variable of its own."""
    tests = "import os\n\ndef test_it():\n    assert os.environ['NEEDED'] == 'yes'\n"
    (tmp_path / "test_it.py").write_text(tests)
    table = {TABLE: {"workers": {"environment": "WORKERS", "simple": 1, "general": 4}}}
    executor = make_executor("fork", Suite(tmp_path, probes=table, environment={"NEEDED": "yes"}))
    yield executor
    executor.close()


def test_the_environment_of_a_suite_stays_beside_its_circumstances(around: Executor) -> None:
    """On the nodes of a cluster it says where the project's modules are."""
    assert around.run("test_it.py::test_it", Scenario()).verdict is Verdict.PASS
