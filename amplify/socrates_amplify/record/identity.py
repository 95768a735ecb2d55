"""What makes a message the same message in another run: content without what runs differ in.

Nothing here depends on ``id()``, the hash seed, uuids, wall clocks or temporary paths.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import reprlib
import types
import uuid
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.secrets import without_secrets

StandIn = Callable[[object], str | None]
"""Names a framework's live object (a reference, a proxy) stably, or None if it is none."""

_VOLATILE = (
    # A text that such a thing must contain, and how it looks. Each pattern starts with what it
    # looks for, never with an anchor, since that is what lets ``re`` skip through long texts.
    ("-", "<uuid>", later(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")),
    ("", "<uuid>", later(r"[0-9a-f]{32}(?<![0-9a-zA-Z].{32})(?![0-9a-zA-Z])")),
    ("0x", "<address>", later(r"0x[0-9a-fA-F]{4,}")),
    (
        ":",
        "<time>",
        later(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
            r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
        ),
    ),
    # No part of a MAC address.
    (
        ":",
        "<time>",
        later(r"[0-9]{2}(?<![0-9A-Fa-f]:..):[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?!:[0-9A-Fa-f])"),
    ),
    (".", "<time>", later(r"1[5-9][0-9]{8}\.[0-9]+")),
    # Ports of this machine that the system handed out: another one in the next run.
    ("127.0.0.1:", "<port>", later(r"(?<=127\.0\.0\.1:)[0-9]{4,5}")),
    ("localhost:", "<port>", later(r"(?<=localhost:)[0-9]{4,5}")),
    ("port=", "<port>", later(r"(?<=port=)[0-9]{4,5}")),
    (
        "/",
        "<tmp>",
        later(
            r"/(?:private/)?(?:tmp|var/folders)/(?:[^\s'\"/]+/)*?pytest-of-[^\s'\"/]+/pytest-[0-9]+"
            r"|/(?:private/)?(?:tmp|var/folders)/[^\s'\"/]+"
        ),
    ),
)
_EPOCH = (1_500_000_000, 2_300_000_000)
_SCALES = (1, 1_000, 1_000_000, 1_000_000_000)
_DEPTH = 12
_NODES = 20_000
_HUGE = 20_000
"""Texts beyond this are taken as they are: reading them for uuids would cost more than it gives."""
_HANDLES = (types.FunctionType, types.BuiltinFunctionType, type)
_PLAIN = (bool, type(None), complex)
_OTHERS = (
    *(list, tuple, set, frozenset, Mapping, enum.Enum, bytes, BaseException),
    *(uuid.UUID, datetime.datetime, datetime.date, datetime.time, *_HANDLES),
)
"""What is read in another way than field by field."""


def scrub(text: str) -> str:
    """``text`` with uuids, addresses, clock times and temporary paths replaced by their kind."""
    if len(text) < 6:
        return text
    for sign, kind, pattern in _VOLATILE:
        if sign in text if sign else len(text) >= 32:
            text = pattern.sub(kind, text)
    return text


def digest(text: str, size: int = 6) -> str:
    """A short hash that is the same in every process."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def canonical(value: object, stand_in: StandIn | None = None) -> str:
    """A text that is equal for equal content, whatever the run. Never raises, always ends."""
    return _Canon(stand_in).text(value, 0)


def short(value: object, stand_in: StandIn | None = None, limit: int = 80) -> str:
    """A readable form of a message or a reply: scrubbed, without secrets, at most ``limit`` long."""
    name = stand_in(value) if stand_in else None
    text = name if name is not None else _readable(value)
    if name is None and stand_in is not None and "<" in text:
        for item in _inside(value):
            inner = stand_in(item)
            text = text if inner is None else text.replace(repr(item), inner)
    return cut(without_secrets(scrub(text[: limit * 4])), limit)


def cut(text: str, limit: int = 80) -> str:
    """``text`` on one line, at most ``limit`` long."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


class _Canon:
    """One walk over one value; it counts nodes so that a huge or cyclic value ends."""

    def __init__(self, stand_in: StandIn | None) -> None:
        self._stand_in = stand_in
        self._nodes = 0
        self._path: set[int] = set()

    def text(self, value: object, depth: int) -> str:
        kind = type(value)
        if isinstance(value, str) and kind is str:
            return repr(scrub(value)) if len(value) < _HUGE else f"str({digest(value)})"
        if kind is int or kind is float:
            return "<time>" if _looks_like_clock(value) else repr(value)  # type: ignore[arg-type]
        if kind in _PLAIN:
            return repr(value)
        self._nodes += 1
        if depth > _DEPTH or self._nodes > _NODES or id(value) in self._path:
            return f"<{kind.__qualname__}...>"
        self._path.add(id(value))
        try:
            return self._compound(value, depth + 1)
        except Exception:
            # A property or __repr__ of the user's that raises says no more than its type.
            return f"<{kind.__qualname__}>"
        finally:
            self._path.discard(id(value))

    def _compound(self, value: object, depth: int) -> str:
        name = self._stand_in(value) if self._stand_in else None
        if name is not None:
            return f"<{name}>"
        kind: type = type(value)
        if hasattr(kind, "__dataclass_fields__") and has_fields_alone(kind):
            return self._instance(value, depth)
        if kind in (list, tuple):
            return f"{kind.__name__}({self._items(value, depth)})"  # type: ignore[arg-type]
        if isinstance(value, (set, frozenset)):
            return f"set({','.join(sorted(self.text(item, depth) for item in value))})"
        if isinstance(value, Mapping):
            pairs = [
                f"{self.text(key, depth)}:{self.text(item, depth)}" for key, item in value.items()
            ]
            return f"{kind.__qualname__}{{{','.join(sorted(pairs))}}}"
        if isinstance(value, enum.Enum):
            return f"{kind.__qualname__}.{value.name}"
        if isinstance(value, (uuid.UUID, datetime.datetime, datetime.date, datetime.time)):
            return f"<{kind.__qualname__}>"
        if isinstance(value, bytes):
            return f"bytes({digest(value.hex())})"
        if isinstance(value, _HANDLES):
            return f"{value.__module__}:{value.__qualname__}"
        if isinstance(value, BaseException):
            return f"{kind.__qualname__}({self._items(value.args, depth)})"
        if isinstance(value, tuple):
            return f"{kind.__qualname__}({self._items(value, depth)})"
        return self._instance(value, depth)

    def _items(self, values: Iterable[object], depth: int) -> str:
        return ",".join([self.text(item, depth) for item in values])

    def _instance(self, value: object, depth: int) -> str:
        kind = type(value)
        fields = _fields(value)
        if fields:
            inner = ",".join(f"{name}={self.text(item, depth)}" for name, item in fields)
            return f"{kind.__qualname__}({inner})"
        if kind.__repr__ is object.__repr__ or kind.__module__ in ("_thread", "threading", "_io"):
            return f"<{kind.__qualname__}>"
        return f"{kind.__qualname__}:{scrub(repr(value))}"


def _fields(value: object) -> list[tuple[str, object]]:
    """The fields of an instance by name: dataclass, attrs, plain attributes and slots alike."""
    if isinstance(value, type):
        return []
    if dataclasses.is_dataclass(value):
        return [(name, getattr(value, name, None)) for name in _dataclass_fields(value.__class__)]
    found = dict(getattr(value, "__dict__", ()))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if not name.startswith("__") and hasattr(value, name):
                found[name] = getattr(value, name)
    return sorted(found.items())


@functools.cache
def has_fields_alone(kind: type) -> bool:
    """Whether instances of a dataclass are nothing but their fields."""
    return not issubclass(kind, _OTHERS)


@functools.cache
def _dataclass_fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def _looks_like_clock(value: int | float) -> bool:
    """Seconds since the epoch, or milli-, micro- or nanoseconds, of about our time."""
    if value < _EPOCH[0]:
        return False
    near = any(_EPOCH[0] * scale <= value <= _EPOCH[1] * scale for scale in _SCALES)
    return near and (isinstance(value, int) or not value.is_integer())


_LIMITED = reprlib.Repr()
_LIMITED.maxstring = _LIMITED.maxother = _LIMITED.maxlong = 100
_LIMITED.maxdict = _LIMITED.maxlist = _LIMITED.maxtuple = _LIMITED.maxset = 10
_BUILTIN = frozenset({dict, list, tuple, set, frozenset, str})


def _inside(value: object) -> Iterable[object]:
    """What a message holds directly, where a reference to answer to usually is."""
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    return [item for _, item in _fields(value)]


def _readable(value: object) -> str:
    if type(value) in _BUILTIN:
        return _LIMITED.repr(value)
    if type(value).__repr__ is not object.__repr__:
        try:
            return repr(value)
        except Exception:
            # The trace is for people: an object that can't show itself still has a type.
            return f"<{type(value).__qualname__}>"
    inner = ", ".join(f"{name}={item!r}" for name, item in _fields(value) if name[0] != "_")
    return f"{type(value).__qualname__}({inner})"
