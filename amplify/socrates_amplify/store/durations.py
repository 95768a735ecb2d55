"""How long each test took to amplify, kept to split the next run evenly.

The file is written by whole runs and by ``socrates merge``, never by a single shard: what one
shard has measured meanwhile must not change how it, or another one, splits the suite.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import reading
from socrates_amplify.model.results import Status, TestResult

FILE = "durations.json"
FORMAT = "socrates-durations"
VERSION = 1


def to_text(durations: Mapping[str, float]) -> str:
    """The JSON text: one line per test, sorted, so that it can be kept in version control."""
    rounded = {nodeid: round(durations[nodeid], 3) for nodeid in sorted(durations)}
    document = {"format": FORMAT, "version": VERSION, "durations": rounded}
    return json.dumps(document, indent=1) + "\n"


def read(path: Path, flag: str = "--durations") -> dict[str, float]:
    """The durations in a file of ours, or in a JSON report of ``socrates amplify``."""
    try:
        document = json.loads(reading.read_text(path, reading.LARGEST_RESULTS))
    except reading.Unreadable as error:
        raise SocratesError(f"{flag}: cannot read {path}: {error}") from None
    except (ValueError, RecursionError):
        raise SocratesError(f"{flag}: {path} is no JSON; {_WAY_OUT}") from None
    found = _entries(document)
    if found is None or not all(is_duration(seconds) for seconds in found.values()):
        raise SocratesError(f"{flag}: {path} has no durations of tests; {_WAY_OUT}")
    return {nodeid: float(str(seconds)) for nodeid, seconds in found.items()}


def read_if_there(path: Path) -> dict[str, float]:
    """As ``read``; nothing when there is no such file, or none that can be used."""
    try:
        return read(path)
    except SocratesError:
        return {}


_WAY_OUT = f"give a {FILE} or a JSON report of socrates amplify"


def _entries(document: object) -> dict[str, object] | None:
    if not isinstance(document, dict):
        return None
    if document.get("format") == FORMAT and document.get("version") == VERSION:
        durations = document.get("durations")
        return durations if isinstance(durations, dict) else None
    tests = document.get("tests")
    if not isinstance(tests, list):
        return None
    return {
        str(test.get("nodeid")): test.get("duration") for test in tests if isinstance(test, dict)
    }


def is_duration(value: object) -> bool:
    """Whether this is a number of seconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value) and value >= 0


def updated(folder: Path, results: Iterable[TestResult], *, resumed: bool) -> str:
    """The text of the file after a run. What ``--resume`` only looked up says nothing about time."""
    known = read_if_there(folder / FILE)
    measured = {
        result.nodeid: result.duration
        for result in results
        if result.status is not Status.NOT_RUN
        and not (resumed and result.nodeid in known)
        and not result.reused
    }
    return to_text({**known, **measured})
