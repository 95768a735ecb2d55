"""Git's wildcards as regular expressions that never backtrack from one star into another.

Between two stars stands a text that has to come somewhere: the first place where it fits is as
good as any later one, so that what was matched up to there is kept for good (an atomic group).
"""

from __future__ import annotations

import re
from functools import lru_cache

from socrates.classes.lazy import dataclass

_SPECIAL = re.compile(rb"[*?\[\\]")
_CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\r\x0b\x0c",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}


class BadGlob(Exception):  # noqa: N818 - an answer, not a failure of the program
    """The glob matches nothing: a bracket or an escape is left open."""


def plain_length(glob: bytes) -> int:
    """How much of a glob comes before its first wildcard or escape."""
    match = _SPECIAL.search(glob)
    return len(glob) if match is None else match.start()


@lru_cache(maxsize=4096)
def name_regex(glob: bytes) -> re.Pattern[bytes] | None:
    """Matches names, which have no slash. None for a glob that matches nothing."""
    return _compiled(0, glob, stars_cross=False)


@lru_cache(maxsize=4096)
def path_regex(glob: bytes) -> re.Pattern[bytes] | None:
    """Matches paths: ``*`` stops at a slash, ``**`` between slashes does not. None as above.

    Git cuts the text before the first wildcard off, so that ``**`` may follow it at once.
    """
    return _compiled(plain_length(glob), glob, stars_cross=True)


def _compiled(plain: int, glob: bytes, *, stars_cross: bool) -> re.Pattern[bytes] | None:
    try:
        rest = _regex(_tokens(glob[plain:], stars_cross=stars_cross))
    except BadGlob:
        return None
    return re.compile(re.escape(glob[:plain]) + rest, re.DOTALL)


# -- reading a glob ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """One step of a glob. ``kind`` is ``one`` for a single character that ``regex`` matches."""

    kind: str
    regex: bytes = b""


_ANY = _Token("one", rb"[^/]")
_STAR = _Token("star")
_SLASH = _Token("slash", b"/")
_FOLDERS = _Token("folders", rb"(?:[^/]*+/)*?")
_SOME_FOLDERS = _Token("folders", rb"(?:[^/]*+/)+?")
_REST = _Token("rest", b".*+")


def _tokens(glob: bytes, *, stars_cross: bool) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(glob):
        char = glob[at : at + 1]
        if char == b"*":
            is_first = not tokens or tokens[-1].kind in ("slash", "folders")
            token, at = _stars(glob, at, stars_cross and is_first)
        elif char == b"[":
            token, at = _bracket(glob, at + 1)
        elif char == b"\\":
            token, at = _literal(glob[at + 1 : at + 2]), at + 2
        else:
            token, at = _ANY if char == b"?" else _literal(char), at + 1
        tokens.append(token)
    return tokens


def _literal(char: bytes) -> _Token:
    if not char:
        raise BadGlob
    return _SLASH if char == b"/" else _Token("one", re.escape(char))


def _stars(glob: bytes, at: int, may_cross: bool) -> tuple[_Token, int]:
    """A run of stars; two or more that fill the space between slashes stand for folders."""
    end = at
    while glob.startswith(b"*", end):
        end += 1
    if may_cross and end - at > 1:
        if end == len(glob):
            return _REST, end
        if glob.startswith(b"/", end):
            return _FOLDERS, end + 1
        if glob.startswith(b"\\/", end):
            return _SOME_FOLDERS, end + 2
    return _STAR, end


def _bracket(glob: bytes, at: int) -> tuple[_Token, int]:
    """A set of characters, from behind its bracket. It never matches a slash."""
    negated = glob[at : at + 1] in (b"!", b"^")
    at += negated
    parts: list[bytes] = []
    low: bytes | None = None  # the character before, from which a range may go on
    first = True
    while first or glob[at : at + 1] != b"]":
        first = False
        char = glob[at : at + 1]
        named = _named_class(glob, at)
        if named is not None:
            parts.append(named[0])
            low, at = None, named[1]
        elif char == b"-" and low is not None and glob[at + 1 : at + 2] not in (b"", b"]"):
            high, at = _set_member(glob, at + 1)
            if low <= high:
                parts.append(re.escape(low) + b"-" + re.escape(high))
            low = None
        else:
            low, at = _set_member(glob, at)
            parts.append(re.escape(low))
    allowed = b"".join(parts)
    if negated:
        return _Token("one", b"[^/" + allowed + b"]"), at + 1
    return _Token("one", b"(?!/)[" + allowed + b"]" if allowed else b"(?!)"), at + 1


def _set_member(glob: bytes, at: int) -> tuple[bytes, int]:
    if glob.startswith(b"\\", at):
        at += 1
    char = glob[at : at + 1]
    if not char:
        raise BadGlob
    return char, at + 1


def _named_class(glob: bytes, at: int) -> tuple[bytes, int] | None:
    """``[:alpha:]`` as characters of a set, and where it ends; None for anything else."""
    if not glob.startswith(b"[:", at):
        return None
    end = glob.find(b"]", at + 2)
    if end < 0:
        raise BadGlob
    name = glob[at + 2 : end]
    if not name.endswith(b":"):
        return None
    if name[:-1] not in _CLASSES:
        raise BadGlob
    return _CLASSES[name[:-1]], end + 1


# -- writing a regular expression ----------------------------------------------------------------


def _regex(tokens: list[_Token]) -> bytes:
    """The tokens as a regular expression, for ``fullmatch``."""
    out = b""
    block: list[_Token] = []
    folders = b""
    for token in tokens:
        if token.kind in ("folders", "rest"):
            out += _placed(folders, _block(block))
            block, folders = [], token.regex
        else:
            block.append(token)
    if folders == _REST.regex:
        return out + folders
    return out + _placed(folders, _block(block) + rb"\Z")


def _placed(folders: bytes, block: bytes) -> bytes:
    """A block of names at the first place below some folders where it fits."""
    return b"(?>" + folders + block + b")" if folders else block


def _block(tokens: list[_Token]) -> bytes:
    """Names between slashes. A name matches in one way only, and is never tried again."""
    names: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == "slash":
            names.append([])
        else:
            names[-1].append(token)
    return b"/".join(_name(name) for name in names)


def _name(tokens: list[_Token]) -> bytes:
    """The last star reaches up to the name's end, the others to the first fitting place."""
    runs: list[bytes] = [b""]
    for token in tokens:
        if token.kind == "star":
            runs.append(b"")
        else:
            runs[-1] += token.regex
    first, *others = runs
    if not others:
        return first
    middle = b"".join(b"(?>[^/]*?" + run + b")" for run in others[:-1] if run)
    return first + middle + b"(?>[^/]*" + others[-1] + rb"(?=/|\Z))"
