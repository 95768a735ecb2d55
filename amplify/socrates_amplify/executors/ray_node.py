"""What runs on each node of a cluster: one Ray actor with a warm executor of our own.

Only JSON values go in and out.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.make import make_executor
from socrates_amplify.serial import (
    Json,
    outcome_to_json,
    scenario_from_json,
    trace_from_json,
)


class Node:
    """Serves one node. ``run`` is called by several threads, the others while it runs."""

    def __init__(self, suite: Json) -> None:
        # Ray has unpacked the project here.
        self._suite = suite_from_json(suite, Path.cwd())
        self._executor: Executor | None = None
        self._tickets: dict[int, Ticket] = {}
        self._lock = threading.Lock()

    def collect(self) -> Json:
        """Start the warm process; its tests, or what went wrong."""
        try:
            self._executor = make_executor("fork", self._suite)
            tests = self._executor.collect()
            if self._executor.unfit:
                self._executor.close()
                self._executor = make_executor("subprocess", self._suite)
                tests = self._executor.collect()
        except SocratesError as error:
            return {"error": str(error)}
        return {"tests": tests, "pid": os.getpid()}

    def run(
        self, number: int, nodeid: str, scenario: Json, limit: float | None, trace: Json | None
    ) -> Json:
        """One execution; ``trace`` are names to use from now on."""
        assert self._executor is not None
        ticket = Ticket()
        with self._lock:
            # Cancelling may have come first: its ticket then lies there already.
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


def suite_to_json(suite: Suite, root: Path) -> Json:
    """A suite with its paths relative to ``root``, for a machine where that lies elsewhere."""
    return {
        "cwd": os.path.relpath(suite.cwd, root),
        "paths": [_relative(path, suite.cwd, root) for path in suite.paths],
        "pytest_args": list(suite.pytest_args),
        "probes": {name: dict(table) for name, table in suite.probes.items()},
        "environment": dict(suite.environment),
    }


def _relative(path: str, cwd: Path, root: Path) -> str:
    inside = Path(path).is_absolute() and Path(path.partition("::")[0]).is_relative_to(root)
    return os.path.relpath(path, cwd) if inside else path


def suite_from_json(value: Json, root: Path) -> Suite:
    """The suite that ``suite_to_json`` wrote, below another root.

    Folders in ``PYTHONPATH`` are below the root, too.
    """
    paths, arguments = value["paths"], value["pytest_args"]
    probes, variables = value["probes"], value["environment"]
    assert isinstance(paths, list)
    assert isinstance(arguments, list)
    assert isinstance(probes, dict)
    assert isinstance(variables, Mapping)
    environment: dict[str, str | None] = dict(variables)
    ours = str(environment.get("PYTHONPATH") or "").split(os.pathsep)
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = [str(root / folder) for folder in ours if folder]
    environment["PYTHONPATH"] = os.pathsep.join([*folders, *filter(None, before)])
    return Suite(
        root / str(value["cwd"]), tuple(paths), tuple(arguments), probes, environment=environment
    )
