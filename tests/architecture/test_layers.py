"""Imports go one way: between the rooms of a package, and between packages at any depth."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

LAYERS = {
    "socrates": [
        "classes",
        "errors files findings printable spelling syntax",
        "failures pages settings suppress",
        "discovery",
        "model",
        "fix report",
        "baseline example",
        "rule",
        "builtin plugins",
        "registry",
        "config select",
        "engine explain",
        "session",
        "fixes init",
        "lsp",
        "cli",
        "__main__ docs",
    ],
    "socrates_rules": [
        "rewriting",
        "assertion_roulette eager_test general_fixture lazy_test mystery_guest sensitive_equality",
    ],
    "socrates_amplify": [
        "lazy_pattern",
        "model originals",
        "faults settings coverage exploration report store triage",
        "record",
        "probes",
        "hooks merge simulation",
        "extensions",
        "executors started_process",
        "planning",
        "run",
        "commands regression",
        "plugin pytest_handover",
        "pytest_plugin",
    ],
}
"""The rooms of each package, the lowest first. A room sees those below its layer, none beside it."""

INSIDE_TESTS = {"record", "probes", "extensions", "executors", "started_process"}
NOT_INSIDE_TESTS = {"exploration", "report", "store", "merge", "simulation", "triage"}
"""Rooms whose code runs in the processes of tests, and rooms that such a process need not load."""

MOST_MODULES, MOST_LINES, LONGEST_FUNCTION = 20, 400, 60


def rooms(package: str) -> dict[str, int]:
    """The number of each room's layer."""
    return {room: number for number, layer in enumerate(LAYERS[package]) for room in layer.split()}


def inner_imports(source, package: str) -> Iterator[tuple[str, str, str, str]]:
    """Imports from one room of a package to another: both rooms and both modules."""
    for module, imported in source.imports.items():
        for other in imported:
            ends = [name.split(".") for name in (module, other)]
            inside = all(parts[0] == package and len(parts) > 1 for parts in ends)
            if inside and ends[0][1] != ends[1][1]:
                yield ends[0][1], ends[1][1], module, other


@pytest.mark.parametrize("package", LAYERS)
def test_every_room_has_a_layer(source, package: str) -> None:
    found = {name.split(".")[1] for name in source.files if name.startswith(f"{package}.")}
    assert found == set(rooms(package))


@pytest.mark.parametrize("package", LAYERS)
def test_rooms_see_only_what_is_below_them(source, package: str) -> None:
    layer = rooms(package)
    upwards = [
        f"{module} imports {other}"
        for room, seen, module, other in inner_imports(source, package)
        if layer[room] <= layer[seen]
    ]
    assert upwards == []


def test_processes_of_tests_load_nothing_of_the_search_and_the_reports(source) -> None:
    loaded = [
        f"{module} imports {other}"
        for room, seen, module, other in inner_imports(source, "socrates_amplify")
        if room in INSIDE_TESTS and seen in NOT_INSIDE_TESTS
    ]
    assert loaded == []


def test_no_packages_import_each_other_at_any_depth(source) -> None:
    graph: dict[str, set[str]] = {}
    for module, imported in source.imports.items():
        room = source.room(module)
        graph.setdefault(room, set()).update({source.room(other) for other in imported} - {room})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these import each other: {' <- '.join(error.args[1])}")


def test_no_folder_has_too_many_modules(source) -> None:
    counted = Counter(path.parent for path in source.files.values() if path.name != "__init__.py")
    assert {folder: n for folder, n in counted.items() if n > MOST_MODULES} == {}


def test_no_module_is_too_long(source) -> None:
    lines = {name: len(path.read_text().splitlines()) for name, path in source.files.items()}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_no_function_is_too_long(source) -> None:
    long = [
        f"{name}: {node.name} has {length} lines"
        for name, path in source.files.items()
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []
