"""Names of threads and tasks, who waits for whom, and clocks that stand still."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.originals import Clock
from socrates_amplify.probes.noticing import (
    _is_of_others,
    _sleeps,
    notice_strands,
    package_of,
    sleeper_of,
)
from socrates_amplify.probes.orders import virtual_time
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.pools import _name_of
from socrates_amplify.probes.orders.probe import OrdersProbe
from socrates_amplify.probes.orders.shared import _Seen
from socrates_amplify.probes.orders.strands import Strand
from socrates_amplify.probes.orders.threads import ThreadControl
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.recorder import Recorder


def work() -> None:
    """What a thread runs."""


@pytest.fixture
def control() -> ThreadControl:
    return ThreadControl(Baton(), SimpleNamespace(begin=lambda *_: None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(["Mailer"], ["Mailer"], id="named"),
        pytest.param(["Mailer", "Mailer"], ["Mailer", "Mailer#2"], id="named alike"),
        pytest.param(["Thread-7 (work)"], ["work#1"], id="unnamed"),
        pytest.param(["pool_3", "pool_12"], ["pool#1", "pool#2"], id="numbered"),
        pytest.param(["ThreadPoolExecutor-0_1"], ["ThreadPoolExecutor#1"], id="of a pool"),
        pytest.param(["a <b> c"], ["abc#1"], id="unfit"),
    ],
)
def test_threads_are_numbered_in_each_run(
    given: list[str], expected: list[str], control: ThreadControl
) -> None:
    threads = [threading.Thread(target=work, name=name) for name in given]
    assert [control._name_of(thread) for thread in threads] == expected


def test_thread_without_a_target_is_called_thread(control: ThreadControl) -> None:
    assert control._name_of(threading.Thread(name="Thread-1")) == "Thread#1"


def test_who_waits_for_an_end_that_is_past_has_seen_it(control: ThreadControl) -> None:
    here, ended = Strand(1, "here"), Strand(2, "ended")
    ended.ended = True
    end = ended.tick()
    waited = control._wait_for(here, ended, None)
    assert (waited, here.tick().awaited(end)) == (True, True)


@pytest.mark.parametrize("timeout", [0, 0.0, -1.0])
def test_who_has_no_time_does_not_wait(timeout: float, control: ThreadControl) -> None:
    here, other = Strand(1, "here"), Strand(2, "other")
    assert (control._wait_for(here, other, timeout), control._joining) == (False, {})


@pytest.mark.parametrize("woken", [True, False])
def test_who_waits_says_for_whom(
    woken: bool, control: ThreadControl, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = Strand(1, "here"), Strand(2, "other")
    told: list[object] = []

    def pause(strand: Strand, timeout: float | None) -> bool:
        told.extend((strand.waits_for, timeout, list(control._joining[other])))
        return woken

    monkeypatch.setattr(control._baton, "pause", pause)
    waited = control._wait_for(here, other, 3.0)
    assert (told, waited, here.waits_for) == (["the end of other", 3.0, [here]], woken, "")


def test_who_gave_up_is_not_woken(control: ThreadControl, monkeypatch: pytest.MonkeyPatch) -> None:
    here, other = Strand(1, "here"), Strand(2, "other")
    monkeypatch.setattr(control._baton, "pause", lambda *_: False)
    control._wait_for(here, other, 3.0)
    assert control._joining[other] == []


def test_end_of_a_thread_wakes_all_who_wait_for_it(
    control: ThreadControl, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[object] = []
    strand, waiting = Strand(2, "thread"), Strand(1, "waiting")
    for name in ("enter", "wake", "leave"):
        monkeypatch.setattr(
            control._baton, name, lambda who, name=name: log.append((name, who.name))
        )
    control._joining[strand] = [waiting]
    control._controlled(strand, lambda: log.append("run"), work)()
    assert (log, strand.ended, strand.own) == (
        [("enter", "thread"), "run", ("wake", "waiting"), ("leave", "thread")],
        True,
        1,
    )


@pytest.mark.parametrize(
    ("task", "expected"), [(work, "work"), (lambda: None, "lambda"), (object(), "task")]
)
def test_name_of_a_task(task: object, expected: str) -> None:
    assert _name_of(task) == expected


def _of(module: str, name: str = "work") -> threading.Thread:
    def target() -> None:
        """Nothing."""

    target.__module__, target.__name__ = module, name
    return threading.Thread(target=target)


@pytest.mark.parametrize(
    ("thread", "expected"),
    [
        (_of("shop.orders"), False),
        (_of("pykka._threading"), True),
        (_of("pykkas"), False),
        (_of("multiprocessing.pool", "_handle_tasks"), True),
        (_of("multiprocessing.pool", "worker"), False),
        (_of("multiprocessing.queues", "_feed"), True),
    ],
)
def test_thread_of_others(thread: threading.Thread, expected: bool) -> None:
    assert _is_of_others(thread) is expected


def test_package_of_a_thread_of_a_class_is_that_of_the_class() -> None:
    class Mailer(threading.Thread):
        """A thread of its own kind."""

    Mailer.__module__ = "shop.mails"
    assert (package_of(Mailer()), package_of(_of("shop.orders"))) == ("shop", "shop")


def frame_in(module: str, back: Any = None) -> Any:
    return SimpleNamespace(f_globals={"__name__": module}, f_back=back)


def _set_result_unless_cancelled() -> None:
    """Named as the callback that ends a sleep."""


USER = frame_in("shop")
SLEEP = frame_in("asyncio.tasks", USER)


@pytest.mark.parametrize(
    ("callback", "frame", "expected"),
    [
        pytest.param(_set_result_unless_cancelled, SLEEP, USER, id="sleep"),
        pytest.param(work, SLEEP, None, id="timeout"),
        pytest.param(work, USER, USER, id="timer of the project"),
        pytest.param(_set_result_unless_cancelled, frame_in("asyncio.x"), None, id="nobody"),
    ],
)
def test_who_sleeps(callback: object, frame: Any, expected: Any) -> None:
    assert sleeper_of(callback, frame) is expected


@pytest.mark.parametrize(
    ("cancelled", "callback", "expected"),
    [
        (False, _set_result_unless_cancelled, True),
        (True, _set_result_unless_cancelled, False),
        (False, work, False),
    ],
)
def test_timer_of_a_sleep(cancelled: bool, callback: object, expected: bool) -> None:
    assert _sleeps(SimpleNamespace(_cancelled=cancelled, _callback=callback)) is expected


async def makes_a_task() -> None:
    await asyncio.gather(asyncio.sleep(0))


@pytest.mark.parametrize(("every", "expected"), [(True, True), (False, False)])
def test_task_within_a_task_counts_where_every_order_is_asked_for(
    every: bool, expected: bool
) -> None:
    recorder, patches = Recorder(), Patches()
    notice_strands(patches, recorder, every)
    try:
        asyncio.run(makes_a_task())
    finally:
        patches.undo()
    assert recorder.concurrent is expected


async def sleeps_twice() -> None:
    await asyncio.gather(asyncio.sleep(0.001), asyncio.sleep(0.001))


@pytest.mark.parametrize(
    ("test_file", "expected"), [("", True), (__file__, False)], ids=["system", "test"]
)
def test_two_sleeps_of_the_system_count(test_file: str, expected: bool) -> None:
    recorder, patches = Recorder(), Patches()
    recorder.test_file = test_file
    notice_strands(patches, recorder, False)
    try:
        asyncio.run(sleeps_twice())
    finally:
        patches.undo()
    assert recorder.concurrent is expected


def test_probe_keeps_where_the_project_is() -> None:
    probe = OrdersProbe()
    probe.prepare("/project", {})
    assert (probe.root, probe.available()) == ("/project", True)


class Setter:
    """Sets clocks, as freezegun does."""

    def start(self, log: list[str]) -> str:
        log.append("start")
        return "started"

    def stop(self, log: list[str]) -> str:
        log.append("stop")
        return "stopped"


def test_clocks_are_given_away_from_the_first_start_to_the_last_stop() -> None:
    patches, log = Patches(), list[str]()
    virtual_time._yield_to(patches, Setter, lambda: log.append("give"), lambda: log.append("take"))
    one, other = Setter(), Setter()
    try:
        told = [one.start(log), other.start(log), other.stop(log), one.stop(log)]
    finally:
        patches.undo()
    assert (told, log) == (
        ["started", "started", "stopped", "stopped"],
        ["give", "start", "start", "stop", "stop", "take"],
    )


@pytest.mark.parametrize(("name", "expected"), [("monotonic", 2.5), ("time_ns", 2_500_000_000)])
def test_virtual_clock_goes_on_from_now(
    name: str, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, name, lambda: 1000)
    clock = virtual_time._clock(SimpleNamespace(seconds=lambda: 2.5), name)  # type: ignore[arg-type]
    assert clock() == 1000 + expected


class Sleeping:
    """A baton, and whoever sleeps under it."""

    def __init__(self, *, controlled: bool = True, main: bool = False, lost: str = "") -> None:
        self.strand = object() if controlled else None
        self.main = self.strand if main else object()
        self.now = 10.0
        self.lost = ""
        self._lost = lost
        self.log: list[object] = []

    def here(self) -> object:
        return self.strand

    def pause(self, strand: object, seconds: float, *, sleeping: bool) -> None:
        self.log.append((seconds, sleeping))
        self.lost, self.now = self._lost, 11.0

    def go_on(self, how: str) -> None:
        self.log.append(how)


Sleep = Callable[..., list[object]]


@pytest.fixture
def sleep(monkeypatch: pytest.MonkeyPatch) -> Sleep:
    """Sleep so long, and tell what was done; nobody sleeps for real."""

    def slept(seconds: float, **given: Any) -> list[object]:
        baton: Any = Sleeping(**given)
        monkeypatch.setattr(
            Clock, "sleep", staticmethod(lambda real: baton.log.append(f"really {real:g}"))
        )
        virtual_time._sleep(baton, baton)(seconds)
        log: list[object] = baton.log
        return log

    return slept


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, [(3.0, True), "sleep"], id="a thread"),
        pytest.param({"main": True}, [(3.0, True)], id="the test"),
        pytest.param({"controlled": False}, ["really 3"], id="not controlled"),
        pytest.param({"lost": "why"}, [(3.0, True), "really 2"], id="control is lost meanwhile"),
    ],
)
def test_sleep_under_control(given: dict[str, Any], expected: list[object], sleep: Sleep) -> None:
    assert [str(one) for one in sleep(3.0, **given)] == [str(one) for one in expected]


def test_nobody_sleeps_for_less_than_nothing(sleep: Sleep) -> None:
    with pytest.raises(ValueError, match="sleep length must be non-negative"):
        sleep(-0.1)


def test_what_was_put_somewhere_is_seen_by_who_reads_it() -> None:
    class Queue:
        """Can be kept weakly."""

    writer, reader, queue = Strand(1, "writer"), Strand(2, "reader"), Queue()
    baton: Any = SimpleNamespace(here=lambda: writer)
    seen = _Seen(baton)
    seen.write(queue)
    baton.here = lambda: reader
    seen.read(Queue())
    before = dict(reader.past)
    seen.read(queue)
    assert (before, dict(reader.past), dict(reader.waited)) == ({}, {1: 1}, {1: 1})


def test_who_is_not_controlled_sees_nothing() -> None:
    baton: Any = SimpleNamespace(here=lambda: None)
    seen, owner = _Seen(baton), ModuleType("owner")
    seen.write(owner)
    seen.read(owner)
    assert dict(seen._written) == {}
