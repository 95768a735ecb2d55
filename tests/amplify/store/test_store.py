"""The store keeps what is finished, whatever happens to the process or to the file."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.store.store import FILE, FOLDER, Store

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
