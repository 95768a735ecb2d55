"""What a fake has seen of faulted calls, and how often the code under test has tried."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from unittest import mock

import httpx
import pytest
import pytest_httpx
import requests
import requests_mock
import responses
import respx
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3.util.retry import Retry

URL = "http://reviews.internal/7"


def twice(get: Callable[..., object]) -> None:
    """A caller that tries a second time, whatever happened."""
    for _ in range(2):
        with contextlib.suppress(requests.RequestException, httpx.HTTPError):
            get(URL, timeout=5)


def with_responses() -> int:
    with responses.RequestsMock() as fake:
        fake.get(URL, json=5)
        twice(requests.get)
        return len(fake.calls)


def with_a_reply_of_responses() -> int:
    with responses.RequestsMock() as fake:
        reply = fake.get(URL, json=5)
        twice(requests.get)
        return int(reply.call_count)


def with_requests_mock() -> int:
    with requests_mock.Mocker() as fake:
        fake.get(URL, json=5)
        twice(requests.get)
        return len(fake.request_history)


def with_a_matcher_of_requests_mock() -> int:
    with requests_mock.Mocker() as fake:
        fake.get(re.compile("/8$"), json=5)
        matcher = fake.get(URL, json=5)
        twice(requests.get)
        return int(matcher.call_count)


def with_respx() -> int:
    with respx.mock() as fake:
        route = fake.get(URL).respond(json=5)
        twice(httpx.get)
        return route.call_count


def with_a_router_of_respx() -> int:
    router = respx.Router()
    route = router.get(URL).respond(json=5)
    with httpx.Client(transport=httpx.MockTransport(router.handler)) as client:
        twice(client.get)
    return route.call_count


def with_pytest_httpx() -> int:
    fixture = pytest_httpx.httpx_mock.__wrapped__
    with pytest.MonkeyPatch.context() as patch:
        made: Iterator[pytest_httpx.HTTPXMock] = fixture(patch, _NoMarkers())
        fake = next(made)
        fake.add_response(url=URL, json=5, is_reusable=True)
        twice(httpx.get)
        seen = len(fake.get_requests())
        assert list(made) == []
    return seen


class _NoMarkers:
    """The request of a fixture for a test without markers."""

    @property
    def node(self) -> _NoMarkers:
        return self

    def iter_markers(self, name: str) -> list[object]:
        return []


def with_a_mock() -> int:
    handler = mock.Mock(return_value=httpx.Response(200, json=5))
    with httpx.Client(transport=httpx.MockTransport(handler)) as client:
        twice(client.get)
    return handler.call_count


LOGS = {
    "a mock behind MockTransport": with_a_mock,
    "responses": with_responses,
    "a reply of responses": with_a_reply_of_responses,
    "requests-mock": with_requests_mock,
    "requests-mock's matcher": with_a_matcher_of_requests_mock,
    "respx": with_respx,
    "respx's router": with_a_router_of_respx,
    "pytest-httpx": with_pytest_httpx,
}


@pytest.mark.parametrize("kind", ["connection-error", "status:503"])
@pytest.mark.parametrize("code", LOGS.values(), ids=LOGS)
def test_a_faulted_call_is_in_the_log_of_the_fake(run, code, kind) -> None:
    assert run(code, [run(code).fault(kind)]).result == 2


@pytest.mark.parametrize(("kind", "records"), [("connection-error", 1), ("status:503", 2)])
def test_requests_mock_writes_its_record_of_an_answer(run, caplog, kind, records) -> None:
    def code() -> int:
        with requests_mock.Mocker() as fake:
            fake.get(URL, json=5)
            twice(requests.get)
            return sum(one.name == "requests_mock.adapter" for one in caplog.records)

    caplog.set_level("DEBUG")
    fault = run(code).fault(kind)
    caplog.clear()
    assert run(code, [fault]).result == records


def test_what_the_fake_was_told_to_answer_is_left_for_the_next_try(run) -> None:
    def code() -> list[int]:
        with responses.RequestsMock() as fake:
            fake.get(URL, status=201)
            fake.get(URL, status=202)
            return [requests.get(URL, timeout=5).status_code for _ in range(2)]

    assert run(code, [run(code).fault("status:503")]).result == [503, 201]


def retrying(session: requests.Session) -> str:
    """A caller whose session retries by a policy."""
    policy = Retry(total=3, status_forcelist=[503], backoff_factor=0)
    session.mount("http://", HTTPAdapter(max_retries=policy))
    try:
        return str(session.get(URL, timeout=5).json())
    except requests.RequestException as error:
        return type(error).__name__


def above_responses() -> tuple[str, int]:
    with responses.RequestsMock() as fake, requests.Session() as session:
        fake.get(URL, json=5)
        return retrying(session), len(fake.calls)


def above_requests_mock() -> tuple[str, int]:
    with requests_mock.Mocker() as fake, requests.Session() as session:
        fake.get(URL, json=5)
        return retrying(session), len(fake.request_history)


ABOVE = {"responses": above_responses, "requests-mock": above_requests_mock}


def faulted(run, code, kind: str, times: int):
    """The code after so many faults, one for each of its tries."""
    faults: list[object] = []
    for _ in range(times):
        known = {fault.target for fault in faults}
        offered = run(code, faults).faults(kind)
        faults.append(next(fault for fault in offered if fault.target not in known))
    return run(code, faults).result


@pytest.mark.parametrize("kind", ["connection-error", "timeout", "status:503"])
@pytest.mark.parametrize("code", ABOVE.values(), ids=ABOVE)
def test_a_policy_above_a_fake_survives_as_many_faults_as_it_has_retries(run, code, kind) -> None:
    assert faulted(run, code, kind, 3) == ("5", 4)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("connection-error", "ConnectionError"),
        ("timeout", "ConnectionError"),  # so says requests when the retries of reads are spent
        ("status:503", "RetryError"),
    ],
)
@pytest.mark.parametrize("code", ABOVE.values(), ids=ABOVE)
def test_a_policy_above_a_fake_gives_up_after_its_last_retry(run, code, kind, error) -> None:
    assert faulted(run, code, kind, 4) == (error, 4)


class Patient(HTTPAdapter):
    """An adapter of the project's, which has a timeout for all calls."""

    def __init__(self, **kwargs: object) -> None:
        self.seconds = 5
        super().__init__(**kwargs)  # type: ignore[arg-type]

    def send(self, request, *args, **kwargs):
        return super().send(request, *args, **{**kwargs, "timeout": self.seconds})


