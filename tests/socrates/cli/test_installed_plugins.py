"""Third-party packages, really built and installed into a folder, and the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "data"
TODO = 'def test_a():\n    """TODO: more."""\n    assert sum([1]) == 1\n'


def install(package: str, target: Path) -> Path:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--no-compile"]
    subprocess.run(
        [*command, "--target", str(target), str(DATA / package)], check=True, timeout=120
    )
    return target


@pytest.fixture(scope="module")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package installed."""
    return install("example_plugin", tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def broken_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package that fails."""
    return install("broken_plugin", tmp_path_factory.mktemp("broken"))


@pytest.fixture
def socrates(process, tmp_path: Path):
    """Run the command in a project of its own, with a folder of installed packages."""
    (tmp_path / "test_a.py").write_text(TODO)

    def run(site: Path, *args: str, settings: str = ""):
        (tmp_path / "socrates.toml").write_text(settings)
        paths = {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        return process(*args, environment=paths)

    return run


def codes(ran) -> list[str]:
    return [finding["code"] for finding in json.loads(ran.out)]


class TestExample:
    def test_rule_checks(self, socrates, example_site: Path) -> None:
        ran = socrates(example_site, "check", "--output-format", "json")
        assert (ran.code, codes(ran), ran.err) == (1, ["ACME101"], "")

    def test_rule_can_be_ignored(self, socrates, example_site: Path) -> None:
        ran = socrates(example_site, "check", "--ignore", "ACME")
        assert (ran.code, ran.err) == (0, "")

    def test_rule_takes_options(self, socrates, example_site: Path) -> None:
        settings = "[rules.unfinished-test]\nwords = ['LATER']\n"
        assert socrates(example_site, "check", settings=settings).code == 0

    def test_rule_is_explained(self, socrates, example_site: Path) -> None:
        assert "nobody comes back" in socrates(example_site, "rule", "unfinished-test").out

    def test_command_runs_with_its_settings(self, socrates, example_site: Path) -> None:
        ran = socrates(
            example_site, "acme", "Ada", "--", "-x", settings="[acme]\ngreeting = 'dear'\n"
        )
        assert (ran.code, ran.out) == (0, "dear Ada -x\n")

    def test_table_is_validated(self, socrates, example_site: Path) -> None:
        ran = socrates(example_site, "check", settings="[acme]\ngreting = 'dear'\n")
        assert ran.err == (
            "socrates: error: socrates.toml: [acme]: unknown key 'greting'; "
            "did you mean 'greeting'?\n"
        )


class TestBroken:
    @pytest.fixture
    def errors(self, socrates, broken_site: Path) -> dict[str, str]:
        """What stderr says about each plugin."""
        lines = socrates(broken_site, "check", "--no-cache").err.splitlines()
        return {line.split("'")[1].split()[0]: line for line in lines}

    @pytest.mark.parametrize(
        ("plugin", "message", "place"),
        [
            ("broken_at_import", "KeyError: 'missing at import'", "at_import.py:3"),
            ("broken_by_syntax", "SyntaxError: ", "by_syntax.py:3"),
            ("broken_at_hook", "RuntimeError: no rules today", "at_hook.py:8"),
            ("broken_missing", "ModuleNotFoundError: ", "broken_rules.missing"),
            ("BROKEN1", "ValueError: cannot look at this", "at_check.py:15"),
        ],
    )
    def test_plugin_is_named_with_its_place(self, errors, plugin, message, place) -> None:
        line = errors[plugin]
        assert message in line
        assert line.endswith(f"{place})")

    def test_other_rules_go_on_and_the_code_is_two(
        self, socrates, broken_site: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "test_a.py").write_text("def test_a():  # socrates: ignore\n    assert 1\n")
        ran = socrates(broken_site, "check", "--output-format", "json")
        assert (ran.code, codes(ran)) == (2, ["SOC001"])

    def test_unknown_command_is_told_after_the_plugins_that_failed(
        self, socrates, broken_site: Path
    ) -> None:
        lines = socrates(broken_site, "acme").err.splitlines()
        assert "plugin 'broken_at_import' failed" in lines[0]
        assert "invalid choice: 'acme'" in lines[-1]

    def test_help_still_works(self, socrates, broken_site: Path) -> None:
        assert socrates(broken_site, "--help").code == 0
