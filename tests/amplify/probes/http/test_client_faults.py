"""What each kind of fault looks like to the callers of each library."""

from __future__ import annotations

import asyncio

import aiohttp
import httpx
import pytest
import requests
import urllib3

from socrates_amplify import faults
from socrates_amplify.executors.base import Suite
from socrates_amplify.exploration.traces.error_replies import spared
from socrates_amplify.model.faults import Scenario
from socrates_amplify.originals import Clock
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.suite_runner import SuiteRunner

REFUSED = {"ConnectionError", "NewConnectionError", "ConnectError", "ClientConnectorError"}
LATE = {"ReadTimeout", "ReadTimeoutError", "TimeoutError"}
BAD = {"HTTPError", "503 None", "HTTPStatusError", "ClientResponseError"}


def test_a_call_is_traced(run, shop, client):
    ran = run(lambda: client(f"{shop.url}/reviews/7"))
    assert [(call.message, call.receiver) for call in ran.calls] == [
        ("GET /reviews/7", "localhost#1")
    ]


def test_a_traced_call_is_as_always(run, shop, client):
    assert run(lambda: client(f"{shop.url}/reviews/7")).result == "200 5"


def test_a_call_has_a_turn_and_a_reply(run, shop, client):
    ran = run(lambda: client(f"{shop.url}/reviews/7"))
    assert (len(ran.turns), [reply[:3] for reply in ran.replies]) == (1, ["200"])


@pytest.mark.parametrize(
    ("kind", "told"),
    [("connection-error", REFUSED), ("timeout", LATE), ("status:503", BAD)],
    ids=["connection-error", "timeout", "status"],
)
def test_a_fault_is_what_the_library_raises(run, shop, client, kind, told):
    def code():
        return client(f"{shop.url}/reviews/7")

    fault = run(code).fault(kind)
    assert run(code, [fault]).result in told


def test_service_that_is_down_stays_down(run, shop, client):
    def code():
        return [client(f"{shop.url}/{path}") for path in ("a", "b", "b")]

    down = run(code).faults("down")[1]
    ran = run(code, [down])
    first, *others = ran.result
    assert (first, set(others) <= REFUSED, ran.injected) == ("200 5", True, ["down"] * 2)


def test_other_services_are_not_down(run, shop, client):
    def code():
        return client("http://127.0.0.1:9/a"), client(f"{shop.url}/a")

    assert run(code, [run(code).fault("down")]).result[1] == "200 5"


def test_a_call_that_fails_without_faults_is_left_as_it_is(run, client, unused_tcp_port):
    ran = run(lambda: client(f"http://127.0.0.1:{unused_tcp_port}/reviews/7"))
    assert (len(ran.calls), spared(ran.faults("timeout", "status"), ran.trace)) == (1, [])


@pytest.mark.parametrize("kind", ["connection-error", "timeout", "status"])
def test_a_fault_keeps_the_call_from_its_service(run, shop, seen, client, kind):
    def code():
        return client(f"{shop.url}/reviews/7")

    fault = run(code).fault(kind)
    before = len(seen)
    ran = run(code, [fault])
    assert (len(seen) - before, ran.injected) == (0, [kind])


def test_the_same_call_has_the_same_target_in_the_next_run(run, shop, client):
    def code():
        return client(f"{shop.url}/reviews/7")

    assert run(code).calls[0].target == run(code).calls[0].target


def test_calls_with_other_contents_are_told_apart(run, shop, client):
    def code():
        for number in (7, 8):
            client(f"{shop.url}/reviews?id={number}")

    first, second = run(code).calls
    assert first.target != second.target


def test_a_retry_is_another_call(run, shop, client):
    def code():
        return [client(f"{shop.url}/reviews/7") for _ in range(2)]

    control = run(code)
    second = control.faults("status:503")[1]
    assert run(code, [second]).result[0] == "200 5"
    assert run(code, [second]).result[1] in BAD


def test_a_slow_call_still_succeeds(run, shop, client):
    def code():
        return client(f"{shop.url}/reviews/7")

    fault = run(code).fault("slow")
    ran = run(code, [fault], {"slow": 0.01})
    assert (ran.result, ran.injected) == ("200 5", ["slow"])


