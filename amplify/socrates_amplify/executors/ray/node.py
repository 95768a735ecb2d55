"""What runs on each node of a cluster: one Ray actor with a warm executor of our own.

Requests and replies are JSON values.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, MakeExecutor, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.model.serial import Json, outcome_to_json, scenario_from_json, trace_from_json


class Node:
    """The actor of one node. Ray calls ``run`` from several threads, other methods beside it."""

    def __init__(self, suite: Suite, make: MakeExecutor) -> None:
        # Ray has unpacked the project here.
        self._suite = settled(suite, Path.cwd())
        self._make = make
        self._executor: Executor | None = None
        self._tickets: dict[int, Ticket] = {}
        self._lock = threading.Lock()

    def collect(self) -> Json:
        """Start the warm process; its tests, or what went wrong."""
        try:
            self._executor = self._make("fork", self._suite)
            tests = self._executor.collect()
            if self._executor.unfit:
                self._executor.close()
                self._executor = self._make("subprocess", self._suite)
                tests = self._executor.collect()
        except SocratesError as error:
            return {"error": str(error)}
        return {"tests": tests, "pid": os.getpid()}

    def run(
        self, number: int, nodeid: str, scenario: Json, limit: float | None, trace: Json | None
    ) -> Json:
        """Run one execution. ``trace`` has the names to use for this test from now on."""
        assert self._executor is not None
        ticket = Ticket()
        with self._lock:
            # ``cancel`` may have come first: then its ticket is there already.
            ticket = self._tickets.setdefault(number, ticket)
        try:
            if trace is not None:
                self._executor.learn(nodeid, trace_from_json(trace))
            outcome = self._executor.run(nodeid, scenario_from_json(scenario), limit, ticket)
            return {"outcome": outcome_to_json(outcome)}
        except Cancelled:
            return {"cancelled": True}
        except SocratesError as error:
            return {"error": str(error)}
        finally:
            with self._lock:
                self._tickets.pop(number, None)

    def cancel(self, number: int) -> None:
        """End an execution with all its processes."""
        with self._lock:
            ticket = self._tickets.setdefault(number, Ticket())
        ticket.cancel()

    def close(self) -> None:
        """End all processes and remove temporary files."""
        if self._executor is not None:
            self._executor.close()


def portable(suite: Suite, root: Path) -> Suite:
    """The suite with paths relative to ``root``, for a machine where the project lies elsewhere."""
    return replace(
        suite,
        cwd=Path(os.path.relpath(suite.cwd, root)),
        paths=tuple(_relative(path, suite.cwd, root) for path in suite.paths),
        probes={name: dict(table) for name, table in suite.probes.items()},
        python="",
    )


def _relative(path: str, cwd: Path, root: Path) -> str:
    inside = Path(path).is_absolute() and Path(path.partition("::")[0]).is_relative_to(root)
    return os.path.relpath(path, cwd) if inside else path


def settled(suite: Suite, root: Path) -> Suite:
    """A portable suite with absolute paths below ``root``, those of ``PYTHONPATH`` too."""
    ours = str(suite.environment.get("PYTHONPATH") or "").split(os.pathsep)
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = [str(root / folder) for folder in ours if folder]
    search = os.pathsep.join([*folders, *filter(None, before)])
    around = {**suite.environment, "PYTHONPATH": search}
    return replace(suite, cwd=root / suite.cwd, environment=around)
