"""Chooses an executor by name."""

from __future__ import annotations

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.executors.fork import ForkExecutor
from socrates_amplify.executors.subprocess import SubprocessExecutor

NAMES = ("fork", "subprocess")


def make_executor(name: str, suite: Suite) -> Executor:
    """The executor called ``name``."""
    if name == "fork":
        return ForkExecutor(suite)
    if name == "subprocess":
        return SubprocessExecutor(suite)
    raise SocratesError(f"--executor {name} is unknown; use one of {', '.join(NAMES)}")
