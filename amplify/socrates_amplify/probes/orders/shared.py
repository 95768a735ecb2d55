"""Queues, events, semaphores and futures: which calls are operations, and what is seen through them."""

from __future__ import annotations

import functools
import queue
import threading
import weakref
from collections.abc import Callable, Iterable
from concurrent import futures
from typing import Any

from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.operations import Operations
from socrates_amplify.probes.orders.strands import Moment
from socrates_amplify.probes.patching import Patches


def patch_shared(patches: Patches, baton: Baton, operations: Operations) -> None:
    """Have what threads put into queues and events come in a forced order."""
    seen = _Seen(baton)
    simple: Any = queue._PySimpleQueue  # type: ignore[attr-defined]
    for owner, name in ((queue.Queue, "put"), (simple, "put"), (threading.Event, "set")):
        patches.set(owner, name, _written(owner, name, operations, seen))
    for owner, name in ((queue.Queue, "get"), (simple, "get"), (threading.Event, "wait")):
        patches.set(owner, name, _read(owner, name, seen))
    for owner, name in (
        (threading.Event, "clear"),
        (threading.Semaphore, "acquire"),
        (threading.Semaphore, "release"),
        (threading.BoundedSemaphore, "release"),
    ):
        patches.set(owner, name, _done(owner, name, operations))
    patches.set(threading.Semaphore, "__enter__", threading.Semaphore.acquire)
    patch_future(
        patches, baton, futures.Future, ("set_result", "set_exception"), ("result", "exception")
    )


def patch_future(
    patches: Patches, baton: Baton, kind: type, setting: Iterable[str], getting: Iterable[str]
) -> None:
    """Have who gets the result of a future see what was done before it was set, though it need not wait."""
    seen = _Seen(baton)
    for name in setting:
        patches.set(kind, name, _set(kind, name, seen))
    for name in getting:
        patches.set(kind, name, _read(kind, name, seen))


class _Seen:
    """What can be seen through each queue and event: all that was done before something was put there."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._written: dict[int, tuple[object, dict[int, Moment]]] = {}
        """By the id of each; with a weak reference that forgets it when it is gone."""

    def write(self, owner: object) -> None:
        strand = self._baton.here()
        if strand is not None:
            key, written = id(owner), self._written
            if key not in written:
                written[key] = (weakref.ref(owner, lambda _: written.pop(key, None)), {})
            written[key][1][strand.number] = strand.tick()

    def read(self, owner: object) -> None:
        strand = self._baton.here()
        found = self._written.get(id(owner))
        if strand is not None and found is not None:
            strand.sees(found[1].values())


def _written(owner: type, name: str, operations: Operations, seen: _Seen) -> Callable[..., object]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def write(self: object, *args: object, **kwargs: object) -> object:
        def call() -> object:
            seen.write(self)
            return original(self, *args, **kwargs)

        return operations.do(self, name, call)

    return write


def _done(owner: type, name: str, operations: Operations) -> Callable[..., object]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def do(self: object, *args: object, **kwargs: object) -> object:
        return operations.do(self, name, lambda: original(self, *args, **kwargs))

    return do


def _set(owner: type, name: str, seen: _Seen) -> Callable[..., object]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def write(self: object, *args: object, **kwargs: object) -> object:
        seen.write(self)
        return original(self, *args, **kwargs)

    return write


def _read(owner: type, name: str, seen: _Seen) -> Callable[..., object]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def read(self: object, *args: object, **kwargs: object) -> object:
        try:
            return original(self, *args, **kwargs)
        finally:
            seen.read(self)

    return read
