"""Clocks and sleeps of a controlled run: nobody waits for real, and clocks tell what was slept.

A module may have imported a clock or ``sleep`` by name, so every name in every module that stands
for one of them is replaced; modules of pytest and ours keep the real ones.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from socrates_amplify.originals import Clock
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.patching import Patches

_REAL = (
    "_pytest",
    "pytest",
    "pluggy",
    "socrates",
    "socrates_amplify",
    "socrates_rules",
    "coverage",
)
"""Top packages whose clocks stay real."""


def patch_time(patches: Patches, baton: Baton, operations: Operations) -> None:
    """Replace clocks and sleeps for all modules that are loaded now, or import them later."""
    stand_ins: dict[int, Callable[..., object]] = {id(time.sleep): _sleep(baton, operations)}
    for name in ("time", "monotonic", "perf_counter"):
        stand_ins[id(getattr(time, name))] = _clock(baton, getattr(time, name))
        nanoseconds = getattr(time, f"{name}_ns")
        stand_ins[id(nanoseconds)] = _nanoseconds(baton, nanoseconds)
    for module_name, module in list(sys.modules.items()):
        if module is None or module_name.partition(".")[0] in _REAL:
            continue
        names = getattr(module, "__dict__", None)
        if type(names) is not dict:
            continue
        found = [
            (name, stand_ins[id(value)]) for name, value in names.items() if id(value) in stand_ins
        ]
        for name, stand_in in found:
            patches.set(module, name, stand_in)


def _clock(baton: Baton, original: Callable[[], float]) -> Callable[[], float]:
    began = original()

    def clock() -> float:
        return began + baton.seconds()

    return clock


def _nanoseconds(baton: Baton, original: Callable[[], int]) -> Callable[[], int]:
    began = original()

    def clock() -> int:
        return began + int(baton.seconds() * 1e9)

    return clock


def _sleep(baton: Baton, operations: Operations) -> Callable[[float], None]:
    def sleep(seconds: float, /) -> None:
        strand = baton.here()
        if strand is None:
            Clock.sleep(seconds)
            return
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        until = baton.now + seconds
        baton.pause(strand, seconds, sleeping=True)
        if baton.lost:
            Clock.sleep(max(until - baton.now, 0.0))
        elif strand is not baton.main:
            operations.go_on("sleep")

    return sleep
