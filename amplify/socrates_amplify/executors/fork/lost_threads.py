"""Threads that importing the tests started: a fork has none of them, and can restart some."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

_LISTENING = ("pytest_rerunfailures", "pytest_retry")
"""Plugins with a thread for the workers of pytest-xdist, which is switched off here."""
_REVIVED = ("dramatiq.middleware.time_limit._CtypesTimeoutManager",)
"""Classes of threads that keep their state in themselves, so that a fork can start them again.

Projects that follow dramatiq's guide start its thread for time limits when they make a broker.
"""
_LOCK = type(threading.RLock())


def lost_threads() -> list[str]:
    """Names of the threads that a fork would miss."""
    return [
        thread.name
        for thread in threading.enumerate()
        if thread is not threading.main_thread()
        and not _is_listening(thread)
        and not _begins_again(thread)
    ]


def threads_to_revive() -> Sequence[threading.Thread]:
    """The threads that a fork of this process must start again."""
    return [thread for thread in threading.enumerate() if _begins_again(thread)]


def revive(threads: Iterable[threading.Thread]) -> None:
    """In a fork: start these threads of the parent process again, in the same objects."""
    for thread in threads:
        for name, value in list(vars(thread).items()):
            if type(value) is _LOCK:
                # A thread of the parent may have held it, and no thread of the fork would release it.
                setattr(thread, name, threading.RLock())
        threading.Thread.__init__(thread, name=thread.name, daemon=True)
        thread.start()


def _is_listening(thread: threading.Thread) -> bool:
    module = getattr(getattr(thread, "_target", None), "__module__", None) or ""
    return module.partition(".")[0] in _LISTENING


def _begins_again(thread: threading.Thread) -> bool:
    kind = type(thread)
    return f"{kind.__module__}.{kind.__qualname__}" in _REVIVED
