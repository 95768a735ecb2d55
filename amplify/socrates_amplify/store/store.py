"""The memory of all runs: ``.socrates/store.sqlite``, written as things happen.

Every call that adds something has committed it when it returns, so killing the process at any
moment loses no finished execution. Rows are JSON that is validated when it is read; nothing that
comes out of the file is ever executed.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome
from socrates_amplify.model.serial import failure_to_json, outcome_from_json, outcome_to_json

FOLDER = ".socrates"
FILE = "store.sqlite"
SCENARIOS = "scenarios"
VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tests (
    code TEXT NOT NULL, nodeid TEXT NOT NULL, status TEXT NOT NULL, document TEXT NOT NULL,
    finished REAL NOT NULL, PRIMARY KEY (code, nodeid)
);
CREATE TABLE IF NOT EXISTS traces (
    code TEXT NOT NULL, nodeid TEXT NOT NULL, number INTEGER NOT NULL, document BLOB NOT NULL,
    PRIMARY KEY (code, nodeid, number)
);
CREATE TABLE IF NOT EXISTS outcomes (
    code TEXT NOT NULL, nodeid TEXT NOT NULL, scenario TEXT NOT NULL, verdict TEXT NOT NULL,
    document BLOB NOT NULL, finished REAL NOT NULL, PRIMARY KEY (code, nodeid, scenario)
);
CREATE TABLE IF NOT EXISTS findings (
    code TEXT NOT NULL, nodeid TEXT NOT NULL, scenario TEXT NOT NULL, file TEXT NOT NULL,
    failure TEXT NOT NULL, found REAL NOT NULL, PRIMARY KEY (code, nodeid, scenario)
);
"""
TABLES = ("tests", "traces", "outcomes", "findings")


class Store:
    """Outcomes, control runs, finished tests and defects, by code digest and node id.

    Open it with :meth:`open`; use it from any thread. ``warnings`` says in one line each what had
    to be put aside.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection, warnings: list[str]) -> None:
        self.folder = folder
        self.warnings = warnings
        self._connection = connection
        self._lock = threading.Lock()

    @classmethod
    def open(cls, root: Path) -> Store:
        """The store of the project at ``root``; a corrupt one is put aside and replaced."""
        folder = root / FOLDER
        warnings: list[str] = []
        with _plain_errors(folder):
            (folder / SCENARIOS).mkdir(parents=True, exist_ok=True)
            ignore = folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        path = folder / FILE
        try:
            connection = _connect(path)
        except (sqlite3.DatabaseError, _OtherVersionError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise _as_user_error(path, error) from None
            aside = _put_aside(path)
            warnings.append(f"{path} is not usable ({error}); it was kept as {aside.name}")
            with _plain_errors(folder):
                connection = _connect(path)
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
            (code, nodeid, key, outcome.verdict.value, _pack(outcome), time.time()),
        )

    def outcome(self, code: str, nodeid: str, scenario: Scenario) -> Outcome | None:
        """The final outcome of this scenario under this code, or None."""
        rows = self._read(
            "SELECT document FROM outcomes WHERE code = ? AND nodeid = ? AND scenario = ?",
            (code, nodeid, scenario.key),
        )
        found = _unpack(rows[0][0]) if rows else None
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
            "SELECT document FROM outcomes WHERE code = ? AND nodeid = ?"
            " AND (scenario = ? OR scenario GLOB ?) ORDER BY finished DESC LIMIT 1",
            (code, nodeid, scenario.key, f"{scenario.key}@*"),
        )
        return _unpack(rows[0][0]) if rows else None

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
                (code, nodeid, number, _pack(outcome)),
            )

    def control_runs(self, code: str, nodeid: str) -> tuple[Outcome, ...]:
        """The runs without faults under this code, or nothing."""
        rows = self._read(
            "SELECT document FROM traces WHERE code = ? AND nodeid = ? ORDER BY number",
            (code, nodeid),
        )
        runs = tuple(_unpack(row[0]) for row in rows)
        return () if None in runs else tuple(run for run in runs if run is not None)

    def add_test(self, code: str, nodeid: str, status: str, document: object) -> None:
        """Keep the result of a test that is done."""
        self._write(
            "INSERT OR REPLACE INTO tests VALUES (?, ?, ?, ?, ?)",
            (code, nodeid, status, json.dumps(document), time.time()),
        )

    def statuses(self, code: str) -> dict[str, str]:
        """The status of every finished test under this code."""
        rows = self._read("SELECT nodeid, status FROM tests WHERE code = ?", (code,))
        return {str(nodeid): str(status) for nodeid, status in rows}

    def add_finding(
        self, code: str, nodeid: str, scenario: Scenario, failure: Failure, file: str
    ) -> None:
        """Keep a defect and the scenario file that replays it."""
        self._write(
            "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?)",
            (code, nodeid, scenario.key, file, json.dumps(failure_to_json(failure)), time.time()),
        )

    def forget(self, code: str, nodeid: str) -> None:
        """Drop all that is known about one test under this code, so that it starts anew."""
        for table in TABLES:
            self._write(f"DELETE FROM {table} WHERE code = ? AND nodeid = ?", (code, nodeid))

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
        path = self.folder / name
        with _plain_errors(path):
            scratch = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.new")
            scratch.write_text(text, encoding="utf-8", errors="surrogateescape")
            scratch.replace(path)
        return path

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with _plain_errors(self.folder / FILE), self._lock:
            self._connection.execute(statement, values)

    def _read(self, statement: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        with _plain_errors(self.folder / FILE), self._lock:
            return self._connection.execute(statement, values).fetchall()


class _OtherVersionError(Exception):
    """The file is a store of another version of this format."""


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30.0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        (check,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if check != "ok":
            raise sqlite3.DatabaseError(str(check).splitlines()[-1])
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise _OtherVersionError(f"version {version}, this is version {VERSION}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
        for table in TABLES:
            connection.execute(f"SELECT * FROM {table} LIMIT 0")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


def _put_aside(path: Path) -> Path:
    """Rename the file and its companions to the first free name, so that nothing is lost."""
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    with _plain_errors(path):
        path.rename(aside)
        for companion in ("-wal", "-shm"):
            beside = path.with_name(path.name + companion)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + companion))
    return aside


@contextlib.contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise _as_user_error(path, error) from None


def _as_user_error(path: Path, error: OSError | sqlite3.Error) -> SocratesError:
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if full or "disk is full" in str(error):
        return SocratesError(
            f"{path}: the disk is full; make room and go on with socrates amplify --resume"
        )
    if isinstance(error, OSError):
        return SocratesError(f"{path}: cannot be written: {error.strerror or error}")
    return SocratesError(f"{path}: {error}; remove the file or make it writable, then try again")


def _pack(outcome: Outcome) -> bytes:
    text = json.dumps(outcome_to_json(outcome), separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), level=1)


def _unpack(document: object) -> Outcome | None:
    """The outcome in a row, or None when the row is damaged: it is then asked again."""
    if not isinstance(document, bytes):
        return None
    try:
        text = zlib.decompress(document).decode("utf-8", "surrogatepass")
        return outcome_from_json(json.loads(text))
    except (zlib.error, ValueError, RecursionError, SocratesError):
        return None
