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
_of_task: ContextVar[Site | None] = ContextVar("socrates_asker", default=None)


class _OfThread(threading.local):
    """Work of a pool may run in a context of its own, as ``asyncio.to_thread`` has it."""

    site: Site | None = None


_of_thread = _OfThread()


def asker(frame: FrameType | None) -> Site | None:
    """The code at ``frame`` that asks for something to be run elsewhere, else who asked for that."""
    return _innermost(frame) or _asker()


@contextmanager
def task_of(site: Site | None) -> Iterator[None]:
    """Tasks that are made in this block are asked for by the code at ``site``."""
    token = _of_task.set(site)
    try:
        yield
    finally:
        _of_task.reset(token)


@contextmanager
def work_of(site: Site | None) -> Iterator[None]:
    """What this thread does in this block is asked for by the code at ``site``."""
    before, _of_thread.site = _of_thread.site, site
    try:
        yield
    finally:
        _of_thread.site = before


def _asker() -> Site | None:
    """Who asked for the task that is running, or for this thread's work."""
    loops = sys.modules.get("asyncio.events")
    in_task = loops is not None and loops._get_running_loop() is not None
    return _of_task.get() if in_task else _of_thread.site


def _innermost(frame: FrameType | None) -> Site | None:
    """The innermost code that counts."""
    while frame is not None:
        role = _roles[frame.f_globals.get("__name__", "")]
        if role == _COUNTS:
            return (frame.f_code, frame.f_lasti)
        if role == _ENDS:
            return None
        frame = frame.f_back
    return None


class Way:
    """The code objects from the innermost frame outwards, ``filename`` that of the innermost.

    Where there is none of them, it is the code that asked for the task or the thread.
    """

    __slots__ = ("filename", "sites")

    def __init__(self, frame: FrameType | None) -> None:
        self.filename = ""
        self.sites: list[Site] = []
        while frame is not None:
            role = _roles[frame.f_globals.get("__name__", "")]
            if role == _COUNTS:
                self.sites.append((frame.f_code, frame.f_lasti))
            elif role == _ENDS:
                break
            frame = frame.f_back
        asked = None if self.sites else _asker()
        if asked is not None:
            self.sites.append(asked)
        if self.sites:
            self.filename = self.sites[0][0].co_filename

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
