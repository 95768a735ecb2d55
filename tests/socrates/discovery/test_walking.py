"""Which files a walk meets, which it passes by, and what is said where there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from socrates.discovery.files import (
    Target,
    TestFile,
    as_test_file,
    find_test_files,
    is_virtualenv,
    parse_target,
)
from socrates.discovery.looked_for import looked_for
from socrates.discovery.pytest_config import load
from socrates.errors import SocratesError
from socrates.settings import Settings


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


def met(folder: Path, *targets: str, **settings: object) -> list[str]:
    """The files that are met, relative to the folder."""
    asked = [parse_target(target, folder) for target in targets or ["."]]
    found = find_test_files(asked, replace(Settings(folder), **settings))  # type: ignore[arg-type]
    return [file.path.relative_to(folder).as_posix() for file in found]


@pytest.mark.parametrize(
    "name",
    ["test_b.py", "sub/test_b.py", "sub/deep/b_test.py", "testing.py", "a-b/test_b.py"],
)
def test_file_that_is_met(name: str, tmp_path: Path) -> None:
    assert name in met(write(tmp_path, name, "zz/test_z.py"))


@pytest.mark.parametrize(
    "name",
    [
        "b.py",
        "test_b.txt",
        "sub/__pycache__/test_b.py",
        "node_modules/test_b.py",
        ".hidden/test_b.py",
        "build/test_b.py",
    ],
)
def test_file_that_is_passed_by(name: str, tmp_path: Path) -> None:
    assert met(write(tmp_path, name, "zz/test_z.py")) == ["zz/test_z.py"]


@pytest.mark.parametrize("marker", ["pyvenv.cfg", "conda-meta/history"])
def test_virtual_environment_is_passed_by(marker: str, tmp_path: Path) -> None:
    write(tmp_path, "env/test_b.py", f"env/{marker}", "test_a.py")
    assert (met(tmp_path), is_virtualenv(tmp_path / "env")) == (["test_a.py"], True)


@pytest.mark.parametrize(
    "pattern", ["sub", "sub/", "sub/test_b.py", "test_b.py", "*_b.py", "sub/*", "su*"]
)
def test_excluded_file(pattern: str, tmp_path: Path) -> None:
    write(tmp_path, "sub/test_b.py", "test_a.py")
    assert met(tmp_path, exclude=(pattern,)) == ["test_a.py"]


def test_exclude_of_another_name_excludes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "sub/test_b.py", "subway/test_c.py")
    assert met(tmp_path, extend_exclude=("sub",)) == ["subway/test_c.py"]


def test_link_in_a_circle_is_gone_through_once(tmp_path: Path) -> None:
    write(tmp_path, "sub/test_b.py")
    (tmp_path / "sub" / "again").symlink_to(tmp_path / "sub")
    (tmp_path / "up").symlink_to(tmp_path)
    assert met(tmp_path) == ["sub/test_b.py"]


def test_link_out_of_the_project_is_followed(tmp_path: Path) -> None:
    project, other = tmp_path / "project", tmp_path / "other"
    write(project, "test_a.py")
    write(other, "test_b.py")
    (project / "linked").symlink_to(other)
    assert met(project) == ["linked/test_b.py", "test_a.py"]


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (["test_a.py::test_x"], [("test_x",)]),
        (["test_a.py::test_y", "test_a.py::test_x"], [("test_x", "test_y")]),
        (["test_a.py::A::test_y"], [("A::test_y",)]),
        (["test_a.py", "test_a.py::test_x"], [()]),
        (["test_a.py::test_x", "."], [()]),
    ],
)
def test_parts_of_a_file(
    targets: list[str], expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    write(tmp_path, "test_a.py")
    asked = [parse_target(target, tmp_path) for target in targets]
    assert [file.selected for file in find_test_files(asked, Settings(tmp_path))] == expected


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("gone.py", "gone.py: no such file or folder"),
        ("sub::test_x", "sub::test_x: a node id needs a file before '::', sub is a folder"),
    ],
)
def test_target_that_is_none(target: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, "sub/test_a.py")
    with pytest.raises(SocratesError) as caught:
        parse_target(target, tmp_path)
    assert str(caught.value).startswith(said)


def test_file_whose_name_holds_colons_is_that_file(tmp_path: Path) -> None:
    write(tmp_path, "test_a::b.py")
    assert parse_target("test_a::b.py", tmp_path) == Target(tmp_path / "test_a::b.py")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_a.py", (False,)),
        ("sub/test_a.py", (False,)),
        ("testing.py", (True,)),
        ("a.py", ()),
        ("skipped/test_a.py", ()),
        ("ignored/test_a.py", ()),
        ("ignored_test.py", ()),
    ],
)
def test_file_as_a_walk_would_meet_it(
    name: str, expected: tuple[bool, ...], tmp_path: Path
) -> None:
    write(tmp_path, name, ".git/HEAD")
    (tmp_path / ".gitignore").write_text("ignored/\nignored_*\n", "utf-8")
    settings = replace(Settings(tmp_path), exclude=("skipped",))
    found = as_test_file(tmp_path / name, settings)
    assert tuple(file.unittest_only for file in (found,) if file is not None) == expected


def test_git_may_be_asked_for_nothing(tmp_path: Path) -> None:
    write(tmp_path, "test_a.py", ".git/HEAD")
    (tmp_path / ".gitignore").write_text("test_a.py\n", "utf-8")
    settings = replace(Settings(tmp_path), respect_gitignore=False)
    told = as_test_file(tmp_path / "test_a.py", settings), met(tmp_path, respect_gitignore=False)
    assert told == (TestFile(tmp_path / "test_a.py"), ["test_a.py"])


def test_excludes_of_the_repository_count(tmp_path: Path) -> None:
    write(tmp_path, "test_a.py", "sub/test_b.py", ".git/info/exclude")
    (tmp_path / ".git" / "info" / "exclude").write_text("test_b.py\n", "utf-8")
    assert (met(tmp_path), met(tmp_path, "sub")) == (["test_a.py"], [])


def test_ignore_files_above_a_target_count(tmp_path: Path) -> None:
    write(tmp_path, "sub/deep/test_b.py", "sub/deep/test_c.py", "sub/deep/test_d.py", ".git/HEAD")
    (tmp_path / ".gitignore").write_text("test_b.py\n", "utf-8")
    (tmp_path / "sub" / ".gitignore").write_text("test_c.py\n", "utf-8")
    assert met(tmp_path, "sub/deep") == ["sub/deep/test_d.py"]


@pytest.mark.parametrize(
    ("lines", "field", "expected"),
    [
        ("addopts = --ignore=a --ignore-glob=b*", "ignored", ("a", "b*")),
        ("addopts = --ignore a -q", "ignored", ("a",)),
        ("addopts = -q", "ignored", ()),
        ("addopts = --assert=plain", "rewrites", False),
        ("addopts = --assert=plain --assert=rewrite", "rewrites", True),
        ("addopts = --assert=rewrite --assert=plain", "rewrites", False),
        ("python_files = check_*.py 'a b.py'", "python_files", ("check_*.py", "a b.py")),
        ("python_files = it's.py", "python_files", ("it's.py",)),
        ("testpaths = one two  # three", "testpaths", ("one", "two")),
        ("norecursedirs = one", "norecursedirs", ("one",)),
        ("pythonpath = src", "pythonpath", ("src",)),
    ],
)
def test_settings_of_pytest(lines: str, field: str, expected: object, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{lines}\n", "utf-8")
    assert getattr(load(tmp_path), field) == expected


NAMES = "test_*.py, *_test.py or test*.py"


@pytest.mark.parametrize(
    ("targets", "files", "said"),
    [
        (["."], 0, f"Looked for files named {NAMES} in this folder."),
        (["a", "b"], 0, f"Looked for files named {NAMES} in a and b."),
        (["a", "b", "c"], 0, f"Looked for files named {NAMES} in a, b and c."),
        (list("abcde"), 0, f"Looked for files named {NAMES} in a, b, c and 2 more places."),
        (
            ["."],
            1,
            "Looked in 1 file for functions test*, and methods of that name in classes Test* or "
            f"subclasses of unittest.TestCase; of a folder, files named {NAMES} count.",
        ),
        (
            ["."],
            1200,
            "Looked in 1,200 files for functions test*, and methods of that name in classes Test* "
            f"or subclasses of unittest.TestCase; of a folder, files named {NAMES} count.",
        ),
    ],
)
def test_what_was_looked_for(targets: list[str], files: int, said: str, tmp_path: Path) -> None:
    for name in "abcde":
        (tmp_path / name).mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    assert looked_for(targets, tmp_path, files) == said
