"""Texts as parsers count their lines."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of a text, ended by LF, CRLF or CR only."""
    return _LINE_END.split(text)


def plain_lines(text: str) -> str:
    """The text with line feeds only, as Python's own parser sees it; rows and columns stay."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
