"""The project as a place where modules are found by name, read once, and remembered for a while.

Every file that is read and every folder that is listed while a test module is checked becomes
one of its dependencies: the cache re-checks a module when one of them changes.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from socrates.discovery.files import is_virtualenv
from socrates.discovery.pytest_config import PytestConfig
from socrates.files import reading
from socrates.files.looking import is_folder
from socrates.model.python import source
from socrates.model.python.module import ModuleInfo
from socrates.syntax import AUTO

TEST_FOLDERS = frozenset({"tests", "test", "testing_tests"})
SOURCE_FOLDERS = ("src", "lib", "python", "source")
_TOP_TEST_FOLDERS = frozenset({("t",), ("testing",)})
_KEPT_MODULES = 96

EVERYTHING = "all:"
"""The dependency of an answer that rests on more than can be listed: it is never kept."""


class Project:
    """Modules by dotted name. Reads lazily; never imports anything."""

    def __init__(
        self,
        root: Path,
        config: PytestConfig,
        shown_from: Path | None = None,
        parser: str = AUTO,
    ) -> None:
        self.root = root
        self.config = config
        self.shown_from = shown_from or root
        self.parser = parser
        self.dependencies: set[str] = set()
        # Keys are texts: hashing a Path costs more than most of the questions.
        self._modules: OrderedDict[str, ModuleInfo | None] = OrderedDict()
        self._found: dict[tuple[str, str], tuple[Path | None, frozenset[str]]] = {}
        self._import_roots: dict[str, tuple[list[Path], frozenset[str]]] = {}
        self._tops: dict[tuple[str, str], tuple[bool, frozenset[str]]] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._production: list[str] | None = None
        self._exports: dict[Path, tuple[frozenset[str], tuple[str, ...], Path | None]] = {}

    # -- finding -----------------------------------------------------------------------------

    def import_roots(self, near: Path | None = None) -> list[Path]:
        """Folders from which absolute imports are resolved, the nearest first."""
        key = folder_of(near)
        if key not in self._import_roots:
            before, self.dependencies = self.dependencies, set()
            roots = self._find_import_roots(near)
            self._import_roots[key] = (roots, frozenset(self.dependencies))
            self.dependencies = before
        roots, used = self._import_roots[key]
        self.dependencies |= used
        return roots

    def _find_import_roots(self, near: Path | None) -> list[Path]:
        roots = []
        if near is not None:
            roots.append(self.base_of(near))
        roots += [self.config.rootdir / path for path in self.config.pythonpath]
        roots += [self.root / name for name in SOURCE_FOLDERS]
        roots += [self.root, self.config.rootdir]
        return list(dict.fromkeys(roots))

    def base_of(self, path: Path) -> Path:
        """The folder above the topmost package of a file: where its absolute imports begin."""
        folder = path.parent
        while "__init__.py" in self.listing(folder) and folder != folder.parent:
            folder = folder.parent
        return folder

    def name_of(self, path: Path) -> str:
        """The dotted name under which a file would be imported."""
        relative = path.relative_to(self.base_of(path))
        parts = list(relative.with_suffix("").parts)
        if parts and parts[-1] == "__init__":
            parts.pop()
        return ".".join(parts)

    def find(self, name: str, near: Path | None = None) -> Path | None:
        """The file of a module or package of the project, or None for others' modules."""
        key = (name, folder_of(near))
        if key not in self._found:
            before, self.dependencies = self.dependencies, set()
            path = self._find(name, near)
            self._found[key] = (path, frozenset(self.dependencies))
            self.dependencies = before
        path, used = self._found[key]
        self.dependencies |= used
        return path

    def defines(self, top: str, near: Path | None = None) -> bool:
        """Whether a top-level module or package of this name may be the project's."""
        key = (top, folder_of(near))
        if key not in self._tops:
            before, self.dependencies = self.dependencies, set()
            names = (top, f"{top}.py")
            answer = any(
                name in self.listing(root) for root in self.import_roots(near) for name in names
            )
            self._tops[key] = (answer, frozenset(self.dependencies))
            self.dependencies = before
        answer, used = self._tops[key]
        self.dependencies |= used
        return answer

    def _find(self, name: str, near: Path | None) -> Path | None:
        parts = name.split(".")
        if not all(parts):
            return None
        for root in self.import_roots(near):
            folder = root
            for part in parts[:-1]:
                if part not in self.listing(folder):
                    break
                folder = folder / part
            else:
                names = self.listing(folder)
                last = parts[-1]
                if last in names and "__init__.py" in self.listing(folder / last):
                    return folder / last / "__init__.py"
                if f"{last}.py" in names:
                    return folder / f"{last}.py"
        return None

    def listing(self, folder: Path) -> frozenset[str]:
        """The importable names in a folder: Python files and possible packages."""
        key = str(folder)
        self.dependencies.add(f"dir:{key}")
        if key not in self._listings:
            self._listings[key] = list_folder(folder)
        return self._listings[key]

    # -- reading -----------------------------------------------------------------------------

    def module(self, name: str, near: Path | None = None) -> ModuleInfo | None:
        """The module of this name, or None when it is not the project's or can't be parsed."""
        path = self.find(name, near)
        return self.load(path, name) if path is not None else None

    def load(self, path: Path, name: str | None = None) -> ModuleInfo | None:
        """Read one file. A file that can't be parsed is None: its own check reports it."""
        key = str(path)
        self.dependencies.add(f"file:{key}")
        if key in self._modules:
            self._modules.move_to_end(key)
            return self._modules[key]
        try:
            parsed = source.parse(source.read(path), self.parser)
        except source.SourceError:
            info = None
        else:
            info = self.make_module(path, parsed, name)
        self._modules[key] = info
        while len(self._modules) > _KEPT_MODULES:
            self._modules.popitem(last=False)
        return info

    def exports(
        self, name: str, near: Path | None = None
    ) -> tuple[frozenset[str], tuple[str, ...], Path | None]:
        """The top-level names of a module, the modules it star-imports, and its file.

        Remembered for good, as trees are not: a package of many star imports is asked often.
        """
        path = self.find(name, near)
        if path is None:
            return frozenset(), (), None
        self.dependencies.add(f"file:{path}")
        if path not in self._exports:
            info = self.load(path, name)
            if info is None:
                return frozenset(), (), None
            names = frozenset((*info.imports, *info.functions, *info.classes, *info.assigns))
            self._exports[path] = (names, tuple(info.star_imports), path)
        return self._exports[path]

    def make_module(self, path: Path, parsed: source.Source, name: str | None = None) -> ModuleInfo:
        """The index of a parsed file."""
        return ModuleInfo(
            name or self.name_of(path),
            path,
            parsed,
            is_package=path.name == "__init__.py",
            is_test=self.is_test_path(path),
        )

    def conftests(self, path: Path) -> Iterator[ModuleInfo]:
        """The conftest modules that pytest would load for a file, the nearest first."""
        folder = path.parent
        top = self.root if self.root in (folder, *folder.parents) else folder
        while True:
            conftest = folder / "conftest.py"
            if "conftest.py" in self.listing(folder) and conftest != path:
                info = self.load(conftest)
                if info is not None:
                    yield info
            if folder in (top, folder.parent):
                return
            folder = folder.parent

    def drop(self, path: Path) -> None:
        """Forget the tree of a file: test modules are big, and others rarely import them."""
        self._modules.pop(str(path), None)

    def keep(self, info: ModuleInfo) -> None:
        """Remember a module that was parsed elsewhere, such as unsaved text."""
        self._modules[str(info.path)] = info
        self._exports.pop(info.path, None)

    # -- asking ------------------------------------------------------------------------------

    def is_test_path(self, path: Path) -> bool:
        """Whether a file is test code: by its name or a folder above it."""
        name = path.name
        if name == "conftest.py" or self._is_named_as_test(path):
            return True
        try:
            parts = path.relative_to(self.root).parts[:-1]
        except ValueError:
            parts = path.parts[:-1]
        if any(_is_test_folder(part) for part in parts) or parts[:1] in _TOP_TEST_FOLDERS:
            return True
        if name == "test.py":  # in a package it may be production code: werkzeug.test
            return "__init__.py" not in self.listing(path.parent)
        return name == "tests.py"

    def _is_named_as_test(self, path: Path) -> bool:
        """By pytest's patterns, unless they take in every file of the test folders."""
        if self.config.is_test_file("any_module.py"):
            return path.name.startswith("test_") or path.name.endswith("_test.py")
        return self.config.is_test_file(path.as_posix())

    def relative(self, path: Path) -> str:
        """A path as reports show it: relative to the root of the run, with ``/``."""
        return shown_path(path, self.shown_from)

    def production_modules(self) -> list[str]:
        """Dotted names of all modules of the project that are not tests."""
        if self._production is None:
            self._production = sorted(set(self._walk_production()))
        self.dependencies.add(f"tree:{self.root}")
        return self._production

    def _walk_production(self) -> Iterator[str]:
        bases = [self.root / name for name in SOURCE_FOLDERS if is_folder(self.root / name)]
        for base in [*bases, self.root]:
            for path in production_files(base):
                if self.is_test_path(path):
                    continue
                parts = list(path.relative_to(base).with_suffix("").parts)
                if base == self.root and len(parts) > 1 and parts[0] in SOURCE_FOLDERS:
                    continue
                if parts[-1] == "__init__":
                    parts.pop()
                if parts:
                    yield ".".join(parts)


