"""When control is given up: threads that wait or compute, signals, other schedulers of threads."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.originals import Clock, Files
from socrates_amplify.probes.orders import limits, watchdog
from socrates_amplify.probes.orders.limits import out_of_reach, patch_limits
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.pykka.behaviour import behaviour_of


class _Baton:
    """A baton that one thread keeps; ``looks`` counts how often anybody looked at it."""

    def __init__(self, strand: object = None) -> None:
        self.lost = ""
        self.closed = False
        self.steps = 0
        self.keeps_nobody = False
        self.running = SimpleNamespace(native=77, name="worker")
        self.strand = strand

    def lose(self, why: str) -> None:
        self.lost = self.lost or why

    def here(self) -> object:
        return self.strand


Watched = Callable[..., tuple[Any, int]]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Watch a baton without waiting: what became of it, and after how many looks."""

    def watch(state: str, *, most: int = 300, computing: float = 0.0, **given: Any) -> Any:
        baton: Any = _Baton()
        vars(baton).update(given)
        looks = 0

        def sleep(seconds: float) -> None:
            nonlocal looks
            looks += 1
            baton.closed = baton.closed or looks > most

        monkeypatch.setattr(Clock, "sleep", staticmethod(sleep))
        monkeypatch.setattr(Clock, "of_process", staticmethod(lambda: looks * computing))
        monkeypatch.setattr(watchdog, "_state", lambda native: state if native == 77 else "?")
        watchdog._watch(baton)
        return baton, looks

    return watch


WAITS = "worker waits for something that is not controlled"


@pytest.mark.parametrize(("state", "looks"), [("S", 11), ("", 101)], ids=["waits", "not known"])
def test_thread_that_waits_for_long_loses_control(state: str, looks: int, watched: Watched) -> None:
    baton, looked = watched(state)
    # The first look finds steps that are new, and the last one that control is lost.
    assert (baton.lost, looked) == (WAITS, looks + 1)


def test_thread_that_computes_for_long_loses_control(watched: Watched) -> None:
    baton, looked = watched("R", computing=0.5)
    assert (baton.lost, looked) == ("worker runs on without waiting for anything", 7)


@pytest.mark.parametrize(
    ("state", "given"),
    [
        pytest.param("R", {}, id="on a busy machine"),
        pytest.param("S", {"keeps_nobody": True}, id="alone"),
        pytest.param("S", {"most": 10}, id="not for long"),
    ],
)
def test_control_is_kept(state: str, given: dict[str, Any], watched: Watched) -> None:
    assert watched(state, **given)[0].lost == ""


@pytest.mark.parametrize("given", [{"lost": "before"}, {"closed": True}], ids=["lost", "closed"])
def test_watch_ends_with_control(given: dict[str, Any], watched: Watched) -> None:
    assert watched("S", **given)[1] == 1


@pytest.mark.parametrize("name", [b"python", b"a) S (b"])
def test_state_of_a_thread_stands_behind_its_name(
    name: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Files, "read_bytes", staticmethod(lambda path: b"77 (%b) R 1 2 3" % name))
    assert watchdog._state(77) == "R"


def test_state_of_a_thread_that_is_gone_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(path: str) -> bytes:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Files, "read_bytes", staticmethod(gone))
    assert watchdog._state(77) == ""


@pytest.fixture
def patches() -> Iterator[Patches]:
    made = Patches()
    yield made
    made.undo()


@pytest.mark.parametrize(
    ("strand", "caller", "lost"),
    [
        pytest.param("a", "shop", "a signal comes by the real clock", id="of the test"),
        pytest.param(None, "shop", "", id="of nobody"),
        pytest.param("a", "rq.timeouts", "", id="a limit of time"),
    ],
)
def test_signal_by_the_clock_ends_control(
    strand: object, caller: str, lost: str, patches: Patches
) -> None:
    baton: Any = _Baton(strand)
    patch_limits(patches, baton)
    exec("import signal\nleft = signal.alarm(0)", {"__name__": caller})
    assert baton.lost == lost


def test_call_that_ends_control_is_made_all_the_same(
    patches: Patches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "alarm", lambda seconds: seconds + 1, raising=False)
    patch_limits(patches, _Baton("a"))  # type: ignore[arg-type]
    assert signal.alarm(6) == 7


def test_loop_of_uvloop_ends_control(patches: Patches, monkeypatch: pytest.MonkeyPatch) -> None:
    uvloop: Any = ModuleType("uvloop")
    uvloop.new_event_loop = lambda: "loop"
    monkeypatch.setitem(sys.modules, "uvloop", uvloop)
    baton: Any = _Baton("a")
    patch_limits(patches, baton)
    assert (uvloop.new_event_loop(), baton.lost) == ("loop", "uvloop runs its tasks")


def _start_new_thread() -> None:
    """In place of the one of ``_thread``."""


@pytest.mark.parametrize(
    ("imported", "owner", "expected"),
    [
        pytest.param(["gevent"], "gevent.thread", "gevent schedules what runs", id="gevent"),
        pytest.param(["eventlet"], "eventlet.green", "eventlet schedules what runs", id="eventlet"),
        pytest.param(["gevent"], "_thread", "", id="imported only"),
        pytest.param([], "gevent.thread", "", id="gone"),
    ],
)
def test_who_else_schedules_threads(
    imported: list[str], owner: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in limits._GREEN:
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in imported:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(_start_new_thread, "__module__", owner)
    low_level = SimpleNamespace(start_new_thread=_start_new_thread)
    monkeypatch.setitem(sys.modules, "_thread", low_level)
    assert out_of_reach() == expected


class _Mode(Enum):
    OPEN = 1
    SHUT = 2


class _Actor:
    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        pytest.param(1, 2, True, id="number"),
        pytest.param("a", "b", True, id="text"),
        pytest.param([], [1], True, id="list"),
        pytest.param(1, "a", False, id="type"),
        pytest.param(True, False, False, id="flag"),
        pytest.param(None, 1, False, id="there or not"),
        pytest.param(_Mode.OPEN, _Mode.SHUT, False, id="enumeration"),
        pytest.param(len, print, True, id="function of C"),
        pytest.param(_start_new_thread, out_of_reach, False, id="function"),
        pytest.param(int, str, False, id="class"),
    ],
)
def test_attribute_decides_how_an_actor_behaves(before: object, after: object, same: bool) -> None:
    is_same = behaviour_of(_Actor(x=before)) == behaviour_of(_Actor(x=after))
    assert is_same is same


def test_what_the_framework_keeps_is_no_behaviour() -> None:
    actor = _Actor(actor_inbox=1, actor_stopped=True, actor_ref=2, _actor_ref=3, actor_urn="u")
    assert behaviour_of(actor) == {}


def test_what_has_no_attributes_has_no_behaviour() -> None:
    assert behaviour_of(threading.Lock()) == {}
