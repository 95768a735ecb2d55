"""Where a value comes from, as plain data: written in the code, handed out, or out of sight."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ModuleInfo
from socrates_rules.mystery_guest.value_names import NEUTRAL_NAMES

_IN_MEMORY = re.compile(r":memory:|mode=memory|^\w*sqlite(\+\w+)?:/*$|^memory://")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\|~|[a-z][a-z+.]*://")
_SCHEME_ALONE = re.compile(r"[a-z][a-z+.]*://($|%|\{)")
"""An address whose host comes from elsewhere."""
_LOOPBACK = re.compile(r"localhost|127\.0\.0\.|0\.0\.0\.0|\[?::1?\]?(?![\w:])|^$")


_JOINS = frozenset({"", "join", "joinpath", "Path", "local", "PurePath"})
_OPENING = re.compile(r"\w*\(")


class Known(enum.Enum):
    """How much is known of where a value comes from."""

    NEUTRAL = "neutral"
    """A number, a separator: says nothing about a resource."""
    FIXED = "fixed"
    """Built from literals and ``__file__``."""
    MANAGED = "managed"
    """From a fixture, ``tempfile``, memory, a mock, or derived from those."""
    UNRESOLVED = "unresolved"
    """From a constant or helper whose definition can't be followed."""
    UNKNOWN = "unknown"
    """Made by production code or otherwise out of sight."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The answer for one expression.

    ``text`` is a canonical form, equal for equal constructions. ``anchored``: it starts at
    ``__file__``, at a root or with a scheme, so nothing that follows moves it. ``is_path``: it is
    a path object. ``is_python``: it is ``sys.executable``.
    """

    known: Known
    text: str = ""
    anchored: bool = False
    is_path: bool = False
    is_python: bool = False
    loopback: bool = False


NEUTRAL = Origin(Known.NEUTRAL)
MANAGED = Origin(Known.MANAGED)
UNKNOWN = Origin(Known.UNKNOWN)
UNRESOLVED = Origin(Known.UNRESOLVED)


def join(parts: Sequence[Origin], name: str = "") -> Origin:
    """The origin of something built from parts: managed wins, then what can't be seen."""
    parts = [part for part in parts if part.known is not Known.NEUTRAL]
    if not parts:
        return NEUTRAL
    if any(part.known is Known.MANAGED for part in parts):
        return replace(MANAGED, is_path=parts[0].is_path)
    first = parts[0]
    texts = [part.text for part in parts]
    if name in _JOINS and len(parts) > 1:
        # One form for all ways to join, so that ``join(join(a, b), c)`` is ``(a, b, c)``.
        head = texts[0].startswith("(") and texts[0].endswith(")")
        name, texts[0] = "", texts[0][1:-1] if head else texts[0]
    text = f"{name}({', '.join(texts)})" if name or len(parts) > 1 else first.text
    kinds = {part.known for part in parts}
    known = next((k for k in (Known.UNKNOWN, Known.UNRESOLVED) if k in kinds), Known.FIXED)
    if first.known is Known.FIXED and first.anchored and not first.loopback:
        known = Known.FIXED
    host = parts[1] if _SCHEME_ALONE.match(first.text[1:]) and len(parts) > 1 else first
    return Origin(known, text, first.anchored, first.is_path, first.is_python, host.loopback)


def either(parts: Sequence[Origin]) -> Origin:
    """The origin of a value that is one of several."""
    for known in (Known.MANAGED, Known.FIXED, Known.UNRESOLVED, Known.UNKNOWN):
        for part in parts:
            if part.known is known:
                return part
    return NEUTRAL


def literal(value: object) -> Origin:
    """The origin of a constant."""
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str):
        return NEUTRAL
    if _IN_MEMORY.search(value):
        return MANAGED
    loopback = bool(_LOOPBACK.search(value))
    anchored = bool(_ABSOLUTE.match(value)) and not _SCHEME_ALONE.match(value)
    return Origin(Known.FIXED, repr(value), anchored, loopback=loopback)


def beside(module: ModuleInfo) -> Origin:
    """The origin of a module's own ``__file__``."""
    return Origin(Known.FIXED, f"{module.name}.__file__", anchored=True)


def of_library(name: str) -> Origin:
    """The origin of a value of the standard library or of another one, by its dotted name."""
    if name in NEUTRAL_NAMES:
        return NEUTRAL
    if name.startswith(("os.", "sys.")) or name.endswith((".__file__", ".__path__")):
        return Origin(Known.FIXED, name, anchored=True, is_python=name == "sys.executable")
    return UNKNOWN if name.startswith("builtins.") else replace(UNRESOLVED, text=name)


def is_below(text: str, kept: Iterable[str]) -> bool:
    """Whether a construction is one of those in ``kept``, or leads to something inside it."""
    if text in kept:
        return True
    folders = [one for one in kept if "'" in one or not one.endswith(("__file__", ")"))]
    inner = text
    while folders:
        for folder in folders:
            open_end = folder.removesuffix(")") if folder[0] == "(" else folder
            if inner.startswith(open_end) and inner[len(open_end) :][:1] in (",", ")", "."):
                return True
            if folder[0] == inner[:1] == "'" and inner.startswith(f"{folder[:-1]}/"):
                return True
        opening = _OPENING.match(inner)
        if opening is None:
            return False
        inner = inner[opening.end() :]
    return False


def any_managed(parts: Iterable[Origin]) -> bool:
    """Whether a fixture, ``tempfile`` or memory has a part in it."""
    return any(part.known is Known.MANAGED for part in parts)
