"""Fix one file in rounds: what does not overlap goes together, and every step is checked again.

Pure but for the two questions that it is given: which fixes there are for a text, and what a
check finds in it. Nothing is kept that breaks the file or leaves its finding as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from socrates.findings import Finding
from socrates.fix import Fix, apply_edits, overlap
from socrates.fixes.compiles import still_compiles
from socrates.model.python.source import SourceError, decode, encoding_of, parse

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


def fix_in_rounds(data: bytes, first: Checked, ask: Ask, check: Check, *, unsafe: bool) -> Outcome:
    """Apply fixes until there are no more, at most MAX_ROUNDS times.

    Guarantees: the result parses and compiles; no definition hides another that was not hidden
    before; of every applied fix, the findings are gone or
    smaller; running it again on its own result applies nothing that was not applied here, unless
    the rounds ran out.
    """
    checked = first
    applied: list[Change] = []
    withdrawn: list[Change] = []
    refused: set[tuple[str, str | None]] = set()
    held_back = rounds = 0
    while rounds < MAX_ROUNDS:
        fixes = ask(data, [f for f in checked.shown if _key(f) not in refused])
        held_back = sum(1 for fix in fixes.values() if not (fix.is_safe or unsafe))
        batch = _compatible(_changes(fixes, unsafe))
        if not batch:
            break
        rounds += 1
        kept, bad, after, now = _largest_good(data, checked, batch, check)
        withdrawn += bad
        refused |= {_key(finding) for change in bad for finding in change.findings}
        if now is not None:
            applied += kept
            data, checked = after, now
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


def _key(finding: Finding) -> tuple[str, str | None]:
    return (finding.code, finding.test)


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
    for change in changes:
        mine = {finding.test for finding in change.findings}
        if not mine & tests and not any(overlap(change.fix, other.fix) for other in chosen):
            chosen.append(change)
            tests |= mine - {None}
    return chosen


def _largest_good(
    data: bytes, before: Checked, batch: Sequence[Change], check: Check
) -> tuple[list[Change], list[Change], bytes, Checked | None]:
    """The changes that hold together and those that don't hold; tried one by one if need be.

    Changes that hold alone but not with others are in neither list: they come again in the next
    round, made for the text as it is then.
    """
    good = list(batch)
    after, now, bad = _try(data, before, good, check)
    if now is not None and not bad:
        return good, [], after, now
    withdrawn = [change for change in good if _fails(data, before, change, check)]
    good = [change for change in good if change not in withdrawn]
    after, now, bad = _try(data, before, good, check)
    if good and (now is None or bad):
        good = good[:1]
        after, now, bad = _try(data, before, good, check)
    return (good, withdrawn, after, now) if good else ([], withdrawn, data, None)


def _fails(data: bytes, before: Checked, change: Change, check: Check) -> bool:
    _, now, bad = _try(data, before, [change], check)
    return now is None or bool(bad)


def _try(
    data: bytes, before: Checked, changes: Sequence[Change], check: Check
) -> tuple[bytes, Checked | None, list[Change]]:
    """The bytes after some changes, what a check finds there, and the changes that failed."""
    if not changes:
        return data, None, []
    text = apply_edits(decode(data), [edit for change in changes for edit in change.fix.edits])
    after = encode(text, data)
    if after is None or not still_compiles(after, data) or _is_worse(after, data):
        return data, None, []
    now = check(after)
    if now is None:
        return data, None, []
    return after, now, [change for change in changes if _stays(change, before, now)]


def _stays(change: Change, before: Checked, now: Checked) -> bool:
    """Whether a finding is as it was, or went on to tests that the fix has brought."""
    was = {_key(finding): finding for finding in before.findings}
    for finding in change.findings:
        if finding.test is None:
            if _alike(finding, now) >= _alike(finding, before):
                return True
            continue
        old = was.get(_key(finding), finding)
        for new in now.findings:
            if new.code != old.code:
                continue
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
    old, new = parse(before).tree, parse(after).tree
    return _shadowed(new) > _shadowed(old) or bool(_unused_imports(new) - _unused_imports(old))


def _shadowed(tree: ast.Module) -> int:
    """How many definitions are lost to a later one of the same name in the same body."""
    lost = 0
    for node in ast.walk(tree):
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
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                imported |= {(name.asname or name.name).partition(".")[0] for name in names}
            case ast.Name(id=name):
                used.add(name)
            case ast.Constant(value=str(text)) if " " not in text:
                used |= set(re.findall(r"\w+", text))
    return imported - used
