"""Which files are checked: as pytest would collect them, and nobody else's code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from socrates.discovery import pytest_config
from socrates.discovery.files import find_test_files, parse_target
from socrates.errors import SocratesError
from socrates.settings import Settings

Names = Callable[..., list[str]]


@pytest.fixture
def names(tmp_path: Path) -> Names:
    """Make empty files and tell which of them are found as tests."""

    def find(files: Sequence[str], *targets: str, settings: Settings | None = None) -> list[str]:
        for name in files:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        wanted = [parse_target(target, tmp_path) for target in targets or ["."]]
        found = find_test_files(wanted, settings or Settings(tmp_path))
        return [file.path.relative_to(tmp_path).as_posix() for file in found]

    return find


def test_default_patterns(names: Names) -> None:
    assert names(["test_a.py", "b_test.py", "c.py", "test_d.txt"]) == ["b_test.py", "test_a.py"]


@pytest.mark.parametrize(
    ("options", "rewrites"),
    [
        ("-q", True),
        ("--assert=plain", False),
        ("-q --assert plain", False),
        ("--assert=plain --assert=rewrite", True),
    ],
)
def test_assertions_may_be_left_as_they_are(tmp_path: Path, options: str, rewrites: bool) -> None:
    tmp_path.joinpath("pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")
    assert pytest_config.load(tmp_path).rewrites is rewrites


def test_unittest_files_are_found_too(names: Names) -> None:
    assert names(["tests.py", "testfoo.py"]) == ["testfoo.py", "tests.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\npython_files = ['check_*.py']\n"),
        ("pytest.ini", "[pytest]\npython_files = check_*.py\n"),
        ("tox.ini", "[pytest]\npython_files =\n    check_*.py\n"),
        ("setup.cfg", "[tool:pytest]\npython_files = check_*.py other_*.py\n"),
    ],
)
def test_pytest_configuration_names_the_files(
    names: Names, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert names(["check_a.py", "b_test.py"]) == ["check_a.py"]


@pytest.mark.parametrize(
    ("option", "files", "found"),
    [
        ("norecursedirs = data", ["data/test_a.py", "build/test_b.py"], ["build/test_b.py"]),
        (
            "python_files = src/t/check_*.py",
            ["src/t/check_a.py", "lib/t/check_b.py"],
            ["src/t/check_a.py"],
        ),
    ],
    ids=["folders to skip", "pattern for the whole path"],
)
def test_pytest_options_that_name_folders(
    names: Names, tmp_path: Path, option: str, files: list[str], found: list[str]
) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{option}\n", "utf-8")
    assert names(files) == found


def test_virtual_environments_are_skipped(names: Names) -> None:
    assert names(["env/pyvenv.cfg", "env/test_a.py", "test_b.py"]) == ["test_b.py"]


@pytest.mark.parametrize("pattern", ["out/", "out", "/out/", "**/out/", "o?t", "[o]ut"])
def test_ignored_folders_are_skipped(names: Names, tmp_path: Path, pattern: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(f"# made\n{pattern}\n", "utf-8")
    assert names(["out/test_a.py", "test_b.py"]) == ["test_b.py"]


def test_a_negated_pattern_brings_a_file_back(names: Names, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("test_*.py\n!test_b.py\n", "utf-8")
    assert names(["test_a.py", "test_b.py"]) == ["test_b.py"]


def test_an_ignore_file_further_down_holds_below_it(names: Names, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".gitignore").write_text("test_a.py\n", "utf-8")
    assert names(["sub/test_a.py", "test_a.py"]) == ["test_a.py"]


def test_ignored_files_are_kept_when_asked(names: Names, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("test_a.py\n", "utf-8")
    settings = Settings(tmp_path, respect_gitignore=False)
    assert names(["test_a.py"], settings=settings) == ["test_a.py"]


@pytest.mark.parametrize("pattern", ["vendored", "vendored/*", "vendored/test_a.py", "*_a.py"])
def test_excluded_paths_are_skipped(names: Names, tmp_path: Path, pattern: str) -> None:
    settings = Settings(tmp_path, extend_exclude=(pattern,))
    assert names(["vendored/test_a.py", "test_b.py"], settings=settings) == ["test_b.py"]


def test_a_named_file_is_checked_whatever_its_name(names: Names) -> None:
    assert names(["odd.py", "test_a.py"], "odd.py") == ["odd.py"]


def test_a_file_named_twice_is_found_once(names: Names) -> None:
    assert names(["test_a.py"], ".", "test_a.py", "test_a.py::test_x") == ["test_a.py"]


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(SocratesError, match=r"nowhere\.py: no such file"):
        parse_target("nowhere.py", tmp_path)
