"""JSON reports of ``socrates amplify`` that somebody hands over: read within bounds, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeGuard

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import reading
from socrates_amplify.model.results import FORMAT_VERSION, Status
from socrates_amplify.model.serial import Json

LARGEST = 1024 * reading.MEGABYTE
LARGEST_NUMBER = 10**15
MOST_SHARDS = 100_000
_NO_REPORT = "no report of socrates amplify --output-format json"
_STATUSES = frozenset(status.value for status in Status)


@dataclass(frozen=True, slots=True)
class Report:
    """One JSON report and where it came from."""

    path: Path
    summary: Json
    tests: tuple[Json, ...]
    coverage: object = None


def read(path: Path) -> Report:
    """The report in the file at ``path``; raises SocratesError for anything else.

    Guarantees: numbers can be added and shown; every test has a node id and a known status; what
    a shard says of itself makes sense; errors are texts.
    """
    try:
        text = reading.read_text(path, LARGEST)
        document = json.loads(
            text, parse_int=_whole, parse_float=_number, parse_constant=_no_number
        )
    except reading.Unreadable as error:
        raise SocratesError(f"{path}: cannot be read: {error}") from None
    except (ValueError, RecursionError):
        raise SocratesError(f"{path}: {_NO_REPORT}") from None
    if not isinstance(document, dict) or "version" not in document:
        raise SocratesError(f"{path}: {_NO_REPORT}")
    if document["version"] != FORMAT_VERSION:
        raise SocratesError(
            f"{path}: report version {document['version']!r}, this Socrates merges version "
            f"{FORMAT_VERSION}; run all shards with the same Socrates"
        )
    summary, tests = document.get("summary"), document.get("tests")
    if not _is_summary(summary) or not isinstance(tests, list) or not all(map(_is_test, tests)):
        raise SocratesError(f"{path}: {_NO_REPORT}")
    return Report(path, summary, tuple(tests), document.get("coverage"))


def _whole(text: str) -> int:
    if len(text) > len(str(LARGEST_NUMBER)):
        raise ValueError("a number that no report has")
    return int(text)


def _number(text: str) -> float:
    if not abs(float(text)) <= LARGEST_NUMBER:
        raise ValueError("a number that no report has")
    return float(text)


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is in no report")


def _is_summary(summary: object) -> TypeGuard[Json]:
    if not isinstance(summary, dict):
        return False
    errors = summary.get("errors") or []
    return (
        isinstance(summary.get("duration") or 0, (int, float))
        and isinstance(errors, list)
        and all(map(_is_error, errors))
        and _is_shard(summary.get("shard"))
    )


def _is_error(error: object) -> bool:
    if not isinstance(error, dict):
        return False
    return all(isinstance(error.get(key), str) for key in ("plugin", "message", "location"))


def _is_shard(shard: object) -> bool:
    if not isinstance(shard, dict):
        return shard is None
    index, count = shard.get("index"), shard.get("count")
    if type(index) is not int or type(count) is not int:
        return False
    return 1 <= index <= count <= MOST_SHARDS


def _is_test(test: object) -> bool:
    if not isinstance(test, dict) or not isinstance(test.get("nodeid"), str):
        return False
    status = test.get("status")
    return isinstance(status, str) and status in _STATUSES and isinstance(test.get("defects"), list)
