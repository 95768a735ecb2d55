"""The way through the caller's code to a call: its call site, and those of all its callers."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType, FrameType

from socrates_amplify.record.identity import digest
from socrates_amplify.record.index import site_of

_PLUMBING = frozenset(sys.stdlib_module_names) | {
    "aiohttp", "aioresponses", "anyio", "django", "fastapi", "flask", "httpcore", "httpcore2", "httpx", "httpx2",
    "pluggy", "pytest_asyncio", "requests", "requests_mock", "responses", "respx", "sniffio",
    "socrates_amplify", "starlette", "trio", "urllib3", "uvicorn", "werkzeug",
}  # fmt: skip
"""Packages whose frames say how a call is made, not which call it is. All others count."""

_END = frozenset({"_pytest"})
"""Beyond these is whoever runs the test, which is not the same in a search and in a replay."""


_COUNTS, _PASSES, _ENDS = range(3)


class _Roles(dict[str, int]):
    """What a frame of a module is to a way, worked out once for each module."""

    def __missing__(self, module: str) -> int:
        package = module.partition(".")[0]
        role = _ENDS if package in _END else _PASSES if package in _PLUMBING else _COUNTS
        self[module] = role
        return role


_roles = _Roles()


Site = tuple[CodeType, int]
Askers = tuple[Site, ...]
"""The code that asked for something to be run elsewhere, the innermost first, then who asked for that."""

_MOST_ASKERS = 12
_of_task: ContextVar[Askers] = ContextVar("socrates_asker", default=())


class _OfThread(threading.local):
    """Work of a pool may run in a context of its own, as ``asyncio.to_thread`` has it."""

    askers: Askers = ()


_of_thread = _OfThread()


def askers(frame: FrameType | None) -> Askers:
    """The code at ``frame`` and above it, which asks for something, and who asked for that."""
    sites, inner = _sites(frame)
    return (*sites[:inner], *_askers(), *sites[inner:])[:_MOST_ASKERS]


def asker(frame: FrameType | None) -> Site | None:
    """The innermost of them; None where there is none."""
    return next(iter(askers(frame)), None)


@contextmanager
def task_of(asked: Askers) -> Iterator[None]:
    """Tasks that are made in this block are asked for by this code."""
    token = _of_task.set(asked)
    try:
        yield
    finally:
        _of_task.reset(token)


@contextmanager
def work_of(asked: Askers) -> Iterator[None]:
    """What this thread does in this block is asked for by this code."""
    before, _of_thread.askers = _of_thread.askers, asked
    try:
        yield
    finally:
        _of_thread.askers = before


def _askers() -> Askers:
    """Who asked for the task that is running, or for this thread's work."""
    loops = sys.modules.get("asyncio.events")
    in_task = loops is not None and loops._get_running_loop() is not None
    return _of_task.get() if in_task else _of_thread.askers


def _sites(frame: FrameType | None) -> tuple[list[Site], int]:
    """The code that counts, from the innermost frame outwards, and how much of it is in the running task."""
    sites: list[Site] = []
    inner = -1
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        role = _roles[module]
        if role == _COUNTS:
            sites.append((frame.f_code, frame.f_lasti))
        elif role == _ENDS:
            break
        elif inner < 0 and module == "asyncio.events" and frame.f_code.co_name == "_run":
            inner = len(sites)  # beyond is who runs the loop
        frame = frame.f_back
    return sites, len(sites) if inner < 0 else inner


class Way:
    """The code objects from the innermost frame outwards, ``filename`` that of the innermost.

    Where there is none of them, it is the code that asked for the task or the thread. ``asking`` has all
    of that code in its place: after the code of the task, before whoever runs the loop.
    """

    __slots__ = ("asked", "asking", "filename", "sites")

    def __init__(self, frame: FrameType | None) -> None:
        asked = _askers()
        sites, inner = _sites(frame)
        self.asked = bool(asked)
        self.asking = [*sites[:inner], *asked, *sites[inner:]]
        self.sites = sites or list(asked[:1])
        self.filename = self.sites[0][0].co_filename if self.sites else ""

    @property
    def text(self) -> str:
        """A digest that edits elsewhere in the files don't change."""
        key = tuple((id(code), lasti) for code, lasti in self.sites)
        known = _ways.get(key)
        if known is None:
            text = digest(">".join(site_of(code, lasti) for code, lasti in self.sites))
            # The code objects are kept with it, so that ids stay theirs.
            known = _ways[key] = (self.sites, text)
        return known[1]


_ways: dict[tuple[tuple[int, int], ...], tuple[list[tuple[CodeType, int]], str]] = {}
