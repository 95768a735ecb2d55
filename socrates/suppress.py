"""Comments that silence findings: ``# socrates: ignore[CODE, name] reason`` and ``ignore-file``.

A comment covers the statement whose line it ends; on a ``def`` or decorator line of a test it
covers the whole test; ``ignore-file`` covers the file wherever it stands. Without brackets it
covers every rule. A comment, or one code of it, that silences nothing is itself a finding,
SOC001, so that suppressions never outlive what they were for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from socrates.classes.lazy import dataclass
from socrates.findings import Finding, Severity, Span
from socrates.spelling import did_you_mean, nearest

if TYPE_CHECKING:
    from socrates.syntax.comments import Comment

UNUSED_CODE = "SOC001"
UNUSED_NAME = "unused-suppression"
NEVER_SUPPRESSED = frozenset({"SOC000"})
"""A file that can't be parsed has no comments to trust."""

_ALWAYS = frozenset({"SOC000", UNUSED_CODE})
"""Rules that a comment without brackets does not silence."""

INSTEAD, GUESS = "instead", "guess"
"""Keys in the data of a SOC001 finding: what a fix makes of its comment, and whether it corrects
a spelling, and so silences what it did not silence before."""

MARKER = "socrates:"
DIRECTIVES = ("ignore", "ignore-file")

SpanOfTest = tuple[str, int, int, int]
"""Node id, first row with decorators, row on which the ``def`` line ends, last row."""

_NEXT_COMMENT = re.compile(r"#(?!\d)")
"""Where a comment of another tool starts on the same line; ``#12`` is part of a reason."""

_COMMENT = re.compile(r"#\s*socrates:\s*(?P<word>[A-Za-z][\w-]*)(?P<codes>\s*\[[^\]#]*\]?)?")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. ``codes`` is None when it covers every rule.

    ``first_row`` to ``last_row`` is the statement that the comment belongs to; both are 0 when
    the comment stands alone on its line, where only ``ignore-file`` means something.
    """

    word: str
    codes: tuple[str, ...] | None
    span: Span
    first_row: int = 0
    last_row: int = 0
    broken: bool = False
    filename: str = ""

    @property
    def whole_file(self) -> bool:
        """Whether it covers the file rather than a statement or test."""
        return self.word == "ignore-file"


@dataclass(slots=True)
class _Use:
    """What a suppression turned out to be good for."""

    any: bool = False
    codes: set[str] = field(default_factory=set)


def apply(
    findings: Sequence[Finding],
    source: str,
    filename: str,
    tests: Iterable[SpanOfTest] = (),
    *,
    known: Mapping[str, str] | None = None,
    active: Collection[str] | None = None,
) -> tuple[list[Finding], int, list[Finding]]:
    """Split findings of one file into those kept and a count of those silenced, and find unused comments.

    ``known`` maps the code of every registered rule to its name: codes outside it are reported
    as unknown. ``active`` are the codes that ran: a comment for a rule that did not run is never
    called unused. Order of ``findings`` is preserved.
    """
    if MARKER not in source or _COMMENT.search(source) is None:
        return list(findings), 0, []
    comments = [replace(item, filename=filename) for item in parse(source)]
    suppressions = [item for item in comments if item.word in DIRECTIVES]
    uses = [_Use() for _ in suppressions]
    spans = list(tests)
    kept = [finding for finding in findings if not _is_silenced(finding, suppressions, uses, spans)]
    unused = [_misspelt(item, filename) for item in comments if item.word not in DIRECTIVES]
    for item, use in zip(suppressions, uses, strict=True):
        unused.extend(_unused(item, use, filename, known, active))
    unused = [item for item in unused if not _is_silenced(item, suppressions, uses, spans, True)]
    return kept, len(findings) - len(kept), sorted(unused, key=lambda item: item.sort_key)


def parse(source: str) -> list[Suppression]:
    """All ``# socrates:`` comments, top to bottom. Broken source gives those before the break."""
    from socrates.syntax.comments import read_comments  # only files with such comments need it

    return [item for comment in read_comments(source) for item in _directives(comment)]


def removal(line: str, span: Span) -> Span:
    """The stretch that goes with a comment: its reason, the blanks before it, a line of its own.

    ``line`` is the line that the comment stands on; what another tool reads there stays.
    """
    row, start = span.row, span.column - 1
    following = _NEXT_COMMENT.search(line, span.end_column - 1)
    if following is not None:
        return Span(row, span.column, row, following.start() + 1)
    before = line[:start].rstrip()
    if before:
        return Span(row, len(before) + 1, row, len(line) + 1)
    return Span(row, 1, row + 1, 1)


def _directives(comment: Comment) -> Iterator[Suppression]:
    row, column = comment.row, comment.column
    rows = (comment.first_row, comment.last_row)
    for match in _COMMENT.finditer(comment.text):
        if nearest(match["word"], DIRECTIVES) is None:
            continue  # prose about the philosopher
        span = Span(row, column + match.start() + 1, row, column + match.end() + 1)
        listed = match["codes"]
        if listed is None:
            yield Suppression(match["word"], None, span, *rows)
            continue
        names = listed.strip().strip("[]").split(",")
        codes = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
        broken = not listed.endswith("]")
        yield Suppression(match["word"], codes, span, *rows, broken=broken)


