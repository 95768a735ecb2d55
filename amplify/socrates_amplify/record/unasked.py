"""What can be told of a value of the project without asking the value.

A lazy proxy (``flask.current_app``, Django's ``SimpleLazyObject``, a module that is loaded when it is
used) answers ``isinstance``, ``hasattr`` and ``vars`` with what it stands for, and fetches that first:
this may take long, change something, or raise anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

_bases_of = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_KEPT_BY_PYTHON = (GetSetDescriptorType, MemberDescriptorType)


def is_a(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Whether a value itself is an instance, whatever it says that its class is."""
    return issubclass(type(value), kinds)


def attributes_of(value: Any) -> Mapping[str, Any] | None:
    """What ``vars`` tells of an object itself; None where it has no attributes, or makes them up."""
    kind, own = type(value), None
    if kind is ModuleType:
        return value.__dict__  # type: ignore[no-any-return]
    for base in _bases_of(kind):
        kept = _names_of(base).get("__dict__")
        if kept is not None:
            own = kept.__get__(value) if type(kept) in _KEPT_BY_PYTHON else None
            break
    return own
