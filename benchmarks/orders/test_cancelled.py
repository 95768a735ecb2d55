"""What only hurts when a task is cancelled where it waits, as it was and repaired."""

from __future__ import annotations

import asyncio

import pytest
from real import replies_of_redis


@pytest.mark.parametrize("client", [replies_of_redis.Client, replies_of_redis.RepairedClient])
def test_a_command_gets_its_own_reply(client: type[replies_of_redis.Client]) -> None:
    assert asyncio.run(replies_of_redis.run(client)) == "reply to GET"
