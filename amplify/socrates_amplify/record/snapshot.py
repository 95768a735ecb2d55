"""Which messages can be read after the run, because nothing can change them until then."""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Callable, Iterable
from operator import attrgetter

_LONG = 200
"""Texts beyond this are digested when they are sent, so that a trace does not keep them alive."""

_SAMPLE = 32
"""Of a type whose declaration promises small values, one in so many is looked at."""

_ATOMS = frozenset({int, float, bool, type(None)})
_ATOM_NAMES = frozenset(
    {"int", "float", "bool", "None", "str", "str | None", "int | None", "float | None"}
)
_only_atoms = _ATOMS.issuperset


class _Unsafe:
    """The answer for what may change, or is too big to keep."""


UNSAFE = _Unsafe()

_Reader = Callable[[object], Iterable[object]]


def snapshot(value: object) -> object:
    """``value``, or a cheap copy of it, if that still says the same after the run; else ``UNSAFE``."""
    kind = type(value)
    if kind in _trusted:
        if next(_count) % _SAMPLE:
            return value
        if not _all_small(_trusted[kind](value)):
            # The declaration said less than the truth: from now on each one is looked at.
            _readers[kind] = _trusted.pop(kind)
            return UNSAFE
        return value
    try:
        reader = _readers[kind]
    except KeyError:
        reader = _readers[kind] = _reader_for(kind)
        if reader is not None and _promises_atoms(kind) and _all_small(reader(value)):
            _trusted[kind] = reader
    if reader is None:
        return UNSAFE
    parts = reader(value)
    if _only_atoms(map(type, parts)) or _all_small(parts):
        return value.copy() if kind is dict else value  # type: ignore[attr-defined]
    return UNSAFE


def _all_small(values: Iterable[object]) -> bool:
    for value in values:
        kind = type(value)
        if kind not in _ATOMS and (kind is not str or len(value) >= _LONG):  # type: ignore[arg-type]
            return False
    return True


def _reader_for(kind: type) -> _Reader | None:
    """How to read the parts of an immutable ``kind``; None when instances can change."""
    if kind in _ATOMS or issubclass(kind, enum.Enum):
        return lambda _: ()
    if kind is str:
        return lambda value: (value,)
    if kind is dict:
        return dict.values  # type: ignore[return-value]
    if issubclass(kind, tuple):
        return _itself
    if not _is_frozen_dataclass(kind):
        return None
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if len(names) < 2:
        return (lambda value: (getattr(value, names[0]),)) if names else (lambda _: ())
    return attrgetter(*names)


def _is_frozen_dataclass(kind: type) -> bool:
    return bool(getattr(getattr(kind, "__dataclass_params__", None), "frozen", False))


def _promises_atoms(kind: type) -> bool:
    """Whether a frozen dataclass declares nothing but numbers, truth values and texts."""
    if not _is_frozen_dataclass(kind):
        return False
    fields = dataclasses.fields(kind)
    declared = [getattr(field.type, "__name__", field.type) for field in fields]
    return all(name in _ATOM_NAMES for name in declared)


def _itself(value: object) -> Iterable[object]:
    return value  # type: ignore[return-value]


_readers: dict[type, _Reader | None] = {}
_trusted: dict[type, _Reader] = {}
_count = itertools.count(1)
