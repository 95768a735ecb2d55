"""Fix one file in rounds: what does not overlap goes together, and every step is checked again.

Pure but for the two questions that it is given: which fixes there are for a text, and what a
check finds in it. Nothing is kept that breaks the file or leaves its finding as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache

from socrates.classes.lazy import dataclass
from socrates.findings import Finding
from socrates.fix import Fix, Stretches, apply_edits
from socrates.fixes.compiles import still_compiles
from socrates.model.python.source import SourceError, decode, encoding_of, parse
from socrates.model.python.walk import walk

MAX_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check said of one text of a file. ``shown`` are the findings that may be fixed."""

    findings: tuple[Finding, ...]
    shown: tuple[Finding, ...]
    tests: frozenset[str]


@dataclass(frozen=True, slots=True)
class Change:
    """A fix with all findings that it is meant to take away."""

    fix: Fix
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A file after its last round. ``held_back`` counts findings that only unsafe fixes mend."""

    data: bytes
    checked: Checked
    applied: tuple[Change, ...] = ()
    withdrawn: tuple[Change, ...] = ()
    held_back: int = 0
    rounds: int = 0


Check = Callable[[bytes], Checked | None]
"""Checks a text; None when it does not parse."""
Ask = Callable[[bytes, Sequence[Finding]], dict[Finding, Fix]]
_Key = tuple[str, str | None]
_TRIES = 10
"""How often a round checks the file at most."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """One round: the changes that were kept, those that break the file, those that mend nothing.

    A doubtful change may have failed because of another one: it has a second chance.
    """

    kept: tuple[Change, ...]
    broken: tuple[Change, ...]
    doubtful: tuple[Change, ...]
    data: bytes
    checked: Checked | None


def fix_in_rounds(data: bytes, first: Checked, ask: Ask, check: Check, *, unsafe: bool) -> Outcome:
    """Apply fixes until there are no more, at most MAX_ROUNDS times.

    Guarantees: the result parses and compiles; no definition hides another that was not hidden
    before; of every applied fix, the findings are gone or smaller; running it again on its own
    result applies nothing that was not applied here, unless the rounds ran out. A round checks the
    file a few times, however many fixes there are.
    """
    checked = first
    applied: list[Change] = []
    withdrawn: list[Change] = []
    refused: set[_Key] = set()
    doubted: set[_Key] = set()
    held_back = rounds = 0
    while rounds < MAX_ROUNDS:
        fixes = ask(data, [f for f in checked.shown if _key(f) not in refused])
        held_back = sum(1 for fix in fixes.values() if not (fix.is_safe or unsafe))
        batch = _compatible(_changes(fixes, unsafe))
        if not batch:
            break
        rounds += 1
        tried = _largest_good(data, checked, batch, check, doubted)
        again = [change for change in tried.doubtful if _keys(change) <= doubted]
        bad = [*tried.broken, *again]
        withdrawn += bad
        refused |= {key for change in bad for key in _keys(change)}
        doubted |= {key for change in tried.doubtful for key in _keys(change)}
        if tried.checked is not None:
            applied += tried.kept
            data, checked = tried.data, tried.checked
    return Outcome(data, checked, tuple(applied), tuple(withdrawn), held_back, rounds)


def encode(text: str, like: bytes) -> bytes | None:
    """Text as bytes in the encoding of the file that it comes from; None if it can't hold it.

    Guarantees: the bytes decode to the text, and what did not change in the text did not change
    in the bytes. ``unicode_escape`` and its kin don't give back the bytes that they took.
    """
    try:
        encoding = encoding_of(like)
        data = text.encode(encoding)
        is_faithful = decode(data) == text and decode(like).encode(encoding) == like
        return data if is_faithful else None
    except (UnicodeError, SourceError):
        return None


def _key(finding: Finding) -> _Key:
    return (finding.code, finding.test)


def _keys(change: Change) -> set[_Key]:
    return {_key(finding) for finding in change.findings}


def _changes(fixes: dict[Finding, Fix], unsafe: bool) -> list[Change]:
    """One change for each distinct fix that may be applied."""
    findings: dict[Fix, list[Finding]] = {}
    for finding, fix in fixes.items():
        if fix.edits and (fix.is_safe or unsafe):
            findings.setdefault(fix, []).append(finding)
    return [Change(fix, tuple(mended)) for fix, mended in findings.items()]


def _compatible(changes: Iterable[Change]) -> list[Change]:
    """The first changes that touch neither the same text nor the same test; the others wait."""
    chosen: list[Change] = []
    tests: set[str | None] = set()
    taken = Stretches()
    for change in changes:
        mine = {finding.test for finding in change.findings}
        if not mine & tests and taken.take(change.fix.edits):
            chosen.append(change)
            tests |= mine - {None}
    return chosen


def _largest_good(
    data: bytes,
    before: Checked,
    batch: Sequence[Change],
    check: Check,
    doubted: Set[_Key],
) -> _Tried:
    """The changes that hold together, those that break the file, and those that mend nothing.

    Changes that hold alone but not with others are nowhere: they come again in the next round,
    made for the text as it is then. If all are bad, the first half is tried, unless all are
    ``doubted`` already.
    """
    good, broken = _holding(data, batch)
    doubtful: list[Change] = []
    for _ in range(_TRIES):
        after = _changed(data, good) if good else None
        now = check(after) if after is not None else None
        if after is None or now is None:
            bad = list(good)
        else:
            bad = _staying(good, before, now)
            if not bad:
                return _Tried(tuple(good), tuple(broken), tuple(doubtful), after, now)
        if len(bad) < len(good):
            doubtful += bad
            good = [change for change in good if change not in bad]
        elif len(good) > 1 and not all(_keys(change) <= doubted for change in good):
            middle = len(good) // 2
            doubtful += good[middle:]
            good = good[:middle]
        else:
            return _Tried((), (*broken, *good), tuple(doubtful), data, None)
    return _Tried((), (*broken, *good), tuple(doubtful), data, None)


def _holding(data: bytes, changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """Changes that leave a program together, and changes that don't even alone; by halves."""
    if not changes or _changed(data, changes) is not None:
        return list(changes), []
    if len(changes) == 1:
        return [], list(changes)
    middle = len(changes) // 2
    first, broken = _holding(data, changes[:middle])
    second, more = _holding(data, changes[middle:])
    both = [*first, *second]
    if first and second and _changed(data, both) is None:
        both = first
    return both, [*broken, *more]


