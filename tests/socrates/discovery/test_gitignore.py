"""Ignore files mean to us what they mean to git, and cost no more than they should."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from socrates.discovery import gitignore, globs

NAMES = ("a", "b", "ab", "abc", "a b", "é", "A", "[x]", "a-b", "\\", "#a", "!b", "a.py")
Ignored = Callable[[bytes, bytes], tuple[set[str], set[str]]]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with files and folders of many names, three levels deep."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    top = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=top, check=True, timeout=120)
    for outer in NAMES:
        (top / f"{outer}d").mkdir()
        for inner in (*NAMES[:4], "[x]"):
            (top / f"{outer}d" / inner).mkdir()
            (top / f"{outer}d" / inner / "a").touch()
            (top / f"{outer}d" / inner / "abc").touch()
        (top / outer).touch()
    return top


@pytest.fixture(scope="module")
def paths(repository: Path) -> list[str]:
    """Every file and folder of the repository, but for git's own."""
    found = []
    for folder, folders, files in os.walk(repository):
        folders[:] = [name for name in folders if name != ".git"]
        inside = Path(folder).relative_to(repository)
        found += [(inside / name).as_posix() for name in (*folders, *files)]
    return [path for path in sorted(found) if not path.endswith(".gitignore")]


@pytest.fixture(scope="module")
def ignored(repository: Path, paths: list[str]) -> Ignored:
    """The paths that git ignores with an ignore file, and those that we do."""
    folders = {path for path in paths if (repository / path).is_dir()}
    asked = b"\0".join(os.fsencode(path) for path in paths)
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]

    def by_git() -> set[str]:
        ran = subprocess.run(command, cwd=repository, input=asked, capture_output=True, timeout=120)
        assert ran.returncode in (0, 1), ran.stderr
        return {os.fsdecode(name) for name in ran.stdout.split(b"\0") if name}

    def by_us() -> set[str]:
        top = gitignore.rules_for(repository)
        inner = top.descend(repository / "ad")
        found: set[str] = set()
        for path in paths:  # folders come before what lies in them
            rules = inner if path.startswith("ad/") else top
            folder, _, _ = path.rpartition("/")
            whole = repository / path
            if folder in found or rules.ignores(whole.as_posix(), is_folder=path in folders):
                found.add(path)
        return found

    def both(data: bytes, inner: bytes) -> tuple[set[str], set[str]]:
        (repository / ".gitignore").write_bytes(data)
        (repository / "ad" / ".gitignore").write_bytes(inner)
        return by_git(), by_us()

    return both


PIECES = (
    *("a", "b", "ab", "d", "/", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "[^b]", "[a-c]"),
    *(
        "[]a]",
        "[",
        "]",
        "[[:alpha:]]",
        "[[:space:]]",
        "[[:nope:]]",
        "[a-]",
        "\\",
        "\\*",
        "\\ ",
        " ",
    ),
    *(
        "!",
        "#",
        "é",
        ".",
        "-",
        "[x]",
        "\\[",
        "[\\]]",
        "[é]",
        "[[:upper:]b]",
        "{a,b}",
        "$",
        "(",
        "\t",
    ),
)
LINES = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
FILES = st.lists(LINES, max_size=5).map("\n".join)


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(FILES, st.just("") | FILES, st.sampled_from(["\n", "\r\n", ""]), st.booleans())
@example("**/a", "", "\n", False)
@example("ad/**/abc", "", "\n", False)
@example("abd**/a", "", "\n", False)
@example("/abd**", "", "\n", False)
@example("a*\n!abc\n!abd/", "", "\n", False)
@example("**\\/a", "", "\n", False)
@example("[a", "", "\n", False)
@example("a\\", "", "\n", False)
@example("a\\ ", "", "\n", False)
@example("a\\  ", "", "\n", False)
@example("[[:alpha:]]", "", "\n", False)
@example("\\#a\n\\!b", "", "\n", False)
@example("a\x0bb\n\u2028", "", "\n", False)
@example("/", "", "\n", False)
@example("a*", "!abc", "\n", False)
@example("!abc", "a*\n/b", "\n", False)
@example("*/*\n!*/", "", "\r\n", True)
def test_same_paths_are_ignored_as_by_git(
    ignored: Ignored, text: str, inner: str, end: str, mark: bool
) -> None:
    data = text.replace("\n", end or "\n").encode() + end.encode()
    theirs, ours = ignored((b"\xef\xbb\xbf" if mark else b"") + data, inner.encode())
    assert ours == theirs


HOSTILE = {
    "stars": (b"a*" * 400 + b"b", b"a" * 250),
    "stars in a path": (b"x/" + b"*a" * 400 + b"b", b"x/" + b"a" * 250),
    "sets": (b"[a-z]*" * 200 + b"0", b"z" * 250),
    "folders": (b"**/a/" * 400 + b"b", b"a/" * 1000 + b"c"),
    "stars and folders": (b"**/*a*a/" * 200 + b"b", b"aaaa/" * 400 + b"c"),
    "one folder each": (b"*/" * 1000 + b"b", b"a/" * 1000 + b"c"),
    "questions": (b"**/" + b"?*" * 400 + b"b", b"a" * 250 + b"/" + b"a" * 250),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_pattern_backtracks(name: str) -> None:
    glob, path = HOSTILE[name]
    regex = globs.path_regex(glob)
    started = time.process_time()
    assert regex.fullmatch(path) is None
    assert time.process_time() - started < 2


def test_many_plain_lines_are_looked_up_at_once(tmp_path: Path) -> None:
    """A test per line and file would take minutes."""
    (tmp_path / ".gitignore").write_bytes(b"".join(b"name%d\n" % n for n in range(20_000)))
    rules = gitignore.rules_for(tmp_path)
    started = time.process_time()
    found = [rules.ignores(f"{tmp_path}/name{n}x", is_folder=False) for n in range(20_000)]
    assert (any(found), time.process_time() - started < 5) == (False, True)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: os.mkfifo(path), id="pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="device"),
        pytest.param(lambda path: path.mkdir(), id="folder"),
        pytest.param(lambda path: path.write_bytes(b"*\n" * 200_000), id="too large"),
    ],
)
def test_file_that_is_not_read_ignores_nothing(tmp_path: Path, spoil) -> None:
    spoil(tmp_path / ".gitignore")
    assert gitignore.rules_for(tmp_path).ignores(f"{tmp_path}/a", is_folder=False) is False
