"""What tests may ask about faults, and what happens with libraries that are not known."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
import requests

from socrates_amplify import faults
from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.http.clients.versions import left_alone
from socrates_amplify.probes.http.probe import HttpProbe


@pytest.fixture
def applied() -> Iterator[None]:
    """A run in which two faults have happened."""
    faults.run_started()
    faults.was_applied(Fault("1", "status", "test", "reviews", "GET /", "503"))
    faults.was_applied(Fault("2", "restart", "test", "Stock#1", "Reserve()"))
    yield
    faults.run_started()


def test_nothing_is_injected_outside_of_a_run() -> None:
    """In a process of its own, since this one may have seen faults."""
    code = "from socrates_amplify import faults; print(faults.injected())"
    assert (
        subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "False\n"
    )


@pytest.mark.usefixtures("applied")
@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (("reviews",), True),
        (("rev*",), True),
        (("reviews", "status"), True),
        (("reviews", "timeout"), False),
        (("catalogue",), False),
        (("Stock",), True),
        (("Stock#1",), True),
        (("Stock#2",), False),
    ],
    ids=repr,
)
def test_a_fault_is_known_by_its_receiver_and_kind(asked, answer) -> None:
    assert faults.injected_on(*asked) is answer


@pytest.mark.usefixtures("applied")
@pytest.mark.parametrize(("kind", "answer"), [("restart", True), ("slow", False)])
def test_a_fault_is_known_by_its_kind(kind, answer) -> None:
    assert faults.injected(kind) is answer


@pytest.fixture
def old_urllib3(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment with a urllib3 that is not known."""
    version = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "1.26" if name == "urllib3" else version(name)
    )
    left_alone.cache_clear()
    yield
    left_alone.cache_clear()


@pytest.mark.usefixtures("old_urllib3")
def test_a_version_that_is_not_known_is_named() -> None:
    [warning] = HttpProbe().warnings()
    assert warning.startswith("urllib3 1.26")
    assert warning.endswith("are left alone, but for those that requests sends by it")


@pytest.mark.usefixtures("old_urllib3")
def test_requests_above_a_version_that_is_not_known_can_be_faulted(run, shop) -> None:
    def code() -> str:
        try:
            return requests.get(f"{shop.url}/reviews/7", timeout=5).text
        except requests.ReadTimeout:
            return "late"

    assert run(code, [run(code).fault("timeout")]).result == "late"


def test_a_library_with_other_insides_is_left_as_it_is(run, shop, monkeypatch) -> None:
    monkeypatch.delattr(httpx.AsyncClient, "_send_single_request")
    ran = run(lambda: httpx.get(f"{shop.url}/reviews/7").status_code)
    assert (ran.result, ran.calls) == (200, ())
