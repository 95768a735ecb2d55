"""The part of pytest's configuration that decides what is a test, read as pytest reads it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.files.looking import exists, is_file
from socrates.files.reading import LARGEST_SETTINGS, Unreadable, read_text
from socrates.files.toml import NotToml, parse_toml

_LONGEST_SPLIT = 32 * 1024
"""shlex takes quadratic time."""
NO_RECURSE = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")


@dataclass(frozen=True, slots=True)
class PytestConfig:
    """Where tests are and how they are named. The defaults are pytest's own."""

    rootdir: Path
    testpaths: tuple[str, ...] = ()
    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    python_classes: tuple[str, ...] = ("Test",)
    python_functions: tuple[str, ...] = ("test",)
    norecursedirs: tuple[str, ...] = NO_RECURSE
    pythonpath: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    """Paths of ``--ignore`` and ``--ignore-glob`` in ``addopts``."""
    rewrites: bool = True
    """Whether a failing ``assert`` says what it compared: not so with ``--assert=plain``."""

    def is_test_file(self, path: str) -> bool:
        """Whether pytest would collect a file: by its base name, or its path if the pattern has one."""
        name = path.rpartition("/")[2]
        return any(
            fnmatchcase(f"/{path}", f"*/{pattern}")
            if "/" in pattern
            else fnmatchcase(name, pattern)
            for pattern in self.python_files
        )

    def is_test_function(self, name: str) -> bool:
        """Whether a function of this name is a test."""
        return _matches(name, self.python_functions)

    def is_test_class(self, name: str) -> bool:
        """Whether a plain class of this name holds tests."""
        return _matches(name, self.python_classes)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(
        name.startswith(pattern) or (_is_glob(pattern) and fnmatchcase(name, pattern))
        for pattern in patterns
    )


def _is_glob(pattern: str) -> bool:
    return any(char in pattern for char in "*?[")


def load(folder: Path) -> PytestConfig:
    """The configuration that pytest would use for tests in ``folder``: the nearest file upwards."""
    for candidate in (folder, *folder.parents):
        for name, read in _READERS:
            path = candidate / name
            values = read(path) if is_file(path) else None
            if values is not None:
                return _config(candidate, values)
    return PytestConfig(_rootdir(folder))


def _rootdir(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        if any(exists(candidate / name) for name in ("setup.py", "pyproject.toml", ".git")):
            return candidate
    return folder


def _config(rootdir: Path, values: Mapping[str, object]) -> PytestConfig:
    default = PytestConfig(rootdir)
    return PytestConfig(
        rootdir,
        testpaths=_words(values.get("testpaths")) or (),
        python_files=_words(values.get("python_files")) or default.python_files,
        python_classes=_words(values.get("python_classes")) or default.python_classes,
        python_functions=_words(values.get("python_functions")) or default.python_functions,
        norecursedirs=_words(values.get("norecursedirs")) or default.norecursedirs,
        pythonpath=_words(values.get("pythonpath")) or (),
        ignored=_options(values.get("addopts"), "--ignore", "--ignore-glob"),
        rewrites=_options(values.get("addopts"), "--assert")[-1:] != ("plain",),
    )


def _words(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        if len(value) > _LONGEST_SPLIT:
            return tuple(value.split())
        try:
            return tuple(shlex.split(value, comments=True))
        except ValueError:
            return tuple(value.split())
    if isinstance(value, list):
        return tuple(str(item) for item in value)
    return None


def _options(addopts: object, *flags: str) -> tuple[str, ...]:
    """The values of flags in ``addopts``, written ``--flag=value`` or ``--flag value``."""
    words = list(_words(addopts) or ())
    found = []
    for position, word in enumerate(words):
        flag, _, value = word.partition("=")
        if flag in flags:
            following = words[position + 1] if position + 1 < len(words) else ""
            found.append(value or following)
    return tuple(value for value in found if value)


def _read_ini(path: Path, section: str) -> Mapping[str, object] | None:
    import iniconfig

    try:
        text = read_text(path, LARGEST_SETTINGS, errors="replace")
        parsed = iniconfig.IniConfig(str(path), data=text)
    except (Unreadable, iniconfig.ParseError):
        return None
    return dict(parsed[section].items()) if section in parsed else None


def _read_pytest_ini(path: Path) -> Mapping[str, object]:
    return _read_ini(path, "pytest") or {}


def _read_toml(path: Path) -> Mapping[str, object]:
    try:
        return parse_toml(read_text(path, LARGEST_SETTINGS, errors="replace"))
    except (Unreadable, NotToml):
        return {}


def _read_pyproject(path: Path) -> Mapping[str, object] | None:
    tool = _read_toml(path).get("tool")
    table = tool.get("pytest") if isinstance(tool, dict) else None
    if not isinstance(table, dict):
        return None
    options = table.get("ini_options")
    if isinstance(options, dict):
        return options
    return {key: value for key, value in table.items() if key != "ini_options"} or None


def _read_pytest_toml(path: Path) -> Mapping[str, object]:
    table = _read_toml(path).get("pytest")
    return table if isinstance(table, dict) else {}


_READERS = (
    ("pytest.toml", _read_pytest_toml),
    (".pytest.toml", _read_pytest_toml),
    ("pytest.ini", _read_pytest_ini),
    (".pytest.ini", _read_pytest_ini),
    ("pyproject.toml", _read_pyproject),
    ("tox.ini", lambda path: _read_ini(path, "pytest")),
    ("setup.cfg", lambda path: _read_ini(path, "tool:pytest")),
)
