"""``socrates merge``: what shards found, as if one machine had run everything."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import pytest

from socrates_amplify.store import durations

KINDS = ("--faults", "duplicate,restart")
Run = Callable[..., "Done"]
Write = Callable[..., Path]


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def _test(nodeid: str, status: str = "resilient", **more: object) -> dict[str, object]:
    return {"nodeid": nodeid, "status": status, "executions": 2, "defects": [], **more}


def _shard(index: int, count: int = 2, plan: str = "p") -> dict[str, object]:
    return {"index": index, "count": count, "plan": plan, "collected": 2}


@pytest.fixture
def report(tmp_path: Path) -> Write:
    """Writes a report by hand."""

    def write(name: str, *tests: dict[str, object], **summary: object) -> Path:
        path = tmp_path / name
        document = {"version": 1, "summary": {"duration": 1.5, **summary}, "tests": list(tests)}
        path.write_text(json.dumps(document))
        return path

    return write


@pytest.fixture(scope="module")
def whole(
    tmp_path_factory: pytest.TempPathFactory, example: Callable[[str, Path], Path], socrates: Run
) -> dict[str, Any]:
    """The defective example, amplified at once."""
    folder = example("accumulator", tmp_path_factory.mktemp("whole"))
    document = json.loads(socrates(folder, "amplify", *KINDS, "--output-format", "json").stdout)
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="module")
def shards(
    tmp_path_factory: pytest.TempPathFactory, example: Callable[[str, Path], Path], socrates: Run
) -> list[Path]:
    """Two copies of the defective example, each amplified in part; ``report.json`` in each."""
    folders = []
    for index in (1, 2):
        folder = example("accumulator", tmp_path_factory.mktemp(f"shard{index}"))
        flags = ("--output-format", "json", "--output-file", "report.json")
        socrates(folder, "amplify", "--shard", f"{index}/2", *KINDS, *flags)
        folders.append(folder)
    return folders


@pytest.fixture
def project(
    tmp_path: Path, example: Callable[[str, Path], Path], shards: list[Path], socrates: Run
) -> Path:
    """A third copy, into which the stores of the shards were merged."""
    folder = example("accumulator", tmp_path)
    socrates(folder, "merge", *(str(shard / ".socrates") for shard in shards))
    return folder


def _told(document: dict[str, Any]) -> list[tuple[object, ...]]:
    return sorted(
        (
            test["nodeid"],
            test["status"],
            test["executions"],
            [[fault["index"] for fault in defect["faults"]] for defect in test["defects"]],
        )
        for test in document["tests"]
    )


@pytest.fixture
def merged(shards: list[Path], tmp_path: Path, socrates: Run) -> Done:
    """The reports of both shards as one JSON document."""
    reports = [str(shard / "report.json") for shard in shards]
    return socrates(tmp_path, "merge", *reports, "--output-format", "json")


def test_shards_together_say_what_the_whole_says(merged: Done, whole: dict[str, Any]) -> None:
    assert _told(json.loads(merged.stdout)) == _told(whole)


def test_the_sum_is_that_of_the_whole(merged: Done, whole: dict[str, Any]) -> None:
    summary = json.loads(merged.stdout)["summary"]
    asked = ("tests", "defects", "executions", "resilient", "defective", "interrupted", "shard")

    assert {key: summary[key] for key in asked} == {key: whole["summary"][key] for key in asked}


def test_defects_are_exit_code_1(merged: Done) -> None:
    assert merged.returncode == 1


def test_text_shows_the_defects(shards: list[Path], tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", *(str(shard / "report.json") for shard in shards))

    assert "2 resilient, 2 defective; 2 defects in" in done.stdout


@pytest.mark.parametrize("form", ["junit", "sarif"])
def test_other_formats_say_what_amplify_says(
    project: Path, shards: list[Path], socrates: Run, form: str
) -> None:
    reports = [str(shard / "report.json") for shard in shards]
    asked = socrates(project, "amplify", "--resume", *KINDS, "--output-format", form).stdout
    merged = socrates(project, "merge", *reports, "--output-format", form).stdout

    assert _lines_of(merged) == _lines_of(asked)


def _lines_of(text: str) -> list[str]:
    """The lines in any order, for shards don't know that of the whole; times left out."""
    return sorted(re.sub(r' time="[0-9.]+"|"id": \d+|,$', "", line) for line in text.splitlines())