def _is_test_folder(name: str) -> bool:
    bare = name.strip("_")
    return bare in TEST_FOLDERS or bare.endswith("_tests") or bare.startswith("tests_")


def shown_path(path: Path, root: Path) -> str:
    """A path relative to a root where it lies below it, with ``/``."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


@lru_cache(maxsize=4096)
def folder_of(path: Path | None) -> str:
    """The folder of a file as text."""
    return os.path.dirname(str(path)) if path else ""  # noqa: PTH120 - a Path would cost more


def list_folder(folder: Path) -> frozenset[str]:
    """Python files and subfolders of a folder; empty when it can't be read."""
    try:
        return frozenset(
            name for name in os.listdir(folder) if name.endswith(".py") or name.isidentifier()
        )
    except OSError:
        return frozenset()


def production_files(base: Path) -> Iterator[Path]:
    """Python files of importable packages and modules below ``base``, tests included."""
    stack = [base]
    while stack:
        folder = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith(".py"):
                yield Path(entry.path)
            elif entry.name.isidentifier() and entry.is_dir(follow_symlinks=False):
                if entry.name in _NOT_PRODUCTION or is_virtualenv(Path(entry.path)):
                    continue
                if folder != base or entry.name not in _NOT_PACKAGES:
                    stack.append(Path(entry.path))


_NOT_PRODUCTION = frozenset({"__pycache__", "tests", "test", "node_modules"})
_NOT_PACKAGES = frozenset(
    {"docs", "doc", "examples", "build", "dist", "bench", "benchmarks", "scripts", "tools"}
)


def digest(dependency: str) -> str:
    """What a dependency (``file:``, ``dir:`` or ``tree:``) looks like now, as a short hash."""
    kind, _, name = dependency.partition(":")
    path = Path(name)
    if kind == "file":
        data = _content(path)
    elif kind == "dir":
        data = "\n".join(sorted(list_folder(path))).encode("utf-8", "surrogatepass")
    else:
        names = sorted(str(p.relative_to(path)) for p in production_files(path))
        data = "\n".join(names).encode("utf-8", "surrogatepass")
    return digest_of(data)


def digest_of(data: bytes) -> str:
    """A short hash of bytes."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def _content(path: Path) -> bytes:
    """The bytes of a file that is read; what is not read is all the same to a result."""
    try:
        return reading.read_bytes(path, reading.LARGEST_SOURCE)
    except reading.Unreadable as reason:
        return f"\0{reason}".encode("utf-8", "surrogatepass")
