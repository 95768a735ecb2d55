"""A name for a finding that stays the same when lines move, for baselines and code hosts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable

from socrates.findings import Finding
from socrates.model.python.source import split_lines


def fingerprints(
    findings: Iterable[Finding], read_source: Callable[[str], str | None]
) -> list[str]:
    """One fingerprint per finding, in their order, unique within the list.

    A fingerprint depends on the file's name, the rule, the test and the text of the line that the
    finding starts on; blanks do not count, nor does the line's number. Findings alike in all of
    these are told apart by their order. When the source cannot be read, the message stands in for
    the line, with its numbers left out.
    """
    lines = _LineReader(read_source)
    seen: Counter[str] = Counter()
    result = []
    for finding in findings:
        identity = "\x00".join(
            (finding.filename, finding.code, finding.test or "", lines.anchor(finding))
        )
        seen[identity] += 1
        text = f"{identity}\x00{seen[identity]}"
        result.append(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return result


class _LineReader:
    """Keeps the lines of the last file, since findings come sorted by file."""

    def __init__(self, read_source: Callable[[str], str | None]) -> None:
        self._read_source = read_source
        self._filename: str | None = None
        self._lines: list[str] | None = None

    def anchor(self, finding: Finding) -> str:
        if finding.filename != self._filename:
            self._filename = finding.filename
            self._lines = source_lines(self._read_source(finding.filename))
        if self._lines is not None and 1 <= finding.span.row <= len(self._lines):
            return "".join(self._lines[finding.span.row - 1].split())
        kept = "".join("#" if char.isdigit() else char for char in finding.message)
        return " ".join(kept.split())


def source_lines(source: str | None) -> list[str] | None:
    """The lines of a file as Python counts them; None for a file that can't be read."""
    return None if source is None else split_lines(source)
