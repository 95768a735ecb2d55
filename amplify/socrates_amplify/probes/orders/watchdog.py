"""Gives control up where a thread of the test waits for something that we do not control.

A thread that blocks in a lock of C, a socket or a child process keeps the baton, and all others
would wait for it. Whether it computes or waits is read from the system where it tells, so that a
busy machine is not taken for a thread that waits.
"""

from __future__ import annotations

import _thread

from socrates_amplify.originals import Clock, Files
from socrates_amplify.probes.orders.baton import Baton

_INTERVAL = 0.05
_BLOCKED = 10
"""So many looks in a row find it waiting: half a second."""
_UNKNOWN = 100
"""The same where the system does not tell whether a thread waits."""
_MOST_COMPUTING = 2.0
"""Seconds of the processor's time that a thread may take between two waits."""


def watch(baton: Baton) -> None:
    """Look after ``baton`` until it is lost or ``baton.closed``."""
    _thread.start_new_thread(_watch, (baton,))


def _watch(baton: Baton) -> None:
    last, waiting, unknown, began = -1, 0, 0, Clock.of_process()
    while True:
        Clock.sleep(_INTERVAL)
        if baton.lost or baton.closed:
            return
        if baton.steps != last:
            last, waiting, unknown, began = baton.steps, 0, 0, Clock.of_process()
            continue
        if baton.keeps_nobody:
            continue  # it may wait for whatever it likes
        state = _state(baton.running.native)
        waiting = waiting + 1 if state == "S" else 0
        unknown = unknown + 1 if not state else 0
        if waiting >= _BLOCKED or unknown >= _UNKNOWN:
            baton.lose(f"{baton.running.name} waits for something that is not controlled")
        elif Clock.of_process() - began > _MOST_COMPUTING:
            baton.lose(f"{baton.running.name} runs on without waiting for anything")


def _state(native: int) -> str:
    """``R`` for a thread that runs, ``S`` for one that waits; empty where nobody knows."""
    try:
        told = Files.read_bytes(f"/proc/self/task/{native}/stat")
    except OSError:
        return ""
    return chr(told[told.rindex(b")") + 2])
