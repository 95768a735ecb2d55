"""What raised, as data: a plugin or Socrates itself, the message, and the line where it happened."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TypeVar

from socrates.findings import OWN_NAME, PluginError

_T = TypeVar("_T")


def attempt(work: Callable[[], _T], otherwise: _T, doing: str, errors: list[PluginError]) -> _T:
    """The result of some work on one file; a defect of ours is noted, and the rest goes on."""
    try:
        return work()
    except Exception as error:
        errors.append(own_error(error, doing))
        return otherwise


def own_error(error: Exception, doing: str) -> PluginError:
    """A defect of ours, with the line where it happened."""
    return failure(OWN_NAME, error, doing)


def failure(name: str, error: Exception, doing: str, path: str | None = None) -> PluginError:
    """An exception with the name of who raised it; the line is the last one in ``path``, if any."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = next((f for f in reversed(frames) if f.filename == path), frames[-1])
    message = f"{type(error).__name__}: {error} (while {doing})"
    return PluginError(name, message, f"{frame.filename}:{frame.lineno}")
