"""Orders in which two threads would wait for each other are not offered."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


def run_together(*codes: Callable[[], object]) -> None:
    threads = [threading.Thread(target=code) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def nested() -> None:
    outer, inner = threading.Lock(), threading.Lock()

    def one() -> None:
        with outer, inner:
            pass

    def two() -> None:
        with outer, inner:
            pass

    run_together(one, two)


def crossed() -> None:
    left, right = threading.Lock(), threading.Lock()

    def one() -> None:
        with left, right:
            pass

    def two() -> None:
        with right:
            pass
        with left:
            pass

    run_together(one, two)


def after_both() -> None:
    outer, inner = threading.Lock(), threading.Lock()
    passed: queue.Queue[int] = queue.Queue()

    def one() -> None:
        with outer, inner:
            pass

    def two() -> None:
        with outer:
            passed.put(1)

    def three() -> None:
        passed.get()
        with inner:
            pass

    run_together(one, two, three)


def put_back() -> None:
    jobs: queue.SimpleQueue[str] = queue.SimpleQueue()
    jobs.put("stop")

    def worker() -> None:
        jobs.put(jobs.get())

    run_together(worker, worker)


def held_until(ran, receiver: str) -> list[str]:
    """The orders of what is done to ``receiver``, without those of threads that stand still."""
    return sorted(
        told
        for told, fault in ran.orders().items()
        if fault.receiver == receiver
        and not told.startswith("what follows")
        and " start" not in told
    )


def test_who_has_the_outer_lock_is_not_held_until_another_one_took_the_inner_one(in_order) -> None:
    assert held_until(in_order(nested), "Lock#2") == []


def test_the_outer_lock_may_be_taken_later(in_order) -> None:
    assert len(held_until(in_order(nested), "Lock#1")) == 1


def test_a_lock_that_is_not_needed_before_keeps_nobody(in_order) -> None:
    assert len(held_until(in_order(crossed), "Lock#2")) == 1


def test_who_waits_for_somebody_that_needs_the_lock_needs_it_too(in_order) -> None:
    assert held_until(in_order(after_both), "Lock#2") == []


def test_what_is_taken_out_of_a_queue_comes_after_it_was_put_there(in_order) -> None:
    assert held_until(in_order(put_back), "SimpleQueue#1") == []
