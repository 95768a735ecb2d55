"""Threads inherit the context they are started in, so an actor's threads send as the actor."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.messages import Context, CurrentContext

P = ParamSpec("P")
R = TypeVar("R")


def inherit_context(patches: Patches, here: CurrentContext) -> None:
    """Hand the context on to each thread (timers too) that is started, and to work for a pool.

    A pool's threads outlive the turn that started them, so there each piece of work has the
    context of the code that submitted it.
    """
    original_start = threading.Thread.start
    original_submit = ThreadPoolExecutor.submit

    def start(thread: threading.Thread) -> None:
        if here.context is not None:
            # On the instance, since a subclass may have a ``run`` of its own.
            thread.run = _within(here, here.context, thread.run)  # type: ignore[method-assign]
        original_start(thread)

    def submit(
        pool: ThreadPoolExecutor, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        return original_submit(pool, _within(here, here.context, fn), *args, **kwargs)

    patches.set(threading.Thread, "start", start)
    patches.set(ThreadPoolExecutor, "submit", submit)


def _within(here: CurrentContext, context: Context, code: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(code, updated=())
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        here.context = context
        return code(*args, **kwargs)

    return run
