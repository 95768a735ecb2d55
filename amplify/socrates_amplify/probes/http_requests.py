"""requests 2.x above fakes and adapters of other kinds; what goes to urllib3 is faulted there."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from socrates_amplify.calls.journal import Journal
from socrates_amplify.probes.patching import Patches

if TYPE_CHECKING:
    import requests

_library: ContextVar[str] = ContextVar("socrates_library", default="")


def library_of(inner: str) -> str:
    """The outermost library of the call that is being made: one call is one target."""
    return _library.get() or inner


def patch(patches: Patches, journal: Journal) -> None:
    """Hold on to ``Session.send``, through which every request goes."""
    from requests.sessions import Session

    original = Session.send

    def send(session: requests.Session, request: Any, **kwargs: Any) -> Any:
        before = _library.set("requests")
        try:
            return original(session, request, **kwargs)
        finally:
            _library.reset(before)

    patches.set(Session, "send", send)
