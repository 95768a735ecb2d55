"""The comments that silence a finding, as edits of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from socrates.findings import Finding, Span
from socrates.fix import Edit
from socrates.model.python.source import split_lines
from socrates.suppress import NEVER_SUPPRESSED, UNUSED_CODE, Suppression, parse
from socrates.syntax.comments import logical_lines

_HEAD = re.compile(r"#!|[ \t\f]*#.*?coding[:=]")
"""What must stay on the first two lines: where Python looks for an interpreter and an encoding."""


def can_be_silenced(finding: Finding) -> bool:
    """Whether a comment helps: not against a broken file, nor against a useless comment."""
    return finding.code not in NEVER_SUPPRESSED and finding.code != UNUSED_CODE


def on_line(finding: Finding, text: str) -> Edit | None:
    """``# socrates: ignore[CODE]`` at the end of the statement, or the code in one that is there.

    None when the statement can't be told, as in a text that does not parse.
    """
    row = finding.span.row
    for first, last in logical_lines(text):
        if first <= row <= last:
            break
    else:
        return None
    for comment in parse(text):
        if not comment.whole_file and comment.first_row == first:
            return _joined(comment, finding)
    lines = split_lines(text)
    line = lines[last - 1]
    if line.endswith("\\"):
        return None
    end = len(line.rstrip())
    return Edit(Span(last, end + 1, last, len(line) + 1), f"  # socrates: ignore[{finding.code}]")


def in_file(finding: Finding, text: str) -> Edit | None:
    """``# socrates: ignore-file[CODE]`` at the top, or the code in one that is there."""
    for comment in parse(text):
        if comment.whole_file:
            return _joined(comment, finding)
    lines = split_lines(text)
    row = 1 + sum(1 for _ in _head(lines))
    newline = "\r\n" if "\r\n" in text else "\n"
    comment_line = f"# socrates: ignore-file[{finding.code}]"
    if row > len(lines):
        at = len(lines[-1]) + 1
        return Edit(Span(len(lines), at, len(lines), at), newline + comment_line)
    return Edit(Span(row, 1, row, 1), comment_line + newline)


def _head(lines: list[str]) -> Iterator[str]:
    if len(lines) > 1 and _HEAD.match(lines[1]) and lines[0].startswith("#"):
        yield from lines[:2]
    elif _HEAD.match(lines[0]):
        yield lines[0]


def _joined(comment: Suppression, finding: Finding) -> Edit | None:
    """The code put into the brackets of a comment; a comment without them silences all already."""
    if comment.codes is None or comment.broken:
        return None
    codes = ", ".join((*comment.codes, finding.code))
    return Edit(comment.span, f"# socrates: {comment.word}[{codes}]")
