"""What the project made or imported before a run is under control, too, unless somebody else knows it."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import Any

import pytest
from django.utils.functional import SimpleLazyObject
from werkzeug.local import LocalProxy

from socrates_amplify.probes.orders import clock_names
from socrates_amplify.probes.orders.earlier import names, objects
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.whose import Roles

ROLES = Roles("/shop", "")
MAKE = objects.Makers(lock=lambda: "lock", rlock=lambda: "rlock", inner=threading.Lock)


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of the project."""
    made = ModuleType("shop_before")
    made.__file__ = "/shop/shop_before.py"
    monkeypatch.setitem(sys.modules, "shop_before", made)
    return made


@pytest.fixture
def patches() -> Iterator[Patches]:
    made = Patches()
    yield made
    made.undo()


def test_a_name_follows_what_it_stands_for(module: Any, patches: Patches) -> None:
    module.Line = queue.SimpleQueue
    known = names.originals()
    patches.set(queue, "SimpleQueue", queue._PySimpleQueue)  # type: ignore[attr-defined]
    names.follow(patches, known, [module])
    assert module.Line is queue._PySimpleQueue  # type: ignore[attr-defined]


def test_modules_are_asked_for_nothing_that_they_would_have_to_load(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazy: Any = ModuleType("lazy_before")
    lazy.__getattr__ = {}.__getitem__  # raises KeyError for whatever it is asked for
    monkeypatch.setitem(sys.modules, "lazy_before", lazy)
    assert module in names.own_modules(ROLES)


@pytest.mark.parametrize(
    ("made", "instead"),
    [(threading.Lock, "lock"), (threading.RLock, "rlock")],
    ids=["Lock", "RLock"],
)
def test_a_lock_of_a_module_is_replaced(module: Any, patches: Patches, made, instead) -> None:
    module.lock = made()
    objects.renew(patches, [module], ROLES, MAKE)
    assert module.lock == instead


def test_a_lock_comes_back_after_the_run(module: Any) -> None:
    module.lock = threading.Lock()
    patches, before = Patches(), id(module.lock)
    objects.renew(patches, [module], ROLES, MAKE)
    patches.undo()
    assert id(module.lock) == before


def test_one_lock_of_two_names_stays_one(module: Any, patches: Patches) -> None:
    module.first = module.second = threading.Lock()
    objects.renew(
        patches, [module], ROLES, objects.Makers(threading.Lock, threading.RLock, threading.Lock)
    )
    assert module.first is module.second


@pytest.mark.parametrize("known", [True, False], ids=["in a list", "held"])
def test_a_lock_that_others_may_use_stays(module: Any, patches: Patches, known: bool) -> None:
    module.lock = threading.Lock()
    module.locks = [module.lock] if known else []
    held = known or module.lock.acquire()
    objects.renew(patches, [module], ROLES, MAKE)
    assert (held, module.lock == "lock") == (True, False)


class Store:
    def __init__(self) -> None:
        self.lock = threading.Lock()


Store.__module__ = "shop_before"


def test_a_lock_of_an_object_of_the_project_is_replaced(module: Any, patches: Patches) -> None:
    module.store = Store()
    objects.renew(patches, [module], ROLES, MAKE)
    assert module.store.lock == "lock"


@pytest.mark.parametrize("kind", [threading.Event, threading.Semaphore, threading.Condition])
def test_what_is_made_of_locks_gets_new_ones(module: Any, patches: Patches, kind) -> None:
    module.made = kind()
    condition = module.made if kind is threading.Condition else module.made._cond
    before = id(condition._lock)
    objects.renew(
        patches, [module], ROLES, objects.Makers(threading.Lock, threading.RLock, threading.Lock)
    )
    assert id(condition._lock) != before


def test_a_queue_works_as_before(module: Any, patches: Patches) -> None:
    module.line = queue.Queue()
    objects.renew(patches, [module], ROLES, MAKE)
    module.line.put(1)
    assert module.line.get(timeout=1) == 1


class Lazy:
    """Stands for something that is not there yet: it raises whatever it is asked."""

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(f"working outside of the context: {name}")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("working outside of the context")

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise RuntimeError("working outside of the context")

    def __bool__(self) -> bool:
        raise RuntimeError("working outside of the context")


class LazyOfTheProject(Lazy):
    """The same, of a class that the project has made."""


class Fixed:
    """Nobody can set its attributes."""

    def __init__(self) -> None:
        vars(self)["lock"] = threading.Lock()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("fixed")


LazyOfTheProject.__module__ = Fixed.__module__ = "shop_before"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(Lazy(), id="a proxy"),
        pytest.param(LazyOfTheProject(), id="a proxy of the project"),
        pytest.param(LocalProxy(ContextVar("empty")), id="werkzeug"),
        pytest.param(SimpleLazyObject(lambda: 1 // 0), id="Django"),
        pytest.param(Fixed(), id="fixed"),
    ],
)
def test_values_are_asked_for_nothing(module: Any, patches: Patches, value: object) -> None:
    module.first, module.lock, module.store = value, threading.Lock(), Store()
    vars(module.store)["lazy"] = value
    names.follow(patches, names.originals(), [module])
    objects.renew(patches, [module], ROLES, MAKE)
    assert (module.lock, module.store.lock) == ("lock", "lock")


def test_a_module_that_is_loaded_when_it_is_used_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: Any = ModuleType("lazy_shop")
    made.__file__ = "/shop/lazy_shop.py"
    made.__class__ = LazyModule
    monkeypatch.setitem(sys.modules, "lazy_shop", made)
    monkeypatch.setitem(sys.modules, "no_module", Lazy())
    names.follow(Patches(), names.originals(), names.own_modules(ROLES))
    assert not [one for one in clock_names.find({id(Lazy)}) if one.package == "lazy_shop"]


class LazyModule(ModuleType):
    def __getattribute__(self, name: str) -> Any:
        raise ImportError(f"loaded for {name}")
