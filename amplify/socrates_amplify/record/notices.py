"""Collects the notices of one run: libraries that could not be patched, plugins that failed."""

from __future__ import annotations

import contextlib
import importlib.metadata
import sys
import traceback
from collections.abc import Callable, Iterator

from socrates_amplify.model.notices import Notice

Relay = Callable[[Notice], None]


class Notices:
    """The notices of one run, each once. Safe to call from any thread.

    ``relay`` is set in a child process of the test: there it hands each notice to the test.
    """

    def __init__(self, relay: Relay | None = None) -> None:
        self.relay = relay
        self._all: dict[Notice, None] = {}

    def __iter__(self) -> Iterator[Notice]:
        return iter(tuple(self._all))

    def add(self, notice: Notice) -> None:
        """Keep a notice, or have the test keep it; one that is known already changes nothing."""
        if notice in self._all:
            return
        self._all[notice] = None
        if self.relay is not None:
            self.relay(notice)

    def unpatched(self, module: str, error: BaseException) -> None:
        """Warn that a library could not be patched when its ``module`` was imported, and why."""
        self.add(Notice(f"{_library(module)} could not be patched: {_reason(error)}; {_EFFECT}"))

    def unanswered(self, probe: str, error: BaseException) -> None:
        """Warn that a probe could not answer a child process of the test, and why."""
        told = "the process is neither recorded nor faulted from there on"
        self.add(
            Notice(f"{probe} could not answer a process of the test: {_reason(error)}; {told}")
        )


_EFFECT = "what the tests do with it is neither recorded nor faulted"


def _library(module: str) -> str:
    """The name of a module's library, with its version where it is known under that name."""
    name = module.partition(".")[0]
    if name in sys.stdlib_module_names:
        return module
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return f"{name} {importlib.metadata.version(name)}"
    return name


def _reason(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{said(error)}{place}"


def said(error: BaseException) -> str:
    """The class of an error and its text, on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
