"""Clocks and sleeps of a controlled run: nobody waits for real, and clocks tell what was slept.

A module may have imported a clock or ``sleep`` by name, so every name in every module that stands
for one of them is replaced; modules of pytest and ours keep the real ones. So are names for the
classes of ``datetime``, in modules of the project and of libraries that do things at some time:
others may ask which class it is. While freezegun or time-machine set the time, the clocks are
theirs, but for those that threads and loops wait by.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

from socrates_amplify.model.orders import SLEEP
from socrates_amplify.originals import Clock
from socrates_amplify.probes.base import Undo
from socrates_amplify.probes.orders import clock_names
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.clock_names import ClockName
from socrates_amplify.probes.orders.earlier import dates, kept
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.whose import Roles, file_of

_WAITING = ("threading", "queue", "asyncio", "concurrent", "sched", "selectors")
"""Top packages of the standard library that wait by clocks: theirs are always virtual."""
_BY_DATES = frozenset(
    {
        *("celery", "kombu", "dramatiq", "rq", "rq_scheduler", "huey", "apscheduler", "schedule"),
        *("pybreaker", "purgatory"),
    }
)
"""Top packages of libraries that wait until some date, or look how long something is ago."""
_TELLS_DATES = "django.utils.timezone"
_TIME_SETTERS = (("freezegun.api", "_freeze_time"), ("time_machine", "travel"))
"""Classes whose ``start`` and ``stop`` set clocks and put them back."""

StandIns = Mapping[int, object]
"""What to use instead, by the id of a function of ``time``, or of what tells dates."""
Wanted = Callable[[ClockName], bool]


def patch_time(patches: Patches, baton: Baton, operations: Operations, roles: Roles) -> Undo:
    """Replace clocks and sleeps for all modules that are loaded now, or import them later.

    What is returned has to be called before the patches are undone.
    """
    clocks = {name: _clock(baton, name) for name in clock_names.CLOCKS}
    functions = {id(getattr(time, name)): clock for name, clock in clocks.items()}
    sleeps = {id(time.sleep): _sleep(baton, operations)}
    days = dates.stand_ins(clocks["time"])
    sought = {*functions, *sleeps, *days, id(time)}
    names = clock_names.find(sought)
    _replace(patches, sleeps, names, lambda name: True)
    _replace(patches, functions, names, lambda name: name.package in _WAITING)
    waiting = {id(one.module): one.module for one in names if one.package in _WAITING}
    kept.replace(patches, {**functions, **sleeps}, waiting.values())
    subprocess = sys.modules.get("subprocess")
    if subprocess is not None:
        # It waits for a process by looking and sleeping, and a process takes real time.
        patches.set(subprocess, "time", SimpleNamespace(sleep=Clock.sleep))
    settable = Patches()

    def make_virtual(names: Sequence[ClockName]) -> None:
        _replace(settable, functions, names, lambda name: name.package not in _WAITING)
        dated = [name for name in names if _goes_by_dates(name, roles)]
        _replace(settable, days, dated, lambda name: True)
        modules = {id(name.module): name.module for name in dated}
        kept.replace(settable, {**functions, **sleeps, **days}, modules.values())

    make_virtual(names)
    for module, owner in _TIME_SETTERS:
        setter = getattr(sys.modules.get(module), owner, None)
        if isinstance(setter, type):
            _yield_to(
                patches,
                setter,
                settable.undo,
                lambda: make_virtual(clock_names.find(sought)),
            )
    return settable.undo


def _goes_by_dates(name: ClockName, roles: Roles) -> bool:
    """Whether dates are virtual in a module: in the project's, and where something is done by them."""
    if name.package in _BY_DATES or name.module is sys.modules.get(_TELLS_DATES):
        return True
    file = file_of(name.module)
    return bool(file) and roles.is_own(file, name.package)


def _yield_to(
    patches: Patches, setter: type, give: Callable[[], None], take: Callable[[], None]
) -> None:
    """Leave the clocks to ``setter`` from its ``start`` to its ``stop``; both may be nested."""
    original_start, original_stop = setter.__dict__["start"], setter.__dict__["stop"]
    depth = 0

    def start(*args: object, **kwargs: object) -> object:
        nonlocal depth
        depth += 1
        if depth == 1:
            give()
        return original_start(*args, **kwargs)

    def stop(*args: object, **kwargs: object) -> object:
        nonlocal depth
        result = original_stop(*args, **kwargs)
        depth -= 1
        if depth == 0:
            take()
        return result

    patches.set(setter, "start", start)
    patches.set(setter, "stop", stop)


def _replace(
    patches: Patches, stand_ins: StandIns, names: Sequence[ClockName], wanted: Wanted
) -> None:
    for one in names:
        stand_in = stand_ins.get(id(vars(one.module).get(one.name)))
        if stand_in is not None and wanted(one):
            patches.set(one.module, one.name, stand_in)


def _clock(baton: Baton, name: str) -> Callable[[], float]:
    began = getattr(time, name)()
    if not name.endswith("_ns"):
        return lambda: began + baton.seconds()
    return lambda: began + int(baton.seconds() * 1e9)


def _sleep(baton: Baton, operations: Operations) -> Callable[[float], None]:
    @functools.wraps(Clock.sleep)
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
            operations.go_on(SLEEP)

    return sleep
