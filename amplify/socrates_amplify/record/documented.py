"""What a function says of errors that leave it: those that it documents for services that fail, and those that it raises again by name."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from types import CodeType

from socrates_amplify.lazy_pattern import later
from socrates_amplify.record.source_trees import around, parsed

_FIELD = later(r"^\s*:(?:raises?|exception|except)\s+(?P<name>[\w.~`]+)\s*:(?P<text>[^\n]*)", re.M)
_SECTION = later(
    r"^(?P<indent>[ \t]*)Raises?:?[ \t]*\n(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]*\S.*(?:\n|$))*)",
    re.M,
)
_ENTRY = later(
    r"^\s*[-*]?\s*(?::\w+:)?[`~]*(?:(?P<name>(?:\w+\.)*(?:[A-Z]\w*|error|timeout))[`]*\s*(?::(?P<text>.*))?"
    r"|(?P<error>[\w.]*(?:Error|Exception))[`]*\s+(?P<when>(?:if|when|on)\b.*))$"
)
_MARKS = (" ", "\t", "-", "*")
"""What an entry of a section begins with, below the section's own name."""
_RULE = later(r"\s*-{3,}\s*")
"""What stands below the name of a section."""
_ALIASES = {"IOError": "OSError", "EnvironmentError": "OSError", "error": "OSError"}
"""Other names of a built-in error, ``socket.error`` among them."""
_OUTAGE = later(
    r"connect|network|unreachable|unavailable|communicat"
    r"|\b(requests?|calls?)\s+(to\s+([\w']+\s+){1,6}|\w+\s+)?(fails?|failed|failure|errors?|not successful|unsuccessful)\b"
    r"|\b(api|server|service|host)s?\s+((fails?|failed)(?! to\b)|is down|are down|(does|do|did) not (answer|respond|reply))\b"
    r"|(fails?|failed|failure) to (reach|contact|fetch|download|retrieve|talk)"
    r"|\b(uploads?|downloads?|refresh|exchange|retrieval|delivery)\s+(fails?|failed)\b"
    r"|\b(errors?|failures?|problems?)\b.{0,40}\b(during|making|sending|performing|executing)\b.{0,20}\brequest"
    r"|(fails?|failed|failure) to (get|receive|obtain|read) (?:\w+ ){0,3}(response|answer|reply)"
    r"|(not|n't|unable to|impossible to) (be )?reach"
    r"|\bno (?:\w+ )?(response|answer|reply)( is| was)? (from|received)\b"
    r"|\b(retry|retries|tries|attempts)\b.*\b(exceeded|exhausted)\b"
    r"|^\s*(if|when|on)\s+(an?y?\s+)?(failure|error)s?(\s+(occurs?|happens?))?\.?\s*$",
    re.IGNORECASE,
)
"""Words that say that an error is for a service that can't be reached.

That a server failed to do what it was asked may be said of its answer alone."""
_OF_NAMES = later(
    r"\b(not|n't) (exist|found|be found)|\bno\b.*\bfound|\bname\b|read-only|already", re.IGNORECASE
)
"""Words that say that what is connected, or a network, is a thing with a name."""
_OF_ARGUMENTS = ("ValueError", "TypeError", "KeyError", "LookupError", "NotFound")
"""What ends the names of errors for what a caller has said."""
_LATE = later(
    r"(request|call|server|service|response|answer|reply|read|api)\b.*\btime[sd]?[ -]?out"
    r"|\btime[sd]?[ -]?out.*\b(request|call|server|service|response|answer|reply|read|api)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Words that say that an error is for an answer that does not come in time, not for work that takes long."""
_ANSWERED = later(
    r"\bhttp\s+(error|failure)"
    r"|\b(api|server|service)\s+(returns?|returned|answers?|responds?|reports?|sends?)\s+(with\s+)?(an?\s+)?(\w+\s+)?error"
    r"|\bnon-2(\d\d|xx)\b",
    re.IGNORECASE,
)
"""Words that say that an error is for an answer with an error status."""
_OF_ANSWERS = ("HTTP", "ResponseError")
"""What the names of clients' errors for such answers have in them."""


def promised(codes: Iterable[CodeType], error: type[BaseException]) -> tuple[str, ...]:
    """``fetch documents ShopError`` for each function that ``error`` left and that promises another, in their order.

    A function that documents the error itself, or a base of it, keeps its word; an error that is named for a
    status is promised for answers only.
    """
    names = {base.__name__ for base in error.__mro__} - {"object", "BaseException", "Exception"}
    late = any("Timeout" in name for name in names)
    answered = any(part in name for name in names for part in _OF_ANSWERS)
    found: list[str] = []
    for code in codes:
        entries = _entries(code)
        if not any(name in names for name, _ in entries):
            found.extend(
                f"{code.co_qualname} documents {name}"
                for name, text in entries
                if name not in ("Exception", "BaseException")
                and "Status" not in name
                and not name.endswith(_OF_ARGUMENTS)
                and (
                    (_OUTAGE.search(text) and not _OF_NAMES.search(text))
                    or (late and _LATE.search(text))
                    or (answered and _ANSWERED.search(text))
                )
            )
    return tuple(dict.fromkeys(found))


@functools.cache
def _entries(code: CodeType) -> tuple[tuple[str, str], ...]:
    """The errors that a function documents, each with what is said of it."""
    text = code.co_consts[0] if code.co_consts else None
    if not isinstance(text, str) or "aise" not in text:
        return ()  # what is no docstring speaks of no ``Raises``
    return tuple((_last(name), said) for name, said in (*_fields(text), *_sections(text)))


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """``:raises ShopError: if ...``."""
    for match in _FIELD.finditer(text):
        yield match["name"], match["text"]


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The entries below ``Raises:``, or below ``Raises`` with a line, with what follows each."""
    for section in _SECTION.finditer(text):
        name, said = "", ""
        lines = section["body"].splitlines()
        ruled = _RULE.fullmatch(lines[0]) if lines else None
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if _RULE.fullmatch(line):
                continue
            of_section = line.startswith(tuple(section["indent"] + mark for mark in _MARKS))
            if _RULE.fullmatch(below) or not (ruled or of_section or not line.strip()):
                break  # the next section
            entry = _ENTRY.match(line)
            if entry:
                if name:
                    yield name, said
                name = entry["name"] or entry["error"]
                said = entry["text"] or entry["when"] or ""
            else:
                said += f" {line.strip()}"
        if name:
            yield name, said


def _last(name: str) -> str:
    plain = name.strip("`~").rpartition(".")[2]
    return _ALIASES.get(plain, plain)


def is_raised_again(filename: str, line: int, error: type[BaseException]) -> bool:
    """Whether the first ``except`` around this line that names the error, or a base of it, raises it again as it is."""
    module = parsed(filename)
    if module is None:
        return False
    tries = [
        node for node in around(module, line) if isinstance(node, ast.Try) and _holds(node, line)
    ]
    names = {base.__name__ for base in error.__mro__}
    for node in sorted(tries, key=lambda one: -one.lineno):
        for handler in node.handlers:
            if handler.type is None or not names.isdisjoint(_named(handler.type)):
                last = handler.body[-1]
                return isinstance(last, ast.Raise) and last.exc is None
    return False


def _holds(node: ast.Try, line: int) -> bool:
    """Whether the line is of what the ``except`` clauses guard."""
    return node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)


def _named(kind: ast.expr) -> set[str]:
    """The names of the classes of an ``except``, without their modules."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in kinds}
