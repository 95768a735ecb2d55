"""The baseline: findings that were there before, kept in a file so that only new ones count.

The file is sorted JSON that reads well in a diff. Entries are matched by fingerprint, which
survives moved lines. An entry that nothing matches any more is reported as fixed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import writing
from socrates.files.reading import LARGEST_RESULTS, Missing, Unreadable, read_text
from socrates.findings import Finding
from socrates.report.fingerprint import fingerprints

DEFAULT_FILE = ".socrates-baseline.json"
VERSION = 1
_NEVER_BASELINED = frozenset({"SOC000"})
"""A file that cannot be parsed hides everything else in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted finding. All but the fingerprint is for people."""

    filename: str
    test: str | None
    code: str
    message: str
    fingerprint: str

    @property
    def sort_key(self) -> tuple[str, str, str, str]:
        """By file, test and code, so that diffs stay small."""
        return (self.filename, self.test or "", self.code, self.fingerprint)

    @property
    def label(self) -> str:
        """How reports call it."""
        return f"{self.test or self.filename}: {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Match:
    """Findings against a baseline: the new ones, and the entries that met one."""

    new: tuple[Finding, ...]
    met: frozenset[str]


def entries_of(
    findings: Iterable[Finding], read_source: Callable[[str], str | None]
) -> list[Entry]:
    """The entries that accept these findings, sorted."""
    listed = [finding for finding in findings if finding.code not in _NEVER_BASELINED]
    entries = [
        Entry(finding.filename, finding.test, finding.code, finding.message, fingerprint)
        for finding, fingerprint in zip(listed, fingerprints(listed, read_source), strict=True)
    ]
    return sorted(entries, key=lambda entry: entry.sort_key)


def match(
    findings: Sequence[Finding],
    entries: Iterable[Entry],
    read_source: Callable[[str], str | None],
) -> Match:
    """Which findings are new, and which entries are still true."""
    accepted = {entry.fingerprint for entry in entries}
    new = []
    met = set()
    for finding, fingerprint in zip(findings, fingerprints(findings, read_source), strict=True):
        if fingerprint in accepted and finding.code not in _NEVER_BASELINED:
            met.add(fingerprint)
        else:
            new.append(finding)
    return Match(tuple(new), frozenset(met))


def dump(entries: Iterable[Entry]) -> str:
    """The file's text."""
    ordered = sorted(entries, key=lambda entry: entry.sort_key)
    document = {"version": VERSION, "findings": [asdict(entry) for entry in ordered]}
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
    return Entry(item["filename"], test, item["code"], item["message"], item["fingerprint"])


def _corrupt(shown: str, why: str) -> SocratesError:
    return SocratesError(f"baseline {shown}: {why}; write it anew with `socrates baseline`")
