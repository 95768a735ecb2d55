"""Reading a chain of exceptions: which of them came out of production code, and who raised it."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.model.evidence import Evidence, Frame, Link, is_wrapper

_SLIPS = frozenset(
    {
        *("ValueError", "LookupError", "TypeError", "AttributeError", "NameError"),
        *("ArithmeticError", "AssertionError", "NotImplementedError", "SyntaxError"),
    }
)
"""Built-in exceptions that say that code met something it was not written for."""

_MISSING = frozenset({"FileNotFoundError", "LookupError", "NotImplementedError"})
"""Built-in exceptions that speak of something else than a service that is down."""
_OF_NO_REPLY = "AttributeError"
"""One that nobody raises for what a service has answered."""
_COMPARISONS = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
_UNREADABLE = re.compile("Decod|Validat|Pars|Schema|Syntax|Marshal|Unpack", re.IGNORECASE)
"""Names of errors of libraries that were given something else than they read."""


@dataclass(frozen=True, slots=True)
class Surfaced:
    """The exception that came out of production code, with the chain behind it."""

    link: Link
    behind: tuple[Link, ...]

    @property
    def name(self) -> str:
        """Its type; what production code raises by the name of a client's own error is told apart from that."""
        namesake = self.link.module == "builtins" and self.link.type == "ConnectionError"
        return f"builtins.{self.link.type}" if namesake and self.is_deliberate else self.link.type

    @property
    def last(self) -> Frame:
        """Where it was raised."""
        return self.link.frames[-1]

    @property
    def production(self) -> Frame:
        """The innermost production code that it passed; what a decorator makes of any function is named last."""
        passed = [frame for frame in reversed(self.link.frames) if frame.role == "production"]
        return next((frame for frame in passed if not is_wrapper(frame.function)), passed[0])

    def innermost_of(self, way: Collection[str]) -> Frame | None:
        """The innermost code that it passed among functions, as ``file:function``; None if it passed none."""
        passed = (frame for frame in reversed(self.link.frames) if frame.role == "production")
        return next((one for one in passed if f"{one.file}:{one.function}" in way), None)

    @property
    def is_fault(self) -> bool:
        """Whether it is the injected error itself, or what libraries made of it."""
        for link in (self.link, *self.behind):
            if link.origin == "ours":
                return True
            if link.origin == "production":
                return False
        return False

    @property
    def follows_fault(self) -> bool:
        """Whether it was raised while the injected error was handled, or because of it."""
        return any(link.origin == "ours" for link in self.behind)

    @property
    def refused_by(self) -> str:
        """The fake that raised it for a call that it does not know, be it after a fault; empty for another's error."""
        return self.last.module.partition(".")[0] if self.last.role == "fake" else ""

    @property
    def follows_fake(self) -> str:
        """The fake whose refusal of another call it was raised for; empty where it was not."""
        refused = (link.frames[-1].module for link in self.behind if link.origin == "fake")
        module = next(refused, "")
        return "" if self.follows_fault else module.partition(".")[0]

    @property
    def is_deliberate(self) -> bool:
        """Whether production code raised it by a ``raise`` of its own."""
        asserts = "AssertionError" in self.link.bases
        return self.last.role == "production" and self.link.raised and not asserts

    @property
    def was_read(self) -> bool:
        """Whether somebody had looked at the reply: a library's error for it, or ours, stands behind."""
        return any(link.origin in ("ours", "library") and link.raised for link in self.behind)

    def wrapped_by(self, clients: Collection[str]) -> Link | None:
        """The client's error, or the injected one, for which another library raised this one.

        A group of asyncio's tasks is one of those.
        """
        if self.link.origin != "library" and not self.is_group:
            return None
        if self.link.module.partition(".")[0] in clients:
            return None
        packages = (*clients, "builtins", "asyncio")
        return next((one for one in self.behind if one.module.partition(".")[0] in packages), None)

    @property
    def is_group(self) -> bool:
        """Whether it only holds the errors of several tasks."""
        return self.link.type in ("ExceptionGroup", "BaseExceptionGroup")

    @property
    def meant_behind(self) -> Link | None:
        """What production code raised by a ``raise`` of its own, and a library raised another one for."""
        if self.last.role == "production":
            return None
        return next((one for one in self.behind if one.origin == "production" and one.raised), None)

    @property
    def asks_for_another_try(self) -> bool:
        """Whether a task has given it to Celery's ``retry``, which raises it again if the test calls the task itself."""
        return any(
            frame.module == "celery.app.task" and frame.function.endswith("retry")
            for frame in self.link.frames
        )

    @property
    def tells_of_nothing(self) -> bool:
        """Whether it says that something is not there, raised after the fault was caught and forgotten."""
        missing = not {*_MISSING, _OF_NO_REPLY}.isdisjoint(self.link.bases)
        return missing and self.is_deliberate and not self.follows_fault

    @property
    def may_tell_of_a_reply(self) -> bool:
        """Whether code may raise it for an error reply, of which nothing else needs to stand behind it."""
        return _OF_NO_REPLY not in self.link.bases

    def is_refused_by(self, clients: Collection[str]) -> bool:
        """Whether a client's own ``assert`` failed: no server answers so, only a fake."""
        of_client = self.last.module.partition(".")[0] in clients
        return of_client and self.last.role == "library" and "AssertionError" in self.link.bases

    @property
    def left_a_handler(self) -> bool:
        """Whether it went from production code to what serves requests: nobody there caught it."""
        roles = [frame.role for frame in called(self.link) if not frame.starts_server]
        return "web" in roles and "production" in roles[roles.index("web") :]

    def is_of(self, libraries: Collection[str]) -> bool:
        """Whether a library that made the call, or was shown its answer, raised an error of its own.

        Not so an error that says that the answer could not be read: nobody had looked at it first.
        """
        if self.last.role == "production" or not _SLIPS.isdisjoint(self.link.bases):
            return False
        package = self.link.module.partition(".")[0]
        slipped = any(
            one.origin == "library" and not _SLIPS.isdisjoint(one.bases) for one in self.behind
        )
        library = self.last.module.partition(".")[0] if package == "builtins" else package
        told = self.link.raised and library not in sys.stdlib_module_names and not slipped
        return package in libraries or (told and _UNREADABLE.search(self.link.type) is None)


