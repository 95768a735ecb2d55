"""The names in all modules that stand for a clock, for ``sleep`` or for the classes of ``datetime``.

To look at every name of every module takes longer than most tests. A process that is forked for
each execution looks once, before the first fork.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from socrates_amplify.originals import Dates
from socrates_amplify.record.unasked import attributes_of

CLOCKS = ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns")
_REAL = (
    "_pytest",
    "pytest",
    "pluggy",
    "socrates",
    "socrates_amplify",
    "socrates_rules",
    "coverage",
    "subprocess",
    "multiprocessing",
)
"""Top packages whose clocks stay real."""


class ClockName(NamedTuple):
    """A name for a clock, ``sleep`` or dates in a module of a top package."""

    package: str
    module: object
    name: str


class _Remembered(NamedTuple):
    sought: Set[int]
    names: Sequence[ClockName]
    modules: Set[str]


_remembered: list[_Remembered] = []


def all_sought() -> set[int]:
    """The ids of all that a controlled run replaces, and of the module that has the clocks."""
    functions = (getattr(time, name) for name in (*CLOCKS, "sleep"))
    return {id(one) for one in (*functions, Dates.datetime, Dates.date, Dates.module, time)}


def remember() -> None:
    """Look now, for the next ``find`` in this process or a fork of it."""
    sought = all_sought()
    _remembered[:] = [_Remembered(sought, _named(sought, sys.modules), set(sys.modules))]


def find(sought: Set[int]) -> Sequence[ClockName]:
    """The names for what has one of these ids, in all modules that are loaded by now.

    What was remembered serves once: the test that comes next may change any module.
    """
    before = _remembered.pop() if _remembered else None
    if before is None or before.sought != sought:
        return _named(sought, sys.modules)
    if len(sys.modules) == len(before.modules):
        return before.names  # between the two, modules are only added
    new = {name: sys.modules[name] for name in sys.modules.keys() - before.modules}
    return [*before.names, *_named(sought, new)]


def _named(sought: Set[int], modules: Mapping[str, object]) -> list[ClockName]:
    found = []
    for full_name, module in list(modules.items()):
        package = full_name.partition(".")[0]
        names = attributes_of(module)
        if package not in _REAL and type(names) is dict:
            of_time = [name for name, value in names.items() if id(value) in sought]
            found += [ClockName(package, module, name) for name in of_time]
    return found
