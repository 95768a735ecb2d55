"""What ends control at once, because it follows the real clock or schedules threads by itself."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any

from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.patching import Patches

_SIGNALS = ("alarm", "setitimer", "pause", "sigwait", "sigwaitinfo", "sigtimedwait")
_GREEN = ("gevent", "eventlet")
_TIME_LIMITS = ("rq.timeouts",)
"""Modules whose timers only end what takes too long: minutes, which no run under control takes."""


def out_of_reach() -> str:
    """Why nothing can be controlled here; empty where it can."""
    green = (package for package in _GREEN if _replaces_threads(package))
    return next((f"{package} schedules what runs" for package in green), "")


def patch_limits(patches: Patches, baton: Baton) -> None:
    """Give control up where a test does what control could only get wrong."""
    for name in _SIGNALS:
        if hasattr(signal, name):
            patches.set(
                signal, name, _losing(signal, name, baton, "a signal comes by the real clock")
            )
    uvloop: Any = sys.modules.get("uvloop")
    if hasattr(uvloop, "new_event_loop"):
        patches.set(
            uvloop,
            "new_event_loop",
            _losing(uvloop, "new_event_loop", baton, "uvloop runs its tasks"),
        )


def _replaces_threads(package: str) -> bool:
    if package not in sys.modules:
        return False
    start: Any = getattr(sys.modules.get("_thread"), "start_new_thread", None)
    return str(getattr(start, "__module__", "")).startswith(package)


def _losing(owner: Any, name: str, baton: Baton, reason: str) -> Callable[..., object]:
    original = getattr(owner, name)

    def call(*args: object, **kwargs: object) -> object:
        caller = sys._getframe(1).f_globals.get("__name__")
        if baton.here() is not None and caller not in _TIME_LIMITS:
            baton.lose(reason)
        return original(*args, **kwargs)

    return call
