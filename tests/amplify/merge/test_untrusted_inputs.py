"""What ``socrates merge`` and ``--durations`` are given by others is read within bounds, or refused."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

from socrates.errors import SocratesError
from socrates_amplify.merge import report_files
from socrates_amplify.store import durations
from socrates_amplify.store.folders import FOLDER
from socrates_amplify.store.store import FILE, Store


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """The store of somebody else's project."""
    (tmp_path / "theirs").mkdir()
    Store.open(tmp_path / "theirs").close()
    return tmp_path / "theirs" / FOLDER


@pytest.fixture
def merge(tmp_path: Path, theirs: Path, socrates: Run) -> Callable[[], Done]:
    """Merges that store into a project of ours."""
    (tmp_path / "ours").mkdir()
    return lambda: socrates(tmp_path / "ours", "merge", str(theirs))


def change(store: Path, *statements: str) -> None:
    with closing(sqlite3.connect(store / FILE)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


NEVER_ENDING = (
    "CREATE VIEW tests AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
    " SELECT x AS code, x AS nodeid, x AS status, x AS document, x AS finished FROM n"
)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE tests", NEVER_ENDING),
        ("DROP TABLE tests",),
        ("ALTER TABLE outcomes RENAME COLUMN document TO x",),
        ("CREATE TRIGGER t AFTER DELETE ON tests BEGIN SELECT 1; END",),
    ],
    ids=["a view", "a missing table", "a missing column", "a trigger"],
)
def test_a_database_that_is_no_store_is_refused(
    statements: tuple[str, ...], theirs: Path, merge: Callable[[], Done]
) -> None:
    change(theirs, *statements)
    done = merge()

    assert (done.returncode, "is no usable store" in done.stderr) == (2, True)


@pytest.mark.parametrize("document", ["[]", "7", "[" * 10_000, '{"duration": 1e999}', "x"])
def test_a_row_that_tells_no_duration_is_none(
    document: str, theirs: Path, merge: Callable[[], Done]
) -> None:
    change(theirs, f"INSERT INTO tests VALUES ('c', 'a.py::t', 'resilient', '{document}', 1.0)")
    done = merge()

    assert (
        done.returncode,
        durations.read(theirs.parents[1] / "ours" / FOLDER / durations.FILE),
    ) == (0, {})


def test_a_scenario_that_is_none_is_refused_by_name(
    theirs: Path, merge: Callable[[], Done]
) -> None:
    (theirs / "scenarios" / "x.json").write_text(json.dumps({"nodeid": "-pevil"}))
    done = merge()

    assert (done.returncode, "x.json: not a scenario file" in done.stderr) == (2, True)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", [FILE, "scenarios/x.json"])
def test_a_pipe_in_a_store_is_refused(name: str, theirs: Path, merge: Callable[[], Done]) -> None:
    (theirs / name).unlink(missing_ok=True)
    os.mkfifo(theirs / name)
    done = merge()

    assert done.returncode == 2


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_durations_are_read_from_regular_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "durations.json"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")

    with pytest.raises(SocratesError, match="it is not a regular file"):
        durations.read(path)


@pytest.mark.timeout(20)
def test_a_report_is_a_regular_file(tmp_path: Path, socrates: Run) -> None:
    os.mkfifo(tmp_path / "report.json")
    done = socrates(tmp_path, "merge", "report.json")

    assert (done.returncode, "it is not a regular file" in done.stderr) == (2, True)


def _report(
    summary: str = "{}", test: str = '{"nodeid": "a", "status": "flaky", "defects": []}'
) -> str:
    return f'{{"version": 1, "summary": {summary}, "tests": [{test}]}}'


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        _report('{"duration": "soon"}'),
        _report('{"duration": 1e999}'),
        _report('{"duration": NaN}'),
        _report(f'{{"executions": {"9" * 400}}}'),
        _report('{"shard": {"index": 1, "count": 99999999999999}}'),
        _report('{"shard": {"index": [], "count": 2}}'),
        _report('{"shard": 7}'),
        _report('{"errors": ["x"]}'),
        _report('{"errors": {"a": 1}}'),
        _report(test='{"nodeid": "a", "status": [], "defects": []}'),
        _report(test='{"nodeid": "a", "status": "splendid", "defects": []}'),
        _report("[" * 100_000),
    ],
)
def test_a_report_that_amplify_did_not_write_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SocratesError, match="no report of socrates amplify"):
        report_files.read(path)


@pytest.mark.parametrize("value", ["x'ff'", "'soon'", "NULL", "CAST(x'ff' AS TEXT)"])
def test_a_time_that_is_none_is_no_failure(
    theirs: Path, merge: Callable[[], Done], value: str
) -> None:
    with Store.open(theirs.parent) as store:
        store.add_test("code", "a.py::t", "resilient", {})
    change(theirs, f"UPDATE OR IGNORE tests SET finished = {value}")
    assert [merge().returncode for _ in range(2)] == [0, 0]
