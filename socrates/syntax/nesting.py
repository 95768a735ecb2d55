"""How deeply a text is nested, before a parser that would not survive it sees it.

libcst's parser recurses on the machine's stack, takes a time that grows with the square of a
chain of operators, and doubles it with every bracket in the pattern of a ``case``.
"""

from __future__ import annotations

from socrates.syntax.lexer import Kind, Token, tokens

DEEPEST = 1000
"""Operators, brackets and keywords around one place."""
_DEEPEST_BRACKETS = 199
"""CPython's own limit."""
_DEEPEST_PATTERN = 7

_CHAINING = frozenset({"not", "lambda", "if", "else", "and", "or", "in", "is", "await", "for"})


class TooDeep(Exception):  # noqa: N818 - an answer, not a failure of the program
    """A text that is nested too deeply to be parsed."""


def depth_of(text: str) -> int:
    """No less than the depth of the deepest place. Raises TooDeep when no parser should see it."""
    scan = _Scan(text)
    for token in tokens(text):
        scan.add(token)
    return scan.deepest


class _Scan:
    """``_chains`` counts, for each open bracket, what was chained since its last separator."""

    def __init__(self, text: str) -> None:
        self.deepest = 0
        self._text = text
        self._chains = [0]
        self._total = 0
        self._first = ""
        self._branches: dict[int, int] = {}

    def add(self, token: Token) -> None:
        kind = token.kind
        if kind is Kind.COMMENT:
            return
        if not self._first:
            self._start_line(token)
        if kind is Kind.WORD:
            if self._text[token.start : token.end] in _CHAINING:
                self._chain()
        elif kind is Kind.SEPARATOR or kind is Kind.NEWLINE:
            self._total -= self._chains[-1]
            self._chains[-1] = 0
            if kind is Kind.NEWLINE:
                self._first = ""
        elif kind is Kind.CLOSE:
            if len(self._chains) > 1:
                self._total -= self._chains.pop()
        else:
            self._chain()
            if kind is Kind.OPEN:
                self._open()

    def _chain(self) -> None:
        self._chains[-1] += 1
        self._total += 1
        if self._total > self.deepest:
            self.deepest = self._total
            if self.deepest > DEEPEST:
                raise TooDeep

    def _open(self) -> None:
        self._chains.append(0)
        brackets = len(self._chains) - 1
        limit = _DEEPEST_PATTERN if self._first == "case" else _DEEPEST_BRACKETS
        if brackets > limit:
            raise TooDeep

    def _start_line(self, token: Token) -> None:
        """Branches of one ``if`` are nested in one another."""
        self._first = self._text[token.start : token.end] or "\n"
        column = token.start - self._text.rfind("\n", 0, token.start) - 1
        if self._first == "elif":
            self._branches[column] = self._branches.get(column, 0) + 1
            if self._branches[column] > DEEPEST:
                raise TooDeep
        else:
            self._branches.pop(column, None)
