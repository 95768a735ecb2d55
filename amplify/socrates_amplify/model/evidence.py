"""What a failing run leaves behind: where each fault was injected, and the exceptions that followed.

It is recorded in the test's process, kept with the outcome, and judged in ``triage``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates_amplify.lazy_pattern import later

Role = Literal["ours", "test", "production", "library", "framework", "fake", "web"]
"""Whose code a frame is of: Socrates, the tests, what they test, a library; of the libraries, what
runs tests, what stands in for a service, and what serves requests are told apart."""

Relation = Literal["", "cause", "context", "member"]
"""What an exception is to the one before: nothing (it reached the test), its ``__cause__``, what
was being handled when it was raised, or a member of the exception group."""

Side = Literal["", "first", "second", "both"]
"""Which part of a comparison: none, what stands first in it, what stands second, or all of it."""


CLIENTS = frozenset({"requests", "urllib3", "httpx", "httpx2", "httpcore", "aiohttp"})
"""The libraries that make remote calls."""
_WRAPS = later(r"<locals>\.\w*(wrap|decorat)\w*$", re.IGNORECASE)
_SLIPS = frozenset({"AttributeError", "LookupError", "NameError", "TypeError", "ValueError"})
_MAKE_FAULTS = "socrates_amplify.probes.http.clients."
"""Where the faults of calls are made; what a library raises below has frames of its own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One function on the way, and the line it was at. ``file`` is relative to the project."""

    role: Role
    module: str
    file: str
    function: str
    line: int

    @property
    def place(self) -> str:
        """``file:line``."""
        return f"{self.file}:{self.line}"

    @property
    def starts_server(self) -> bool:
        """Whether what serves requests is only starting: there is no request yet that gets a 500."""
        return self.role == "web" and "startup" in self.function


@dataclass(frozen=True, slots=True)
class Link:
    """One exception of a chain. ``frames`` run from where it was caught to where it was raised.

    ``raised`` says that the last frame raised it by a ``raise`` statement: it did not come out of an
    expression that went wrong. ``bases`` are the built-in exceptions that its class is one of,
    ``promised`` what functions on its way document instead of it; ``again`` says that one of them
    caught it by name and raised it again.
    """

    type: str
    module: str
    message: str = ""
    relation: Relation = ""
    frames: tuple[Frame, ...] = ()
    raised: bool = False
    bases: tuple[str, ...] = ()
    promised: tuple[str, ...] = ()
    again: bool = False

    @property
    def origin(self) -> Role | Literal[""]:
        """Whose code raised it; empty where that is not known."""
        return self.frames[-1].role if self.frames else ""


@dataclass(frozen=True, slots=True)
class Caught:
    """The code that caught an error for good, and the name of the error's class."""

    by: Frame
    name: str


@dataclass(frozen=True, slots=True)
class Injection:
    """A fault at the moment when it was applied, with the stack: the innermost frame is the first.

    ``call`` is the source line of the innermost frame of production code. ``caught`` is what became
    of the error, or of one that was raised for it; None where nobody caught it, or that is not known.
    """

    target: str
    kind: str
    frames: tuple[Frame, ...] = ()
    call: str = ""
    caught: Caught | None = None

    @property
    def site(self) -> Frame | None:
        """Where production code made the call that was faulted."""
        place = asking(self.frames)
        return None if place is None else self.frames[place]


def asking(frames: Sequence[Frame]) -> int | None:
    """The place of the code that asks a client for a call, the innermost frame first; None for none.

    Code that the client itself calls on the way (a subclass of its session, a transport, a hook) only asks
    where nothing else does; nor does what a decorator wraps around any function.
    """
    ours = [place for place, frame in enumerate(frames) if frame.role == "production"]
    outer = {place: frames[place + 1] for place in ours if place + 1 < len(frames)}
    asked = [place for place in ours if place not in outer or not _is_client(outer[place])]
    named = [place for place in asked if not is_wrapper(frames[place].function)]
    return next(iter([*named, *asked, *ours]), None)


def is_wrapper(function: str) -> bool:
    """Whether it has the name of what a decorator makes of any function."""
    return _WRAPS.search(function) is not None


def _is_client(frame: Frame) -> bool:
    return frame.role == "library" and frame.module.partition(".")[0] in CLIENTS


@dataclass(frozen=True, slots=True)
class Asserted:
    """The statement of the test that failed: its source on one line, and what it looks at.

    ``log`` says where it has the log of a fake or a mock, its calls or their number, ``of_mock`` that
    it is a mock's; ``of_production`` that it reads something of production code, ``exits`` that it is
    about how a command ended, ``of_reply`` that it reads the error reply that was injected,
    ``of_body`` only what was in it, ``of_time`` that it reads what a clock said. ``expected`` is the side
    of a comparison that says what the test expects, where that is not the second, and ``computed``
    that the test itself makes the other one of what it got (``len(found)``).
    """

    text: str = ""
    log: Side = ""
    of_production: bool = False
    of_mock: bool = False
    exits: bool = False
    of_reply: bool = False
    of_time: bool = False
    of_body: bool = False
    expected: Side = ""
    computed: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of how the faults of one run led to its failure.

    ``links`` start with the exception that reached the test. ``escapes`` are exceptions that left a
    request handler after a fault, each of them a 500 for whoever asked. ``caught`` starts with an
    exception that the test had caught, and that the statement at which it failed looks at.
    """

    links: tuple[Link, ...] = ()
    injections: tuple[Injection, ...] = ()
    escapes: tuple[Link, ...] = ()
    caught: tuple[Link, ...] = ()
    asserted: Asserted = Asserted()

    @property
    def our_slip(self) -> Link | None:
        """The first exception by which a fault could not be made: a client has other insides than are known."""
        ours = (link for link in (*self.links, *self.caught) if link.origin == "ours")
        made = (link for link in ours if link.frames[-1].module.startswith(_MAKE_FAULTS))
        # Not what is thrown into a task that waits there, such as its cancellation.
        slips = (link for link in made if not _SLIPS.isdisjoint(link.bases))
        return next((link for link in slips if not link.raised), None)


NOTHING = Evidence()
"""The evidence of a run that passed, or that an earlier version recorded."""
