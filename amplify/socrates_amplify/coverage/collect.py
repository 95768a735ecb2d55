"""Coverage inside the processes that run tests. Does nothing unless its variable is set.

The suite's own lines (what is imported while tests are collected, and the runs without faults)
and those of runs under faults go to data files of their own, one per process, so that forks and
Python processes that a test starts never write to the same one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from socrates_amplify.model.faults import Scenario
from socrates_amplify.originals import Files, Process

if TYPE_CHECKING:
    import coverage
    import pytest

VARIABLE = "SOCRATES_COVERAGE"
"""Names the folder for the data files."""
SUITE, FAULTS = "suite", "faults"
"""How the names of data files begin."""

_running: list[coverage.Coverage] = []
"""The measurement of the test that this process runs, while it runs."""

_SILENT = (
    "no-data-collected",
    "module-not-measured",
    "module-not-imported",
    "already-imported",
    "couldnt-parse",
)


@contextlib.contextmanager
def measured(scenario: Scenario, root: Path) -> Iterator[None]:
    """Measure what runs in here, and in the processes that it starts."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        yield
        return
    _running.append(
        _begin(Path(folder) / (FAULTS if scenario.faults else SUITE), root, follow=True)
    )
    try:
        yield
    finally:
        save()


def save() -> None:
    """Write down what was measured up to now and measure no longer, if anything is measured."""
    while _running:
        measuring = _running.pop()
        measuring.stop()
        measuring.save()


def _begin(file: Path, root: Path, follow: bool) -> coverage.Coverage:
    """Start to measure what the user's own settings say, else all of the project."""
    import coverage

    theirs = coverage.Coverage(data_file=None)
    options = {
        name: theirs.get_option(f"run:{name}")
        for name in ("source", "source_pkgs", "source_dirs", "include", "omit")
    }
    if not any(value for name, value in options.items() if name != "omit"):
        options["source"] = [str(root)]
    options |= {"data_file": str(file), "parallel": True, "disable_warnings": list(_SILENT)}
    if follow:
        options |= {"sigterm": True, "patch": ["_exit", "fork", "subprocess"]}
    # Processes that are followed are told by a file; each process here has one of its own.
    written = file.with_name(f"settings-{Process.getpid()}.ini")
    Files.write_bytes(written, _settings(options).encode())
    measuring = coverage.Coverage(config_file=str(written))
    measuring.start()
    return measuring


def _settings(options: Mapping[str, object]) -> str:
    """The options as coverage.py reads them from a file."""
    lines = ["[run]"]
    for name, value in options.items():
        if isinstance(value, list):
            lines.append(f"{name} =" + "".join(f"\n    {item}" for item in value))
        elif value is not None:
            lines.append(f"{name} = {value}")
    return "\n".join([*lines, ""])


class Imports:
    """A pytest plugin that measures from before the first conftest until tests are collected."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._measuring: coverage.Coverage | None = None

    def begin(self, config: pytest.Config) -> None:
        """Start, before anything of the project is imported."""
        self._measuring = _begin(self._folder / SUITE, config.rootpath, follow=False)

    def pytest_collection_finish(self) -> None:
        """All that tests import is imported."""
        if self._measuring is not None:
            self._measuring.stop()
            self._measuring.save()
            self._measuring = None


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Measure imports if asked to. The executors load this module as a pytest plugin."""
    folder = os.environ.get(VARIABLE)
    if folder:
        imports = Imports(Path(folder))
        early_config.pluginmanager.register(imports, "socrates-imports")
        imports.begin(early_config)
