"""The probe for remote calls: requests, urllib3, httpx and aiohttp, and the services they reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from socrates_amplify.model.events import Event, Offer, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.probes.base import Probe, Undo, Wire
from socrates_amplify.probes.http.answers.sources import found_sources
from socrates_amplify.probes.http.calls.journal import LocalJournal
from socrates_amplify.probes.http.calls.remote import RemoteJournal
from socrates_amplify.probes.http.calls.settings import APPLIED, OF_SERVICE, WITHIN, read_settings
from socrates_amplify.probes.http.clients.faults import LATE
from socrates_amplify.probes.http.clients.versions import REQUESTS, URLLIB3, left_alone
from socrates_amplify.probes.http.forks import SharedJournal
from socrates_amplify.probes.http.hooks import LIBRARIES, Hooks
from socrates_amplify.probes.processes.group import ProcessGroup
from socrates_amplify.probes.space import call_faults
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.record.notices import Notices
from socrates_amplify.record.recorder import Recorder

_OF_SERVICE = Offer("status", OF_SERVICE)


class HttpProbe(Probe):
    """Holds on to whichever of the libraries the project imports, and to nothing before that."""

    name = "http"
    channel = CALL
    _sources: Mapping[str, Path] = MappingProxyType({})
    _slow = 0.0

    def available(self) -> bool:
        """Whether one of the libraries can be imported."""
        return any(known.present() for known in LIBRARIES)

    def warnings(self) -> Iterable[str]:
        """Versions that are not known. What requests sends by an older urllib3 is seen all the same."""
        beside = REQUESTS.present() and not left_alone(REQUESTS)
        but = {URLLIB3: ", but for those that requests sends by it" if beside else ""}
        return [f"{why}{but.get(known, '')}" for known in LIBRARIES if (why := left_alone(known))]

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Find the sources that the settings name."""
        super().prepare(root, config)
        settings = read_settings(config)
        self._slow = settings.slow
        self._sources = found_sources(root, settings.sources)

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Slow answers, and timeouts for which the caller really waits.

        How long a call waits that is only made under faults is not known: as long as the others.
        """
        slow = self._slow * sum(fault.kind == "slow" for fault in scenario)
        late = [fault.target for fault in scenario if fault.kind in LATE]
        if not late:
            return slow
        waits = {send.target: wait for send in control.sends if (wait := _wait_of(send))}
        longest = max(waits.values(), default=0.0)
        return slow + sum(waits.get(target, longest) for target in late)

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the libraries until the returned function is called."""
        journal = LocalJournal(recorder, read_settings(config))
        shared = SharedJournal(journal, ProcessGroup.of(recorder))
        hooks = Hooks(shared, recorder.notices)
        inherit_context(hooks.patches, recorder.here)

        def undo() -> None:
            hooks.undo()
            shared.close()

        return undo

    def install_remote(self, wire: Wire) -> None:
        """Patch the libraries in a process that the test has started, for good."""
        Hooks(RemoteJournal(wire), Notices(wire.notice))

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the calls of this trace offer, and what their views can answer."""
        wanted = list(kinds)
        offering = self._with_answers(trace) if "status" in wanted else trace
        return call_faults(offering, wanted, APPLIED)

    def _with_answers(self, trace: Trace) -> Trace:
        """The trace, each call of it offering what the view that handled it can answer with.

        Where nobody is known to have handled it, the source that the settings name is read.
        """
        handlers = {
            event.target: event.handler
            for event in trace.events
            if isinstance(event, Turn) and event.handler
        }

        def offering(event: Event) -> Event:
            if not isinstance(event, Send) or event.channel != CALL or not event.offers:
                return event
            whole = _OF_SERVICE in event.offers
            codes = self._codes(event, handlers.get(event.target, ""), whole)
            offers = dict.fromkeys((*event.offers, *(Offer("status", str(c)) for c in codes)))
            offers.pop(_OF_SERVICE, None)
            return replace(event, offers=tuple(offers))

        return Trace(tuple(offering(event) for event in trace.events))

    def _codes(self, call: Send, handler: str, whole: bool) -> tuple[int, ...]:
        """What the service can answer to a call; ``whole`` for all that its source names, and 500."""
        from socrates_amplify.probes.http.answers.routes import all_answers_of, answers_of
        from socrates_amplify.probes.http.answers.statuses import statuses_in, statuses_of

        source = self._sources.get(call.receiver)
        if handler:
            file, _, line = handler.rpartition(":")
            path = Path(self.root, file)
            return (*statuses_in(path), 500) if whole else statuses_of(path, int(line))
        if source is not None:
            method, _, called = call.message.partition(" ")
            return (*all_answers_of(source), 500) if whole else answers_of(source, method, called)
        return ()


def _wait_of(send: Send) -> float:
    """How long the caller waits, if that is to take time."""
    return next((float(offer.detail) for offer in send.offers if offer.kind == WITHIN), 0.0)
