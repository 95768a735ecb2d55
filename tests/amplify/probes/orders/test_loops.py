"""Event loops under control: virtual time, threads beside them, timeouts, sockets."""

from __future__ import annotations

import asyncio
import socket
import threading
import time

import pytest


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
