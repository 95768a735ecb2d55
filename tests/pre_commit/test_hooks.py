"""The hooks as pre-commit itself runs them, in a fresh git repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef rate():\n    return 3\n"
USES_RATE = "def test_sum(rate):\n    assert sum([1, 2]) == 3\n"
SHOP = "def test_is_no_test(rate):\n    assert rate\n    assert rate == 1\n"
FILES = {
    "pyproject.toml": "[tool.socrates]\nexclude = ['old']\n",
    "conftest.py": CONFTEST,
    "test_a.py": USES_RATE,
    "shop.py": SHOP,
    "old/test_b.py": USES_RATE,
}
CONFIG = """
repos:
  - repo: {hooks}
    rev: {revision}
    hooks:
      - id: socrates-check
      - id: socrates-fix
      - {{id: socrates-check, alias: with-args, args: [--strict]}}
      - {{id: socrates-check, alias: with-args-and-end, args: [--strict, --]}}
"""
SMELLY = "def test_pair():\n    assert (1, 2)[0] == 1\n    assert (1, 2)[1] == 2\n"
LOOKS_LIKE_AN_OPTION = ("--output-file=victim_test.py", "-h_test.py", "--fix_test.py", "-q_test.py")
LOOKS_LIKE_SOMETHING = ("@test_a.py", "test_c.py::test_d.py", "test_e.py;x_test.py")


@pytest.fixture(scope="module")
def online(tmp_path_factory):
    """Skip where the environment of the hook can't be built."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--retries", "0"]
    fetched = subprocess.run(
        [*fetch, "-d", tmp_path_factory.mktemp("pip"), "pluggy"], capture_output=True, timeout=120
    )
    if fetched.returncode:
        pytest.skip("building the hook's environment needs PyPI, which can't be reached")


@pytest.fixture
def repository(tmp_path):
    """A git repository whose files are all staged."""
    folder = tmp_path / "project"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    return folder


@pytest.fixture(scope="module")
def hooks(online, tmp_path_factory):
    """This project as a git repository that pre-commit can clone: as it is, committed or not."""
    source = Path(__file__).parents[2]
    folder = tmp_path_factory.mktemp("top") / "hooks"
    kept = ("socrates", "rules", "amplify", ".pre-commit-hooks.yaml", "pyproject.toml")
    for name in (*kept, "docs", "README.md", "LICENSE"):
        path = source / name
        if path.is_dir():
            shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            folder.mkdir(exist_ok=True)
            shutil.copy(path, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "all of it")
    return folder


def git(folder: Path, *words: str) -> str:
    """Run git as nobody in particular; returns what it says."""
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    command = ["git", *who, *words]
    return subprocess.check_output(command, cwd=folder, text=True, timeout=120)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where pre-commit keeps environments: that of our hooks is built once for all tests.

    pip does not compile all of it, since the hooks import a part (in variables, ``no`` is what
    switches an option of the form ``--no-...`` on).
    """
    folder = str(tmp_path_factory.mktemp("home"))
    return os.environ | {"PRE_COMMIT_HOME": folder, "PIP_NO_COMPILE": "no"}


@pytest.fixture
def run(repository, hooks, home):
    """Run a hook of ours on some files, or on all."""
    (repository / ".pre-commit-config.yaml").write_text(
        CONFIG.format(hooks=hooks, revision=git(hooks, "rev-parse", "HEAD").strip())
    )
    git(repository, "add", ".")

    def run_hook(hook: str, *files: str) -> subprocess.CompletedProcess[str]:
        which = ["--files", *files] if files else ["--all-files"]
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", hook, *which],
            cwd=repository,
            env=home,
            capture_output=True,
            text=True,
            timeout=240,
        )

    return run_hook


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]


def test_check_reports_and_fix_mends(run, repository):
    checked = run("socrates-check", "test_a.py", "shop.py", "old/test_b.py").stdout
    assert "test_a.py:1:5" in checked, "the fixture is in conftest.py, not in the list"
    assert "shop.py" not in checked, f"no test: {checked}"
    assert "old/test_b.py" not in checked, f"excluded: {checked}"
    fixed = run("socrates-fix", "test_a.py", "shop.py", "old/test_b.py")
    assert fixed.returncode == 1, fixed.stdout
    assert (repository / "test_a.py").read_text() == USES_RATE.replace("rate", ""), fixed.stdout
    again = run("socrates-check", "test_a.py", "shop.py")
    assert again.returncode == 0, again.stdout


def test_newer_grammar_than_that_of_the_environment_is_no_mistake(
    run, repository
):  # socrates: ignore[SOC105] the commit that pre-commit makes
    (repository / "test_new.py").write_text(f"lazy import shop\n\n\n{USES_RATE}")
    git(repository, "add", ".")
    checked = run("socrates-check", "test_new.py").stdout
    assert "SOC000" not in checked
    assert "test_new.py:4:5" in checked


@pytest.fixture
def hostile(repository):
    """The repository with tests whose names look like options, and a file that they would harm."""
    (repository / "victim_test.py").write_text("VICTIM = 1\n")
    for name in (*LOOKS_LIKE_AN_OPTION, *LOOKS_LIKE_SOMETHING):
        (repository / name).write_text(SMELLY)
    (repository / "--strict").write_text("#!/usr/bin/env python\nVICTIM = 2\n")
    (repository / "--strict").chmod(0o755)
    git(repository, "add", "--", ".")
    return repository


class TestNamesThatLookLikeOptions:
    """A file is a file, whatever it is called: it is checked, and sets nothing."""

    @pytest.mark.parametrize("hook", ["socrates-check", "with-args-and-end", "with-args"])
    def test_are_checked(self, run, hostile, hook):
        ran = run(hook)
        assert (hostile / "victim_test.py").read_text() == "VICTIM = 1\n", ran.stdout
        for name in (*LOOKS_LIKE_AN_OPTION, *LOOKS_LIKE_SOMETHING):
            if name.endswith("_test.py") or name.startswith("test_"):
                assert f"\n{name}:3:5: SOC101" in ran.stdout, ran.stdout
        assert "usage:" not in ran.stdout, "no help was asked for"

    def test_arguments_of_the_user_still_count(self, run, hostile):
        assert "SOC101 assertion-roulette [warning]" in run("with-args-and-end").stdout

    def test_doubt_about_an_argument_is_said_and_fails(self, run, hostile):
        ran = run("with-args")
        assert (ran.returncode, "exit code: 2" in ran.stdout) == (1, True), ran.stdout
        assert "--strict: there is a file of this name" in ran.stdout

    def test_are_not_taken_for_options_by_the_fix(self, run, hostile):
        run("socrates-fix")
        assert (hostile / "victim_test.py").read_text() == "VICTIM = 1\n"
