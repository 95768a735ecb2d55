"""The memory of all runs: ``.socrates/store.sqlite``, written as things happen.

Every call that adds something has committed it when it returns, so killing the process at any
moment loses no finished execution. Rows are JSON that is validated when it is read; nothing that
comes out of the file is ever executed.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from socrates.errors import SocratesError
from socrates.files import writing
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome
from socrates_amplify.model.serial import failure_to_json
from socrates_amplify.store import database
from socrates_amplify.store.database import (
    TABLES,
    NoStoreError,
    as_user_error,
    check_place,
    connect,
    pack,
    plain_errors,
    put_aside,
    unpack,
)
from socrates_amplify.store.folders import FOLDER, SCENARIOS, make_folders
from socrates_amplify.store.seals import FIELD as SEAL
from socrates_amplify.store.seals import Sealer

FILE = "store.sqlite"
_PROJECT = ""
"""In place of a node id: the row about the project itself, one per version of the code."""
_COPIED = {
    "traces": "nodeid, number, document",
    "outcomes": "nodeid, scenario, verdict, document, finished",
    "findings": "nodeid, scenario, file, failure, found",
}
"""Tables, and their columns behind the version of the code."""
_AT_ONCE = 500
"""Tests in one statement: SQLite takes no more than 999 values in some versions."""
_MOST_CONTROL_RUNS = 100
_NO_FAULTS = Scenario().key
_DOCUMENT = f"CASE WHEN length(document) <= {database.LARGEST_ROW} THEN document END"
"""A row's outcome, or NULL for one that is too large to look at."""


class KeptTest(NamedTuple):
    """The result of a test in a store; ``document`` is what the JSON report says of it."""

    code: str
    nodeid: str
    status: str
    document: Mapping[str, object]


