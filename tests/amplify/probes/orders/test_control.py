"""Threads, locks and clocks under control: one thread at a time, the same in every run."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from time import monotonic as clock_by_name

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.originals import Clock
from socrates_amplify.probes.orders import control
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.record.recorder import Recorder


def started(*codes):
    """Threads that run these functions, all started."""
    threads = [threading.Thread(target=code, name=f"T{n}") for n, code in enumerate(codes)]
    for thread in threads:
        thread.start()
    return threads


def test_threads_take_turns_in_the_same_way_every_time(controlled) -> None:
    def steps() -> list[str]:
        seen: list[str] = []

        def work(name: str) -> None:
            for number in range(3):
                seen.append(f"{name}{number}")
                time.sleep(0)

        for thread in started(lambda: work("a"), lambda: work("b"), lambda: work("c")):
            thread.join()
        return seen

    expected = [f"{name}{number}" for number in range(3) for name in "abc"]
    assert [controlled(steps).value for _ in range(20)] == [expected] * 20


def test_an_hour_of_sleep_passes_on_every_clock_and_on_none_of_ours(controlled) -> None:
    def sleep() -> tuple[float, float]:
        began, by_name = time.time(), clock_by_name()
        time.sleep(3600)
        return time.time() - began, clock_by_name() - by_name

    real = Clock.now()
    slept = controlled(sleep).value
    assert min(slept) >= 3600 > Clock.now() - real


def test_a_clock_that_is_looked_at_again_and_again_goes_on(controlled) -> None:
    def spin() -> bool:
        over = time.monotonic() + 5
        while time.monotonic() < over:
            pass
        return True

    assert controlled(spin).value


@pytest.mark.parametrize(
    "limited",
    [
        pytest.param(lambda: queue.Queue().get(timeout=9), id="queue"),
        pytest.param(lambda: queue.SimpleQueue().get(timeout=9), id="simple queue"),
        pytest.param(lambda: threading.Event().wait(9), id="event"),
        pytest.param(lambda: threading.Semaphore(0).acquire(timeout=9), id="semaphore"),
        pytest.param(lambda: started(lambda: time.sleep(20))[0].join(9), id="join"),
    ],
)
def test_a_timeout_ends_when_nothing_else_can_happen(controlled, limited) -> None:
    def code() -> float:
        began = time.monotonic()
        with contextlib.suppress(queue.Empty):
            limited()
        return round(time.monotonic() - began)

    assert controlled(code).value == 9


def test_pools_events_and_barriers_work_as_ever(controlled) -> None:
    def code() -> list[int]:
        barrier, opened, done = threading.Barrier(3), threading.Event(), []

        def pass_by() -> None:
            opened.wait(60)
            done.append(barrier.wait(60))

        threads = started(pass_by, pass_by, pass_by)
        opened.set()
        for thread in threads:
            thread.join()
        with ThreadPoolExecutor(2) as pool:
            return [*sorted(done), *pool.map(abs, [-3, -4])]

    assert controlled(code).value == [0, 1, 2, 3, 4]


def test_a_lock_that_is_held_while_its_thread_sleeps_is_waited_for(controlled) -> None:
    def code() -> list[str]:
        lock, seen = threading.Lock(), []

        def work(name: str) -> None:
            with lock:
                seen.append(name)
                time.sleep(1)
                seen.append(name)

        for thread in started(lambda: work("a"), lambda: work("b")):
            thread.join()
        return seen

    assert controlled(code).value == ["a", "a", "b", "b"]


def test_a_deadlock_is_told_at_once_with_who_waits_for_what(controlled) -> None:
    def code() -> None:
        one, other = threading.Lock(), threading.Lock()

        def take(first, second) -> None:
            with first:
                time.sleep(1)
                with second:
                    pass

        threads = started(lambda: take(one, other), lambda: take(other, one))
        for thread in threads:
            thread.join()

    error = controlled(code).error
    assert (type(error).__name__, str(error)) == (
        "Deadlock",
        "no thread can go on: test waits for the end of T0; "
        "T0 waits for a lock that T1 holds; T1 waits for a lock that T0 holds",
    )


def test_a_thread_that_reads_from_a_pipe_is_not_controlled(controlled) -> None:
    def code() -> bytes:
        reading, writing = os.pipe()
        threads = started(lambda: os.read(reading, 1), lambda: os.write(writing, b"x"))
        for thread in threads:
            thread.join()
        os.close(reading)
        os.close(writing)
        return b"over"

    ended = controlled(code)
    assert (ended.value, "T0 waits for something that is not controlled" in ended.lost) == (
        b"over",
        True,
    )


def test_what_was_patched_is_as_it_was(controlled) -> None:
    names = ("Lock", "RLock", "_allocate_lock")
    before = [time.sleep, queue.SimpleQueue, *(getattr(threading, name) for name in names)]
    controlled(lambda: random.random())
    after = [time.sleep, queue.SimpleQueue, *(getattr(threading, name) for name in names)]
    assert after == before


def test_where_control_can_not_be_taken_nothing_is_left_and_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("no clock\nhere")

    monkeypatch.setattr(control, "patch_time", fail)
    recorder, before = Recorder(Scenario.of([UNFORCED])), (threading.Lock, threading._allocate_lock)  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError):
        OrdersProbe().install(recorder, {})
    assert (threading.Lock, threading._allocate_lock) == before  # type: ignore[attr-defined]
    assert (recorder.controlled, recorder.unapplied) == (
        False,
        [
            (
                UNFORCED,
                "the order was not controlled: control could not be taken: RuntimeError: no clock here",
            )
        ],
    )
