"""Parsing with the running Python's own parser: fast, and the one with good messages."""

from __future__ import annotations

import ast
import warnings

from socrates.syntax.refused import Refused
from socrates.syntax.text import split_lines


def parse(text: str) -> ast.Module:
    """The tree of a text. Raises Refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        lines = split_lines(text)
        row = min(max(error.lineno or 1, 1), len(lines))
        column = min(max(error.offset or 1, 1), len(lines[row - 1]) + 1)
        raise Refused(f"syntax error: {error.msg}", row, column) from None
    except (RecursionError, MemoryError):
        raise Refused("nested too deeply for Python's own parser") from None
    except Exception as error:  # such as UnicodeEncodeError and OverflowError
        raise Refused(f"syntax error: {error}") from None