def _changed(data: bytes, changes: Sequence[Change]) -> bytes | None:
    """The bytes after some changes; None if they are no program, or one that hides or idles names."""
    text = apply_edits(decode(data), [edit for change in changes for edit in change.fix.edits])
    after = encode(text, data)
    if after is None or not still_compiles(after, data) or _is_worse(after, data):
        return None
    return after


def _staying(changes: Sequence[Change], before: Checked, now: Checked) -> list[Change]:
    """The changes whose finding is as it was, or went on to tests that the change has brought."""
    was = {_key(finding): finding for finding in before.findings}
    new: dict[str, list[Finding]] = {}
    for finding in now.findings:
        new.setdefault(finding.code, []).append(finding)
    return [
        change
        for change in changes
        if any(
            _stays(f, was.get(_key(f), f), new.get(f.code, ()), before, now)
            for f in change.findings
        )
    ]


def _stays(
    finding: Finding, old: Finding, alike: Sequence[Finding], before: Checked, now: Checked
) -> bool:
    if finding.test is None:
        return _alike(finding, now) >= _alike(finding, before)
    for new in alike:
        if new.test == old.test:
            if new.message == old.message or new.severity.rank > old.severity.rank:
                return True
        elif new.test not in before.tests and _is_nearby(new, old):
            if _as_bad(old, now) >= _as_bad(old, before):
                return True
    return False


def _alike(finding: Finding, checked: Checked) -> int:
    """How many findings about the file say the same: of those without a test, any may be gone."""
    same = (finding.code, None, finding.message)
    return sum((other.code, other.test, other.message) == same for other in checked.findings)


def _is_nearby(new: Finding, old: Finding) -> bool:
    """Whether a new test may have come from an old one: both stand in the same class or module."""
    return (new.test or "").rpartition("::")[0] == (old.test or "").rpartition("::")[0]


def _as_bad(finding: Finding, checked: Checked) -> int:
    """How many findings of the same rule are as bad or worse."""
    return sum(
        other.code == finding.code and other.severity.at_least(finding.severity)
        for other in checked.findings
    )


def _is_worse(after: bytes, before: bytes) -> bool:
    """Whether a definition or an import has become useless, which other linters report."""
    shadowed, unused = _useless(before)
    now_shadowed, now_unused = _useless(after)
    return now_shadowed > shadowed or bool(now_unused - unused)


@lru_cache(maxsize=4)
def _useless(data: bytes) -> tuple[int, frozenset[str]]:
    tree = parse(data).tree
    return _shadowed(tree), frozenset(_unused_imports(tree))


def _shadowed(tree: ast.Module) -> int:
    """How many definitions are lost to a later one of the same name in the same body."""
    lost = 0
    for node in walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            names = [
                part.name
                for part in node.body
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            ]
            lost += len(names) - len(set(names))
    return lost


def _unused_imports(tree: ast.Module) -> set[str]:
    """Imported names that neither code nor a text, such as ``__all__`` or an annotation, has."""
    imported: set[str] = set()
    used: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                imported |= {(name.asname or name.name).partition(".")[0] for name in names}
            case ast.Name(id=name):
                used.add(name)
            case ast.Constant(value=str(text)) if " " not in text:
                used |= set(re.findall(r"\w+", text))
    return imported - used
