"""Who asked for a call that nobody's code is on the stack of: a task of a loop, work for a pool.

``asyncio.gather(client.get(url), ...)`` runs each call with nothing above it but the loop. The
code that made the task, or gave the work to the pool, stands for it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.calls.stack import askers, task_of, work_of
from socrates_amplify.probes.patching import Patches


def patch_tasks(patches: Patches, journal: Journal) -> None:
    """Tasks copy the context that they are made in, and with it whose they are."""
    from asyncio.base_events import BaseEventLoop  # asyncio itself may still be loading

    original: Callable[..., Any] = BaseEventLoop.create_task

    def create_task(loop: BaseEventLoop, coro: Any, **options: Any) -> Any:
        with task_of(askers(sys._getframe(1))):
            return original(loop, coro, **options)

    patches.set(BaseEventLoop, "create_task", create_task)


def patch_pools(patches: Patches, journal: Journal) -> None:
    """Work for a pool is whose it was when it was given."""
    original: Callable[..., Future[Any]] = ThreadPoolExecutor.submit

    def submit(pool: ThreadPoolExecutor, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        asked = askers(sys._getframe(1))

        @functools.wraps(fn, updated=())
        def run(*given: Any, **named: Any) -> Any:
            with work_of(asked):
                return fn(*given, **named)

        return original(pool, run, *args, **kwargs)

    patches.set(ThreadPoolExecutor, "submit", submit)