class Store:
    """Outcomes, control runs, finished tests and defects, by code digest and node id.

    Open it with :meth:`open`; use it from any thread. ``warnings`` says in one line each what had
    to be put aside. When a test removes the folder, the next call that adds something writes all of
    it anew: the database that is still open, and the files of this run.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection, warnings: list[str]) -> None:
        self.folder = folder
        self._path = folder / FILE
        self.warnings = warnings
        self._connection = connection
        self._lock = threading.Lock()
        self._sealer = Sealer.of_environment()
        self._files: dict[str, bytes] = {}
        self._many = False
        """Whether much is being added at once: then it was looked before whether all is there."""

    @classmethod
    def open(cls, root: Path) -> Store:
        """The store of the project at ``root``; a corrupt one is put aside and replaced."""
        folder = root / FOLDER
        path = folder / FILE
        warnings: list[str] = []
        make_folders(folder, root)
        check_place(path)
        try:
            connection = connect(path)
        except (sqlite3.DatabaseError, NoStoreError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise as_user_error(path, error) from None
            aside = put_aside(path)
            warnings.append(f"{path} is not usable ({error}); it was kept as {aside.name}")
            with plain_errors(folder):
                connection = connect(path)
        return cls(folder, connection, warnings)

    def close(self) -> None:
        """Let go of the file. The store can't be used afterwards."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_outcome(self, code: str, nodeid: str, outcome: Outcome) -> None:
        """Keep a finished execution. One that is not final is kept too, but never handed back."""
        key = outcome.scenario.key if outcome.final else f"{outcome.scenario.key}@{time.time_ns()}"
        self._write(
            "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?)",
            (
                code,
                nodeid,
                key,
                outcome.verdict.value,
                self._packed(outcome, code, nodeid),
                time.time(),
            ),
        )

    def outcome(self, code: str, nodeid: str, scenario: Scenario) -> Outcome | None:
        """The final outcome of this scenario under this code, or None."""
        rows = self._read(
            f"SELECT {_DOCUMENT} FROM outcomes WHERE code = ? AND nodeid = ? AND scenario = ?",
            (code, nodeid, scenario.key),
        )
        place = (code, nodeid, scenario.key)
        found = unpack(rows[0][0], self._sealer, *place) if rows else None
        return found if found is not None and found.scenario.key == scenario.key else None

    def known(self, code: str, nodeid: str) -> frozenset[str]:
        """The keys of all scenarios of which a final outcome is kept."""
        rows = self._read(
            "SELECT scenario FROM outcomes WHERE code = ? AND nodeid = ?", (code, nodeid)
        )
        return frozenset(key for (key,) in rows if isinstance(key, str) and "@" not in key)

    def last(self, code: str, nodeid: str, scenario: Scenario) -> Outcome | None:
        """The latest outcome of this scenario, final or not: to show it, not to rely on it."""
        rows = self._read(
            f"SELECT {_DOCUMENT} FROM outcomes WHERE code = ? AND nodeid = ?"
            " AND (scenario = ? OR scenario GLOB ?) ORDER BY finished DESC LIMIT 1",
            (code, nodeid, scenario.key, f"{scenario.key}@*"),
        )
        return unpack(rows[0][0], self._sealer, code, nodeid, scenario.key) if rows else None

    def executions(self, code: str, nodeid: str) -> int:
        """How many executions of this test were kept under this code."""
        rows = self._read(
            "SELECT count(*) FROM outcomes WHERE code = ? AND nodeid = ?", (code, nodeid)
        )
        return int(str(rows[0][0]))

    def add_control_runs(self, code: str, nodeid: str, runs: Iterable[Outcome]) -> None:
        """Keep the runs without faults."""
        for number, outcome in enumerate(runs):
            self._write(
                "INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?)",
                (code, nodeid, number, self._packed(outcome, code, nodeid)),
            )

    def control_runs(self, code: str, nodeid: str) -> tuple[Outcome, ...]:
        """The runs without faults under this code, or nothing."""
        rows = self._read(
            f"SELECT {_DOCUMENT} FROM traces WHERE code = ? AND nodeid = ? ORDER BY number LIMIT ?",
            (code, nodeid, _MOST_CONTROL_RUNS),
        )
        runs = tuple(unpack(row[0], self._sealer, code, nodeid, _NO_FAULTS) for row in rows)
        return () if None in runs else tuple(run for run in runs if run is not None)

    def add_test(self, code: str, nodeid: str, status: str, document: object) -> None:
        """Keep the result of a test that is done."""
        self._write(
            "INSERT OR REPLACE INTO tests VALUES (?, ?, ?, ?, ?)",
            (
                code,
                nodeid,
                status,
                json.dumps(self._sealed(document, code, nodeid, status)),
                time.time(),
            ),
        )

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Commit all that is added in the block, and nothing of it if the block fails."""
        path = self._path
        with self._lock:
            self._put_back("a test")
        with plain_errors(path):
            self._connection.execute("BEGIN")
        self._many = True
        try:
            yield
        except BaseException:
            with plain_errors(path):
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self._many = False
        with plain_errors(path):
            self._connection.execute("COMMIT")

    def _sealed(self, document: object, *place: str) -> object:
        return self._sealer.sealed(document, *place) if isinstance(document, dict) else document

    def add_surroundings(self, code: str, document: object) -> None:
        """Keep what a version of the code consists of, beside its tests."""
        self.add_test(code, _PROJECT, "", document)

    def surroundings(self, code: str) -> Mapping[str, object]:
        """What was kept of a version of the code; nothing where that is unknown."""
        found = self.kept(code, _PROJECT)
        return found.document if found else {}

    def kept(self, code: str, nodeid: str) -> KeptTest | None:
        """The result of a test under a version of the code; None where there is none."""
        found = self._kept(
            "SELECT code, nodeid, status, document FROM tests WHERE code = ? AND nodeid = ?",
            (code, nodeid),
        )
        return found[0] if found else None

    def candidates(self, nodeids: Iterable[str], most: int) -> dict[str, list[KeptTest]]:
        """Of each test that is known, its results under so many versions of the code, the latest first."""
        found = {}
        for nodeid in nodeids:
            kept = self._kept(
                "SELECT code, nodeid, status, document FROM tests"
                " WHERE nodeid = ? ORDER BY finished DESC LIMIT ?",
                (nodeid, most),
            )
            if kept:
                found[nodeid] = kept
        return found

    def carry_over(self, old: str, new: str, nodeid: str) -> None:
        """Let what is known of a test under one version of the code be known under another one, too.

        What is sealed is sealed for its place; single outcomes are then left behind.
        """
        if old == new:
            return
        self.forget(new, nodeid)
        kept = self.kept(old, nodeid)
        if kept is not None:
            self.add_test(new, nodeid, kept.status, kept.document)
        if self._sealer.key:
            self.add_control_runs(new, nodeid, self.control_runs(old, nodeid))
            return
        for table, columns in _COPIED.items():
            self._write(
                f"INSERT OR REPLACE INTO {table} SELECT ?, {columns} FROM {table}"
                " WHERE code = ? AND nodeid = ?",
                (new, old, nodeid),
            )

    def _kept(self, statement: str, values: tuple[object, ...]) -> list[KeptTest]:
        """Rows with results; those that are damaged, or not sealed as they should be, are left out."""
        found = []
        for code, nodeid, status, text in self._read(statement, values):
            document = _document(text)
            if document and self._sealer.holds(document, str(code), str(nodeid), str(status)):
                rest = {key: value for key, value in document.items() if key != SEAL}
                found.append(KeptTest(str(code), str(nodeid), str(status), rest))
        return found

    def statuses(self, code: str) -> dict[str, str]:
        """The status of every finished test under this code."""
        rows = self._read("SELECT nodeid, status FROM tests WHERE code = ?", (code,))
        return {str(nodeid): str(status) for nodeid, status in rows}

    def latest(self) -> list[KeptTest]:
        """Every test with a result, as it was when it finished last, whatever the code was then."""
        rows = self._read(
            "SELECT code, nodeid, status, document, max(finished) FROM tests"
            " WHERE nodeid != ? AND length(document) <= ? GROUP BY nodeid ORDER BY nodeid",
            (_PROJECT, database.LARGEST_ROW),
        )
        return [
            KeptTest(str(code), str(nodeid), str(status), _document(text))
            for code, nodeid, status, text, _ in rows
        ]

    def traced_only(self) -> list[tuple[str, str]]:
        """Code and node id of tests that were traced, but never finished: smelly ones, for instance."""
        rows = self._read(
            "SELECT max(code), nodeid FROM traces WHERE nodeid NOT IN (SELECT nodeid FROM tests)"
            " GROUP BY nodeid ORDER BY nodeid",
            (),
        )
        return [(str(code), str(nodeid)) for code, nodeid in rows]

    def newest_code(self, but: str = "") -> str:
        """The version of the code that was run last, ``but`` for one; empty where there is none."""
        rows = self._read("SELECT code, max(finished) FROM tests WHERE code != ?", (but,))
        return str(rows[0][0] or "")

    def add_finding(
        self, code: str, nodeid: str, scenario: Scenario, failure: Failure, file: str
    ) -> None:
        """Keep a defect and the scenario file that replays it."""
        self._write(
            "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?)",
            (code, nodeid, scenario.key, file, json.dumps(failure_to_json(failure)), time.time()),
        )

    def forget(self, code: str, *nodeids: str) -> None:
        """Drop all that is known about these tests under this code, so that they start anew."""
        for start in range(0, len(nodeids), _AT_ONCE):
            some = nodeids[start : start + _AT_ONCE]
            these = f"code = ? AND nodeid IN ({', '.join('?' * len(some))})"
            for table in TABLES:
                self._write(f"DELETE FROM {table} WHERE {these}", (code, *some))

    def keep_latest(self, codes: int) -> None:
        """Drop what is known about all but the latest versions of the code."""
        rows = self._read(
            "SELECT code FROM (SELECT code, finished FROM tests"
            " UNION ALL SELECT code, finished FROM outcomes)"
            " GROUP BY code ORDER BY max(finished) DESC LIMIT -1 OFFSET ?",
            (codes,),
        )
        for (code,) in rows:
            for table in TABLES:
                self._write(f"DELETE FROM {table} WHERE code = ?", (code,))

    def write_file(self, name: str, text: str) -> Path:
        """Write ``text`` below ``.socrates``, whole or not at all."""
        data = text.encode("utf-8", "backslashreplace")
        with self._lock:
            self._put_back("a test")
        path = self._write_file(name, data)
        if name.startswith(SCENARIOS):
            self._files[name] = data
        return path

    def _write_file(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        try:
            writing.write(path, data, self.folder, durable=False)
        except writing.Failed as error:
            raise SocratesError(f"{path}: cannot be written: {error.reason}") from None
        except writing.NotWritten as error:
            raise SocratesError(f"{path}: {error}; remove it") from None
        return path

    def _packed(self, outcome: Outcome, code: str, nodeid: str) -> bytes:
        return pack(outcome, self._sealer, code, nodeid, outcome.scenario.key)

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with plain_errors(self._path), self._lock:
            self._put_back(str(values[1]) if len(values) > 1 else "a test")
            self._connection.execute(statement, values)

    def _put_back(self, nodeid: str) -> None:
        """Write everything anew when the folder or what we rely on in it is gone."""
        path = self._path
        if self._many or (path.exists() and (self.folder / SCENARIOS).exists()):
            return
        make_folders(self.folder, self.folder.parent)
        if not path.exists():
            # The database is still there as long as it is open, though it has no name any more.
            fresh = connect(path)
            self._connection.backup(fresh)
            self._connection.close()
            self._connection = fresh
        for name, data in self._files.items():
            self._write_file(name, data)
        what = f"{self.folder} was removed while {nodeid} or a test beside it ran"
        told = f"{what}; it was written anew"
        if told not in self.warnings:
            self.warnings.append(told)

    def _read(self, statement: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        with plain_errors(self._path), self._lock:
            return self._connection.execute(statement, values).fetchall()


def _document(text: object) -> Mapping[str, object]:
    """The JSON object in a row; an empty one where the row is damaged."""
    try:
        found = json.loads(str(text))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