SHOP = {"filename": "shop.py", "statements": 10}
COVERED = (
    [{**SHOP, "suite_lines": "1-3", "added": [4, 7]}],
    [
        {**SHOP, "suite_lines": "1-2, 4", "added": [8]},
        {"filename": "test_a.py", "statements": 5, "suite_lines": "1", "added": []},
    ],
)


@pytest.fixture
def covered(report: Write) -> list[str]:
    """Two reports of runs with ``--coverage``."""
    paths = [report(f"{name}.json", _test(f"test_{name}.py::test")) for name in "ab"]
    for path, files in zip(paths, COVERED, strict=True):
        document = json.loads(path.read_text())
        path.write_text(json.dumps({**document, "coverage": {"files": files}}))
    return [str(path) for path in paths]


def test_coverage_is_that_of_all_shards(covered: list[str], tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", *covered, "--output-format", "json")
    (file,) = json.loads(done.stdout)["coverage"]["files"]

    assert file == {**SHOP, "suite": 4, "amplified": 6, "added": [7, 8], "suite_lines": "1-4"}


def test_coverage_is_told(covered: list[str], tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", *covered)

    assert "coverage: 40.0 % by the suite, 60.0 % with runs under faults" in done.stdout


def test_a_report_without_coverage_is_told(
    covered: list[str], report: Write, tmp_path: Path, socrates: Run
) -> None:
    done = socrates(tmp_path, "merge", *covered, str(report("c.json", _test("t::c"))))

    assert "c.json has no coverage" in done.stderr


def test_a_missing_shard_is_a_mistake(report: Write, tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", str(report("a.json", _test("t::a"), shard=_shard(1))))

    assert (done.returncode, "shard 2/2 is missing" in done.stderr) == (2, True)


def test_a_missing_shard_can_be_allowed_but_is_no_success(
    report: Write, tmp_path: Path, socrates: Run
) -> None:
    path = report("a.json", _test("t::a"), shard=_shard(1))

    done = socrates(tmp_path, "merge", "--allow-missing", str(path))

    assert (done.returncode, "interrupted" in done.stdout) == (2, True)


def test_parts_of_different_splits_are_refused(
    report: Write, tmp_path: Path, socrates: Run
) -> None:
    one = report("a.json", _test("t::a"), shard=_shard(1))
    two = report("b.json", _test("t::b"), shard=_shard(2, plan="q"))

    done = socrates(tmp_path, "merge", str(one), str(two))

    assert (done.returncode, "different splits" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("one", "two", "kept"),
    [
        ("resilient", "defective", "defective"),
        ("defective", "resilient", "defective"),
        ("error", "flaky", "error"),
        ("not-run", "resilient", "resilient"),
        ("no-targets", "not-run", "no-targets"),
    ],
)
def test_the_worse_result_is_kept(
    one: str, two: str, kept: str, report: Write, tmp_path: Path, socrates: Run
) -> None:
    paths = [report(name, _test("t::a", status)) for name, status in (("a", one), ("b", two))]

    done = socrates(tmp_path, "merge", "--output-format", "json", *map(str, paths))

    assert [test["status"] for test in json.loads(done.stdout)["tests"]] == [kept]


def test_a_test_that_is_there_twice_is_told(report: Write, tmp_path: Path, socrates: Run) -> None:
    paths = [report(name, _test("t::a")) for name in ("a.json", "b.json")]

    done = socrates(tmp_path, "merge", *map(str, paths))

    assert "t::a is in" in done.stderr


def test_a_plugin_that_failed_in_a_shard_is_told_once(
    report: Write, tmp_path: Path, socrates: Run
) -> None:
    failed = {"plugin": "acme", "message": "KeyError: 'x'", "location": "acme.py:3"}
    names = [
        str(report(f"{number}.json", _test(f"test_{number}"), errors=[failed])) for number in "ab"
    ]
    done = socrates(tmp_path, "merge", *names)
    assert (done.returncode, done.stderr) == (
        2,
        "socrates: error: plugin 'acme' failed: KeyError: 'x' (acme.py:3)\n",
    )


def test_unknown_fields_stay(report: Write, tmp_path: Path, socrates: Run) -> None:
    one = report("a.json", _test("t::a", colour="blue"), speculation={"cancelled": 2})
    two = report("b.json", _test("t::b"), speculation={"cancelled": 3})

    done = socrates(tmp_path, "merge", "--output-format", "json", str(one), str(two))

    document = json.loads(done.stdout)
    assert (document["tests"][0]["colour"], document["summary"]["speculation"]) == (
        "blue",
        {"cancelled": 5},
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no report of socrates amplify"),
        ('{"version": 1}', "no report of socrates amplify"),
        ('{"version": 99, "summary": {}, "tests": []}', "report version 99"),
        ('{"version": 1, "summary": {}, "tests": [{"nodeid": 1}]}', "no report"),
    ],
)
def test_what_is_no_report_is_told_in_one_line(
    text: str, problem: str, tmp_path: Path, socrates: Run
) -> None:
    (tmp_path / "bad.json").write_text(text)

    done = socrates(tmp_path, "merge", "bad.json")

    assert (done.returncode, done.stderr.count("\n"), problem in done.stderr) == (2, 1, True)


def test_a_missing_file_is_told(tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", "nothing.json")

    assert (done.returncode, "nothing.json: cannot be read" in done.stderr) == (2, True)


def test_merged_stores_answer_everything(
    project: Path, socrates: Run, whole: dict[str, Any]
) -> None:
    before = _rows(project)

    document = json.loads(
        socrates(project, "amplify", "--resume", *KINDS, "--output-format", "json").stdout
    )

    assert (_told(document), _rows(project)) == (_told(whole), before)


def _rows(project: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(project / ".socrates" / "store.sqlite")) as connection:
        return connection.execute("SELECT nodeid, scenario, finished FROM outcomes").fetchall()


def test_scenarios_come_along(project: Path, whole: dict[str, Any]) -> None:
    replays = [defect["replay"] for test in whole["tests"] for defect in test["defects"]]

    assert all((project / replay).is_file() for replay in replays)


def test_merged_durations_split_the_next_run(project: Path) -> None:
    assert len(durations.read(project / ".socrates" / durations.FILE)) == 4


def test_merging_again_changes_nothing(project: Path, shards: list[Path], socrates: Run) -> None:
    before = _rows(project)

    done = socrates(project, "merge", str(shards[0]))

    assert (_rows(project), "0 tests taken" in done.stderr) == (before, True)


def test_the_stores_that_are_read_stay_as_they_are(shards: list[Path], project: Path) -> None:
    names = {path.name for path in (shards[0] / ".socrates").iterdir()}

    assert not {"store.sqlite-wal", "store.sqlite-shm"} & names


def test_a_store_of_another_version_is_refused(
    shards: list[Path], tmp_path: Path, socrates: Run
) -> None:
    other = Path(shutil.copytree(shards[0] / ".socrates", tmp_path / "other"))
    with closing(sqlite3.connect(other / "store.sqlite")) as connection, connection:
        connection.execute("PRAGMA user_version = 7")

    done = socrates(tmp_path, "merge", "other")

    assert (done.returncode, "a store of version 7" in done.stderr) == (2, True)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path, socrates: Run) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "store.sqlite").write_text("not a database at all")

    done = socrates(tmp_path, "merge", "broken")

    assert (done.returncode, "is no usable store" in done.stderr) == (2, True)


def test_a_folder_without_a_store_is_told(tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "merge", ".")

    assert (done.returncode, "no store in it" in done.stderr) == (2, True)


def test_a_store_is_not_merged_into_itself(project: Path, socrates: Run) -> None:
    done = socrates(project, "merge", ".socrates")

    assert (done.returncode, "name only the others" in done.stderr) == (2, True)
