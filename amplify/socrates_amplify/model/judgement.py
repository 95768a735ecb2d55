"""What a defect means for its reader: a class, by it a severity, and where the fault struck."""

from __future__ import annotations

import enum
import hashlib

from socrates.classes.lazy import dataclass
from socrates.findings import Severity


class DefectClass(enum.Enum):
    """What became of a fault on its way through production code. The values stand in reports."""

    EFFECT = "effect"
    UNPREPARED = "unprepared"
    INCONSISTENT = "inconsistent"
    STUCK = "stuck"
    UNRECOVERED = "does not recover"
    PASSED_ON = "passed on"
    ABSORBED = "absorbed"

    @property
    def may_be_meant(self) -> bool:
        """Whether it may be intended: an honest error, and a fallback."""
        return self in (DefectClass.PASSED_ON, DefectClass.ABSORBED)

    @property
    def severity(self) -> Severity:
        """``info`` for what may be intended."""
        return Severity.INFO if self.may_be_meant else Severity.WARNING


@dataclass(frozen=True, slots=True)
class Site:
    """Where a fault left our hands: the line of production code whose call, message or task it hit.

    ``key`` tells it from others and survives edits elsewhere in the file. ``place`` is
    ``file:line``, empty where no line of production code is known; ``name`` is for people.
    ``others`` are the keys of further ones, where one slip follows the calls of several.
    """

    key: str
    name: str
    place: str = ""
    others: tuple[str, ...] = ()


RAISES = "raises "
"""How the sentence begins about an error that production code raises for a fault."""
CAUGHT_IN = "caught in "
"""How ``did`` begins there, if that is another function than the one that made the call."""
ERROR_HANDLER = "an error handler of "
"""What is said to catch an error for which the framework that serves requests has a handler of the project."""
UNREAD = "an error reply is taken for an answer"
"""What ``did`` is where nobody looked at one: it goes wrong in as many places as use what the site returns."""
_IN = " in "


@dataclass(frozen=True, slots=True)
class Judgement:
    """The class of a defect and what it rests on.

    ``why`` is a sentence for people; ``did`` names what the fault did, so that defects that did the
    same at one site are one group. ``unsure`` says what could not be seen, where that decided.
    ``raw`` marks the library's own error that reached the test, or left a request handler, as it was,
    and ``way`` has the functions of production, as ``file:function``, that were on the stack below it.
    ``gets`` is what the test got of an honest error, in a word or two: ``ReadTimeout``, ``the error reply``.
    """

    kind: DefectClass
    severity: Severity
    why: str
    site: Site
    did: str = ""
    raw: bool = False
    unsure: str = ""
    way: tuple[str, ...] = ()
    gets: str = ""

    @property
    def raises(self) -> str:
        """The name of the error that production code raises for the fault; empty where it is another's."""
        raised = self.kind is DefectClass.PASSED_ON and self.why.startswith(RAISES)
        return self.did.partition(_IN)[0] if raised and not self.raw else ""

    @property
    def raised_by(self) -> str:
        """Where it is raised, as ``file:function``."""
        return self.did.partition(_IN)[2] if self.raises else ""

    @property
    def group(self) -> str:
        """The same for all defects with this root cause, in every run and after most edits.

        What a call site does about an outage is one decision, whatever tests see of it: one group has its
        honest errors, one its other answers, unless it is known which function above it kept the error.
        """
        meant = self.kind.may_be_meant and not self.did.startswith(CAUGHT_IN)
        text = f"{self.kind.value}\n{self.site.key}\n{'' if meant else self.did}"
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]
