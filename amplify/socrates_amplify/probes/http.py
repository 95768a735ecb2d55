"""The probe for remote calls: requests, urllib3, httpx and aiohttp, and the services they reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from socrates_amplify.calls.journal import LocalJournal
from socrates_amplify.calls.settings import OF_SERVICE, read_settings
from socrates_amplify.events import Event, Send, Trace, Turn
from socrates_amplify.faults import Fault
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.family import Family
from socrates_amplify.probes.http_forks import SharedJournal
from socrates_amplify.probes.http_hooks import LIBRARIES, Hooks
from socrates_amplify.probes.http_versions import left_alone
from socrates_amplify.probes.space import call_faults
from socrates_amplify.probes.threads import inherit_context
from socrates_amplify.recording import Recorder

_OF_SERVICE = f"status:{OF_SERVICE}"


class HttpProbe(Probe):
    """Holds on to whichever of the libraries the project imports, and to nothing before that."""

    name: ClassVar[str] = "http"

    def available(self) -> bool:
        """Whether one of the libraries can be imported."""
        return any(known.present() for known in LIBRARIES)

    def warnings(self) -> Iterable[str]:
        """Versions that are not known."""
        return [why for known in LIBRARIES if (why := left_alone(known))]

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the libraries until the returned function is called."""
        journal = LocalJournal(recorder, read_settings(config))
        shared = SharedJournal(journal, Family.of(recorder))
        hooks = Hooks(shared)
        inherit_context(hooks.patches, recorder.here)

        def undo() -> None:
            hooks.undo()
            shared.close()

        return undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the calls of this trace offer, and what their views can answer."""
        wanted = list(kinds)
        return call_faults(self._with_answers(trace) if "status" in wanted else trace, wanted)

    def _with_answers(self, trace: Trace) -> Trace:
        """The trace, each call of it offering what the view that handled it can answer with."""
        handlers = {
            event.target: event.handler
            for event in trace.events
            if isinstance(event, Turn) and event.handler
        }
        from socrates_amplify.calls.statuses import statuses_in, statuses_of

        def offering(event: Event) -> Event:
            if not isinstance(event, Send) or not event.offers:
                return event
            offers = [offer for offer in event.offers.split(",") if offer != _OF_SERVICE]
            file, _, line = handlers.get(event.target, "").rpartition(":")
            if file and _OF_SERVICE in event.offers:
                offers += [f"status:{code}" for code in (*statuses_in(Path(self.root, file)), 500)]
            elif file:
                codes = statuses_of(Path(self.root, file), int(line))
                offers += [f"status:{code}" for code in codes]
            return replace(event, offers=",".join(dict.fromkeys(offers)))

        return Trace(tuple(offering(event) for event in trace.events))
