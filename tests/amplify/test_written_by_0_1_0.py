"""What version 0.1.0 (95cae04) wrote still works: users have it in projects and in version control."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import pytest

from socrates import session
from socrates_amplify.run.request import code_of, settings_of
from socrates_amplify.store import durations

WRITTEN = Path(__file__).parents[1] / "data" / "written_by_0_1_0"
PROJECTS = ["counter", "invoices", "shop"]
FORMATS = ["text", "json", "junit", "sarif"]


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]
Open = Callable[[str], Path]


RESUMED = ("amplify", "--resume", "--output-format", "json")
KNOWN_KINDS = {"counter": ("--exclude", "kind=order")}
"""What keeps a run to what 0.1.0 tried, where there is more today: it knew no orders."""


@pytest.fixture
def written(tmp_path: Path) -> Open:
    """Copies a project with all that 0.1.0 wrote, under the names that 0.1.0 gave."""

    def copy(name: str) -> Path:
        project = Path(shutil.copytree(WRITTEN / name, tmp_path / name))
        (project / "store").rename(project / ".socrates")
        return project

    return copy


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def with_kind(scenarios: Path, kind: str) -> Path:
    """The scenario file of a fault of this kind."""
    paths = sorted(scenarios.glob("*.json"))
    return next(path for path in paths if document(path)["faults"][0]["kind"] == kind)


@pytest.mark.parametrize(
    ("name", "kind", "failure"),
    [
        ("counter", "duplicate", "AssertionError: assert 11 == 7"),
        ("counter", "circumstance", "AssertionError: assert 3 == 7"),
        ("invoices", "reorder", "AssertionError: assert 8 == 9"),
        ("shop", "status", "KeyError: 'price'"),
    ],
)
def test_a_scenario_breaks_its_test_again(
    name: str, kind: str, failure: str, written: Open, socrates: Run
) -> None:
    project = written(name)
    scenario = with_kind(project / ".socrates" / "scenarios", kind)
    done = socrates(project, "replay", "-q", str(scenario))

    assert (done.returncode, f"breaks again: {failure}" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("name", "folder", "kind", "failure"),
    [
        ("invoices", "regressions", "restart", "AssertionError: assert [('Ada', 30), ('Ada', 30)]"),
        ("shop", "regressions", "timeout", "ReadTimeout: HTTPConnectionPool"),
        ("shop", "repeated", "status", "NotRecovered: after 2 runs under faults"),
    ],
)
def test_a_regression_test_is_red_while_its_defect_lives(
    name: str, folder: str, kind: str, failure: str, written: Open, python: Run
) -> None:
    project = written(name)
    scenario = with_kind(project / folder / "scenarios", kind)
    done = python(project, "pytest", "-p", "no:cacheprovider", folder, "-k", scenario.stem)

    assert (f"  {failure}" in done.stdout, "1 failed" in done.stdout) == (True, True)


def test_a_regression_test_is_green_once_its_defect_is_repaired(written: Open, python: Run) -> None:
    project = written("counter")
    source = project / "counter.py"
    source.write_text(source.read_text().replace("min(self.total, LIMIT)", "self.total"))
    done = python(project, "pytest", "-q", "-p", "no:cacheprovider", "regressions")

    assert "2 failed, 1 passed" in done.stdout


def as_before(new: Any, old: Any) -> Any:
    """``new`` without what later versions added, and without times."""
    if isinstance(new, dict) and isinstance(old, dict):
        return {
            key: as_before(value, old[key])
            for key, value in new.items()
            if key in old and key != "duration"
        }
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [as_before(one, other) for one, other in zip(new, old, strict=True)]
    return new


def told(report: Any, like: Any) -> Any:
    """What a report says of its tests, in the terms of an old one."""
    return as_before(report["tests"], like["tests"])


def known_as(store: Path, code: str) -> None:
    """Give the store's results the digest that the project has in this environment."""
    with closing(sqlite3.connect(store)) as connection, connection:
        for table in ("tests", "traces", "outcomes", "findings"):
            connection.execute(f"UPDATE {table} SET code = ?", (code,))


def executions(store: Path) -> set[tuple[object, ...]]:
    with closing(sqlite3.connect(store)) as connection:
        return set(connection.execute("SELECT code, nodeid, scenario, finished FROM outcomes"))


def todays_code(project: Path) -> str:
    return code_of(project, settings_of(session.prepare((str(project),)), {}))


@pytest.mark.parametrize("name", PROJECTS)
def test_a_store_is_resumed_without_an_execution(name: str, written: Open, socrates: Run) -> None:
    project = written(name)
    store = project / ".socrates" / "store.sqlite"
    known_as(store, todays_code(project))
    before = executions(store)
    done = socrates(project, *RESUMED, *KNOWN_KINDS.get(name, ()), f"test_{name}.py")
    old, new = document(project / "report.json"), json.loads(done.stdout)

    assert (told(new, old), new["summary"]["warnings"]) == (told(old, old), [])
    assert executions(store) == before, "what the store knows was executed again"


def test_a_store_of_other_code_stays_and_is_not_used(written: Open, socrates: Run) -> None:
    project = written("counter")
    store = project / ".socrates" / "store.sqlite"
    before = executions(store)
    done = socrates(project, *RESUMED, *KNOWN_KINDS["counter"])
    old, new = document(project / "report.json"), json.loads(done.stdout)

    assert (told(new, old), new["summary"]["warnings"]) == (told(old, old), [])
    assert executions(store) > before, "results of 0.1.0 are gone, or none were added"


@pytest.mark.parametrize("name", PROJECTS)
def test_a_store_is_merged_into_another(
    name: str, written: Open, tmp_path: Path, socrates: Run
) -> None:
    project = written(name)
    (tmp_path / "empty").mkdir()
    done = socrates(tmp_path / "empty", "merge", str(project / ".socrates"))
    store = tmp_path / "empty" / ".socrates" / "store.sqlite"

    assert (done.returncode, "2 tests taken" in done.stderr) == (0, True)
    assert executions(store) == executions(project / ".socrates" / "store.sqlite")


def test_shards_are_merged(written: Open, socrates: Run) -> None:
    project = written("counter")
    shards = ("shard-1.json", "shard-2.json")
    done = socrates(project, "merge", *shards, "--output-format", "json")
    old, new = document(project / "report.json"), json.loads(done.stdout)

    assert (done.returncode, told(new, old)) == (1, told(old, old))
    assert new["coverage"] == document(project / "shard-1.json")["coverage"]


@pytest.mark.parametrize("form", FORMATS)
def test_reports_of_several_projects_are_merged(
    form: str, written: Open, tmp_path: Path, socrates: Run
) -> None:
    reports = [str(written(name) / "report.json") for name in PROJECTS]
    done = socrates(tmp_path, "merge", *reports, "--output-format", form)
    failures = ("assert 11 == 7", "assert 8 == 9", "Read timed out", "price")

    assert (done.returncode, done.stderr) == (1, "")
    assert [failure for failure in failures if failure not in done.stdout] == []


@pytest.mark.parametrize("name", PROJECTS)
def test_durations_are_read(name: str, written: Open) -> None:
    project = written(name)
    kept = durations.read(project / ".socrates" / durations.FILE)
    report = document(project / "report.json")

    assert kept == {test["nodeid"]: test["duration"] for test in report["tests"]}
