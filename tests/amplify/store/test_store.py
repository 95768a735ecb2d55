"""The store keeps what is finished, whatever happens to the process or to the file."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.store.database import check
from socrates_amplify.store.folders import FOLDER
from socrates_amplify.store.store import FILE, Store

CODE = "code-1"
TEST = "tests/test_a.py::test_a"
SCENARIO = Scenario.of([Fault("t1", "duplicate", "test", "A#1", "Add(1)")])
FAILED = Outcome(
    SCENARIO,
    Verdict.FAIL,
    Failure("AssertionError", "assert 2 == 1", "tests/test_a.py:3", "A#1"),
    trace=Trace((Send("t1", "test", "A#1", "Add(1)", "d", None),)),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        yield opened


def test_an_outcome_comes_back_as_it_was(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)

    assert store.outcome(CODE, TEST, SCENARIO) == FAILED


def test_an_outcome_of_other_code_is_not_reused(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)

    assert store.outcome("code-2", TEST, SCENARIO) is None


def test_an_outcome_that_is_not_final_is_not_reused(store: Store) -> None:
    store.add_outcome(CODE, TEST, Outcome(SCENARIO, Verdict.UNRESOLVED, final=False))

    assert store.outcome(CODE, TEST, SCENARIO) is None


def test_an_outcome_that_is_not_final_is_counted(store: Store) -> None:
    store.add_outcome(CODE, TEST, Outcome(SCENARIO, Verdict.UNRESOLVED, final=False))

    assert store.executions(CODE, TEST) == 1


def test_what_is_added_at_once_is_there_afterwards(store: Store) -> None:
    with store.at_once():
        store.add_outcome(CODE, TEST, FAILED)

    assert store.outcome(CODE, TEST, SCENARIO) == FAILED


def test_nothing_is_kept_of_what_fails_when_it_is_added_at_once(store: Store) -> None:
    def add_and_fail() -> None:
        with store.at_once():
            store.add_outcome(CODE, TEST, FAILED)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        add_and_fail()

    assert store.outcome(CODE, TEST, SCENARIO) is None


def test_several_threads_keep_what_they_finish(store: Store) -> None:
    def keep(number: int) -> Path:
        scenario = Scenario.of([Fault(f"t{number}", "duplicate")])
        store.add_outcome(CODE, TEST, Outcome(scenario, Verdict.PASS))
        return store.write_file("scenarios/same.json", "{}")

    with ThreadPoolExecutor(8) as pool:
        written = set(pool.map(keep, range(100)))
    assert len(store.known(CODE, TEST)) == 100, "outcomes"
    assert [path.name for path in store.folder.glob("scenarios/*")] == ["same.json"], "files"
    assert {path.read_text() for path in written} == {"{}"}, "whole files"


def test_only_final_outcomes_are_known(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    store.add_outcome(CODE, "other", FAILED)
    again = Scenario.of([Fault("t2", "restart")])
    store.add_outcome(CODE, TEST, Outcome(again, Verdict.UNRESOLVED, final=False))

    assert store.known(CODE, TEST) == {SCENARIO.key}


def test_the_baseline_comes_back_in_order(store: Store) -> None:
    runs = (
        Outcome(Scenario(), Verdict.PASS, trace=FAILED.trace),
        Outcome(Scenario(), Verdict.PASS),
    )
    store.add_control_runs(CODE, TEST, runs)

    assert store.control_runs(CODE, TEST) == runs


def test_forgetting_a_test_drops_its_outcomes(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    store.forget(CODE, TEST)

    assert store.executions(CODE, TEST) == 0


def test_forgetting_a_test_keeps_the_others(store: Store) -> None:
    store.add_outcome(CODE, "other", FAILED)
    store.forget(CODE, TEST)

    assert store.executions(CODE, "other") == 1


def test_a_killed_process_loses_no_outcome(tmp_path: Path) -> None:
    program = f"""
import os, signal, sys
from pathlib import Path
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.store.store import Store
store = Store.open(Path(sys.argv[1]))
store.add_outcome({CODE!r}, {TEST!r}, Outcome(Scenario(), Verdict.PASS))
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], check=False, timeout=120
    )

    assert killed.returncode == -signal.SIGKILL, "it had no time to tidy up"
    with Store.open(tmp_path) as store:
        assert store.outcome(CODE, TEST, Scenario()) is not None, "yet it is there"


