"""The service did what it was asked, but its reply is lost: what callers and services see of it."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
import requests
import responses
import respx
from urllib3.util import Retry

LATE = {"ReadTimeout", "ReadTimeoutError", "TimeoutError"}
URL = "http://bank.internal/charges"


def lost(run, client, url):
    """One call of each library whose reply was lost."""

    def code():
        return client(url)

    return run(code, [run(code).fault("lost-reply")])


def test_the_caller_sees_a_timeout_of_its_library(run, shop, client) -> None:
    assert lost(run, client, f"{shop.url}/reviews/7").result in LATE


def test_the_service_has_handled_the_call(run, shop, seen, client) -> None:
    lost(run, client, f"{shop.url}/reviews/7")
    assert [request.line for request in seen] == ["GET /reviews/7", "GET /reviews/7"]


def test_the_trace_has_the_turn_and_no_reply(run, shop, client) -> None:
    ran = lost(run, client, f"{shop.url}/reviews/7")
    assert (len(ran.turns), ran.replies, ran.injected) == (1, [], ["lost-reply"])


def test_the_fault_counts_as_applied(run, shop, client) -> None:
    assert lost(run, client, f"{shop.url}/reviews/7").recorder.unapplied == []


def test_a_lost_error_is_a_timeout_too(run, shop, client) -> None:
    assert lost(run, client, f"{shop.url}/absent").result in LATE


def test_a_call_without_a_timeout_waits_for_ever(run, shop) -> None:
    ran = run(lambda: requests.get(f"{shop.url}/reviews/7"))
    assert ran.faults("lost-reply") == []


def test_a_call_that_fails_by_itself_has_no_reply_to_lose(run) -> None:
    answers = iter([httpx.Response(200), httpx.ConnectError("gone")])

    def code() -> str:
        with respx.mock() as fake:
            fake.post(URL).mock(side_effect=[next(answers)])
            try:
                return str(httpx.post(URL, timeout=5).status_code)
            except httpx.HTTPError as error:
                return type(error).__name__

    ran = run(code, [run(code).fault("lost-reply")])
    assert (ran.result, len(ran.recorder.unapplied)) == ("ConnectError", 1)


def test_a_retry_policy_makes_the_call_again(run, shop, seen) -> None:
    def code() -> int:
        with requests.Session() as session:
            retry = Retry(2, read=2, allowed_methods=None, backoff_factor=0)
            session.mount("http://", requests.adapters.HTTPAdapter(max_retries=retry))
            return session.post(f"{shop.url}/charges", timeout=5).status_code

    fault = run(code).fault("lost-reply")
    ran = run(code, [fault])
    assert (ran.result, len(seen)) == (200, 3)


def with_responses() -> tuple[str, int]:
    """What is left of a faked call: what the caller saw, and how often the fake was called."""
    with responses.RequestsMock() as fake:
        fake.post(URL, json={})
        try:
            requests.post(URL, timeout=5)
        except requests.RequestException as error:
            return (type(error).__name__, len(fake.calls))
        return ("answered", len(fake.calls))


def with_respx() -> tuple[str, int]:
    """The same for httpx."""
    with respx.mock() as fake:
        route = fake.post(URL).respond(json={})
        try:
            httpx.post(URL, timeout=5)
        except httpx.HTTPError as error:
            return (type(error).__name__, route.call_count)
        return ("answered", route.call_count)


@pytest.mark.parametrize("code", [with_responses, with_respx], ids=["responses", "respx"])
def test_a_fake_has_had_its_call(run, code) -> None:
    ran = run(code, [run(code).fault("lost-reply")])
    assert (ran.result, ran.injected) == (("ReadTimeout", 1), ["lost-reply"])


BANK = """
import os
from flask import Flask, request

app = Flask("bank")
charges = {}

@app.post("/charges")
def charge():
    key = request.json["key"] or len(charges)
    charges[key] = request.json["amount"]
    return {}, 201

@app.get("/total")
def total():
    return {"total": sum(charges.values())}
"""
SHOP = """
import uuid
import requests

def pay(url, amount):
    key = KEY
    for attempt in range(3):
        try:
            answer = requests.post(f"{url}/charges", json={"key": key, "amount": amount}, timeout=5)
            answer.raise_for_status()
            return "paid"
        except requests.RequestException:
            continue
    return "pending"
"""
TEST = """
import threading
import pytest, requests
from werkzeug.serving import make_server
import bank, shop

@pytest.fixture
def url():
    bank.charges.clear()
    server = make_server("127.0.0.1", 0, bank.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()

def test_a_customer_pays_once(url):
    shop.pay(url, 30)
    assert requests.get(f"{url}/total").json()["total"] in (0, 30)
"""


@pytest.fixture
def amplified(tmp_path: Path, socrates):
    """Runs ``socrates amplify`` on a shop that pays by this key; the result of its only test."""

    def run(key: str, *args: str):
        for name, text in (("bank", BANK), ("shop", SHOP.replace("KEY", key)), ("test_shop", TEST)):
            (tmp_path / f"{name}.py").write_text(text)
        done = socrates(tmp_path, "amplify", "--output-format", "json", *args)
        return json.loads(done.stdout)["tests"][0]

    return run


def test_a_double_charge_is_found(amplified) -> None:
    [defect] = amplified("None", "--faults", "lost-reply")["defects"]
    found = [(fault["kind"], fault["to"], fault["message"]) for fault in defect["faults"]]
    assert found == [("lost-reply", "bank", "POST /charges")]


def test_an_idempotency_key_is_the_repair(amplified) -> None:
    assert amplified("str(uuid.uuid4())", "--faults", "lost-reply")["status"] == "resilient"


def test_lost_replies_are_not_tried_unless_asked_for(amplified) -> None:
    assert amplified("None")["status"] == "resilient"
