"""What the shards of a suite covered, put together: the lines of a file that any of them ran."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from socrates.errors import SocratesError
from socrates_amplify.model.coverage import Coverage, FileCoverage

_RANGES = re.compile(r"\d+(-\d+)?(, \d+(-\d+)?)*|")


def merge(documents: Mapping[str, object], tests: Collection[str]) -> Coverage:
    """The ``coverage`` of several JSON reports, by the reports' names, as one.

    A line that one shard's suite runs was not added by another shard's faults. Files of ``tests``
    are left out: a shard does not know those that are only in the others.
    """
    files: dict[str, list[FileCoverage]] = {}
    for name, document in documents.items():
        for file in _files(name, document):
            if file.filename not in tests:
                files.setdefault(file.filename, []).append(file)
    return Coverage(tuple(_joined(files[name]) for name in sorted(files)))


def read(document: object) -> Coverage:
    """The coverage of one JSON report that we wrote ourselves."""
    return Coverage(tuple(_files("", document)))


def _files(name: str, document: object) -> list[FileCoverage]:
    files = document.get("files") if isinstance(document, dict) else None
    if not isinstance(files, list):
        raise _unreadable(name)
    return [_file(name, file) for file in files]


def _file(name: str, file: object) -> FileCoverage:
    if not isinstance(file, dict):
        raise _unreadable(name)
    filename, statements = file.get("filename"), file.get("statements")
    lines, added = file.get("suite_lines"), file.get("added")
    if (
        not isinstance(filename, str)
        or not isinstance(statements, int)
        or not isinstance(added, list)
        or not all(isinstance(line, int) for line in added)
        or not isinstance(lines, str)
        or not _RANGES.fullmatch(lines)
    ):
        raise _unreadable(name)
    suite = _numbers(lines)
    return FileCoverage(filename, statements, len(suite), tuple(added), suite)


def _unreadable(name: str) -> SocratesError:
    return SocratesError(
        f"{name}: its coverage does not say which lines; run all shards with the same Socrates"
    )


def _numbers(ranges: str) -> tuple[int, ...]:
    """3, 4, 5 and 9 for ``3-5, 9``."""
    pairs = (part.partition("-") for part in ranges.split(", ") if part)
    return tuple(
        number for first, _, last in pairs for number in range(int(first), int(last or first) + 1)
    )


def _joined(parts: Sequence[FileCoverage]) -> FileCoverage:
    suite = {line for part in parts for line in part.suite_lines}
    added = {line for part in parts for line in part.added} - suite
    return FileCoverage(
        parts[0].filename,
        max(part.statements for part in parts),
        len(suite),
        tuple(sorted(added)),
        tuple(sorted(suite)),
    )
