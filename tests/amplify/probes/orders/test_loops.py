"""Event loops under control: virtual time, threads beside them, timeouts, sockets."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time

import pytest

from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.orders.probe import OrdersProbe


async def an_hour() -> float:
    """How long a sleep of an hour takes by the loop's own clock."""
    began = asyncio.get_running_loop().time()
    await asyncio.sleep(3600)
    return round(asyncio.get_running_loop().time() - began)


async def from_a_thread() -> float:
    """What a thread hands to a loop that waits for nothing else."""
    loop = asyncio.get_running_loop()
    answer = loop.create_future()

    def work() -> None:
        time.sleep(3600)
        loop.call_soon_threadsafe(answer.set_result, 3600)

    threading.Thread(target=work).start()
    return await answer


async def a_timeout() -> float:
    """How long a wait lasts that only its timeout ends."""
    began = asyncio.get_running_loop().time()
    try:
        await asyncio.wait_for(asyncio.Event().wait(), timeout=3600)
    except TimeoutError:
        return round(asyncio.get_running_loop().time() - began)
    return 0


async def in_a_pool() -> float:
    """What a function that a pool runs gives back."""
    return await asyncio.to_thread(lambda: (time.sleep(3600), 3600)[1])


@pytest.mark.parametrize("code", [an_hour, from_a_thread, a_timeout, in_a_pool])
def test_an_hour_passes_in_a_loop(controlled, code) -> None:
    ended = controlled(lambda: asyncio.run(code()))
    assert (ended.value, ended.error, ended.lost) == (3600, None, "")


def test_a_loop_that_nothing_wakes_is_a_deadlock(controlled) -> None:
    async def wait() -> None:
        await asyncio.Event().wait()  # nobody sets it

    assert type(controlled(lambda: asyncio.run(wait())).error).__name__ == "Deadlock"


def test_a_loop_that_waits_for_a_socket_is_not_controlled(controlled) -> None:
    async def talk() -> bytes:
        one, other = socket.socketpair()
        with one, other:
            one.setblocking(False)
            loop = asyncio.get_running_loop()
            loop.call_later(0.01, other.send, b"x")
            return await loop.sock_recv(one, 1)

    ended = controlled(lambda: asyncio.run(talk()))
    assert (ended.value, "waits for a socket" in ended.lost) == (b"x", True)


class Account:
    """Opened by one task; another one that is made later counts on it, or waits for it."""

    def __init__(self, waits: bool) -> None:
        self._opened = asyncio.Event()
        self._waits = waits
        self.done: list[str] = []

    async def open(self) -> None:
        self._opened.set()
        self.done.append("open")

    async def pay_in(self) -> None:
        if self._waits:
            await self._opened.wait()
        self.done.append("pay in")


def used(account: Account) -> list[str]:
    async def use() -> None:
        await asyncio.gather(account.open(), account.pay_in())

    asyncio.run(use())
    return account.done


def late_start(in_order, **config: str) -> Fault | None:
    """The order in which the task that opens an account begins late; None where it is not offered."""
    trace = in_order(lambda: used(Account(waits=False)), config=config).trace
    faults = OrdersProbe().faults_of(trace, ["order"])
    return next((fault for fault in faults if fault.sender == "Account.open#1"), None)


def test_tasks_that_are_ready_keep_the_order_that_call_soon_promises(in_order) -> None:
    assert late_start(in_order) is None


def test_tasks_that_are_ready_together_change_places_when_all_orders_are_asked_for(
    in_order,
) -> None:
    late = late_start(in_order, tried="all")
    ran = in_order(lambda: used(Account(waits=False)), late)
    assert (ran.value, ran.missed) == (["pay in", "open"], [])


def test_a_task_that_waits_for_the_other_one_is_never_first(in_order) -> None:
    late = late_start(in_order, tried="all")
    assert in_order(lambda: used(Account(waits=True)), late).value == ["open", "pay in"]


def test_what_is_said_of_an_order_of_ready_tasks(in_order) -> None:
    late = late_start(in_order, tried="all")
    told = late.message if late else ""
    assert re.fullmatch(r"step at test_loops\.py:\d+ after step of Account\.pay_in#1", told)


def as_they_come() -> list[str]:
    """Two tasks of a pool that an application waits for, and what it has by then."""
    shown: list[str] = []

    async def show(what: str) -> None:
        shown.append(await asyncio.to_thread(str.upper, what))

    async def both() -> None:
        await asyncio.gather(show("a"), show("b"))

    asyncio.run(both())
    return shown


def test_results_of_threads_come_into_a_loop_in_either_order(in_order) -> None:
    told = in_order(as_they_come).orders()
    swapped = in_order(as_they_come, told["result after result of upper()#2"])
    assert swapped.value == ["B", "A"]


def handed_on() -> None:
    """What a thread has a loop do, and a task of a pool that comes of it."""

    async def main() -> None:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        threading.Thread(target=lambda: loop.call_soon_threadsafe(done.set)).start()
        await done.wait()
        await asyncio.to_thread(str.upper, "a")

    asyncio.run(main())


def test_what_a_thread_has_a_loop_do_comes_before_all_that_comes_of_it(in_order) -> None:
    assert [
        told for told in in_order(handed_on).orders() if "call" in told or "result" in told
    ] == []


def test_a_timeout_of_anyio_is_no_sleep(in_order) -> None:
    anyio = pytest.importorskip("anyio")

    async def late(seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await anyio.sleep(60)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(late, 0.1)
            group.start_soon(late, 0.2)

    assert in_order(lambda: anyio.run(main)).orders() == {}