def test_the_folder_hides_from_git(store: Store) -> None:
    assert (store.folder / ".gitignore").read_text() == "*\n"


@pytest.fixture
def corrupt(tmp_path: Path) -> Path:
    """A project whose store is not a database."""
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(b"this was a database once" * 100)
    return tmp_path


def test_a_corrupt_store_is_kept_aside(corrupt: Path) -> None:
    before = (corrupt / FOLDER / FILE).read_bytes()
    Store.open(corrupt).close()

    assert (corrupt / FOLDER / f"{FILE}.corrupt-1").read_bytes() == before


def test_a_corrupt_store_is_named(corrupt: Path) -> None:
    with Store.open(corrupt) as store:
        (warning,) = store.warnings

    assert str(corrupt / FOLDER / FILE) in warning


def test_a_second_corrupt_store_does_not_overwrite_the_first(corrupt: Path) -> None:
    Store.open(corrupt).close()
    (corrupt / FOLDER / FILE).write_bytes(b"again" * 1000)
    (corrupt / FOLDER / f"{FILE}-wal").unlink(missing_ok=True)
    Store.open(corrupt).close()

    assert (corrupt / FOLDER / f"{FILE}.corrupt-2").exists()


def test_a_store_of_another_version_is_kept_aside(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FOLDER / FILE)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")

    with Store.open(tmp_path) as store:
        (warning,) = store.warnings
    assert "version 99" in warning


