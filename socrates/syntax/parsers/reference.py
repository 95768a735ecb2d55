"""Parsing with libcst: the newest grammar, whatever Python runs. Import only when it is wanted."""

from __future__ import annotations

import ast
import sys
import threading
import warnings

import libcst as cst

from socrates.syntax.convert.cursor import Unconvertible
from socrates.syntax.convert.tree import to_ast
from socrates.syntax.nesting import TooDeep, depth_of
from socrates.syntax.refused import Refused
from socrates.syntax.text import plain_lines

_FLAT = 50
"""A depth that fits on any thread's stack."""
_STACK = 256 * 1024 * 1024
_RECURSION_LIMIT = 6000


def parse(text: str) -> ast.Module:
    """The tree that ``ast.parse`` would give if it knew the grammar. Raises Refused.

    The place of a mistake is not told: libcst knows it only roughly.
    """
    plain = plain_lines(text)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = _module(plain)
            return to_ast(module, plain)
    except (TooDeep, RecursionError):
        raise Refused("nested too deeply for libcst's parser") from None
    except Unconvertible as error:
        raise Refused(f"syntax error: {error}") from None
    finally:
        sys.setrecursionlimit(limit)


def _module(plain: str) -> cst.Module:
    """The tree of libcst, which raises what it likes for texts that it does not expect."""
    if plain.startswith("\ufeff"):
        raise Unconvertible("invalid non-printable character U+FEFF")
    depth = depth_of(plain)
    try:
        return cst.parse_module(plain) if depth <= _FLAT else _on_a_deep_stack(plain)
    except cst.ParserSyntaxError as error:
        raise Unconvertible(error.message) from None
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise Unconvertible(str(error)) from None
        raise


def _on_a_deep_stack(plain: str) -> cst.Module:
    """The tree, parsed by a thread whose stack is as deep as any text that is let through."""
    found: list[cst.Module | BaseException] = []

    def work() -> None:
        try:
            found.append(cst.parse_module(plain))
        except BaseException as error:  # it belongs to the caller, whatever it is
            found.append(error)

    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=work, name="socrates-parse")
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]
