"""The SQLite file of a store: opened only if it is one of ours, else put aside.

The file may come from somebody else: with a project, an artifact of CI, another version. So a file
with any other table, view, trigger or column than ours is not a store; rows are read up to a limit,
packed and unpacked; and everything stays inside the store's folder, links followed.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import reading, writing
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_from_json, outcome_to_json
from socrates_amplify.store.seals import Sealer

VERSION = 1
COMPANIONS = ("-wal", "-shm", "-journal")
LARGEST_ROW = reading.LARGEST_RESULTS
"""Bytes of one outcome, packed or not. What is larger counts as damaged, and is asked again."""
_LARGEST_RATIO = 100
"""How many times larger than packed an outcome may be; traces are some ten times larger."""
_SMALL = reading.MEGABYTE

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


class NoStoreError(Exception):
    """The file is a database, but no store of this version. The message says why."""


def connect(path: Path) -> sqlite3.Connection:
    """The store in this file, made if there is none. Raises sqlite3.DatabaseError or NoStoreError."""
    connection = sqlite3.connect(path, timeout=30.0, isolation_level=None, check_same_thread=False)
    connection.text_factory = any_text
    try:
        check(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except UnicodeDecodeError:  # of what SQLite says about a name in it
        connection.close()
        raise NoStoreError("its schema is no text") from None
    except BaseException:
        connection.close()
        raise
    return connection


def any_text(data: bytes) -> str:
    """What a store holds in place of a text, which need not be UTF-8."""
    return data.decode("utf-8", "replace")


def check(connection: sqlite3.Connection) -> int:
    """The version of a sound store, 0 for one that is not whole yet; raises for anything else."""
    connection.execute("PRAGMA trusted_schema = OFF")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise NoStoreError(f"version {version}, this is version {VERSION}")
    found, ours = _objects(connection), _our_objects()
    strange = sorted(found - ours)
    if strange:
        kind, name, _ = strange[0]
        raise NoStoreError(f"its {kind} {name[:60]!a} is none of a store")
    if version == VERSION and found != ours:
        raise NoStoreError("it lacks a table of a store")
    (told,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise sqlite3.DatabaseError(str(told).splitlines()[-1])
    return int(version)


def _objects(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    """Everything that the file declares: tables, views, triggers and indexes, each with its text."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema")
    return frozenset((str(kind), str(name), str(sql)) for kind, name, sql in rows)


@functools.cache
def _our_objects() -> frozenset[tuple[str, str, str]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return _objects(connection)


def check_place(path: Path) -> None:
    """Raise SocratesError unless the file and its companions are regular and in their folder."""
    folder = path.parent
    for name in (path.name, *(path.name + companion for companion in COMPANIONS)):
        file = folder / name
        try:
            writing.inside(file, folder)
            if not stat.S_ISREG(os.stat(file).st_mode):  # noqa: PTH116
                raise SocratesError(f"{file}: it is not a regular file; remove it")
        except FileNotFoundError:
            continue
        except writing.NotWritten as error:
            raise SocratesError(f"{file}: {error}; remove it") from None
        except OSError as error:
            raise SocratesError(f"{file}: {error.strerror}") from None


def put_aside(path: Path) -> Path:
    """Rename the file and its companions to the first free name, so that nothing is lost."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    with plain_errors(path):
        path.rename(aside)
        for companion in COMPANIONS:
            beside = path.with_name(path.name + companion)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + companion))
    return aside


@contextlib.contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """What the system or SQLite says of ``path`` becomes one line for the user."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise as_user_error(path, error) from None


def as_user_error(path: Path, error: OSError | sqlite3.Error) -> SocratesError:
    """The line, and what to do."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if full or "disk is full" in str(error):
        return SocratesError(
            f"{path}: the disk is full; make room and go on with socrates amplify --resume"
        )
    if isinstance(error, OSError):
        return SocratesError(f"{path}: cannot be written: {error.strerror or error}")
    return SocratesError(f"{path}: {error}; remove the file or make it writable, then try again")


def pack(outcome: Outcome, sealer: Sealer, *place: str) -> bytes:
    """An outcome as the row of this place keeps it."""
    document = sealer.sealed(outcome_to_json(outcome), *place)
    text = json.dumps(document, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), level=1)


def unpack(document: object, sealer: Sealer, *place: str) -> Outcome | None:
    """The outcome in the row of this place, or None when the row is damaged: it is asked again.

    No more than ``LARGEST_ROW`` is unpacked, and of a small row less, whatever it holds.
    """
    if not isinstance(document, bytes):
        return None
    try:
        unpacker = zlib.decompressobj()
        most = min(LARGEST_ROW, max(_SMALL, _LARGEST_RATIO * len(document)))
        text = unpacker.decompress(document, most)
        if not unpacker.eof:
            return None
        found = json.loads(text.decode("utf-8", "surrogatepass"))
        return outcome_from_json(found) if sealer.holds(found, *place) else None
    except (zlib.error, ValueError, RecursionError, SocratesError):
        return None
