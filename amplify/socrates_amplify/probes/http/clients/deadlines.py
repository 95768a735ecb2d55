"""Timeouts that a caller puts around a call: ``asyncio.timeout``, ``asyncio.wait_for``.

No library of HTTP knows of them. Each is a timer of the loop that will end the very task that makes
the call, so they are looked for there; a loop that does not show its timers (uvloop) has none for us.
That a test does not wait for ever is no promise of the code under test: its own timeouts don't count.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from socrates.classes.lazy import dataclass
from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.calls.stack import Site, asker
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import asyncio

_ASKED = "_socrates_asked"


def patch(patches: Patches, journal: Journal) -> None:
    """Have a timeout know whose it is; ``wait_for`` makes one, too, from Python 3.12 on."""
    from asyncio.timeouts import Timeout  # asyncio itself may still be loading

    original = Timeout.__init__

    def init(timeout: Timeout, when: float | None) -> None:
        original(timeout, when)
        setattr(timeout, _ASKED, asker(sys._getframe(1)))

    patches.set(Timeout, "__init__", init)


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the caller gives a call up, whatever the library does."""

    left: float
    """Seconds until then."""
    _pass: Callable[[], None]

    async def passes(self) -> NoReturn:
        """What the code in the call sees of it: no answer, then its task is cancelled."""
        import asyncio  # slow to import, and there where a coroutine runs

        self._pass()
        while True:
            await asyncio.get_running_loop().create_future()


def sooner(timeout: float | None, journal: Journal) -> tuple[float | None, Deadline | None]:
    """How long the caller waits, and the deadline that ends it, if the library's timeout does not."""
    deadline = _around_this_task(journal)
    if deadline is None or (timeout is not None and timeout <= deadline.left):
        return timeout, None
    return deadline.left, deadline


def _around_this_task(journal: Journal) -> Deadline | None:
    """The first deadline that the code under test has set to the task that runs here."""
    import asyncio

    with contextlib.suppress(RuntimeError):  # no loop of asyncio runs: that is trio, say
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        timers = getattr(loop, "_scheduled", None)
        if task is None or not timers:
            return None
        waiters = _waiters(task)
        ended = ((timer.when(), _ended_by(timer, task, waiters)) for timer in timers)
        ours = [(when, *end) for when, end in ended if end is not None]
        ours = [one for one in ours if one[1] and not journal.is_test(one[1][0].co_filename)]
        if ours:
            when, _, end = min(ours, key=lambda one: one[0])
            # Not to the last digit, which is another one in every run.
            left = float(f"{when - loop.time():.2g}")
            return Deadline(left, end) if left > 0 else None
    return None


def _ended_by(
    timer: Any, task: asyncio.Task[Any], waiters: list[object]
) -> tuple[Site | None, Callable[[], None]] | None:
    """Who had ``timer`` end ``task``, and what has it do so right now; None for other timers."""
    import asyncio

    callback, arguments = timer._callback, timer._args
    owner: Any = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Timeout) and getattr(owner, "_task", None) is task:
        now = functools.partial(_run_out, owner)
        return getattr(owner, _ASKED, None), now
    if waiters and arguments and any(arguments[0] is waiter for waiter in waiters):
        return asker(None), functools.partial(callback, *arguments)
    return None


def _run_out(timeout: asyncio.Timeout) -> None:
    import asyncio

    timeout.reschedule(asyncio.get_running_loop().time())


def _waiters(task: asyncio.Task[Any]) -> list[object]:
    """Futures by which ``wait_for`` of Python 3.11 waits for ``task``, which it has made."""
    import asyncio

    release = getattr(asyncio.tasks, "_release_waiter", None)
    return [
        callback.args[0]
        for callback, _ in getattr(task, "_callbacks", None) or ()
        if isinstance(callback, functools.partial) and callback.func is release
    ]
