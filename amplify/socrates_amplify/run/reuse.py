"""``--since``: which tests have to run, and what earlier runs found out about the others.

A result is reused if nothing that its test depends on has changed since it was made, whatever
commit that was, and nothing has changed since the commit that the user names either.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates_amplify.model.outcomes import EVERYTHING
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.planning.changed.repository import Repository, State
from socrates_amplify.record.identity import digest
from socrates_amplify.report.words import counted
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.fingerprint import covers, environment
from socrates_amplify.store.store import Store

if TYPE_CHECKING:  # many modules, which only ``--since`` needs
    from socrates_amplify.planning.changed.impact import Impact

_SHOWN_ONLY = frozenset(
    {
        *("fail_on", "min_severity", "strict", "fail_under", "since_ignore", "coverage"),
        *("jobs", "speculation", "executor", "address", "pip", "ship_limit", "time_budget"),
    }
)
"""Settings that change how a result is told or made, but not what it says."""
_UNFINISHED = (Status.NOT_RUN, Status.ERROR)
"""Statuses of results that another run may change by itself."""
_TRIES = 5
"""So many versions of the code are looked at for one test, the latest first."""

_NAMED = 3
"""So many files that have changed are named."""

NEW, CHANGED, UNSEEN, STALE = "new", "changed", "unseen", "stale"


@dataclass(frozen=True, slots=True)
class Reused:
    """The results that need not be found out again, by node id, the code each was kept under, and a
    line for the user."""

    results: Mapping[str, TestResult] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    told: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What results depend on beside the tests: kept with each version of the code."""

    packages: str
    settings: str
    files: State

    @classmethod
    def of(
        cls, repository: Repository, settings: AmplifySettings, pytest_args: Sequence[str]
    ) -> Surroundings:
        """Those of a run that begins now."""
        told = {
            one.name: getattr(settings, one.name)
            for one in fields(settings)
            if one.name not in _SHOWN_ONLY
        }
        probes = {name: dict(table) for name, table in settings.probes.items()}
        asked = f"{sorted({**told, 'probes': probes}.items())!r} {tuple(pytest_args)!r}"
        return cls(environment(repository.top), digest(asked, 16), repository.now())

    @classmethod
    def read(cls, document: Mapping[str, object]) -> Surroundings | None:
        """Those that the store has kept; None where there are none."""
        packages, settings, files = (document.get(key) for key in ("packages", "settings", "files"))
        if not isinstance(files, dict) or not all(isinstance(name, str) for name in files.values()):
            return None
        return cls(str(packages), str(settings), files)

    def as_document(self) -> dict[str, object]:
        """For the store."""
        return {"packages": self.packages, "settings": self.settings, "files": dict(self.files)}


def surroundings_of(
    root: Path, settings: AmplifySettings, pytest_args: Sequence[str]
) -> Surroundings | None:
    """What to keep with the results of this run; None outside of a repository of git."""
    repository = Repository.around(root)
    return None if repository is None else Surroundings.of(repository, settings, pytest_args)


def reusable(
    store: Store,
    tests: Sequence[str],
    since: str,
    root: Path,
    now: Surroundings | None,
    ignored: Sequence[str],
) -> Reused:
    """What the store knows of these tests and is still true. Raises SocratesError for a bad ``since``."""
    repository = Repository.around(root)
    if repository is None or now is None:
        raise SocratesError(
            f"--since: {root} is in no git repository that git can read; leave --since out"
        )
    commit = _commit(repository, since)
    return _Reuse(store, repository, root, now, ignored).of(tests, since, commit)


def _commit(repository: Repository, since: str) -> str:
    """Where the present work parted from what the user names; that itself where it can't be seen."""
    commit = repository.commit(since)
    if commit is None:
        way_out = (
            "this clone is shallow: fetch it, or clone with its history (fetch-depth: 0)"
            if repository.shallow
            else "give a branch, a tag or a commit that `git rev-parse` knows"
        )
        raise SocratesError(f"--since: {since!r} names no commit here; {way_out}")
    return repository.common(commit) or commit