def test_a_damaged_row_is_asked_again(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    with closing(sqlite3.connect(store.folder / FILE)) as connection, connection:
        connection.execute("UPDATE outcomes SET document = ?", (b"cposix\nsystem\n",))

    assert store.outcome(CODE, TEST, SCENARIO) is None


def test_a_full_disk_is_one_clear_line(store: Store) -> None:
    store._connection.execute("PRAGMA max_page_count = 1")  # as small as sqlite lets it be
    noise = "".join(chr(33 + number * number % 90) for number in range(10**6))

    with pytest.raises(SocratesError, match=r"store\.sqlite: the disk is full; .*--resume"):
        store.add_test(CODE, TEST, "resilient", noise)


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file is in the way")

    with pytest.raises(SocratesError, match=r"\.socrates.* cannot be written"):
        Store.open(tmp_path)


def test_what_a_file_declares_is_not_trusted() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        version = check(connection)
        trusted = connection.execute("PRAGMA trusted_schema").fetchone()
    assert (version, trusted) == (0, (0,))


@pytest.mark.parametrize(("kept", "left"), [(1, 0), (2, 1)], ids=["the latest", "both"])
def test_old_versions_of_the_code_are_dropped(kept: int, left: int, store: Store) -> None:
    store.add_outcome("old", TEST, FAILED)
    store.add_outcome("new", TEST, FAILED)
    store.keep_latest(kept)

    assert store.executions("old", TEST) == left


def test_the_last_outcome_is_shown_even_if_it_is_not_final(store: Store) -> None:
    hung = Outcome(SCENARIO, Verdict.FAIL, Failure("Hang", "did not end", "a.py"), final=False)
    store.add_outcome(CODE, TEST, hung)

    assert store.last(CODE, TEST, SCENARIO) == hung


def changed_by(root: Path, *statements: str) -> None:
    """Change the file of a store as somebody else could."""
    with closing(sqlite3.connect(root / FOLDER / FILE)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


FORGED = {
    "a view": (["DROP TABLE outcomes", "CREATE VIEW outcomes AS SELECT 1 AS code"], "outcomes"),
    "a missing column": (
        ["DROP TABLE tests", "CREATE TABLE tests (code TEXT NOT NULL, nodeid TEXT NOT NULL)"],
        "tests",
    ),
    "one more column": (["ALTER TABLE traces ADD COLUMN x TEXT DEFAULT (random())"], "traces"),
    "a trigger": (
        [
            "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN"
            " UPDATE outcomes SET verdict = 'pass'; END"
        ],
        "trigger 't'",
    ),
    "a table of others": (["CREATE TABLE users (name TEXT)"], "users"),
    "a missing table": (["DROP TABLE findings"], "lacks a table"),
}


@pytest.mark.parametrize(("statements", "named"), FORGED.values(), ids=FORGED)
def test_a_file_that_is_no_store_is_put_aside_and_named(
    statements: list[str], named: str, tmp_path: Path
) -> None:
    Store.open(tmp_path).close()
    changed_by(tmp_path, *statements)

    with Store.open(tmp_path) as store:
        (warning,) = store.warnings
        store.add_outcome(CODE, TEST, FAILED)
        assert store.outcome(CODE, TEST, SCENARIO) == FAILED, "there is a store again"
    assert (named in warning, f"{FILE}.corrupt-1" in warning) == (True, True)
    assert (tmp_path / FOLDER / f"{FILE}.corrupt-1").exists(), "nothing is lost"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"nodeid TEXT", b"nod\xe7id TEXT"),
        (b"TABLE tests", b"TABLE t\xf4sts"),
        (b"(code", b"\xf4code"),
    ],
)
def test_a_store_whose_schema_is_no_text_is_put_aside(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    Store.open(tmp_path).close()
    file = tmp_path / FOLDER / FILE
    file.write_bytes(file.read_bytes().replace(before, after))

    with Store.open(tmp_path) as store:
        assert len(store.warnings) == 1


@pytest.mark.parametrize("column", ["code", "nodeid", "status", "finished"])
def test_a_row_that_is_no_text_is_read_all_the_same(tmp_path: Path, column: str) -> None:
    with Store.open(tmp_path) as store:
        store.add_test(CODE, TEST, "resilient", {})
    changed_by(tmp_path, f"UPDATE tests SET {column} = CAST(x'ff' AS TEXT)")

    with Store.open(tmp_path) as store:
        assert len(store.statuses(CODE)) == (0 if column == "code" else 1)


def test_a_store_that_was_not_made_to_its_end_is_completed(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    changed_by(tmp_path, "DROP TABLE findings", "PRAGMA user_version = 0")

    with Store.open(tmp_path) as store:
        store.add_finding(CODE, TEST, SCENARIO, Failure("E", "m", "l"), "f")
        assert store.warnings == []


def bomb(size: int) -> bytes:
    """A small row that holds an outcome of ``size`` bytes."""
    text = b'{"verdict": "pass", "scenario": {"faults": []}, "trace": {"events": []}, "x": "'
    packer = zlib.compressobj()
    parts = [packer.compress(text)]
    parts += [packer.compress(b" " * (1 << 20)) for _ in range(size >> 20)]
    return b"".join((*parts, packer.compress(b'"}'), packer.flush()))


def test_a_row_that_expands_without_measure_is_asked_again(store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    store.add_control_runs(CODE, TEST, [FAILED])
    row = bomb(256 << 20)
    with closing(sqlite3.connect(store.folder / FILE)) as connection, connection:
        for table in ("outcomes", "traces"):
            connection.execute(f"UPDATE {table} SET document = ?", (row,))
    tracemalloc.start()
    try:
        answers = (
            store.outcome(CODE, TEST, SCENARIO),
            store.last(CODE, TEST, SCENARIO),
            store.control_runs(CODE, TEST),
        )
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert answers == (None, None, ()), "such a row is not believed"
    assert most < 100 << 20, "nor unpacked"


def test_a_large_outcome_is_read(store: Store) -> None:
    sends = tuple(Send(f"t{n}", "test", "A#1", f"Add({n})", f"d{n}", None) for n in range(20_000))
    outcome = Outcome(SCENARIO, Verdict.PASS, trace=Trace(sends))
    store.add_outcome(CODE, TEST, outcome)

    assert store.outcome(CODE, TEST, SCENARIO) == outcome


@pytest.mark.parametrize(
    "value",
    ["7", "'text'", "NULL || 'x'", "zeroblob(100000)", "x'789c'"],
    ids=["number", "text", "null", "zeros", "cut off"],
)
def test_a_row_of_another_type_is_asked_again(value: str, store: Store) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    with closing(sqlite3.connect(store.folder / FILE)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"UPDATE outcomes SET document = coalesce({value}, 0), verdict = 3")

    assert (store.outcome(CODE, TEST, SCENARIO), store.control_runs(CODE, TEST)) == (None, ())


def no_file(path: Path, target: Path) -> None:
    os.mkfifo(path)


def a_link(path: Path, target: Path) -> None:
    path.symlink_to(target)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("", a_link),
        (".gitignore", a_link),
        ("scenarios", a_link),
        (FILE, a_link),
        (FILE, no_file),
        (f"{FILE}-wal", a_link),
        (f"{FILE}-journal", a_link),
    ],
)
@pytest.mark.parametrize("there", [True, False], ids=["there", "dangling"])
def test_a_store_that_leads_elsewhere_is_refused_by_name(
    name: str, make: Callable[[Path, Path], None], there: bool, tmp_path: Path
) -> None:
    outside, project = tmp_path / "outside", tmp_path / "project"
    project.mkdir()
    if there:
        outside.mkdir()
    if name:
        (project / FOLDER).mkdir()
    make(project / FOLDER / name, outside)

    with pytest.raises(SocratesError, match=r"\.socrates.*(out of the project|not a regular file)"):
        Store.open(project)
    assert list(outside.iterdir() if there else []) == [], "nothing was written there"
    assert outside.exists() == there, "nor was it made"


def test_a_file_of_the_store_that_leads_elsewhere_is_not_written(
    store: Store, tmp_path: Path
) -> None:
    victim = tmp_path / "victim.py"
    victim.write_text("mine")
    (store.folder / "scenarios" / "x.json").symlink_to(victim)

    with pytest.raises(SocratesError, match=r"x\.json: it leads out of the project"):
        store.write_file("scenarios/x.json", "{}")
    assert victim.read_text() == "mine"


def test_a_folder_that_is_removed_is_written_anew_with_all_that_was_in_it(
    store: Store, tmp_path: Path
) -> None:
    store.add_outcome(CODE, TEST, FAILED)
    file = store.write_file("scenarios/one.json", "{}")
    shutil.rmtree(tmp_path / FOLDER)
    store.add_test(CODE, "test_it.py::test_other", "resilient", {})
    store.close()
    with Store.open(tmp_path) as again:
        kept = again.outcome(CODE, TEST, FAILED.scenario)
        statuses = again.statuses(CODE)
    assert (kept, statuses) == (FAILED, {"test_it.py::test_other": "resilient"})
    assert file.read_text() == "{}"


def test_the_removal_is_told_once_with_the_test_that_ran(store: Store, tmp_path: Path) -> None:
    for _ in range(2):
        shutil.rmtree(tmp_path / FOLDER)
        store.add_outcome(CODE, TEST, FAILED)
    (told,) = store.warnings
    assert f"was removed while {TEST} or a test beside it ran" in told


def opened_with(key: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store, opened by somebody who has this key; empty for none."""
    monkeypatch.setenv("SOCRATES_STORE_KEY", key)
    return Store.open(root)


@pytest.mark.parametrize(
    ("theirs", "ours", "believed"),
    [
        pytest.param("", "", True, id="no keys"),
        pytest.param("k", "k", True, id="the same key"),
        pytest.param("k", "", True, id="no key of ours"),
        pytest.param("", "k", False, id="not sealed"),
        pytest.param("other", "k", False, id="another key"),
    ],
)
def test_with_a_key_only_sealed_results_are_believed(
    theirs: str, ours: str, believed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_with(theirs, tmp_path, monkeypatch) as store:
        store.add_outcome(CODE, TEST, FAILED)
        store.add_control_runs(CODE, TEST, [Outcome(Scenario(), Verdict.PASS, duration=0.1)])
    with opened_with(ours, tmp_path, monkeypatch) as store:
        found = (
            store.outcome(CODE, TEST, SCENARIO) == FAILED,
            store.last(CODE, TEST, SCENARIO) == FAILED,
            len(store.control_runs(CODE, TEST)) == 1,
        )

    assert found == (believed,) * 3


@pytest.mark.parametrize("column", ["code", "nodeid"])
def test_a_sealed_result_holds_for_its_own_test_and_code_alone(
    column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_with("k", tmp_path, monkeypatch) as store:
        store.add_outcome(CODE, TEST, FAILED)
    changed_by(tmp_path, f"UPDATE outcomes SET {column} = 'other'")
    asked = ("other", TEST) if column == "code" else (CODE, "other")
    with opened_with("k", tmp_path, monkeypatch) as store:
        assert store.outcome(*asked, SCENARIO) is None
