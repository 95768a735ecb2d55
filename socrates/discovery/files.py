"""From the paths that a user names to the test files that pytest or unittest would collect."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.discovery import gitignore, pytest_config
from socrates.discovery.pytest_config import PytestConfig
from socrates.errors import SocratesError
from socrates.files.looking import is_file, is_folder
from socrates.settings import Settings


@dataclass(frozen=True, slots=True)
class Target:
    """What the user asked for: a path, and node ids inside it (none: everything)."""

    path: Path
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file to check. ``selected`` holds the ``Class::test`` parts to keep, empty for all.

    ``unittest_only``: its name fits unittest's pattern but not pytest's, so only classes that
    inherit from ``unittest.TestCase`` are collected and pytest does not rewrite its asserts.
    """

    __test__ = False

    path: Path
    selected: tuple[str, ...] = ()
    unittest_only: bool = False


def parse_target(text: str, cwd: Path) -> Target:
    """``tests/test_a.py::TestX::test_y`` as a path and its parts. Raises when the path is missing.

    A file whose very name holds ``::`` is that file.
    """
    name, *parts = [text] if os.path.lexists(cwd / text) else text.split("::")
    path = Path(os.path.normpath(cwd / name))
    if not os.path.lexists(path):
        raise SocratesError(f"{text}: no such file or folder; give an existing path or node id")
    if parts and is_folder(path):
        raise SocratesError(f"{text}: a node id needs a file before '::', {name} is a folder")
    return Target(path, tuple(parts))


def find_test_files(targets: Sequence[Target], settings: Settings) -> list[TestFile]:
    """Every test file under the targets, each once, in the order of their paths."""
    found: dict[Path, tuple[set[str], bool]] = {}
    whole: set[Path] = set()
    for target in targets:
        for path, unittest_only in _files_of(target.path, settings):
            parts, seen_only = found.setdefault(path, (set(), unittest_only))
            if target.parts:
                parts.add("::".join(target.parts))
            else:
                whole.add(path)
            found[path] = (parts, seen_only and unittest_only)
    return [
        TestFile(path, () if path in whole else tuple(sorted(parts)), unittest_only)
        for path, (parts, unittest_only) in sorted(found.items())
    ]


def as_test_file(
    path: Path, settings: Settings, config: PytestConfig | None = None
) -> TestFile | None:
    """A file as a walk over its project would meet it; None if the walk would pass it by.

    ``config`` is pytest's for the file's folder, where it is known already.
    """
    config = config or pytest_config.load(path.parent)
    kind = _kind(path.as_posix(), config)
    walk = _FolderWalk(settings, config)
    above = [folder for folder in path.parents if settings.root in folder.parents]
    if kind is None or walk.excluded(path) or any(walk.skips_folder(item) for item in above):
        return None
    if settings.respect_gitignore and _is_gitignored(path, above, settings.root):
        return None
    return TestFile(path, (), kind == "unittest")


def _is_gitignored(path: Path, above: Sequence[Path], root: Path) -> bool:
    """Whether git ignores a file or one of the folders between it and the root."""
    rules = gitignore.rules_for(root if root in path.parents else path.parent)
    for folder in reversed(above):
        if rules.ignores(folder.as_posix(), is_folder=True):
            return True
        rules = rules.descend(folder)
    return rules.ignores(path.as_posix(), is_folder=False)


def _files_of(path: Path, settings: Settings) -> Iterator[tuple[Path, bool]]:
    if not is_folder(path):
        yield path, False
        return
    config = pytest_config.load(path)
    yield from _walk(path, _FolderWalk(settings, config))


class _FolderWalk:
    """What one walk over a folder needs to remember."""

    def __init__(self, settings: Settings, config: PytestConfig) -> None:
        self.config = config
        self.respect_gitignore = settings.respect_gitignore
        self.exclude = (*settings.exclude, *settings.extend_exclude, *config.ignored)
        self.root = settings.root
        self.top = Path(os.path.realpath(settings.root))
        self.visited: set[tuple[int, int]] = set()

    def skips_folder(self, entry: os.DirEntry[str] | Path) -> bool:
        name, path = entry.name, Path(entry)
        if name == "__pycache__" or any(fnmatchcase(name, p) for p in self.config.norecursedirs):
            return True
        return self.excluded(path) or is_virtualenv(path)

    def leads_up(self, entry: os.DirEntry[str]) -> bool:
        """Whether a folder is a link to one that holds the project: all that is there is not it."""
        if not entry.is_symlink():
            return False
        target = Path(os.path.realpath(entry.path))
        return target == self.top or target in self.top.parents

    def excluded(self, path: Path) -> bool:
        """Whether an ``exclude`` pattern names this path, or a part of it."""
        if not self.exclude:
            return False
        text = path.as_posix()
        try:
            relative = path.relative_to(self.root).as_posix()
        except ValueError:
            relative = text
        return any(
            fnmatchcase(path.name, pattern)
            or fnmatchcase(relative, pattern)
            or relative == pattern.rstrip("/")
            or relative.startswith(pattern.rstrip("/") + "/")
            for pattern in self.exclude
        )

    def enter(self, folder: Path) -> bool:
        """Whether this folder is met for the first time: symbolic links can lead in circles."""
        try:
            stat = folder.stat()
        except OSError:
            return False
        key = (stat.st_dev, stat.st_ino)
        if key in self.visited:
            return False
        self.visited.add(key)
        return True


def is_virtualenv(path: Path) -> bool:
    """Whether the folder is a virtual environment: other people's code, not the project's."""
    return is_file(path / "pyvenv.cfg") or is_folder(path / "conda-meta")


def _walk(folder: Path, walk: _FolderWalk) -> Iterator[tuple[Path, bool]]:
    rules = gitignore.rules_for(folder) if walk.respect_gitignore else gitignore.IgnoreRules()
    stack = [(folder, rules)]
    while stack:
        current, rules = stack.pop()
        if not walk.enter(current):
            continue
        try:
            with os.scandir(current) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listing:
            path = current / entry.name
            if _is_folder(entry):
                if (
                    walk.leads_up(entry)
                    or walk.skips_folder(entry)
                    or rules.ignores(path.as_posix(), is_folder=True)
                ):
                    continue
                inner = rules.descend(path) if walk.respect_gitignore else rules
                stack.append((path, inner))
                continue
            kind = _kind(path.as_posix(), walk.config)
            if kind is None or walk.excluded(path):
                continue
            if not rules.ignores(path.as_posix(), is_folder=False):
                yield path, kind == "unittest"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _kind(path: str, config: PytestConfig) -> str | None:
    if not path.endswith(".py"):
        return None
    if config.is_test_file(path):
        return "pytest"
    return "unittest" if path.rpartition("/")[2].startswith("test") else None
