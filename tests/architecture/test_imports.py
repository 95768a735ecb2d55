"""The direction of imports, what is loaded when, and what others may import."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable

import pytest

import socrates.cli
import socrates.errors
import socrates.example
import socrates.findings
import socrates.plugins
import socrates.rule
import socrates_amplify.hooks

FORBIDDEN = {
    "socrates": {"socrates_rules", "socrates_amplify"},
    "socrates_rules": {"socrates_amplify"},
    "socrates_amplify": {"socrates_rules"},
}
HEAVY = ("libcst", "astroid", "pytest", "_pytest", "rich", "pygls", "lsprotocol")


def loaded_by(code: str) -> set[str]:
    """The top-level packages that a fresh interpreter has loaded after some code."""
    report = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_go_one_way(source, package: str) -> None:
    guilty = [
        f"{module} imports {other}"
        for module, imported in source.imports.items()
        for other in imported
        if module.partition(".")[0] == package and other.partition(".")[0] in FORBIDDEN[package]
    ]
    assert guilty == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import socrates", id="import socrates"),
        pytest.param("import socrates.session", id="import the session"),
        pytest.param("from socrates.cli import main; main(['--help'])", id="socrates --help"),
        pytest.param("from socrates.cli import main; main(['--version'])", id="socrates --version"),
        pytest.param("from socrates.cli import main; main(['check', '--help'])", id="check --help"),
        pytest.param("from socrates.cli import main; main(['lsp', '--help'])", id="lsp --help"),
        pytest.param("import socrates_amplify.plugin", id="import the amplifier's plugin"),
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    assert loaded_by(code) & set(HEAVY) == set()


def test_commands_of_the_amplifier_leave_pytest_to_processes_that_run_tests() -> None:
    commands = "import socrates_amplify.commands.amplify, socrates_amplify.commands.replay"
    assert not loaded_by(commands) & {"pytest", "_pytest"}


QUIET = """
import sys
from pathlib import Path

def test_one():
    Path("inside.txt").write_text(" ".join(sys.modules))
    assert True

def test_two():
    assert True
"""
"""A project in which nothing can be faulted; says what is loaded in the process of its tests."""

AMPLIFIED = """
import importlib.util
import sys

from socrates_amplify.extensions.own import OWN

frameworks = {name for own in OWN.values() for name in own.modules}
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: (
    None if name in frameworks else found(name, package)
)

from socrates.cli import main

sys.orig_argv[1:3] = ["-m", "socrates"]  # or the process of its tests would be a new interpreter
main(["amplify", "--isolated", "--gate", "off"])
print(*sys.modules)
"""
"""Amplifies it where no framework is installed; says what is loaded in the process of the command."""

NOT_FOR_QUIET_RUNS = (
    *HEAVY,
    *("asyncio", "concurrent.futures", "logging", "multiprocessing", "statistics", "xml"),
    *("socrates.lsp", "socrates.fixes", "socrates.cli.check"),
    *("socrates_amplify.executors.subprocess", "socrates_amplify.executors.ray.executor"),
    *("socrates_amplify.exploration.speculate", "socrates_amplify.record.recorder"),
    *("socrates_amplify.exploration.orders", "socrates_amplify.exploration.socratic"),
    *("socrates_amplify.exploration.shrink", "socrates_amplify.executors.per_environment"),
    *(
        "socrates_amplify.coverage.compare",
        "socrates_amplify.merge",
        "socrates_amplify.triage.case",
    ),
    *("socrates_amplify.planning.changed.impact", "socrates_amplify.run.control_runs"),
    *("socrates_amplify.probes.http.probe", "socrates_amplify.probes.orders"),
    *("socrates_amplify.probes.pykka", "socrates_amplify.probes.queues.delivery"),
    *("socrates_amplify.report.markup", "socrates_amplify.report.page"),
    *(
        "socrates_amplify.run.examiner",
        "socrates_amplify.run.search",
        "socrates_amplify.simulation",
    ),
)
NOT_INSIDE_TESTS = (
    *("astroid", "libcst", "rich"),
    *("socrates.cli", "socrates.engine", "socrates.model", "socrates.session", "socrates_rules"),
    *("socrates_amplify.exploration", "socrates_amplify.planning", "socrates_amplify.report"),
    *("socrates_amplify.run", "socrates_amplify.store", "socrates_amplify.triage"),
)


@pytest.fixture(scope="module")
def quiet_run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What is loaded in both processes of a run in which nothing can be faulted."""
    project = tmp_path_factory.mktemp("quiet")
    (project / "test_quiet.py").write_text(QUIET)
    ran = subprocess.run(
        [sys.executable, "-c", AMPLIFIED],
        cwd=project,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    inside = (project / "inside.txt").read_text()
    return {"command": set(ran.stdout.splitlines()[-1].split()), "tests": set(inside.split())}


def among(loaded: set[str], names: Iterable[str]) -> list[str]:
    """Those of the modules that have been loaded, or something below them."""
    below = {".".join(name.split(".")[:end]) for name in loaded for end in range(1, 6)}
    return [name for name in names if name in below]


def test_where_nothing_can_be_faulted_a_command_loads_no_search(
    quiet_run: dict[str, set[str]],
) -> None:
    assert among(quiet_run["command"], NOT_FOR_QUIET_RUNS) == []


def test_where_nothing_can_be_faulted_tests_run_beside_nothing_but_probes(
    quiet_run: dict[str, set[str]],
) -> None:
    assert among(quiet_run["tests"], NOT_INSIDE_TESTS) == []


@pytest.mark.parametrize(
    ("module", "names"),
    [
        pytest.param(
            socrates.findings,
            {"CheckResult", "FileSummary", "Finding", "PluginError", "Related", "Severity", "Span"},
            id="findings",
        ),
        pytest.param(socrates.rule, {"Option", "Rule"}, id="rule"),
        pytest.param(socrates.example, {"Example", "Fixed"}, id="example"),
        pytest.param(
            socrates.plugins,
            {"Command", "Contributed", "Found", "Hooks", "Plugins", "SettingsTable"},
            id="plugins",
        ),
        pytest.param(socrates.errors, {"SocratesError"}, id="errors"),
    ],
)
def test_public_classes_of_a_module(module: object, names: set[str]) -> None:
    own = {
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and name[0] != "_"
    }
    assert own == names


def test_example_is_imported_from_the_rule_too() -> None:
    assert socrates.rule.Example is socrates.example.Example


def test_hooks_are_pinned() -> None:
    hooks = {name for name in vars(socrates.plugins.Hooks) if name.startswith("socrates_")}
    assert hooks == {"socrates_rules", "socrates_commands", "socrates_settings"}


def test_hooks_of_the_amplifier_are_pinned() -> None:
    hooks = {name for name in vars(socrates_amplify.hooks) if name.startswith("socrates_")}
    assert hooks == {
        "socrates_probes",
        "socrates_fault_kinds",
        "socrates_explorers",
        "socrates_pruners",
        "socrates_prioritisers",
    }
