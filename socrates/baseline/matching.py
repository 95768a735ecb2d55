"""Which findings a baseline accepts: what was there before, wherever it has moved to.

A finding is looked up by its fingerprint, then by its test, then among the tests that are gone
from their file: renaming, splitting and merging tests, by hand or by a fix, brings nothing new.
What has become more severe is new all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from socrates.baseline.entries import NEVER_ACCEPTED, Entry, entry_of_each
from socrates.classes.lazy import dataclass
from socrates.findings import Finding
from socrates.report.fingerprint import fingerprints


@dataclass(frozen=True, slots=True)
class Match:
    """Findings against a baseline.

    ``accepted`` and ``worse`` name the entry of each finding that has one, by the finding's place
    in the list; ``worse`` are those that are more severe than what was accepted.
    """

    findings: Sequence[Finding]
    accepted: Mapping[int, Entry]
    worse: Mapping[int, Entry]

    @property
    def new(self) -> tuple[Finding, ...]:
        """The findings that count."""
        return tuple(f for place, f in enumerate(self.findings) if place not in self.accepted)

    @property
    def met(self) -> frozenset[str]:
        """The fingerprints of entries that are not fixed: their finding is still there."""
        return frozenset(
            entry.fingerprint for entry in (*self.accepted.values(), *self.worse.values())
        )


def match(
    findings: Sequence[Finding],
    entries: Iterable[Entry],
    read_source: Callable[[str], str | None],
    is_gone: Callable[[Entry], bool] = lambda entry: False,
) -> Match:
    """Find the entry of each finding. ``is_gone`` tells that a file has lost the entry's test."""
    matching = _Matching(findings, entries)
    matching.by_fingerprint(fingerprints(findings, read_source))
    matching.by_test()
    matching.by_lost_test(is_gone)
    return Match(findings, matching.accepted, matching.worse)


def shrunk(
    findings: Sequence[Finding],
    entries: Iterable[Entry],
    read_source: Callable[[str], str | None],
    is_gone: Callable[[Entry], bool],
) -> list[Entry]:
    """The entries that are still needed, as their findings are now; what got worse stays as it was."""
    found = match(findings, entries, read_source, is_gone)
    now = entry_of_each(findings, read_source)
    return [*(now[place] for place in found.accepted), *found.worse.values()]


class _Matching:
    """The pairs so far. Each step takes what the steps before have left."""

    def __init__(self, findings: Sequence[Finding], entries: Iterable[Entry]) -> None:
        self._findings = findings
        self._free = {entry.fingerprint: entry for entry in entries}
        self.accepted: dict[int, Entry] = {}
        self.worse: dict[int, Entry] = {}

    def by_fingerprint(self, names: Sequence[str]) -> None:
        """The same rule, test and text of the line."""
        for place in self._open():
            entry = self._free.get(names[place])
            if entry is not None:
                self._pair(place, entry)

    def by_test(self) -> None:
        """The same rule and test: the line has been edited. Entries go in the order of the file."""
        waiting = defaultdict(list)
        for entry in self._free.values():
            waiting[entry.filename, entry.code, entry.test].append(entry)
        for place in self._open():
            finding = self._findings[place]
            same = waiting[finding.filename, finding.code, finding.test]
            if same:
                self._pair(place, same.pop(0))

    def by_lost_test(self, is_gone: Callable[[Entry], bool]) -> None:
        """The same rule, in another test of a class or module that has lost the entry's test.

        Tests whose names start alike are parts of one: all of them share an entry. Of others,
        each needs an entry of its own.
        """
        lost = defaultdict(list)
        for free in self._free.values():
            if free.test is not None and is_gone(free):
                lost[free.filename, free.code, _container(free.test)].append(free)
        for related in (True, False):
            for place in self._open():
                finding = self._findings[place]
                if finding.test is None:
                    continue
                entries = lost[finding.filename, finding.code, _container(finding.test)]
                entry = next((e for e in entries if self._fits(e, finding, related)), None)
                if entry is not None:
                    self._pair(place, entry)

    def _fits(self, entry: Entry, finding: Finding, related: bool) -> bool:
        if not _accepts(entry, finding):
            return False
        if related:
            return _are_parts(_name(entry.test), _name(finding.test))
        return entry.fingerprint in self._free

    def _open(self) -> list[int]:
        """The places of findings that have no entry yet."""
        return [
            place
            for place, finding in enumerate(self._findings)
            if place not in self.accepted
            and place not in self.worse
            and finding.code not in NEVER_ACCEPTED
        ]

    def _pair(self, place: int, entry: Entry) -> None:
        pairs = self.accepted if _accepts(entry, self._findings[place]) else self.worse
        pairs[place] = entry
        self._free.pop(entry.fingerprint, None)


def _accepts(entry: Entry, finding: Finding) -> bool:
    return entry.severity is None or entry.severity.at_least(finding.severity)


def _container(nodeid: str) -> str:
    return nodeid.rpartition("::")[0]


def _name(nodeid: str | None) -> str:
    return (nodeid or "").rpartition("::")[2]


def _are_parts(one: str, other: str) -> bool:
    """Whether one name goes on where the other ends: ``test_order`` and ``test_order_total``."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(f"{shorter}_")
