"""How pytest is started beside plugins that would split a run over processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.launch import pytest_command
from socrates_amplify.store.seals import VARIABLE


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The command for a project in whose environment there is a package called xdist."""
    (tmp_path / "xdist").mkdir()
    (tmp_path / "xdist" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def make(*arguments: str, **environment: str) -> list[str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return pytest_command(Suite(tmp_path, (), arguments), "plugin")[0]

    return make


def test_a_plugin_that_splits_runs_is_told_not_to(command) -> None:
    assert "-n0" in command()


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        pytest.param(("-p", "no:xdist"), {}, id="off by argument"),
        pytest.param((), {"PYTEST_ADDOPTS": "-p no:xdist"}, id="off by variable"),
        pytest.param((), {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, id="no plugin is loaded"),
    ],
)
def test_a_plugin_that_is_off_is_told_nothing(command, arguments, environment) -> None:
    assert "-n0" not in command(*arguments, **environment)


def test_a_plugin_that_is_asked_for_is_told(command) -> None:
    assert "-n0" in command("-p", "xdist", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")


@pytest.mark.parametrize("path", ["-psub.evil", "--junitxml=x", "@arguments"])
def test_a_path_is_never_an_option(path: str, tmp_path: Path) -> None:
    assert pytest_command(Suite(tmp_path, (path,)), "plugin")[0][-1] == f"./{path}"


def test_tests_are_not_told_the_key_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "k")

    assert VARIABLE not in pytest_command(Suite(tmp_path), "plugin")[1]


def test_a_suite_whose_warnings_are_errors_is_collected(monkeypatch, project):
    """As users have it: our pytest plugin is loaded because it is installed."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    settings = "[pytest]\nfilterwarnings = error\nasyncio_default_fixture_loop_scope = function\n"
    executor = project({"pytest.ini": settings, "test_it.py": "def test_it(): pass\n"})
    assert executor.collect() == ["test_it.py::test_it"]
