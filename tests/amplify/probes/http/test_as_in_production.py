"""Faults above a fake of requests look as they do against a real server, and calls are told as they are."""

from __future__ import annotations

import asyncio
import functools
import re
import socket
from unittest import mock

import aiohttp
import pytest
import requests
import responses


@pytest.fixture
def text_of_refusal(unused_tcp_port) -> str:
    """What requests says of a port at which nobody listens."""
    with pytest.raises(requests.ConnectionError) as refused:
        requests.get(f"http://127.0.0.1:{unused_tcp_port}/a?b=1", timeout=5)
    return plain(str(refused.value).replace(str(unused_tcp_port), "80"))


def plain(text: str) -> str:
    """A message without the address of an object."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def test_refused_connection_above_a_fake_reads_as_a_real_one(run, text_of_refusal) -> None:
    @responses.activate
    def code() -> str:
        responses.get("http://127.0.0.1:80/a", body="5")
        try:
            return requests.get("http://127.0.0.1:80/a?b=1", timeout=5).text
        except requests.ConnectionError as error:
            return str(error)

    fault = run(code).fault("connection-error")
    assert plain(str(run(code, [fault]).result)) == text_of_refusal


def test_late_answer_above_a_fake_names_its_server(run) -> None:
    @responses.activate
    def code() -> str:
        responses.get("http://shop/a", body="5")
        try:
            return requests.get("http://shop/a", timeout=5).text
        except requests.ReadTimeout as error:
            return str(error)

    fault = run(code).fault("timeout")
    told = "HTTPConnectionPool(host='shop', port=80): Read timed out."
    assert run(code, [fault]).result == told


def test_address_inside_of_a_path_is_a_path(run, shop, client) -> None:
    ran = run(lambda: client(f"{shop.url}/web/https://birds.example/a"))
    assert [call.message for call in ran.calls] == ["GET /web/https://birds.example/a"]


def test_calls_are_seen_where_something_else_has_wrapped_the_client(
    run, shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = requests.Session.send

    @functools.wraps(genuine)
    def traced(session, request, **options):
        return genuine(session, request, **options)

    monkeypatch.setattr(requests.Session, "send", traced)
    ran = run(lambda: requests.get(f"{shop.url}/reviews/7", timeout=5).text)
    assert ([call.message for call in ran.calls], requests.Session.send) == (
        ["GET /reviews/7"],
        traced,
    )


def test_socket_is_mocked_as_if_nobody_had_patched_it(run) -> None:
    def code() -> str:
        with mock.patch("socket.socket.listen", autospec=True) as listen, socket.socket() as made:
            made.listen(3)
        return str(listen.call_args)

    assert run(code).result == "call(3)"


@pytest.mark.parametrize(
    ("timeout", "name"),
    [
        pytest.param(aiohttp.ClientTimeout(total=5), "TimeoutError", id="of the whole call"),
        pytest.param(aiohttp.ClientTimeout(sock_read=5), "SocketTimeoutError", id="of each read"),
    ],
)
def test_late_answer_is_the_error_that_aiohttp_raises(run, shop, timeout, name) -> None:
    async def ask() -> str:
        async with aiohttp.ClientSession(timeout=timeout) as session:
            try:
                async with session.get(f"{shop.url}/reviews/7") as response:
                    return str(response.status)
            except (TimeoutError, aiohttp.ClientError) as error:
                return type(error).__name__

    def code() -> str:
        return asyncio.run(ask())

    fault = run(code).fault("timeout")
    assert run(code, [fault]).result == name
