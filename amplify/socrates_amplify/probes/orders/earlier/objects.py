"""Locks, conditions, events, semaphores and queues that the project made before the test began.

A module that makes a lock when it is imported makes one that nobody controls. For the run it gets
another one in its place, if nobody holds it or waits there, and if all that know it are found: what is
reachable by attributes from the modules of the project is looked at, a few steps deep. No value is asked
for anything: lazy proxies are among them.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from enum import Enum
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any, NamedTuple

from socrates.classes.lazy import dataclass
from socrates_amplify.originals import Threads
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.unasked import attributes_of, is_a
from socrates_amplify.record.whose import Roles

_LOCK, _RLOCK = type(Threads.Lock()), type(Threads.RLock())
_SIMPLE = queue.SimpleQueue
_MADE_OF_LOCKS = (threading.Condition, threading.Event, threading.Semaphore, queue.Queue)
_METHODS = (BuiltinMethodType, MethodType)
_SET_PLAINLY = (object.__setattr__, type.__setattr__)
"""What sets attributes of objects and classes: others may refuse, or hand them on to something else."""
_DEEPEST = 3
"""So many attributes lie between a module and what is replaced, at most."""
_MOST = 2_000
"""So many objects are looked at in a project, at most."""
_KNOWN_HERE = 3
"""References to a lock that are ours while it is asked how many there are."""


class Makers(NamedTuple):
    """What makes locks under control: of the project, of it for several times, and of queues and events."""

    lock: Callable[[], Any]
    rlock: Callable[[], Any]
    inner: Callable[[], Any]


@dataclass(slots=True)
class _Lock:
    """A lock from before, and where it was found."""

    lock: Any
    of_project: bool = True
    places: list[tuple[object, str]] = field(default_factory=list)


def renew(patches: Patches, modules: Iterable[ModuleType], roles: Roles, make: Makers) -> None:
    """Put locks under control in place of those that the modules of the project lead to."""
    found = _Found(roles)
    for module in modules:
        found.look_into(module, _DEEPEST)
    for one in found.locks.values():
        new = _instead_of(one, make)
        for owner, name in one.places if new is not None else ():
            old = vars(owner)[name]
            patches.set(owner, name, new if old is one.lock else getattr(new, old.__name__))


class _Sort(Enum):
    """What values of one type are to us."""

    LOCK = 1
    MADE_OF_LOCKS = 2
    CLASS = 3
    OWN = 4
    """Objects of the project."""


class _Sorts(dict[type, _Sort | None]):
    """The sort of each type, None for those that lead nowhere; each is looked at once."""

    def __init__(self, roles: Roles) -> None:
        super().__init__()
        self._roles = roles

    def __missing__(self, kind: type) -> _Sort | None:
        self[kind] = found = self._of(kind)
        return found

    def _of(self, kind: type) -> _Sort | None:
        if issubclass(kind, (_LOCK, _RLOCK, _SIMPLE)):
            return _Sort.LOCK
        if issubclass(kind, _MADE_OF_LOCKS):
            return _Sort.MADE_OF_LOCKS
        if issubclass(kind, ModuleType) or kind.__setattr__ not in _SET_PLAINLY:
            return None
        if issubclass(kind, type):
            return _Sort.CLASS
        own = self._roles.is_own_module(str(type.__getattribute__(kind, "__module__")))
        return _Sort.OWN if own else None


class _Found:
    """All locks that are reachable from the modules of a project."""

    def __init__(self, roles: Roles) -> None:
        self.locks: dict[int, _Lock] = {}
        self._roles = roles
        self._sorts = _Sorts(roles)
        self._seen: dict[int, object] = {}

    def look_into(self, owner: object, deep: int) -> None:
        """Look at the attributes of ``owner``, and at theirs."""
        if len(self._seen) > _MOST or id(owner) in self._seen:
            return
        self._seen[id(owner)] = owner
        attributes = attributes_of(owner) or {}
        here, sorts = attributes.get("__name__"), self._sorts
        for name, value in list(attributes.items()):
            sort = sorts[type(value)]
            if sort is None:
                continue
            if sort is _Sort.LOCK:
                self._note(value, owner, name)
            elif sort is _Sort.MADE_OF_LOCKS:
                self._take_apart(value)
            elif deep and (sort is _Sort.OWN or self._is_own_class(value, here)):
                self.look_into(value, deep - 1)

    def _note(self, lock: object, owner: object, name: str, of_project: bool = True) -> None:
        known = self.locks.setdefault(id(lock), _Lock(lock, of_project))
        known.places.append((owner, name))

    def _take_apart(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        own = is_a(value, threading.Condition)
        if is_a(value, queue.Queue):
            self._note(value.mutex, value, "mutex", own)
        for condition in _conditions_of(value):
            if condition._waiters:
                return
            lock = condition._lock
            for name, part in vars(condition).items():
                if part is lock or (is_a(part, _METHODS) and part.__self__ is lock):
                    self._note(lock, condition, name, own)

    def _is_own_class(self, value: type, here: object) -> bool:
        """Whether this is a class of the project, where it is defined: not what another module holds."""
        module = type.__getattribute__(value, "__module__")
        return bool(module == here) and self._roles.is_own_module(str(module))


def _instead_of(one: _Lock, make: Makers) -> Any:
    """What stands for a free lock that nobody else knows; None where it is not so."""
    lock = one.lock
    if sys.getrefcount(lock) - _KNOWN_HERE > len(one.places):
        return None
    if is_a(lock, _SIMPLE):
        return queue.SimpleQueue() if lock.empty() else None
    if is_a(lock, _LOCK):
        return None if lock.locked() else (make.lock if one.of_project else make.inner)()
    if lock._is_owned() or not lock.acquire(blocking=False):
        return None
    lock.release()
    return make.rlock()


def _conditions_of(value: Any) -> Iterator[Any]:
    if is_a(value, threading.Condition):
        yield value
    elif is_a(value, queue.Queue):
        yield from (value.not_empty, value.not_full, value.all_tasks_done)
    else:
        yield value._cond
