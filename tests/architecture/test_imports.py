"""The direction of imports, what is loaded when, and what others may import."""

from __future__ import annotations

import subprocess
import sys

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