def called(link: Link) -> tuple[Frame, ...]:
    """The frames below the last one of the tests: what the test had called when it was raised."""
    tests = [place for place, frame in enumerate(link.frames) if frame.role == "test"]
    return link.frames[tests[-1] + 1 :] if tests else link.frames


def surfaced(links: Sequence[Link]) -> Surfaced | None:
    """The first exception that production code did not keep; None if the test itself failed.

    A test that catches an exception and fails with one of its own has seen the first: what it was
    handling stands behind it. What ``__eq__`` raises is how the test's own comparison fails.
    """
    for place, link in enumerate(links):
        ours = [frame for frame in called(link) if frame.role == "production"]
        if ours and ours[0].function.rpartition(".")[2] not in _COMPARISONS:
            return Surfaced(link, tuple(links[place + 1 :]))
    return None


def left_to_a_library(link: Link) -> bool:
    """Whether a library raised it below what serves requests, with no production code in between.

    So ends an error reply that production code fetches and hands to a library unread.
    """
    roles = [frame.role for frame in called(link) if not frame.starts_server]
    return "web" in roles and roles[-1] == "library"


def clients_of(evidence: Evidence) -> frozenset[str]:
    """The packages between production code and the faulted calls: those that made them."""
    packages: set[str] = set()
    for one in evidence.injections:
        for frame in one.frames:
            if frame.role not in ("library", "fake"):
                break
            packages.add(frame.module.partition(".")[0])
    return frozenset(packages)


def libraries_of(evidence: Evidence) -> frozenset[str]:
    """The packages through which the faulted calls went."""
    return frozenset(
        frame.module.partition(".")[0]
        for one in evidence.injections
        for frame in one.frames
        if frame.role in ("library", "fake")
    )
