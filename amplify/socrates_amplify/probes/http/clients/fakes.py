"""Fakes that count: their complaint that a faulted call never came is our doing, not a defect."""

from __future__ import annotations

from typing import Any

from socrates_amplify import faults
from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.patching import Patches


def patch_responses(patches: Patches, journal: Journal) -> None:
    """``responses`` insists at its end that every registered answer was fetched."""
    from responses import RequestsMock

    original = RequestsMock.stop

    def stop(fake: RequestsMock, allow_assert: bool = True) -> None:
        original(fake, allow_assert and not faults.injected())

    patches.set(RequestsMock, "stop", stop)


def patch_respx(patches: Patches, journal: Journal) -> None:
    """``respx`` insists at its end that every route was called."""
    from respx.router import Router

    _insist_without_faults(patches, Router, "assert_all_called")


def patch_pytest_httpx(patches: Patches, journal: Journal) -> None:
    """``pytest_httpx`` insists at its end that every registered answer was fetched."""
    from pytest_httpx._httpx_mock import HTTPXMock  # type: ignore[import-not-found,unused-ignore]

    if hasattr(HTTPXMock, "_assert_options"):
        _insist_without_faults(patches, HTTPXMock, "_assert_options")
        return
    original = HTTPXMock.reset  # before 0.32 it is told to insist

    def reset(fake: Any, *insists: bool, **named: bool) -> None:
        kept = faults.injected()
        insists = tuple(one and not kept for one in insists)
        original(fake, *insists, **{name: one and not kept for name, one in named.items()})

    patches.set(HTTPXMock, "reset", reset)


def patch_aresponses(patches: Patches, journal: Journal) -> None:
    """``aresponses`` insists, where the test says so, that every answer was fetched."""
    from aresponses.main import ResponsesMockServer  # type: ignore[import-untyped,unused-ignore]

    _insist_without_faults(patches, ResponsesMockServer, "assert_no_unused_routes")


def _insist_without_faults(patches: Patches, fake: type, name: str) -> None:
    """Have a method of a fake complain only where no fault has kept a call from it."""
    original = getattr(fake, name)

    def insist(self: Any, *args: Any, **kwargs: Any) -> None:
        if not faults.injected():
            original(self, *args, **kwargs)

    patches.set(fake, name, insist)
