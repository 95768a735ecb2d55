"""A text after what the editor says has changed in it: single stretches, or all of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types

from socrates.lsp.positions import Encoding, Positions

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def changed(
    text: str, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding
) -> str:
    """The text after all changes, each of which is about the text that the one before has left.

    Places that are not in the text are the nearest ones that are. A change costs time for its own
    lines, so that thousands at once, as of many cursors, are no wait.
    """
    lines = _lines(text)
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            _replace(lines, change, encoding)
        else:
            lines = _lines(change.text)
    return "".join(lines)


def _lines(text: str) -> list[str]:
    """The lines with their ends; the last one has none, and may be empty."""
    lines = _LINE.findall(text)
    if not lines or lines[-1][-1] in "\r\n":
        lines.append("")
    return lines


def _replace(
    lines: list[str], change: types.TextDocumentContentChangePartial, encoding: Encoding
) -> None:
    """Put a new text in the place of a stretch.

    The lines before and after it are split anew, too: an end of CR and LF may have come or gone.
    """
    start, begin = _place(lines, change.range.start, encoding)
    end, stop = _place(lines, change.range.end, encoding)
    if (end, stop) < (start, begin):
        end, stop = start, begin
    low, high = max(start - 1, 0), min(end + 2, len(lines))
    before = "".join(lines[low:start]) + lines[start][:begin]
    after = lines[end][stop:] + "".join(lines[end + 1 : high])
    fresh = _lines(before + change.text + after)
    if high < len(lines):
        fresh.pop()  # the stretch ends with the end of a line: what follows starts the next one
    lines[low:high] = fresh


def _place(lines: list[str], position: types.Position, encoding: Encoding) -> tuple[int, int]:
    """The line and the character in it, both from 0."""
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = Positions((lines[position.line].rstrip("\r\n"),), encoding)
    return position.line, line.place(types.Position(0, position.character))[1] - 1
