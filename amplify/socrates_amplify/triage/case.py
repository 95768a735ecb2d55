"""One defect with everything that is known of it, as the classes are decided from it."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import PurePath

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.evidence import NOTHING, Caught, Evidence, Link
from socrates_amplify.model.exchanges import fails_by_itself, is_test_file
from socrates_amplify.model.faults import Fault, are_one, is_page
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, TASK, FaultKind, kind_of
from socrates_amplify.model.orders import Pair, named_sends, pair_of
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.triage.chain import Surfaced, clients_of, left_to_a_library, surfaced

_COMMANDS = frozenset({"click", "asyncclick", "typer"})
"""Packages that run commands."""
_INSTALLED = re.compile(r"(^|/)(site|dist)-packages/")
"""In the place of what handles a message: it is a library's."""


@dataclass(frozen=True, slots=True)
class Case:
    """The faults in the order in which they happened, the failure, and both traces.

    ``minimal`` is False where some of the faults may not be needed: the search ended early.
    """

    faults: tuple[Fault, ...]
    failure: Failure
    evidence: Evidence = NOTHING
    control: Trace = field(default_factory=Trace)
    failing: Trace = field(default_factory=Trace)
    aftermath: str = ""
    minimal: bool = True

    @property
    def reduced(self) -> bool:
        """Whether it is known which faults it takes: each of them, or one call and the tries that followed."""
        return self.minimal or are_one(self.faults)

    @property
    def kinds(self) -> tuple[FaultKind, ...]:
        """The rows of the faults' kinds."""
        return tuple(kind_of(fault.kind) for fault in self.faults)

    @property
    def only_outages(self) -> bool:
        """Whether all that happened is that services could not be reached or answered with errors."""
        return bool(self.faults) and all(kind.outage or kind.succeeds_unseen for kind in self.kinds)

    @property
    def circumstance(self) -> str:
        """What the test ran in, where that is the fault."""
        around = (f for f in self.faults if CIRCUMSTANCE in kind_of(f.kind).channels)
        return " and ".join(fault.receiver or fault.target for fault in around)

    @property
    def of_tasks(self) -> bool:
        """Whether a task of a queue was struck."""
        struck = {fault.target for fault in self.faults}
        sends = (*self.control.sends, *self.failing.sends)
        return any(send.target in struck and send.channel == TASK for send in sends)

    @property
    def comes_twice(self) -> bool:
        """Whether all that happened is that something was delivered once more."""
        return bool(self.faults) and all(kind.redelivers or kind.of_receiver for kind in self.kinds)

    @property
    def only_status(self) -> str:
        """The status that every faulted service answered with; empty where they did otherwise."""
        statuses = {fault.detail if kind_of(fault.kind).answers else "" for fault in self.faults}
        return statuses.pop() if len(statuses) == 1 else ""

    @property
    def shows_a_page(self) -> bool:
        """Whether every faulted service answered with a page of HTML: who looks at the status may still not read it."""
        return all(map(is_page, self.faults))

    @property
    def of_the_test_itself(self) -> bool:
        """Whether all that was struck are tasks that the test defines in its own body."""
        file = self.failure.location.rpartition(":")[0]
        return bool(self._struck) and all(
            send is not None
            and ".<locals>." in send.type
            and send.handler.rpartition(":")[0] == file
            for send in self._struck
        )

    @property
    def of_the_tests(self) -> bool:
        """Whether all that was struck are tasks of files of tests, and only they show that it was.

        Helpers that note that they were called prove nothing about production code; what the failing
        assertion reads of production code does, whoever changed it.
        """
        asserted, file = self.evidence.asserted, self.failure.location.rpartition(":")[0]
        if not asserted.text or asserted.of_production:
            return False
        return bool(self._struck) and all(
            send is not None
            and send.channel == TASK
            and is_test_file(send.handler.rpartition(":")[0], file)
            for send in self._struck
        )

    @property
    def of_test_steps(self) -> bool:
        """Whether all that was held or cancelled are steps of threads or tasks in files of tests."""
        file = self.failure.location.rpartition(":")[0].rpartition("/")[2]
        named = {**named_sends(self.failing), **named_sends(self.control)}
        begun = {name: send.handler for name, send in named.items()}
        names = [name for fault in self.faults for name in self._steps(fault)]
        where = [name.partition("@")[2] for name in names]
        places = [
            at if ":" in at else begun.get(name, "") for name, at in zip(names, where, strict=True)
        ]
        files = [PurePath(place.partition(":")[0]).name for place in places]
        return bool(files) and all(name and is_test_file(name, file) for name in files)

    def _steps(self, fault: Fault) -> tuple[str, ...]:
        """What tells where the steps are that a fault is about; an empty text for what is no step."""
        pair = _pair(fault)
        if pair is not None:
            return pair
        sends = (*self.control.sends, *self.failing.sends)
        return tuple({send.type for send in sends if send.target == fault.target}) or ("",)

    @property
    def of_libraries(self) -> bool:
        """Whether all that changed places is handled by installed code, as far as that is known."""
        named = {**named_sends(self.failing), **named_sends(self.control)}
        pairs = [_pair(fault) for fault in self.faults]
        found = [named[name] for pair in pairs for name in pair or () if name in named]
        handlers = [send.handler for send in found if send.handler]
        installed = all(_INSTALLED.search(handler) for handler in handlers)
        return None not in pairs and bool(handlers) and installed

    @property
    def _struck(self) -> list[Send | None]:
        sends = {send.target: send for send in (*self.control.sends, *self.failing.sends)}
        return [sends.get(fault.target) for fault in self.faults]

    @property
    def repeats_a_done_call(self) -> bool:
        """Whether a call was made again that the service had done already, its reply lost."""
        lost = {f.target for f in self.faults if kind_of(f.kind).succeeds_unseen}
        done = [send for send in self.failing.sends if send.target in lost]
        return any(
            send.target not in lost
            and (send.receiver, send.message) == (first.receiver, first.message)
            for first in done
            for send in self.failing.sends
        )

    @property
    def calls_more(self) -> bool:
        """Whether more calls are made than without faults."""
        made, usual = (
            sum(send.channel == CALL for send in trace.sends)
            for trace in (self.failing, self.control)
        )
        return made > usual

    @property
    def goes_on_unanswered(self) -> bool:
        """Whether another call followed that no test makes without faults, and that nothing answered: what stands
        for the service in the test does not know it."""
        struck = {fault.target for fault in self.faults}
        known = {(send.receiver, send.message) for send in self.control.sends}
        answered = {event.target for event in self.failing.events if isinstance(event, Reply)}
        return any(
            send.channel == CALL
            and send.target not in struck | answered
            and (send.receiver, send.message) not in known
            for send in self.failing.sends
        )

    @property
    def fails_by_itself(self) -> bool:
        """Whether a struck call was made again, and ended with an error that is not injected."""
        return fails_by_itself(self.faults, self.failing)

    @property
    def borne_by_a_retry(self) -> bool:
        """Whether each struck call was made again, and answered well in the end."""
        struck = {fault.target for fault in self.faults}
        well = {
            event.target
            for event in self.failing.events
            if isinstance(event, Reply) and event.value[:1] in ("2", "3")
        }
        borne = {
            (send.receiver, send.message)
            for send in self.failing.sends
            if send.channel == CALL and send.target in well - struck
        }
        return self.calls_more and borne.issuperset((f.receiver, f.message) for f in self.faults)

    @property
    def noted_by_fake(self) -> bool:
        """Whether the test failed by what its fake or mock noted, or by the fake's own complaint."""
        return bool(self.evidence.asserted.log) or self.complained_by_fake

    @property
    def complained_by_fake(self) -> bool:
        """Whether the test failed by an error of its fake."""
        links = self.evidence.links
        return bool(links) and links[0].origin == "fake" and surfaced(links) is None

    @property
    def reaches_the_test(self) -> bool:
        """Whether the injected error came to the test from a call that no code of the project has made."""
        links, struck = self.evidence.links, self.evidence.injections[-1:]
        made = any(frame.role == "production" for one in struck for frame in one.frames)
        return bool(struck) and not made and any(link.origin == "ours" for link in links)

    @property
    def caught(self) -> Caught | None:
        """Who caught the error of the last fault for good, as far as that is known."""
        return self.evidence.injections[-1].caught if self.evidence.injections else None

    @property
    def ended_a_command(self) -> bool:
        """Whether what runs a command caught it, or the exit that production code asked for: the process ends."""
        caught = self.caught
        if caught is None or caught.by.role != "library":
            return False
        ends = "main" in caught.by.function or caught.name == "SystemExit"
        return ends and caught.by.module.partition(".")[0] in _COMMANDS

    @property
    def kept_by(self) -> Caught | None:
        """The code of production that caught it; None where none is known to have done so."""
        caught = self.caught
        return caught if caught is not None and caught.by.role == "production" else None

    @property
    def way(self) -> tuple[str, ...]:
        """The functions of production, as ``file:function``, that were on the stack at the last fault."""
        frames = [frame for one in self.evidence.injections[-1:] for frame in one.frames]
        return tuple(f"{at.file}:{at.function}" for at in frames if at.role == "production")

    @property
    def caught_by_library(self) -> tuple[str, str] | None:
        """The error and the library that caught it; None where none is known to.

        What the client makes of an error before it hands it on, or calls again, is its own business.
        """
        caught = self.caught
        if caught is None:
            return None
        package = caught.by.module.partition(".")[0]
        of_library = caught.by.role == "library" and not self.only_status
        of_client = package in clients_of(self.evidence)
        kept = (of_library and not of_client) or self.answered_by_error_handler
        return (caught.name, package) if kept else None

    @property
    def answered_by_error_handler(self) -> bool:
        """Whether what serves requests caught it, and did not let it out: an error handler of the project answers."""
        caught = self.caught
        return caught is not None and caught.by.role == "web" and not self.evidence.escapes

    @property
    def behind_a_handler(self) -> bool:
        """Whether a request handler made the faulted call: the status that the test gets is another one."""
        struck = self.evidence.injections[-1:]
        frames = [frame for one in struck for frame in one.frames]
        return any(frame.role == "web" and not frame.starts_server for frame in frames)

    @property
    def escaped(self) -> Surfaced | None:
        """The first exception that left a request handler of the project."""
        return next(filter(None, (surfaced([link]) for link in self.evidence.escapes)), None)

    @property
    def slipped_in_library(self) -> Link | None:
        """The first exception that a library let go to what serves requests, given an error reply."""
        if all(one.site is None for one in self.evidence.injections):
            return None
        links = (*self.evidence.links, *self.evidence.escapes)
        return next(filter(left_to_a_library, links), None)

    @property
    def broken_service(self) -> str:
        """A service of the project that answers with 500 now, and did not without faults."""
        before = {e.target: e.value for e in self.control.events if isinstance(e, Reply)}
        handled = {e.target for e in self.failing.events if isinstance(e, Turn) and e.handler}
        for event in self.failing.events:
            if isinstance(event, Reply) and event.target in handled and _is_500(event.value):
                usual = before.get(event.target)
                if usual is not None and not _is_500(usual):
                    return event.actor
        return ""


def _pair(fault: Fault) -> Pair | None:
    """What changes places by a fault; None for one that forces no order."""
    return pair_of(fault.detail) if kind_of(fault.kind).schedules else None


def _is_500(answer: str) -> bool:
    return answer.split(" ", 1)[0] == "500"
