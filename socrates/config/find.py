"""Which settings file a run uses, and which folder is the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files.looking import exists, is_file
from socrates.files.reading import LARGEST_SETTINGS, Unreadable, read_text
from socrates.files.toml import NotToml, parse_toml

OWN_FILE = "socrates.toml"
PYPROJECT = "pyproject.toml"
ROOT_MARKERS = ("pyproject.toml", "setup.cfg", "pytest.ini", "tox.ini", ".git")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A settings file: its path, the table in it, and how messages call that table."""

    path: Path
    table: Mapping[str, object]
    label: str


def nearest_config(start: Path) -> ConfigFile | None:
    """The closest settings file at or above a folder: ``socrates.toml`` or a pyproject with our table."""
    for folder in _upwards(start):
        own = folder / OWN_FILE
        if is_file(own):
            return read_config(own)
        pyproject = folder / PYPROJECT
        if is_file(pyproject):
            config = _read_pyproject(pyproject)
            if config is not None:
                return config
    return None


def read_config(path: Path) -> ConfigFile:
    """A settings file that was named: our table in a pyproject, else the whole file."""
    if path.name == PYPROJECT:
        config = _read_pyproject(path)
        return config or ConfigFile(path, {}, f"{shown(path)}: [tool.socrates]")
    return ConfigFile(path, _read_toml(path), f"{shown(path)}:")


def project_root(start: Path) -> Path:
    """The nearest folder at or above ``start`` that looks like a project, else the current one."""
    for folder in _upwards(start):
        if any(exists(folder / marker) for marker in ROOT_MARKERS):
            return folder
    return Path.cwd()


def shown(path: Path) -> str:
    """A path as messages print it: relative to the current folder where it lies below it."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)


def _read_pyproject(path: Path) -> ConfigFile | None:
    tool = _read_toml(path).get("tool")
    if not isinstance(tool, dict) or "socrates" not in tool:
        return None
    table = tool["socrates"]
    label = f"{shown(path)}: [tool.socrates]"
    if not isinstance(table, dict):
        raise SocratesError(f"{label}: must be a table")
    return ConfigFile(path, table, label)


def _read_toml(path: Path) -> dict[str, object]:
    try:
        return parse_toml(read_text(path, LARGEST_SETTINGS, "utf-8-sig"))
    except NotToml as reason:
        raise SocratesError(f"{shown(path)}: not valid TOML: {reason}") from None
    except UnicodeDecodeError as error:
        raise SocratesError(f"{shown(path)}: not UTF-8 text (byte {error.start})") from None
    except Unreadable as reason:
        raise SocratesError(f"{shown(path)}: cannot be read: {reason}") from None


def _upwards(start: Path) -> Iterator[Path]:
    yield start
    yield from start.parents
