"""Known defects: groups that the baseline accepts, in the linter's own file and words.

An entry has the group's id as its fingerprint and ``amplify/`` before its class, so that no rule is
ever asked about it: `socrates baseline` keeps such entries as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from socrates.baseline import Entry
from socrates_amplify.model.defect_groups.groups import DefectGroup, groups_of
from socrates_amplify.model.results import RunResult, Status

PREFIX = "amplify/"
_EXAMINED = (Status.RESILIENT, Status.DEFECTIVE)


def accept(run: RunResult, entries: Iterable[Entry]) -> RunResult:
    """The run with the groups that are accepted, and the entries that it could have met but did not."""
    found = {group.id for group in groups_of(run)}
    known = [entry for entry in entries if entry.code.startswith(PREFIX)]
    gone = [e.label for e in known if e.fingerprint not in found and _in_reach(e, run)]
    accepted = frozenset(entry.fingerprint for entry in known) & found
    return replace(run, accepted=accepted, gone=tuple(gone))


def entries_after(run: RunResult, before: Sequence[Entry]) -> list[Entry]:
    """The baseline that accepts all groups of a run; entries that it could not meet stay."""
    now = [_entry(group) for group in groups_of(run)]
    ids = {entry.fingerprint for entry in now}
    kept = [e for e in before if not (e.fingerprint in ids or _in_reach(e, run))]
    return [*now, *kept]


def _entry(group: DefectGroup) -> Entry:
    judgement = group.judgement
    return Entry(
        filename=judgement.site.place.rpartition(":")[0] or group.tests[0].partition("::")[0],
        test=group.tests[0],
        code=PREFIX + judgement.kind.value.replace(" ", "-"),
        message=f"{judgement.site.name}: {judgement.why}",
        fingerprint=group.id,
        severity=judgement.kind.severity,
    )


def _in_reach(entry: Entry, run: RunResult) -> bool:
    """Whether the run would have shown this defect: its test was examined, or is gone from its file."""
    if not entry.code.startswith(PREFIX) or run.interrupted:
        return False
    status = {test.nodeid: test.status for test in run.tests}.get(entry.test or "")
    if status is not None:
        return status in _EXAMINED
    files = {test.nodeid.partition("::")[0] for test in run.tests}
    return run.shard is None and (entry.test or "").partition("::")[0] in files
