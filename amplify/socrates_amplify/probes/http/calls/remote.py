"""The journal in a service's own process: it asks the test for everything.

The test numbers the calls, names the services and decides about faults; here is no state but the
number of the call that is being handled. When the test is gone, the service goes on by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from types import FrameType

from socrates_amplify.probes.base import Wire
from socrates_amplify.probes.http.calls import naming
from socrates_amplify.probes.http.calls.journal import Attempt, shown
from socrates_amplify.probes.http.calls.outgoing import Outgoing
from socrates_amplify.probes.http.calls.settings import CallSettings
from socrates_amplify.probes.http.calls.stack import Way
from socrates_amplify.probes.processes.handled import Handled, token_of
from socrates_amplify.record.messages import CurrentContext

ENDPOINT = "http"
"""The endpoint of the test that knows about calls."""


class RemoteJournal:
    """A ``Journal`` at the other end of the channel. Safe to call from any thread, and in forks."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._name = ""
        self.here = CurrentContext()
        told = self._ask("hello")
        self.settings = CallSettings(**told) if isinstance(told, dict) else CallSettings()

    def begin(self, outgoing: Outgoing, frame: FrameType) -> Attempt:
        """See ``Journal``."""
        answer = self._ask(
            "begin",
            cause=token_of(self.here.context),
            sender=self._name or naming.process_hint() or "process",
            outgoing=asdict(outgoing),
            way=Way(frame).text,
        )
        if not isinstance(answer, list):
            return Attempt(-1, "", "", "", self._tell)
        number, token, kind, detail = answer
        return Attempt(number, token, kind, detail, self._tell)

    def enter(self, token: str) -> Callable[[], None]:
        """See ``Journal``."""
        before = self.here.context
        self._ask("enter", token=token)
        self.here.context = Handled(token)  # type: ignore[assignment]

        def leave() -> None:
            self.here.context = before

        return leave

    def handled_by(self, place: str) -> None:
        """See ``Journal``."""
        context: object = self.here.context
        if place and isinstance(context, Handled):
            self._ask("handled", token=context.token, place=place)

    def listening(self, port: int, hint: str, shown: str) -> None:
        """See ``Journal``."""
        name = self._ask("listening", port=port, hint=hint, shown=shown)
        if isinstance(name, str):
            self._name = name

    def escaped(self, error: BaseException) -> None:
        """Nothing: the test's process sees the 500 as the answer to its call."""

    def is_test(self, filename: str) -> bool:
        """Never: the test is in another process."""
        return False

    def _tell(self, what: str, number: int, *details: object) -> None:
        if number >= 0:
            said = [shown(detail) if isinstance(detail, bytes) else detail for detail in details]
            self._ask("tell", what=what, number=number, details=said)

    def _ask(self, do: str, **details: object) -> object:
        return self._wire.ask(ENDPOINT, do, **details)
