"""What requests and urllib3 say to each other about a call that goes through both."""

from __future__ import annotations

from contextvars import ContextVar

from socrates_amplify.probes.http.calls.journal import Attempt


class Outer:
    """The request of an outer library that urllib3 is making: one call is one target."""

    def __init__(self, library: str) -> None:
        self.library = library
        self.answered: list[tuple[Attempt, int]] = []

    def told(self, body: bytes | None) -> None:
        """The request is over: only the last attempt's body is what the caller sees."""
        for number, (attempt, status) in enumerate(self.answered, start=1):
            attempt.replied(status, body if number == len(self.answered) else None)


outer: ContextVar[Outer | None] = ContextVar("socrates_outer", default=None)