class _Reuse:
    """One look for results that are still true."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        root: Path,
        now: Surroundings,
        ignored: Sequence[str],
    ) -> None:
        self._store = store
        self._repository = repository
        self._prefix = root.resolve().relative_to(repository.top).as_posix()
        self._now = now
        self._ignored = ignored
        self._then: dict[str, Surroundings | None] = {}
        self._impacts: dict[str, Impact] = {}
        self._executed: frozenset[str] = frozenset()

    def of(self, tests: Sequence[str], since: str, commit: str) -> Reused:
        """What can be reused, and why the rest has to run."""
        from socrates_amplify.merge.results import read_test

        candidates = self._store.candidates(tests, _TRIES)
        if not candidates:
            return Reused(
                told=f"--since {since}: all run, for the store knows none of these tests yet"
            )
        latest = {
            nodeid: self._files(found[0].document) for nodeid, found in candidates.items() if found
        }
        self._executed = frozenset(name for names in latest.values() for name in names)
        changed = self._impact(self._repository.at(commit))
        if changed.all:
            return Reused(told=f"--since {since}: all run, for {changed.all}")
        results: dict[str, TestResult] = {}
        codes: dict[str, str] = {}
        why: Counter[str] = Counter()
        reasons: Counter[str] = Counter()
        for nodeid in tests:
            file = self._inside(nodeid.partition("::")[0])
            if not candidates.get(nodeid):
                why[NEW] += 1
                continue
            if changed.concerns(file, latest[nodeid]):
                why[CHANGED if latest[nodeid] else UNSEEN] += 1
                continue
            for kept in candidates[nodeid]:
                reason = self._outdated(kept.code, file, self._files(kept.document))
                result = read_test(kept.document) if not reason else None
                if result is not None and result.status not in _UNFINISHED:
                    results[nodeid] = replace(result, reused=True)
                    codes[nodeid] = kept.code
                    break
                reasons[reason or "their last run came to no end"] += 1
            else:
                why[STALE] += 1
        return Reused(results, codes, _told(since, len(tests), len(results), why, reasons))

    def _outdated(self, code: str, file: str, executed: Collection[str]) -> str:
        """Why a result is not true any more; empty if it is."""
        if code not in self._then:
            self._then[code] = Surroundings.read(self._store.surroundings(code))
        then = self._then[code]
        if then is None:
            return "the store does not know their code"
        if then.packages != self._now.packages:
            return "installed packages or the interpreter have changed"
        if then.settings != self._now.settings:
            return "settings or arguments have changed"
        if code not in self._impacts:
            self._impacts[code] = self._impact(then.files)
        impact = self._impacts[code]
        return (impact.all or "the store is older") if impact.concerns(file, executed) else ""

    def _impact(self, before: State) -> Impact:
        from socrates_amplify.planning.changed.impact import impact_of

        return impact_of(
            before,
            self._now.files,
            self._repository.content,
            ignored=self._ignored,
            executed=self._executed,
        )

    def _files(self, document: Mapping[str, object]) -> frozenset[str]:
        """The files that a test executes, as seen from the top of the repository."""
        names = document.get("files")
        told = [str(name) for name in names] if isinstance(names, list) else []
        return frozenset(name if name == EVERYTHING else self._inside(name) for name in told)

    def _inside(self, name: str) -> str:
        return posixpath.normpath(posixpath.join(self._prefix, name))


def _told(
    since: str, tests: int, reused: int, why: Mapping[str, int], reasons: Counter[str]
) -> str:
    """How many tests run and why, in one line."""
    parts = [f"{why[name]} {name}" for name in (CHANGED, NEW) if why.get(name)]
    if why.get(UNSEEN):
        parts.append(f"{why[UNSEEN]} because it is not known what they execute")
    if why.get(STALE):
        parts.append(f"{why[STALE]} because {reasons.most_common(1)[0][0]}")
    run = f"{tests - reused} of {counted(tests, 'test')} run"
    run += f" ({', '.join(parts)})" if parts else ""
    return f"--since {since}: {run}, {counted(reused, 'result')} reused"


def what_is_resumed(
    store: Store, code: str, tests: Sequence[str], now: Surroundings | None = None
) -> str:
    """What ``--resume`` finds of these tests, or why it finds nothing."""
    unknown = Status.NOT_RUN.value
    statuses = store.statuses(code)
    known = sum(statuses.get(test, unknown) != unknown for test in tests)
    if known:
        return f"resumed, {known} of {counted(len(tests), 'test')} had a result"
    latest = store.newest_code(but=code)
    if not latest:
        return "nothing to resume: there was no run before"
    then = Surroundings.read(store.surroundings(latest))
    changed = "" if then is None or now is None else _changed(then, now)
    changed = changed or "the code, the settings, the packages or the arguments"
    return f"nothing to resume: {changed} changed since the last run"


def _changed(then: Surroundings, now: Surroundings) -> str:
    """What differs between two runs, by name; empty where it is nothing that is kept of them."""
    names = sorted(
        name
        for name in then.files.keys() | now.files.keys()
        if then.files.get(name) != now.files.get(name) and covers(posixpath.basename(name))
    )
    parts = [", ".join(names[:_NAMED])] if names else []
    if len(names) > _NAMED:
        parts[0] += f" and {counted(len(names) - _NAMED, 'more file')}"
    if then.packages != now.packages:
        parts.append("installed packages or the interpreter")
    if then.settings != now.settings:
        parts.append("settings or arguments")
    return " and ".join(parts)
