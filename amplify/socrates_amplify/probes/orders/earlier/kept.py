"""Clocks that functions have kept: as a default value, or out of the function that made them.

``def enter(entry, time=monotonic)`` and ``field(default_factory=datetime.now)`` have the clock that was
there when the module was imported, whatever its name stands for now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinMethodType, CellType, FunctionType
from typing import Any

from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.unasked import attributes_of, is_a

_HOLD_FUNCTIONS = (staticmethod, classmethod)


def replace(patches: Patches, stand_ins: Mapping[int, Any], modules: Iterable[object]) -> None:
    """Have the functions and methods of these modules use what stands for a clock, by its id."""
    for module in modules:
        for function in _functions_of(module):
            kept = function.__defaults__
            if kept and any(_instead(value, stand_ins) is not value for value in kept):
                new = tuple(_instead(value, stand_ins) for value in kept)
                patches.set_slot(function, "__defaults__", new)
            named = function.__kwdefaults__
            if named and any(_instead(value, stand_ins) is not value for value in named.values()):
                found = {name: _instead(value, stand_ins) for name, value in named.items()}
                patches.set_slot(function, "__kwdefaults__", found)
            for cell in function.__closure__ or ():
                _replace_in(cell, patches, stand_ins)


def _replace_in(cell: CellType, patches: Patches, stand_ins: Mapping[int, Any]) -> None:
    try:
        value = cell.cell_contents
    except ValueError:
        return  # nothing has been put there yet
    instead = _instead(value, stand_ins)
    if instead is not value:
        patches.set_slot(cell, "cell_contents", instead)


def _instead(value: Any, stand_ins: Mapping[int, Any]) -> Any:
    """What stands for a clock, or for a method of a class that tells dates; anything else as it is."""
    if type(value) is BuiltinMethodType and is_a(value.__self__, type):
        known = stand_ins.get(id(value.__self__))
        return value if known is None else getattr(known, value.__name__)
    return stand_ins.get(id(value), value)


class _Classes(dict[type, bool]):
    """Whether values of a type are classes; each type is looked at once."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = found = issubclass(kind, type)
        return found


_are_classes = _Classes()


def _functions_of(module: object) -> Iterator[FunctionType]:
    """The functions that a module defines, and the methods of its classes."""
    names = attributes_of(module) or {}
    own, are_classes = names.get("__name__"), _are_classes
    values = list(names.values())
    for value in values:
        if type(value) is FunctionType and value.__module__ == own:
            yield value
    for value in [one for one in values if are_classes[type(one)]]:
        if type.__getattribute__(value, "__module__") == own:
            for member in list((attributes_of(value) or {}).values()):
                function = member.__func__ if type(member) in _HOLD_FUNCTIONS else member
                if type(function) is FunctionType:
                    yield function
