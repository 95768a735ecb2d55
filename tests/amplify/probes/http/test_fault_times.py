"""How long a faulted call takes, whether it ends with a timeout, and what an injected answer says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.model.faults import reason_of
from socrates_amplify.originals import Clock
from socrates_amplify.probes.http.clients.faults import (
    body_of,
    headers_of,
    patience,
    rest_of,
    too_slow,
)
from socrates_amplify.probes.http.clients.outer import Outer


def attempt(kind: str) -> Any:
    return SimpleNamespace(kind=kind)


def journal(*, slow: float = 2.0, honest: bool = False) -> Any:
    return SimpleNamespace(settings=SimpleNamespace(slow=slow, honest_timeouts=honest))


@pytest.mark.parametrize(
    ("kind", "honest", "timeout", "expected"),
    [
        pytest.param("timeout", False, 5.0, 0.0, id="timeout at once"),
        pytest.param("timeout", True, 5.0, 5.0, id="timeout in full"),
        pytest.param("lost-reply", True, 5.0, 5.0, id="lost reply in full"),
        pytest.param("timeout", True, None, 0.0, id="timeout of nobody"),
        pytest.param("slow", False, None, 2.0, id="slow"),
        pytest.param("slow", False, 5.0, 2.0, id="slow in time"),
        pytest.param("slow", True, 1.0, 1.0, id="slower than the caller waits"),
        pytest.param("status", True, 5.0, 0.0, id="status"),
    ],
)
def test_seconds_until_a_fault_shows(
    kind: str, honest: bool, timeout: float | None, expected: float
) -> None:
    assert patience(attempt(kind), journal(honest=honest), timeout) == expected


@pytest.mark.parametrize(
    ("kind", "timeout", "expected"),
    [
        ("timeout", None, True),
        ("lost-reply", 9.0, True),
        ("slow", None, False),
        ("slow", 2.5, False),
        ("slow", 2.0, True),
        ("slow", 1.0, True),
        ("status", 1.0, False),
        ("connection-error", None, False),
    ],
)
def test_call_ends_with_a_timeout(kind: str, timeout: float | None, expected: bool) -> None:
    assert too_slow(attempt(kind), journal(), timeout) is expected


@pytest.mark.parametrize(("since", "expected"), [(100.0, 5.0), (98.0, 3.0), (90.0, 0.0)])
def test_who_has_waited_waits_less(
    since: float, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Clock, "now", lambda: 100.0)
    left = rest_of(attempt("lost-reply"), journal(honest=True), 5.0, since)
    assert left == expected


@pytest.mark.parametrize(
    ("status", "expected"), [(503, "Service Unavailable"), (404, "Not Found"), (599, "Unknown")]
)
def test_phrase_of_a_status(status: int, expected: str) -> None:
    assert reason_of(status) == expected


def test_body_of_an_injected_answer_is_json() -> None:
    assert body_of(404, "GET") == b'{"message": "Not Found"}'


def test_headers_of_an_injected_answer_fit_its_body() -> None:
    assert headers_of(404) == {"Content-Type": "application/json", "Content-Length": "24"}


class _Replied:
    def __init__(self) -> None:
        self.told: list[tuple[int, bytes | None]] = []

    def replied(self, status: int, body: bytes | None) -> None:
        self.told.append((status, body))


def test_only_the_last_attempt_has_the_body() -> None:
    heard: Any = _Replied()
    outer = Outer("requests")
    outer.answered += [(heard, 503), (heard, 503), (heard, 200)]
    outer.told(b"body")
    assert heard.told == [(503, None), (503, None), (200, b"body")]