def test_a_call_slower_than_its_timeout_is_a_timeout(run, shop, client):
    def code():
        return client(f"{shop.url}/reviews/7")

    fault = run(code).fault("slow")
    slept = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "socrates_amplify.probes.http.clients.faults.patience",
            lambda *_: slept.append(1) or 0.0,
        )
        assert run(code, [fault], {"slow": 60}).result in LATE


def test_only_the_first_fault_of_a_call_is_applied(run, shop, client):
    def code():
        return client(f"{shop.url}/reviews/7")

    faults = run(code).faults("connection-error", "status:503")
    ran = run(code, faults)
    missed = [fault.kind for fault, _ in ran.recorder.unapplied]
    assert (ran.injected, missed) == (["connection-error"], ["status"])


def test_each_hop_of_a_redirect_works_under_the_probe(run, shop, client):
    assert run(lambda: client(f"{shop.url}/moved")).result == "200 5"


def test_the_header_that_tells_a_service_its_cause_is_not_seen_by_it(run, shop, seen, client):
    run(lambda: client(f"{shop.url}/reviews/7"))
    assert "socrates-call" not in seen[0].headers


def test_without_the_header_a_service_does_not_know_its_cause(run, shop, client):
    ran = run(lambda: client(f"{shop.url}/reviews/7"), config={"header": False})
    assert [turn.handler for turn in ran.turns] == [""]


def test_without_a_timeout_none_is_offered(run, shop):
    ran = run(lambda: requests.get(f"{shop.url}/reviews/7"))
    assert ran.faults("timeout") == []


def test_a_retry_policy_of_urllib3_really_runs(run, shop):
    def code():
        retries = urllib3.Retry(total=2, backoff_factor=0, status_forcelist=[503])
        with urllib3.PoolManager(retries=retries) as pool:
            return pool.request("GET", f"{shop.url}/reviews/7").status

    fault = run(code).fault("status:503")
    ran = run(code, [fault])
    assert (ran.result, len(ran.calls)) == (200, 2)


def test_an_injected_status_gives_its_connection_back_to_a_pool_that_waits(run, shop):
    def code():
        retries = urllib3.Retry(total=2, backoff_factor=0, status_forcelist=[503])
        with urllib3.connection_from_url(
            shop.url, maxsize=1, block=True, timeout=5, retries=retries
        ) as pool:
            response = pool.request("GET", "/reviews/7", pool_timeout=1, preload_content=False)
            return response.status, response.drain_conn(), pool.pool.qsize()

    fault = run(code).fault("status:503")
    assert run(code, [fault]).result == (200, None, 1)


def test_a_retry_policy_of_a_requests_adapter_really_runs(run, shop):
    def code():
        session = requests.Session()
        policy = urllib3.Retry(total=2, backoff_factor=0)
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=policy))
        with session:
            return session.get(f"{shop.url}/reviews/7", timeout=5).status_code

    fault = run(code).fault("connection-error")
    ran = run(code, [fault])
    assert (ran.result, [call.type for call in ran.calls]) == (200, ["requests:GET"] * 2)


def test_a_retry_of_an_httpx_transport_is_another_call(run, shop):
    def code():
        transport = httpx.HTTPTransport(retries=1)
        with httpx.Client(transport=transport) as client:
            return client.get(f"{shop.url}/reviews/7").status_code

    fault = run(code).fault("connection-error")
    ran = run(code, [fault])
    assert (ran.result, len(ran.calls)) == (200, 2)


def test_response_hooks_see_an_injected_status(run, shop):
    seen = []

    def code():
        hooks = {"response": lambda response, **_: seen.append(response.status_code)}
        requests.get(f"{shop.url}/reviews/7", timeout=5, hooks=hooks)

    run(code, [run(code).fault("status:500")])
    assert seen == [200, 500]


def test_an_injected_status_can_be_streamed(run, shop):
    def code():
        with httpx.stream("GET", f"{shop.url}/reviews/7") as response:
            return b"".join(response.iter_bytes())

    assert (
        run(code, [run(code).fault("status:500")]).result == b'{"message": "Internal Server Error"}'
    )


