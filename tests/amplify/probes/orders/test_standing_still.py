"""A thread stands still while another one begins, or takes what it has given away."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest


def in_threads(*codes: Callable[[], object]) -> None:
    threads = [threading.Thread(target=code) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def connections_of_a_lazy_client() -> int:
    """How often two threads connect a client that looks, and then connects under a lock of the server."""
    lock, made = threading.Lock(), []

    def fetch() -> None:
        if not made:
            with lock:
                pass
            made.append(1)

    in_threads(fetch, fetch)
    return len(made)


def queries_that_found_no_connection() -> int:
    """A pool that lets the next one in before the connection is back."""
    slots, idle, failed = threading.Semaphore(1), ["connection"], []

    def query() -> None:
        slots.acquire()
        if not idle:
            failed.append(1)
            return
        connection = idle.pop()
        slots.release()
        idle.append(connection)

    in_threads(query, query)
    return len(failed)


@pytest.mark.parametrize(
    ("code", "usual", "broken"),
    [(connections_of_a_lazy_client, 1, 2), (queries_that_found_no_connection, 0, 1)],
    ids=["begins", "takes"],
)
def test_some_place_to_stand_still_shows_the_bug(in_order, code, usual, broken) -> None:
    usually = in_order(code)
    found = {in_order(code, order).value for order in usually.orders().values() if order.detail}
    assert (usually.value, max(found)) == (usual, broken)


def test_a_place_to_stand_still_is_told(in_order) -> None:
    told = in_order(queries_that_found_no_connection).orders()
    assert [one for one in told if one.startswith("what follows release")]


def results_are_there_already() -> list[str]:
    """Who takes the result of a task has seen what the task did, though it need not wait for it."""
    seen: list[str] = []
    lock = threading.Lock()

    def write(what: str) -> None:
        with lock:
            seen.append(what)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(write, "first")
        pool.submit(write, "between").result()
        first.result()
        write("second")
    return seen


def test_a_result_is_seen_though_nobody_waits(in_order) -> None:
    told = in_order(results_are_there_already).orders()
    assert [one for one in told if "after acquire of test" in one] == []
