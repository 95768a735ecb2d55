"""Threads that run since import, which a fork does not have: which matter, and which it gets anew."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

_LISTENING = ("pytest_rerunfailures", "pytest_retry")
"""Modules of plugins that listen to the processes of pytest-xdist; there are none."""
_REVIVED = ("dramatiq.middleware.time_limit._CtypesTimeoutManager",)
"""Classes of threads that keep all they need in themselves, so that they can begin again.

dramatiq's guide has projects start its keeper of time limits when their broker is made.
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
    """The threads that a fork of this process has to begin anew."""
    return [thread for thread in threading.enumerate() if _begins_again(thread)]


def revive(threads: Iterable[threading.Thread]) -> None:
    """In a fork: let these threads of the other process begin again, in the same objects."""
    for thread in threads:
        for name, value in list(vars(thread).items()):
            if type(value) is _LOCK:
                # The other process may have been holding it, and nobody here would let go.
                setattr(thread, name, threading.RLock())
        threading.Thread.__init__(thread, name=thread.name, daemon=True)
        thread.start()


def _is_listening(thread: threading.Thread) -> bool:
    module = getattr(getattr(thread, "_target", None), "__module__", None) or ""
    return module.partition(".")[0] in _LISTENING


def _begins_again(thread: threading.Thread) -> bool:
    kind = type(thread)
    return f"{kind.__module__}.{kind.__qualname__}" in _REVIVED
