"""Where an injected error ends: the code that caught it, or one that was raised for it, for good.

An error can only be caught by code that is on the stack when it is injected. Those frames hear of
each exception that comes to them; the outermost one that hears of the error has caught it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from dis import opmap
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import FrameType, TracebackType
from typing import Any, Protocol

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.evidence import CLIENTS, Caught, Frame, Injection, Role
from socrates_amplify.record.evidence import is_raise, links_of
from socrates_amplify.record.executed import hear_next
from socrates_amplify.record.whose import Roles

_RUNNERS = frozenset(
    {
        *("asyncio", "concurrent", "threading", "anyio", "trio", "_pytest", "unittest"),
        *("pytest_asyncio", "asgiref", "greenlet", "gevent", "eventlet"),
    }
)
"""What runs a coroutine, a thread or a test, and may keep its error for somebody who asks later."""
_OURS = ("socrates_amplify.record.executed", __name__)
"""Modules of ours that hear of calls: theirs may be listened to, those of other tools may not."""
_ANSWERING = frozenset(
    {"datasette", "falcon", "sanic", "tornado", "bottle", "cherrypy", "quart", "litestar"}
)
"""Frameworks that make a 500 of what a handler let go, and of which ``probes/http/escapes`` knows nothing."""
_ENDS = (StopIteration, StopAsyncIteration, GeneratorExit)
"""How generators and coroutines hand their value back, or end."""
_SUSPENDS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
"""Code that "returns" whenever it waits, too."""
_YIELD = opmap["YIELD_VALUE"]
"""Where it stands then."""
_FOR_REPLY = "__socrates_for_reply__"
"""Marks an error that a library raised, given the injected reply. A list of them would keep frames alive."""
_MOST_FRAMES = 200
_MOST_LINKS = 12
_WORD = later(r"\w+")


class Told(Protocol):
    """Who wants to hear of errors on their way."""

    def let_in(self, error: BaseException) -> None:
        """``error`` came to code of the tests."""

    def escaped(self, error: BaseException) -> None:
        """``error`` left a request handler."""


def follow(
    injections: list[Injection], frame: FrameType | None, roles: Roles, status: str, told: Told
) -> None:
    """Follow the error of the last injection from ``frame`` on.

    ``status`` is that of the injected reply, empty for an error. ``told`` hears of each error that
    came to code of the tests, and of each that production code left to what serves requests.
    """
    listening = sys.gettrace()
    if listening is not None and getattr(listening, "__module__", "") not in _OURS:
        return  # a debugger, or what measures coverage
    stack = list(_stack(frame))
    number, outermost, end = len(injections) - 1, -1, len(stack) - 1
    caller = next((n for n, one in enumerate(stack) if roles.is_production(one.f_code)), -1)

    def heard(place: int, frame: FrameType, traceback: TracebackType, error: object) -> None:
        nonlocal outermost
        if not isinstance(error, BaseException) or isinstance(error, _ENDS):
            return
        error.__traceback__ = traceback  # before Python 3.12 it has none until somebody catches it
        seen = roles.frame(frame.f_code, frame.f_globals.get("__name__", ""), frame.f_lineno)
        if seen.role == "web" and _is_left_to(seen, error, roles):
            told.escaped(error)
        if status and (seen.role == "library" or (place == caller and _is_meant(traceback, roles))):
            # Its function made the call, so it has read the reply, and raises an error for it, or a helper of it does.
            BaseException.__setattr__(error, _FOR_REPLY, True)
        if not _is_of_fault(error, status, roles):
            return
        if seen.role == "test":
            told.let_in(error)
        if place <= outermost:
            return  # the first error that a function hears of is the one that it was given
        outermost = place
        handed_on = place == end and seen.role != "test"
        caught = None if handed_on else Caught(seen, type(error).__name__)
        injections[number] = replace(injections[number], caught=caught)

    suspends = bool(stack) and bool(stack[-1].f_code.co_flags & _SUSPENDS)

    def listener(place: int) -> Callable[[FrameType, str, Any], Any]:
        # It keeps no frame: that would keep the function's locals, and a file that only they hold open unwritten.
        def hear(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "exception" and len(injections) - 1 == number:
                heard(place, frame, arg[2], arg[1])
            elif event == "return" and place == end and sys.gettrace() is _hear:
                # No call of a function here: a test may have left a recursion limit that just lets it return.
                if not suspends or frame.f_code.co_code[frame.f_lasti] != _YIELD:
                    sys.settrace(None)  # nobody is left who could catch it
            return hear

        return hear

    for place, one in enumerate(stack):
        one.f_trace, one.f_trace_lines = listener(place), False
    hear_next(_hear)
    if sys.gettrace() is None:  # it may have heard enough meanwhile
        sys.settrace(_hear)


def stop_following() -> None:
    """Hear of no more exceptions in this thread."""
    hear_next(None)
    if sys.gettrace() is _hear:
        sys.settrace(None)


def _hear(frame: FrameType, event: str, arg: object) -> None:
    """Functions that are called from now on can't have caused what is followed."""


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames from this one on, up to what runs them apart from their caller."""
    for _ in range(_MOST_FRAMES):
        if frame is None or _runs_others(frame):
            return
        yield frame
        frame = frame.f_back


def _runs_others(frame: FrameType) -> bool:
    """Whether this is what runs a coroutine, a thread or a test; not so a mock that wraps a function, or ``wait_for``."""
    name = str(frame.f_globals.get("__name__", ""))
    runner = name.partition(".")[0] in _RUNNERS and name != "unittest.mock"
    return runner and not frame.f_code.co_flags & _SUSPENDS


def _is_of_fault(error: BaseException, status: str, roles: Roles) -> bool:
    """Whether an exception is the injected one, or was raised for it or for the injected reply.

    What the test raises itself, an assertion that failed for one, is none; nor is a mock's or a fake's.
    """
    raiser = _raised_by(error.__traceback__, roles)
    if raiser in ("test", "framework"):
        return False
    if isinstance(error, AssertionError) and raiser not in ("production", "ours"):
        return False
    one: BaseException | None = error
    for _ in range(_MOST_LINKS):
        if one is None:
            return False
        if status and type(one).__module__.partition(".")[0] in CLIENTS:
            return True
        if _FOR_REPLY in vars(one) or (status and status in _WORD.findall(_text(one))):
            return True
        if _raised_by(one.__traceback__, roles) == "ours":
            return True
        one = one.__cause__ or one.__context__
    return False


def _is_left_to(web: Frame, error: BaseException, roles: Roles) -> bool:
    """Whether production code let an error go that nobody meant for the framework, nor for its handlers."""
    package = web.module.partition(".")[0]
    if (
        web.starts_server
        or package not in _ANSWERING
        or type(error).__module__.partition(".")[0] == package
    ):
        return False
    link = links_of(error, roles)[0]
    meant = link.raised and link.origin == "production"
    return not meant and any(frame.role == "production" for frame in link.frames)


def _is_meant(traceback: TracebackType, roles: Roles) -> bool:
    """Whether production code raised it by a ``raise`` of its own."""
    return is_raise(_last(traceback)) and _raised_by(traceback, roles) == "production"


def _raised_by(traceback: TracebackType | None, roles: Roles) -> Role | None:
    if traceback is None:
        return None
    frame = _last(traceback).tb_frame
    return roles.role(frame.f_code.co_filename, frame.f_globals.get("__name__", ""))


def _last(traceback: TracebackType) -> TracebackType:
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""  # it can't say what it is about
