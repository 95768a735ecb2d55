"""How a project writes its lines: their length, its quotes, and whether a formatter has the last word.

Read from the settings of ruff, black, EditorConfig and flake8 that hold for a file; no tool is run.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from socrates.classes.lazy import dataclass
from socrates.files.reading import LARGEST_SETTINGS, Unreadable, read_text
from socrates.files.toml import NotToml, parse_toml

DEFAULT_WIDTH = 88
_FLAKE8_WIDTH = 79
_NARROWEST, _WIDEST = 40, 400
_HOOK_IDS = {"ruff": re.compile(r"id:\s*ruff-format\b"), "black": re.compile(r"id:\s*black\b")}

_TOML = (".ruff.toml", "ruff.toml", "pyproject.toml")
_INI = (".flake8", "setup.cfg", "tox.ini")
_HOOKS = ".pre-commit-config.yaml"

Quote = Literal['"', "'", ""]


@dataclass(frozen=True, slots=True)
class Style:
    """``quote`` is empty where the project leaves it to each file.

    ``formatted``: ruff or black lays the files out, so that a fix has to leave what they would.
    """

    width: int = DEFAULT_WIDTH
    quote: Quote = '"'
    formatted: bool = False


def style_of(path: Path, root: Path) -> Style:
    """The style of a file inside a project, by the settings nearest to it."""
    folders = list(_folders(path, root))
    tools = [table for folder in folders for table in _tables(folder)]
    ruff = next((table["ruff"] for table in tools if "ruff" in table), {})
    black = next((table["black"] for table in tools if "black" in table), {})
    hooks = _hooks(root)
    with_black = bool(black) or "black" in hooks
    with_ruff = "format" in ruff or "ruff" in hooks
    settings = black if with_black and not with_ruff else ruff
    width = _width(settings.get("line-length")) or _width(black.get("line-length"))
    width = width or _editor_width(folders) or _flake8_width(folders) or DEFAULT_WIDTH
    return Style(width, _quote(ruff, black), with_black or with_ruff)


def settings_files(path: Path, root: Path) -> Iterator[Path]:
    """Every file that the style of a file may be read from, whether it is there or not."""
    for folder in _folders(path, root):
        yield from (folder / name for name in (*_TOML, *_INI, ".editorconfig"))
    yield root / _HOOKS


def _folders(path: Path, root: Path) -> Iterator[Path]:
    """The folder of a file and those above it, up to the project's root."""
    for folder in path.parents:
        yield folder
        if folder == root or root not in folder.parents:
            return


def _tables(folder: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """What a folder says about ruff and black, the file that ruff prefers first."""
    for name in _TOML[:2]:
        if table := _toml(folder / name):
            yield {"ruff": table}
    tool = _toml(folder / _TOML[2]).get("tool")
    if isinstance(tool, dict):
        found = {name: tool[name] for name in ("ruff", "black") if isinstance(tool.get(name), dict)}
        if found:
            yield found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(_text(path))
    except NotToml:
        return {}


def _text(path: Path) -> str:
    try:
        return read_text(path, LARGEST_SETTINGS, errors="replace")
    except Unreadable:
        return ""


def _width(value: object) -> int | None:
    try:
        width = int(str(value))
    except ValueError:
        return None
    return width if _NARROWEST <= width <= _WIDEST else None


def _quote(ruff: Mapping[str, Any], black: Mapping[str, Any]) -> Quote:
    layout = ruff.get("format")
    style = layout.get("quote-style") if isinstance(layout, dict) else None
    if style == "single":
        return "'"
    if style == "preserve" or black.get("skip-string-normalization") is True:
        return ""
    return '"'


def _hooks(root: Path) -> set[str]:
    text = _text(root / _HOOKS)
    return {name for name, pattern in _HOOK_IDS.items() if pattern.search(text)}


def _editor_width(folders: list[Path]) -> int | None:
    """``max_line_length`` of the sections for Python, or for all files, of the nearest file."""
    for folder in folders:
        found = None
        wanted = False
        for line in _text(folder / ".editorconfig").splitlines():
            line = line.strip()
            if line.startswith("["):
                wanted = line == "[*]" or bool(re.search(r"[.{,]py[},\]]", line))
            elif wanted and (match := re.match(r"max_line_length\s*=\s*(\d+)", line)):
                found = _width(match.group(1))
        if found:
            return found
    return None


def _flake8_width(folders: list[Path]) -> int | None:
    for folder in folders:
        for name in _INI:
            parser = configparser.ConfigParser(interpolation=None, strict=False)
            try:
                parser.read_string(_text(folder / name))
            except configparser.Error:
                continue
            if parser.has_section("flake8"):
                return _width(parser.get("flake8", "max-line-length", fallback=_FLAKE8_WIDTH))
    return None
