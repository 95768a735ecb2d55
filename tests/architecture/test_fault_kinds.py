"""A fault kind is one row: only the table, and what applies a kind, know it by its name."""
# socrates: ignore-file[SOC105] the sources themselves are what is checked

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.model.kinds import CIRCUMSTANCE, all_names

PACKAGE = Path(__file__).parents[2] / "amplify" / "socrates_amplify"
APPLIERS = ("model/kinds.py", "probes/", "simulation/")
FIELD_NAMES = {
    "status": {
        "record/assertions/asserted.py",
        *("model/serial.py", "report/json_report.py", "report/page/html_groups.py"),
        *("merge/results.py", "merge/report_files.py"),
    },
    "cancel": {"executors/fork/executor.py", "executors/fork/server.py"},
    "order": {
        "run/circumstances.py",
        "settings/circumstances.py",
        "settings/circumstances_table.py",
    },
}
"""Modules in which the word is a field of a JSON report or a stored outcome (how a test ended), a
circumstance, what a server of executions is told, or an attribute of a response."""


def literals(source: str) -> Iterator[str]:
    """The texts of a module but for its docstrings."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def kinds_in(source: str) -> set[str]:
    """The kinds that a module knows by name; ``status:503`` is ``status``."""
    return {text.partition(":")[0] for text in literals(source)} & set(all_names())


@pytest.mark.parametrize(
    ("source", "known"),
    [
        pytest.param('if fault.kind == "restart": pass', {"restart"}, id="compared"),
        pytest.param('KINDS = ("delay", "reorder")', {"delay", "reorder"}, id="listed"),
        pytest.param('offer = f"status:{code}"', {"status"}, id="with a detail"),
        pytest.param('"""restart"""\nx = 1\n"""drop"""', set(), id="docstrings"),
        pytest.param('raise ValueError("no restart here")', set(), id="in a sentence"),
    ],
)
def test_which_kinds_a_module_knows(source: str, known: set[str]) -> None:
    assert kinds_in(source) == known


def test_no_other_module_knows_a_kind() -> None:
    guilty = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(APPLIERS):
            fields = {word for word, modules in FIELD_NAMES.items() if name in modules}
            if found := kinds_in(path.read_text(encoding="utf-8")) - fields:
                guilty[name] = found
    assert guilty == {}


def test_every_kind_is_known_to_a_probe() -> None:
    applied = set()
    for path in (PACKAGE / "probes").rglob("*.py"):
        applied |= kinds_in(path.read_text(encoding="utf-8"))
    # The probe of circumstances names its kind by the channel.
    assert set(all_names()) - applied == {CIRCUMSTANCE}