def _is_silenced(
    finding: Finding,
    suppressions: Sequence[Suppression],
    uses: Sequence[_Use],
    tests: Sequence[SpanOfTest],
    by_name_only: bool = False,
) -> bool:
    """Whether any comment covers it; every comment that does is marked as used.

    ``by_name_only`` is for SOC001 itself: a bare ``ignore`` must not hide that it is useless.
    """
    if finding.code in NEVER_SUPPRESSED:
        return False
    silenced = False
    for item, use in zip(suppressions, uses, strict=True):
        if item.codes is None:
            if by_name_only:
                continue
            matching = set()
        else:
            matching = {code for code in item.codes if _names(code, finding)}
            if not matching:
                continue
        if item.whole_file or _covers(item, finding, tests):
            silenced = use.any = True
            use.codes |= matching
    return silenced


def _names(code: str, finding: Finding) -> bool:
    return code.casefold() in (finding.code.casefold(), finding.name.casefold())


def _covers(item: Suppression, finding: Finding, tests: Sequence[SpanOfTest]) -> bool:
    # An inherited test's finding lies in the file of its base, where rows mean other lines.
    here = finding.filename == item.filename
    rows = (finding.span.row, finding.act.row)
    if here and any(item.first_row <= row <= item.last_row for row in rows):
        return True
    for nodeid, first_row, def_end_row, last_row in tests:
        if item.last_row and first_row <= item.first_row and item.last_row <= def_end_row:
            in_rows = here and finding.test is None and first_row <= finding.span.row <= last_row
            if in_rows or finding.test == nodeid:
                return True
    return False


def _unused(
    item: Suppression,
    use: _Use,
    filename: str,
    known: Mapping[str, str] | None,
    active: Collection[str] | None,
) -> Iterator[Finding]:
    if item.broken:
        yield _report(item, filename, f"`{item.word}[` has no closing bracket")
        return
    if item.codes is None:
        if not use.any:
            every = active is None or known is None or set(known) <= {*active, *_ALWAYS}
            message = f"`{item.word}` silences nothing{_why(item)}"
            yield _report(item, filename, message, "" if every else None)
        return
    if not item.codes:
        yield _report(item, filename, f"`{item.word}[]` names no rule", "")
    for code in item.codes:
        if code in use.codes:
            continue
        resolved = _resolve(code, known)
        if resolved is None:
            spellings = [*(known or {}), *(known or {}).values()]
            hint = did_you_mean(code, spellings)
            meant = nearest(code, spellings)
            message = f"unknown rule {code!r} in `{item.word}`{hint}"
            yield _report(item, filename, message, _with(item, code, meant), meant is not None)
        elif resolved != UNUSED_CODE and (active is None or resolved in active):
            message = f"`{item.word}[{code}]` silences nothing{_why(item)}"
            yield _report(item, filename, message, _with(item, code, None))


def _resolve(code: str, known: Mapping[str, str] | None) -> str | None:
    """The rule's code as registered; without a catalogue every code is accepted as it is."""
    return code if known is None else code_of(code, known)


def code_of(given: str, names: Mapping[str, str]) -> str | None:
    """The code of the rule that somebody wrote by its code or its name, in any case of letters."""
    folded = given.casefold()
    for code, name in names.items():
        if folded in (code.casefold(), name.casefold()):
            return code
    return None


def _why(item: Suppression) -> str:
    if item.whole_file or item.last_row:
        return ""
    return " on a line of its own; put it at the end of the line it is for"


def _misspelt(item: Suppression, filename: str) -> Finding:
    meant = replace(item, word=nearest(item.word, DIRECTIVES) or item.word)
    return _report(
        item,
        filename,
        f"unknown directive {item.word!r} after `socrates:`{did_you_mean(item.word, DIRECTIVES)}",
        None if item.broken else _written(meant),
        is_guess=True,
    )


def _with(item: Suppression, code: str, other: str | None) -> str:
    """The comment with another code in the place of one, or without it; empty if none is left."""
    codes = [other if each == code else each for each in item.codes or ()]
    left = tuple(dict.fromkeys(each for each in codes if each is not None))
    return _written(replace(item, codes=left)) if left else ""


def _written(item: Suppression) -> str:
    codes = "" if item.codes is None else f"[{', '.join(item.codes)}]"
    return f"# {MARKER} {item.word}{codes}"


def _report(
    item: Suppression,
    filename: str,
    message: str,
    instead: str | None = None,
    is_guess: bool = False,
) -> Finding:
    """``instead`` is what a fix writes in the place of the comment, empty to remove it."""
    return Finding(
        code=UNUSED_CODE,
        name=UNUSED_NAME,
        severity=Severity.WARNING,
        message=message,
        filename=filename,
        span=item.span,
        advice="Remove the comment, or correct the code in its brackets.",
        data={} if instead is None else {INSTEAD: instead, GUESS: is_guess},
    )
