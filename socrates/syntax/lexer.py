"""The tokens of a text as far as lines, comments and brackets go, by the newest grammar.

The standard library's ``tokenize`` knows the strings of the Python that runs it. This one knows
those of PEP 701 and PEP 750 everywhere: quotes, comments and line ends inside replacement fields.
It tells names from operators only as far as others here need it, and never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from socrates.classes.lazy import dataclass


class Kind(Enum):
    """What a token is good for."""

    COMMENT = "comment"
    NEWLINE = "newline"
    """The end of a statement's line; line ends inside brackets and on empty lines are no tokens."""
    OPEN = "open"
    CLOSE = "close"
    SEPARATOR = "separator"
    WORD = "word"
    STRING = "string"
    """A literal without replacement fields, or a piece of one with them."""
    OPERATOR = "operator"


class Token(NamedTuple):
    """A token and where it stands, in characters from the start of the text."""

    kind: Kind
    start: int
    end: int


_CODE = re.compile(
    r"""
    (?:[ \t\f\ufeff]+|\\\n)*(?:
      (?P<word>\w+(?![\w'\"]))
    | (?P<line>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<fields>[rR]?[fFtT][rR]?(?:'''|\"\"\"|'|\"))
    | (?P<string>(?:[bB][rR]?|[rR][bB]?|[uU])?(?:
          '''(?:[^\\]|\\.)*?''' | \"\"\"(?:[^\\]|\\.)*?\"\"\"
        | '(?!'')(?:[^\\\n']|\\.)*' | \"(?!\"\")(?:[^\\\n\"]|\\.)*\"))
    | (?P<prefixed>\w+)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<separator>[,;])
    | (?P<operator>[-+*/%@&|^<>=!]=|->|:=|[^\s'\"])
    | $
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_TEXT = re.compile(r"(?:[^\\{}'\"\n]|\\N\{[^}'\"\n]*\}|\\[^{}]|\\(?=[{}]))+", re.DOTALL)
_RAW_TEXT = re.compile(r"(?:[^\\{}'\"\n]|\\[^{}]|\\(?=[{}]))+", re.DOTALL)
_KINDS = {
    "comment": Kind.COMMENT,
    "string": Kind.STRING,
    "prefixed": Kind.WORD,
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
    "separator": Kind.SEPARATOR,
    "operator": Kind.OPERATOR,
}


@dataclass(frozen=True, slots=True)
class _Open:
    """What is open around a place: a string's text, a replacement field in it, or its format.

    ``depth`` is how many brackets are open in front of the field's own code.
    """

    what: str
    quotes: str
    is_raw: bool
    depth: int = 0


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.depth = 0
        self.opened: list[_Open] = []
        self.in_line = False

    def tokens(self) -> Iterator[Token]:
        end = len(self.text)
        while self.pos < end:
            top = self.opened[-1] if self.opened else None
            if top is not None and top.what != "field":
                token = self._in_text(top)
                if token is None:
                    return
                yield token
                continue
            match = _CODE.match(self.text, self.pos)
            if match is None:  # a quote that is never closed
                return
            kind = match.lastgroup
            if kind is None:  # blanks at the end
                break
            start, self.pos = match.span(kind)
            if kind == "line":
                if self.in_line and not self.depth:
                    self.in_line = False
                    yield Token(Kind.NEWLINE, start, self.pos)
            elif kind == "comment":
                yield Token(Kind.COMMENT, start, self.pos)
            else:
                self.in_line = True
                if kind == "word":
                    yield Token(Kind.WORD, start, self.pos)
                else:
                    yield self._in_code(match[kind], kind, top)
        if self.in_line:
            yield Token(Kind.NEWLINE, end, end)

    def _in_code(self, text: str, kind: str, top: _Open | None) -> Token:
        start, end = self.pos - len(text), self.pos
        if kind == "fields":
            quotes = text.lstrip("rRfFtT")
            is_raw = "r" in text.lower()
            self.opened.append(_Open("text", quotes, is_raw))
            return Token(Kind.OPEN, start, end)
        ends_value = top is not None and self.depth == top.depth
        if kind == "open":
            self.depth += 1
        elif kind == "close":
            self.depth = max(self.depth - 1, 0)
            if ends_value:
                self.opened.pop()
        elif ends_value and top is not None and text in (":", ":="):
            self.opened.append(_Open("format", top.quotes, top.is_raw))
            self.pos = end = start + 1
        return Token(_KINDS[kind], start, end)

    def _in_text(self, top: _Open) -> Token | None:
        """The next piece of a string with fields, or None when it is never closed."""
        text, start = self.text, self.pos
        match = (_RAW_TEXT if top.is_raw else _TEXT).match(text, start)
        if match is not None:
            self.pos = match.end()
            return Token(Kind.STRING, start, self.pos)
        here = text[start]
        if text.startswith(top.quotes, start):
            if top.what == "format":
                return None
            self.pos += len(top.quotes)
            self.opened.pop()
            return Token(Kind.CLOSE, start, self.pos)
        if here == "\n" and len(top.quotes) == 1 and top.what == "text":
            return None
        self.pos += 1
        if here in "{}" and top.what == "text" and text.startswith(here, self.pos):
            self.pos += 1
        elif here == "{":
            self.depth += 1
            self.opened.append(_Open("field", top.quotes, top.is_raw, self.depth))
            return Token(Kind.OPEN, start, self.pos)
        elif here == "}" and top.what == "format":
            self.depth -= 1
            del self.opened[-2:]  # the format and the field that it belongs to
            return Token(Kind.CLOSE, start, self.pos)
        return Token(Kind.STRING, start, self.pos)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text with line feeds only; they end where a string is never closed."""
    return _Lexer(text).tokens()
