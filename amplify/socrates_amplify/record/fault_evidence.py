"""What is kept in a run of how its faults led to its failure, until the run is over."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from socrates_amplify.model.evidence import Asserted, Evidence, Injection, Link
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.record.evidence import Asker, injection, links_of
from socrates_amplify.record.followed import follow
from socrates_amplify.record.whose import Roles


@contextmanager
def _unwatched() -> Iterator[None]:
    """While we read source files, blockbuster does not take that for what the test does."""
    skip = getattr(sys.modules.get("blockbuster.blockbuster"), "_skip", None)
    if skip is None or skip.value:
        yield
        return
    skip.value = True
    try:
        yield
    finally:
        skip.value = False


class _Told:
    """Writes down what is heard of the error of a fault."""

    def __init__(self, evidence: FaultEvidence, roles: Roles) -> None:
        self._evidence = evidence
        self._roles = roles

    def let_in(self, error: BaseException) -> None:
        """See ``followed.Told``."""
        with _unwatched():
            self._evidence.let_in = links_of(error, self._roles)

    def escaped(self, error: BaseException) -> None:
        """See ``followed.Told``; the first one counts."""
        if not self._evidence.escapes:
            with _unwatched():
                self._evidence.escapes.append(links_of(error, self._roles)[0])


class FaultEvidence:
    """The evidence of one run. Whoever sees something of it writes it down here."""

    def __init__(self) -> None:
        self.injections: list[Injection] = []
        self.links: tuple[Link, ...] = ()
        """The exceptions that the test failed with."""
        self.escapes: list[Link] = []
        self.asserted = Asserted()
        self.caught: tuple[Link, ...] = ()
        self.let_in: tuple[Link, ...] = ()
        """The last error of a fault that came to code of the tests, whether it failed by it or not."""

    def struck(
        self, fault: Fault, frame: FrameType, roles: Roles, askers: Sequence[Asker] = ()
    ) -> None:
        """A fault is applied at ``frame``. The error of an outage is followed from here."""
        with _unwatched():
            self.injections.append(injection(fault.target, fault.kind, frame, roles, askers))
        row = kind_of(fault.kind)
        if not (row.outage or row.succeeds_unseen):
            return
        told = _Told(self, roles)
        follow(self.injections, frame, roles, fault.detail if row.answers else "", told)

    @property
    def evidence(self) -> Evidence:
        """How the faults led to the failure, as far as this process could see."""
        seen = (tuple(self.injections), tuple(self.escapes), self.caught, self.asserted)
        return Evidence(self.links, *seen)