@pytest.mark.parametrize("library", [requests, httpx], ids=["requests", "httpx"])
def test_a_bad_gateway_answers_with_a_page(run, shop, library):
    def code():
        reply = library.get(f"{shop.url}/reviews/7", timeout=5)
        return reply.status_code, reply.headers["content-type"], reply.text[:6]

    assert run(code, [run(code).fault("status:502")]).result == (502, "text/html", "<html>")


@pytest.mark.parametrize("library", [requests, httpx], ids=["requests", "httpx"])
def test_an_injected_status_for_a_head_has_no_body(run, shop, library):
    def code():
        return library.head(f"{shop.url}/reviews/7", timeout=5).content

    assert run(code, [run(code).fault("status:500")]).result == b""


def test_a_streamed_body_is_as_always(run, shop):
    def code():
        with requests.get(f"{shop.url}/reviews/7", stream=True, timeout=5) as response:
            return b"".join(response.iter_content(4))

    assert run(code).result == b'{"stars": 5}'


def test_a_body_that_is_a_stream_is_not_read(run, shop):
    def code():
        return requests.post(f"{shop.url}/new", data=iter([b"a", b"b"]), timeout=5).status_code

    assert run(code).calls[0].message == "POST /new"


def test_many_calls_at_once_are_told_apart(run, shop):
    async def fetch(client, number):
        return (await client.get(f"{shop.url}/reviews/{number}")).status_code

    def code():
        async def all_of_them():
            async with httpx.AsyncClient() as client:
                return await asyncio.gather(*(fetch(client, number) for number in range(5)))

        return asyncio.run(all_of_them())

    third = next(fault for fault in run(code).faults("status:503") if "/3" in fault.message)
    assert run(code, [third]).result == [200, 200, 200, 503, 200]


def test_a_session_that_raises_for_status_does(run, shop):
    async def fetch():
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            (await session.get(f"{shop.url}/reviews/7")).close()

    def code():
        try:
            asyncio.run(fetch())
        except aiohttp.ClientResponseError as error:
            return error.status

    assert run(code, [run(code).fault("status:502")]).result == 502


def test_an_honest_timeout_takes_its_time(run, shop, monkeypatch):
    slept = []

    def code():
        try:
            requests.get(f"{shop.url}/reviews/7", timeout=3)
        except requests.Timeout:
            return "late"

    fault = run(code).fault("timeout")
    monkeypatch.setattr(Clock, "wait", slept.append)
    ran = run(code, [fault], {"honest-timeouts": True})
    assert (ran.result, slept) == ("late", [3.0])


@pytest.mark.parametrize("kind", ["timeout", "lost-reply", "slow"])
def test_a_fault_has_happened_while_its_caller_still_waits(run, shop, client, kind, monkeypatch):
    """Else a caller's caller that gives up earlier would fail without any fault."""
    noted = []

    def code():
        return client(f"{shop.url}/reviews/7")

    def sleep(seconds):
        noted.append(faults.injected(kind))

    async def sleep_async(seconds):
        sleep(seconds)

    fault = run(code).fault(kind)
    monkeypatch.setattr(Clock, "wait", sleep)
    monkeypatch.setattr("socrates_amplify.probes.http.clients.httpx.wait", sleep_async)
    monkeypatch.setattr("socrates_amplify.probes.http.clients.aiohttp.wait", sleep_async)
    run(code, [fault], {"honest-timeouts": True})
    assert noted == [True]


@pytest.mark.parametrize(
    ("kind", "config", "seconds"),
    [
        ("timeout", {"honest-timeouts": True}, 5),
        ("lost-reply", {"honest-timeouts": True}, 5),
        ("timeout", {}, 0),
        ("slow", {"slow": 7}, 7),
    ],
    ids=["an honest timeout", "an honest lost reply", "a timeout at once", "a slow answer"],
)
def test_the_time_that_a_fault_takes_is_no_hang(run, shop, tmp_path, kind, config, seconds):
    control = run(lambda: requests.get(f"{shop.url}/reviews/7", timeout=5), config=config)
    known = ControlRuns("test_it.py::test_it", "ok", trace=control.trace)
    with SuiteRunner(Suite(tmp_path, probes={"http": config}), [kind]) as runner:
        usual = runner.limit(known)
        longer = runner.limit(known, Scenario.of([control.fault(kind)]))
    assert longer - usual == seconds