def test_faults_use_up_the_retries_that_a_fake_makes_itself(run) -> None:
    def code() -> tuple[str, int]:
        with responses.RequestsMock(assert_all_requests_are_fired=False) as fake:
            for status in (503, 503, 200):
                fake.get(URL, status=status, json=5)
            with requests.Session() as session:
                policy = Retry(total=2, status_forcelist=[503], backoff_factor=0)
                session.mount("http://", Patient(max_retries=policy))
                try:
                    found = str(session.get(URL).status_code)
                except requests.RequestException as error:
                    found = type(error).__name__
            return found, len(fake.calls)

    assert (run(code).result, faulted(run, code, "status:503", 1)) == (
        ("200", 3),
        ("RetryError", 3),
    )


def test_a_status_that_the_policy_does_not_name_is_answered_at_once(run) -> None:
    assert faulted(run, above_responses, "status:500", 1) == (
        "{'message': 'Internal Server Error'}",
        1,
    )


class Files(BaseAdapter):
    """An adapter for addresses that are no services."""

    def send(self, request, **kwargs):
        response = requests.Response()
        response.status_code, response.url = 200, request.url
        return response

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("url", ["file:///etc/hosts", "mock://reviews/7", "data:,x"])
def test_only_http_is_a_call(run, url) -> None:
    def code() -> int:
        with requests.Session() as session:
            session.mount(url.partition(":")[0] + ":", Files())
            return session.get(url).status_code

    done = run(code)
    assert (done.result, done.calls) == (200, ())


def test_schemes_of_their_own_are_no_calls_for_httpx(run) -> None:
    def code() -> int:
        transport = httpx.MockTransport(lambda request: httpx.Response(200))
        with httpx.Client(mounts={"files://": transport}) as client:
            return client.get("files://here/etc/hosts").status_code

    done = run(code)
    assert (done.result, done.calls) == (200, ())
