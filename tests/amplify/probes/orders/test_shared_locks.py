"""Locks that are taken several times, conditions and pools: which orders of them are free."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.record.recorder import Recorder


def steps_and_orders(code: Callable[[], object]) -> tuple[list[str], list[str]]:
    """What threads did under control, and what could have come late."""
    recorder = Recorder(Scenario.of([UNFORCED]))
    undo = OrdersProbe().install(recorder, {})
    try:
        code()
    finally:
        undo()
    trace = recorder.trace()
    done = [
        f"{one.sender} {one.message.partition(' at ')[0]} {one.receiver}" for one in trace.sends
    ]
    late = [fault.message for fault in OrdersProbe().faults_of(trace, ["order"]) if fault.detail]
    return done, [
        told for told in late if not told.startswith("what follows") and "start" not in told
    ]


def both(code: Callable[[], None]) -> None:
    """Run it in two threads."""
    threads = [threading.Thread(target=code, name=name) for name in ("left", "right")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def take_twice() -> None:
    lock = threading.RLock()

    def take() -> None:
        with lock, lock:
            pass

    both(take)


def test_a_lock_that_a_thread_has_already_is_taken_once() -> None:
    done, _ = steps_and_orders(take_twice)
    assert [step for step in done if "acquire" in step] == [
        "left acquire RLock#1",
        "right acquire RLock#1",
    ]


def enter_condition() -> None:
    changed = threading.Condition()

    def enter() -> None:
        with changed:
            changed.notify()

    both(enter)


@pytest.mark.parametrize("code", [take_twice, enter_condition])
def test_who_takes_it_first_is_free(code: Callable[[], None]) -> None:
    _, late = steps_and_orders(code)
    assert [told.rpartition(" after ")[2] for told in late] == ["acquire of right"]


def work() -> None:
    """Nothing to do."""


def run_in_pool(threads: int) -> None:
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(2):
            pool.submit(work)


def test_tasks_of_a_pool_change_places_though_one_thread_has_run_both() -> None:
    _, late = steps_and_orders(lambda: run_in_pool(2))
    assert late == ["work() after work of work()#2"]


def test_tasks_of_a_pool_with_one_thread_keep_their_order() -> None:
    _, late = steps_and_orders(lambda: run_in_pool(1))
    assert late == []


def test_a_task_that_was_handed_in_after_a_result_stays_behind_it() -> None:
    def wait_between() -> None:
        with ThreadPoolExecutor(2) as pool:
            pool.submit(work).result()
            pool.submit(work).result()

    _, late = steps_and_orders(wait_between)
    assert late == []
