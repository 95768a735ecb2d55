"""The command that starts a pytest process, and the message when it can't collect."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from socrates_amplify.coverage.collect import VARIABLE
from socrates_amplify.executors.base import Suite
from socrates_amplify.model.secrets import without_secrets

_START = "socrates_amplify.executors.in_test.start"
"""Runs pytest once what we rely on is bound."""
_OPTIONS = "socrates_amplify.executors.in_test.options"
"""Switches off what keeps a test from being run."""


def pytest_command(suite: Suite, plugin: str) -> tuple[list[str], dict[str, str]]:
    """The command that runs this suite with ``plugin``, and its environment.

    pytest-xdist and pytest-cov are switched off: each of our processes runs one test, and the
    same test is run many times.
    """
    command = [suite.python or sys.executable, "-m", _START, "-p", plugin, "-p", _OPTIONS]
    command += suite.pytest_args
    variables = {**os.environ, **suite.environment}
    environment = {name: value for name, value in variables.items() if value is not None}
    environment.pop("SOCRATES_STORE_KEY", None)  # for ``store.seals``; tests need not know it
    if _is_loaded("xdist", suite, environment):
        command.append("-n0")
    if _is_loaded("pytest_cov", suite, environment):
        command.append("--no-cov")
    if VARIABLE in suite.environment:
        command += ["-p", "socrates_amplify.coverage.collect"]
    return [*command, *map(_no_option, suite.paths)], environment


def _no_option(path: str) -> str:
    """A path that pytest takes for nothing else, such as an option or a file of arguments.

    Putting them behind ``--`` would not do: pytest looks for ``-p`` and for ``@`` everywhere.
    """
    return f"./{path}" if path.startswith(("-", "@")) else path


def _is_loaded(plugin: str, suite: Suite, environment: Mapping[str, str]) -> bool:
    """Whether pytest loads an installed plugin, and so knows its options."""
    words = " ".join((environment.get("PYTEST_ADDOPTS", ""), *suite.pytest_args))
    if f"no:{plugin}" in words or importlib.util.find_spec(plugin) is None:
        return False
    named = f"{words} {environment.get('PYTEST_PLUGINS', '')}"
    return not environment.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") or plugin in named


def collection_problem(errors: Sequence[str], output: Path | None = None, code: int = 0) -> str:
    """One line that says what pytest could not collect, without secrets, and how to see more."""
    return without_secrets(_collection_problem(errors, output, code))


def _collection_problem(errors: Sequence[str], output: Path | None, code: int) -> str:
    hint = "run pytest --collect-only to see more"
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return f"pytest could not collect {errors[0]}{more}; {hint}"
    text = output.read_text(errors="replace") if output and output.exists() else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.casefold()] or lines[-1:]
    said = telling[-1] if telling else "it said nothing"
    asked = " (does an option ask it to?)" if not code else ""
    return f"pytest ended with exit code {code} before any test{asked}: {said}; {hint}"


def left_to_collect(until: float | None) -> float | None:
    """The seconds that are left of a time budget, None without one."""
    return None if until is None else max(until - time.monotonic(), 0.01)


TOO_LATE = "the time budget was spent before the tests were collected; give it more, or fewer tests"


def lines_of(listing: object) -> dict[str, int]:
    """The collected node ids in order, each with the line of its test."""
    assert isinstance(listing, dict)
    return {str(nodeid): int(line) for nodeid, line in listing.items()}


def unknown_test(nodeid: str) -> str:
    """The message about a test that was not collected."""
    return f"{nodeid} is not among the collected tests; run pytest --collect-only to see them"
