"""Chooses an executor by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.model.faults import Scenario
from socrates_amplify.settings.circumstances import TABLE
from socrates_amplify.settings.circumstances_table import environment

NAMES = ("fork", "subprocess", "ray")


def _subprocess(suite: Suite) -> Executor:
    from socrates_amplify.executors.subprocess.executor import SubprocessExecutor

    return SubprocessExecutor(suite)


_MAKERS: Mapping[str, Callable[[Suite], Executor]] = {
    "fork": ForkExecutor,
    "subprocess": _subprocess,
}


def make_executor(name: str, suite: Suite) -> Executor:
    """The executor called ``name``; one per environment, if the suite declares circumstances."""
    make = _MAKERS.get(name)
    if make is not None:
        if not environment(suite.probes.get(TABLE, {}), Scenario()):
            return make(suite)
        from socrates_amplify.executors.per_environment import CircumstancesExecutor

        return CircumstancesExecutor(suite, make)
    if name == "ray":
        # Imported here, because Ray takes a second to import and is an extra.
        from socrates_amplify.executors.ray.executor import RayExecutor

        return RayExecutor(suite, make_executor)
    raise SocratesError(f"--executor {name} is unknown; use one of {', '.join(NAMES)}")
