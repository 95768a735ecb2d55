"""Tests wait for no process without a limit: what hangs has to fail, with the name of its test.

A test that hangs in another way is ended by pytest-timeout (see ``pyproject.toml``); but that
can't end a process that the test has started and waits for in its ``finally``.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
RUNS = {"run", "call", "check_call", "check_output"}
"""Functions of ``subprocess`` that wait for the process that they start."""


def waits_for_ever(code: str) -> list[int]:
    """The lines that would wait for a process as long as it takes."""
    nodes = list(ast.walk(ast.parse(code)))
    # None of these takes a limit as an argument: a barrier has one of its own.
    exempt = {id(node.value) for node in nodes if isinstance(node, ast.Await)}
    exempt |= {
        id(argument)
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("asyncio.")
        for argument in node.args
    }
    barriers = {
        ast.unparse(node.targets[0])
        for node in nodes
        if isinstance(node, ast.Assign) and "Barrier(" in ast.unparse(node.value)
    }
    calls = [node for node in nodes if isinstance(node, ast.Call) and id(node) not in exempt]
    left_open = {
        item.context_expr.lineno
        for node in nodes
        if isinstance(node, ast.With)
        for item in node.items
        if ast.unparse(item.context_expr).startswith("subprocess.Popen(")
    }
    return sorted(left_open | {call.lineno for call in calls if _has_no_limit(call, barriers)})


def _has_no_limit(call: ast.Call, barriers: set[str]) -> bool:
    if any(keyword.arg == "timeout" for keyword in call.keywords):
        return False
    owner, _, name = ast.unparse(call.func).rpartition(".")
    if name in RUNS:
        return owner == "subprocess"
    return name == "communicate" or (name == "wait" and not call.args and owner not in barriers)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("subprocess.run(command)", [1]),
        ("subprocess.run(command, timeout=60)", []),
        ("subprocess.check_output(command)", [1]),
        ("with subprocess.Popen(command) as process:\n    process.kill()", [1]),
        ("process.communicate(b'')", [1]),
        ("process.communicate(timeout=60)", []),
        ("process.wait()", [1]),
        ("process.wait(60)", []),
        ("await event.wait()", []),
        ("await asyncio.wait_for(event.wait(), timeout=60)", []),
        ("both = Barrier(2, timeout=60)\nboth.wait()", []),
    ],
)
def test_a_wait_without_a_limit_is_seen(code: str, lines: list[int]) -> None:
    assert waits_for_ever(code) == lines


@pytest.fixture
def sources() -> dict[str, str]:
    """The text of all test files, by name."""
    files = [path for path in TESTS.rglob("*.py") if TESTS / "data" not in path.parents]
    return {str(path.relative_to(TESTS)): path.read_text(encoding="utf-8") for path in files}


def test_no_test_waits_for_ever(sources: dict[str, str]) -> None:
    found = [f"{name}:{line}" for name, code in sources.items() for line in waits_for_ever(code)]
    assert (len(sources) > 100, found) == (True, [])
