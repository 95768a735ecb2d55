"""Queues and events: which of their calls are operations, and what is seen through them."""

from __future__ import annotations

import functools
import queue
import threading
import weakref
from collections.abc import Callable
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


def _read(owner: type, name: str, seen: _Seen) -> Callable[..., object]:
    original = getattr(owner, name)

    @functools.wraps(original)
    def read(self: object, *args: object, **kwargs: object) -> object:
        value = original(self, *args, **kwargs)
        seen.read(self)
        return value

    return read
