"""Services in memory, to try explorers on: deterministic trees of calls, thousands of runs a second.

A simulated test is a function of a ``Network``: it calls services, whose handlers call others, and
checks the status it gets. The network records the events that a probe of remote calls records and
makes single calls fail. As in a real run, an answer is a status and a failed call raises.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Event, Injected, Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.outcomes import HANG, Failure, Outcome
from socrates_amplify.probes.space import call_faults
from socrates_amplify.simulation.actors import CheckFailedError, executed

OK = 200
_APPLIED = ("connection-error", "timeout", "lost-reply", "status", "down")


_ENDLESS = 10_000
"""Events of a run that would not end by itself."""


class CallFailedError(Exception):
    """A call without an answer; ``kind`` is ``connection-error``, ``timeout`` or ``lost-reply``."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Network:
    """One run of simulated services under one scenario."""

    def __init__(
        self,
        services: Mapping[str, Handler],
        statuses: Mapping[str, Sequence[str]],
        scenario: Scenario,
    ) -> None:
        self.events: list[Event] = []
        self.pending = {fault.target: fault for fault in scenario.faults}
        self._services = services
        self._statuses = statuses
        self._down: dict[str, Fault] = {}
        self._here: list[tuple[str, str | None]] = [(TEST, None)]
        self._occurrences: dict[tuple[str | None, str, str], int] = {}

    def call(self, service: str, path: str = "/", timeout: bool = True) -> int:
        """Call a service and take its status. Raises CallFailedError.

        What has no handler is out of our sight and answers with 200. The place of the call in the
        code is part of a real call's identity; here different paths stand for different places.
        """
        sender, cause = self._here[-1]
        nth = self._occurrences.get((cause, service, path), 0) + 1
        self._occurrences[cause, service, path] = nth
        target = _digest(f"{cause} {service} {path} {nth}")
        self.events.append(
            Send(
                target,
                sender,
                service,
                f"GET {path}",
                _digest(path),
                cause,
                wants_reply=True,
                internal=sender == TEST,
                offers=self._offers(service, timeout),
                channel=CALL,
            )
        )
        fault = self.pending.pop(target, None) or self._down.get(service)
        if fault is None:
            status = self._serve(service, target)
        else:
            if fault.kind == "lost-reply":
                self._serve(service, target)
            self.events.append(Injected(target, fault.kind))
            if fault.kind == "down":
                self._down[service] = fault
                if len(self.events) > _ENDLESS:
                    raise CheckFailedError(Failure(HANG, "did not end", "test:1"))
                raise CallFailedError("connection-error")
            if fault.kind != "status":
                self.events.append(Reply(service, target, fault.kind, fault.kind))
                raise CallFailedError(fault.kind)
            status = int(fault.detail)
        self.events.append(Reply(service, target, str(status), str(status)))
        return status

    def check(self, passed: bool, message: str, line: int = 1) -> None:
        """Fail the test unless ``passed``."""
        if not passed:
            raise CheckFailedError(Failure("AssertionError", message, f"test:{line}"))

    def _offers(self, service: str, timeout: bool) -> tuple[Offer, ...]:
        statuses = (Offer("status", status) for status in self._statuses.get(service, ()))
        late = (Offer("timeout"), Offer("lost-reply")) if timeout else ()
        return (Offer("connection-error"), *late, *statuses)

    def _serve(self, service: str, target: str) -> int:
        handler = self._services.get(service)
        if handler is None:
            return OK
        self.events.append(Turn(service, target))
        self._here.append((service, target))
        try:
            return handler(self)
        finally:
            self._here.pop()


Handler = Callable[[Network], int]


def leaf(network: Network) -> int:
    """A service that calls no other."""
    return OK


@dataclass(frozen=True, slots=True)
class Services:
    """A simulated test of services; ``statuses`` are the errors that each can answer with."""

    services: Mapping[str, Handler]
    script: Callable[[Network], None]
    statuses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kinds: tuple[str, ...] = ("connection-error", "timeout", "status")

    def run(self, scenario: Scenario) -> Outcome:
        """Execute once."""
        return executed(self.script, Network(self.services, self.statuses, scenario), scenario)

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """What each call of a service can suffer; the test's own calls are left alone."""
        return call_faults(trace, self.kinds, _APPLIED)


@functools.lru_cache(maxsize=100_000)
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
