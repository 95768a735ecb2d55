"""One grammar on every Python: what libcst or the running Python's parser accepts is parsed.

libcst is the reference: it knows the newest grammar, whatever Python runs. CPython's own parser
is faster and gives the same tree, so it goes first unless it is told otherwise. What one refuses
the other is asked for; what both refuse is told in CPython's words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.syntax import AUTO, LIBCST, PYTHON
from socrates.syntax.parsers import cpython
from socrates.syntax.refused import Refused
from socrates.syntax.text import plain_lines


def parse(text: str, parser: str = AUTO) -> ast.Module:
    """The tree of a text. Raises Refused with the place of the mistake.

    ``auto`` and ``libcst`` give the same trees and refuse the same texts, whichever is asked
    first; ``python`` asks the running Python's parser alone.
    """
    if parser == LIBCST:
        found = _with_libcst(text)
        return found if found is not None else _with_cpython(text)
    try:
        return cpython.parse(text)
    except Refused as error:
        if parser == PYTHON:
            raise
        refused = error
    found = _with_libcst(text)
    if found is None:
        raise _blamed(text, refused)
    return found


def _with_cpython(text: str) -> ast.Module:
    """The tree of a text that libcst refuses."""
    try:
        return cpython.parse(text)
    except Refused as error:
        raise _blamed(text, error) from None


def _with_libcst(text: str) -> ast.Module | None:
    from socrates.syntax.parsers import reference

    try:
        return reference.parse(text)
    except Refused:
        return None


def _blamed(text: str, refused: Refused) -> Refused:
    """The mistake of a text that both parsers refuse.

    CPython's complaint may be about grammar that is only too new for it. Where it complains about
    a statement that libcst accepts, the first statement that both refuse has the mistake.
    """
    pieces = list(_top_level(plain_lines(text)))
    blamed = [(row, piece) for row, piece in pieces if row <= refused.row][-1:]
    for row, piece in blamed:
        if _complaint(row, piece) is None or _with_libcst(piece) is None:
            return refused
    for row, piece in pieces:
        complaint = _complaint(row, piece)
        if complaint is not None and _with_libcst(piece) is None:
            return complaint
    return refused


def _complaint(row: int, piece: str) -> Refused | None:
    """What CPython says of a statement that starts on a row."""
    try:
        cpython.parse("\n" * (row - 1) + piece)
    except Refused as error:
        return error
    return None


_GOES_ON = frozenset({"elif", "else", "except", "finally"})


def _top_level(plain: str) -> Iterator[tuple[int, str]]:
    """The statements of a module with the row that each starts on, decorators included."""
    from socrates.syntax.lexer import Kind, tokens  # its patterns take a while to compile

    start, fresh, decorated = 0, True, False
    for token in tokens(plain):
        if token.kind is Kind.NEWLINE:
            fresh = True
        elif fresh and token.kind is not Kind.COMMENT:
            fresh = False
            at_margin = token.start == 0 or plain[token.start - 1] == "\n"
            word = plain[token.start : token.end]
            if at_margin and not decorated and word not in _GOES_ON and token.start > start:
                yield plain.count("\n", 0, start) + 1, plain[start : token.start]
                start = token.start
            if at_margin:
                decorated = word == "@"
    yield plain.count("\n", 0, start) + 1, plain[start:]
