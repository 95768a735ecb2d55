"""Pools of threads: their tasks begin in a forced order, whichever thread takes them.

A task of a pool with several threads has a clock of its own: it has seen what was done before it was
handed in, and nothing that its thread did before. So two tasks change places though one
thread has run both.
"""

from __future__ import annotations

import functools
import inspect
import queue
import re
from collections import Counter
from concurrent.futures import thread as pools
from contextlib import nullcontext
from contextvars import Context
from typing import Any, NamedTuple

from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.strands import Moment
from socrates_amplify.probes.patching import Patches

_UNFIT = re.compile(r"[\s<>]")
_MARK = "_socrates_task"


class _Task(NamedTuple):
    """What stands for a task of a pool: the number of its clock, its name, and when it was handed in."""

    number: int
    name: str
    submitted: Moment


def patch_pools(patches: Patches, baton: Baton, operations: Operations) -> None:
    """Have the tasks of all pools begin in a forced order."""
    counts: Counter[str] = Counter()
    original_run, original_submit = pools._WorkItem.run, pools.ThreadPoolExecutor.submit
    simple: Any = queue._PySimpleQueue  # type: ignore[attr-defined]

    def run(item: Any) -> None:
        work = inspect.unwrap(item.fn)  # other probes of ours may stand around it
        strand, task = baton.here(), getattr(item.future, _MARK, None)
        with nullcontext() if strand is None or task is None else strand.turned_into(*task):
            operations.begin(f"{_name_of(work)}()", work)
            original_run(item)

    def submit(pool: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not pool._threads and not isinstance(pool._work_queue, simple):
            # A pool from before the test: its threads would wait in a queue that is not controlled.
            pool._work_queue = simple()
        strand = baton.here()
        submitted = None if strand is None else strand.tick()
        future = original_submit(pool, work, *args, **kwargs)
        if submitted is not None and pool._max_workers > 1:
            stem = _name_of(inspect.unwrap(work))
            counts[stem] += 1
            # Nobody has run it yet: who hands it in has the baton.
            task = _Task(baton.number(), f"{stem}()#{counts[stem]}", submitted)
            setattr(future, _MARK, task)
            operations.started(task.number, task.name)
        return future

    patches.set(pools._WorkItem, "run", run)
    patches.set(pools.ThreadPoolExecutor, "submit", submit)


def is_task_of_pool(name: str) -> bool:
    """Whether this is the name of a thread while it runs a task of a pool."""
    return "()#" in name


def _name_of(work: object) -> str:
    while isinstance(work, functools.partial):  # so does asyncio.to_thread hand in what it runs
        run_in_context = isinstance(getattr(work.func, "__self__", None), Context) and work.args
        work = work.args[0] if run_in_context else work.func
    return _UNFIT.sub("", str(getattr(work, "__name__", "task")))
