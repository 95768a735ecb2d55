"""The file of a baseline: sorted JSON that reads well in a diff, one entry per accepted finding."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import writing
from socrates.files.reading import LARGEST_RESULTS, Missing, Unreadable, read_text
from socrates.findings import Finding, Severity
from socrates.report.fingerprint import fingerprints

DEFAULT_FILE = ".socrates-baseline.json"
VERSION = 1
_SEVERITIES = tuple(severity.value for severity in Severity)
_LISTED = ", ".join(_SEVERITIES)
NEVER_ACCEPTED = frozenset({"SOC000"})
"""A file that cannot be parsed hides everything else in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted finding, at its own severity, whatever ``strict`` makes of it.

    ``severity`` is None in files of 0.1.0 and accepts every severity. The message is for people.
    """

    filename: str
    test: str | None
    code: str
    message: str
    fingerprint: str
    severity: Severity | None = None

    @property
    def sort_key(self) -> tuple[str, str, str, str]:
        """By file, test and code, so that diffs stay small."""
        return (self.filename, self.test or "", self.code, self.fingerprint)

    @property
    def label(self) -> str:
        """How reports call it."""
        return f"{self.test or self.filename}: {self.code} {self.message}"


def entries_of(
    findings: Iterable[Finding], read_source: Callable[[str], str | None]
) -> list[Entry]:
    """The entries that accept these findings."""
    entries = entry_of_each(list(findings), read_source)
    return [entry for entry in entries if entry.code not in NEVER_ACCEPTED]


def entry_of_each(
    findings: Sequence[Finding], read_source: Callable[[str], str | None]
) -> list[Entry]:
    """One entry per finding, in their order."""
    return [
        Entry(each.filename, each.test, each.code, each.message, fingerprint, each.severity)
        for each, fingerprint in zip(findings, fingerprints(findings, read_source), strict=True)
    ]


def dump(entries: Iterable[Entry]) -> str:
    """The file's text."""
    ordered = sorted(entries, key=lambda entry: entry.sort_key)
    document = {"version": VERSION, "findings": [_plain(entry) for entry in ordered]}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def load(path: Path, shown: str) -> list[Entry]:
    """The entries of a file. Raises, naming it as ``shown``, when it is missing or not ours."""
    try:
        document = json.loads(read_text(path, LARGEST_RESULTS))
    except Missing:
        raise SocratesError(
            f"baseline {shown}: no such file; `socrates baseline` writes one"
        ) from None
    except Unreadable as reason:
        raise SocratesError(f"baseline {shown}: cannot be read: {reason}") from None
    except (ValueError, RecursionError):
        raise _corrupt(shown, "it is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise _corrupt(shown, "it has no list of findings")
    if document.get("version") != VERSION:
        raise _corrupt(shown, f"its version is {document.get('version')!r}, not {VERSION}")
    return [_entry(item, number, shown) for number, item in enumerate(document["findings"], 1)]


def save(path: Path, entries: Iterable[Entry], shown: str, root: Path | None) -> None:
    """Write the file, whole or not at all. Raises, naming it as ``shown``, when that fails.

    ``root`` is the project that the file has to lie in, or None where the user has named it.
    """
    try:
        writing.write(path, dump(entries).encode("utf-8"), root)
    except writing.Failed as error:
        raise SocratesError(f"baseline {shown}: cannot be written: {error.reason}") from None
    except writing.NotWritten as reason:
        raise SocratesError(f"baseline {shown}: left alone, {reason}") from None


def _entry(item: object, number: int, shown: str) -> Entry:
    if not isinstance(item, Mapping):
        raise _corrupt(shown, f"entry {number} is not an object")
    for key in ("filename", "code", "message", "fingerprint"):
        if not isinstance(item.get(key), str):
            raise _corrupt(shown, f"entry {number} has no text for {key!r}")
    test = item.get("test")
    if test is not None and not isinstance(test, str):
        raise _corrupt(shown, f"entry {number} has no text for 'test'")
    entry = Entry(item["filename"], test, item["code"], item["message"], item["fingerprint"])
    severity = item.get("severity")
    if severity is None:
        return entry
    if severity not in _SEVERITIES:
        raise _corrupt(shown, f"entry {number} has a severity that is none of {_LISTED}")
    return replace(entry, severity=Severity(severity))


def _plain(entry: Entry) -> dict[str, object]:
    """An entry as JSON has it; one of 0.1.0 stays as it was."""
    known = asdict(entry)
    severity = known.pop("severity")
    return known if severity is None else {**known, "severity": severity.value}


def _corrupt(shown: str, why: str) -> SocratesError:
    return SocratesError(f"baseline {shown}: {why}; write it anew with `socrates baseline`")
