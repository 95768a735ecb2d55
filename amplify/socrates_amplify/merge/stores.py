"""Several stores become one: ``.socrates`` folders of shards are taken into that of a project.

The stores that are read are never changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import temporary, writing
from socrates_amplify.store import durations, scenario_files
from socrates_amplify.store.database import (
    TABLES,
    VERSION,
    NoStoreError,
    any_text,
    check,
    check_place,
)
from socrates_amplify.store.folders import FOLDER, SCENARIOS
from socrates_amplify.store.store import FILE, Store


@dataclass(frozen=True, slots=True)
class Merged:
    """What came in: tests taken, tests that the project's store knew better, versions of the code."""

    taken: int
    kept: int
    codes: int


def find(path: Path) -> Path:
    """The store's folder in ``path``: itself, or the ``.socrates`` in it."""
    for folder in (path, path / FOLDER):
        if (folder / FILE).is_file():
            return folder
    raise SocratesError(f"{path}: no store in it; give a {FOLDER} folder or a JSON report")


def merge(sources: Sequence[Path], root: Path) -> Merged:
    """Take all that the stores in these folders know into the store of the project at ``root``.

    What is known of one test under one version of the code moves as a whole, since its parts
    belong together. When both stores know it, a finished test beats an unfinished one, then the
    later one wins. Scenario files and durations come along.
    """
    taken = kept = 0
    with Store.open(root) as store:
        target = store.folder / FILE
        for source in sources:
            if (source / FILE).resolve() == target.resolve():
                raise SocratesError(f"{source}: is the store to merge into; name only the others")
            with _copied(source) as copy, _attached(target, copy) as connection:
                wins, losses = _contest(connection)
                for code, nodeid in wins:
                    _move(connection, code, nodeid)
            taken, kept = taken + sum(bool(nodeid) for _, nodeid in wins), kept + losses
            _copy_scenarios(source / SCENARIOS, store.folder / SCENARIOS)
        known = durations.read_if_there(store.folder / durations.FILE)
        for source in sources:
            known |= durations.read_if_there(source / durations.FILE)
        with _opened(target) as connection:
            known |= _durations(connection)
            rows = connection.execute("SELECT count(DISTINCT code) FROM tests").fetchone()
        store.write_file(durations.FILE, durations.to_text(known))
    return Merged(taken, kept, int(rows[0]))


@contextlib.contextmanager
def _copied(source: Path) -> Iterator[Path]:
    """A sound copy of a store's file: even reading the original could change its folder."""
    with temporary.folder() as folder:
        copy = folder / FILE
        check_place(source / FILE)  # regular files; others could be read without end
        try:
            for name in (FILE, f"{FILE}-wal"):
                if (source / name).exists():
                    shutil.copyfile(source / name, copy.with_name(name))
        except OSError as error:
            raise SocratesError(f"{source}: cannot be copied: {error.strerror}") from None
        with _opened(copy, source / FILE) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise SocratesError(
                    f"{source / FILE}: a store of version {version}, this Socrates merges version "
                    f"{VERSION}; run all shards with the same Socrates"
                )
            check(connection)
        yield copy


@contextlib.contextmanager
def _opened(path: Path, known_as: Path | None = None) -> Iterator[sqlite3.Connection]:
    """A connection, closed in the end; what SQLite says about a bad file is the user's to know."""
    connection = sqlite3.connect(path, timeout=30.0)
    connection.text_factory = any_text
    try:
        with connection:
            yield connection
    except (sqlite3.Error, NoStoreError, UnicodeDecodeError) as error:
        raise SocratesError(
            f"{known_as or path}: is no usable store ({error}); leave it out"
        ) from None
    finally:
        connection.close()


@contextlib.contextmanager
def _attached(target: Path, source: Path) -> Iterator[sqlite3.Connection]:
    with _opened(target) as connection:
        connection.execute("ATTACH DATABASE ? AS other", (str(source),))
        yield connection
        connection.commit()
        connection.execute("DETACH DATABASE other")


_TIMES = """
SELECT code, nodeid, max(done), max(finished) FROM (
    SELECT code, nodeid, 1 AS done, CAST(finished AS REAL) AS finished FROM {db}.tests
    UNION ALL SELECT code, nodeid, 0, CAST(finished AS REAL) FROM {db}.outcomes
    UNION ALL SELECT code, nodeid, 0, 0 FROM {db}.traces
) GROUP BY code, nodeid
"""


def _contest(connection: sqlite3.Connection) -> tuple[list[tuple[str, str]], int]:
    """The tests of the other store that are to be taken, and how many are not."""
    known = {row[:2]: row[2:] for row in connection.execute(_TIMES.format(db="main"))}
    theirs = {row[:2]: row[2:] for row in connection.execute(_TIMES.format(db="other"))}
    wins = [test for test, when in theirs.items() if test not in known or when > known[test]]
    return wins, sum(bool(nodeid) for _, nodeid in theirs.keys() - set(wins))


def _move(connection: sqlite3.Connection, code: str, nodeid: str) -> None:
    for table in TABLES:
        where = "WHERE code = ? AND nodeid = ?"
        connection.execute(f"DELETE FROM main.{table} {where}", (code, nodeid))
        connection.execute(
            f"INSERT INTO main.{table} SELECT * FROM other.{table} {where}", (code, nodeid)
        )


def _copy_scenarios(source: Path, target: Path) -> None:
    """A file's name says its test and its faults, so one that is there already will do."""
    for path in sorted(source.glob("*.json")):
        if os.path.lexists(target / path.name):
            continue
        text = scenario_files.to_text(scenario_files.read(path))
        try:
            writing.write_new(target / path.name, text.encode(), target)
        except writing.NotWritten as error:
            raise SocratesError(f"{target / path.name}: {error}") from None


def _durations(connection: sqlite3.Connection) -> dict[str, float]:
    """How long each test took the last time that it was finished."""
    found: dict[str, float] = {}
    rows = connection.execute("SELECT nodeid, document FROM tests ORDER BY finished")
    for nodeid, document in rows:
        with contextlib.suppress(ValueError, RecursionError):
            told = json.loads(document)
            duration = told.get("duration") if isinstance(told, dict) else None
            if isinstance(nodeid, str) and durations.is_duration(duration):
                found[nodeid] = float(str(duration))
    return found
