"""Git's ignore files, read without git and as git reads them.

Guarantee: matching a path takes time in proportion to the lengths of path and pattern, whatever
stars the pattern has. Paths are compared byte by byte, as git does it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.discovery import globs
from socrates.files.looking import exists
from socrates.files.reading import Unreadable, read_bytes

LARGEST_IGNORE_FILE = 256 * 1024
"""A file beyond that is not read: what it may ignore is checked."""
_LONGEST_LINE = 4096
_MARK = b"\xef\xbb\xbf"


@dataclass(slots=True)
class IgnoreRules:
    """The ignore files met on the way down from the top of the repository to a folder."""

    levels: list[tuple[str, IgnoreFile]] = field(default_factory=list)

    def descend(self, folder: Path) -> IgnoreRules:
        """The rules that hold inside ``folder``, its own ignore file included."""
        found = read_ignore_file(folder / ".gitignore")
        if found is None:
            return self
        return IgnoreRules([*self.levels, (f"{folder.as_posix()}/", found)])

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether git would ignore this absolute path; the last pattern that matches decides."""
        for base, file in reversed(self.levels):
            if path.startswith(base):
                verdict = file.verdict(os.fsencode(path[len(base) :]), is_folder=is_folder)
                if verdict is not None:
                    return verdict
        return False


def rules_for(folder: Path) -> IgnoreRules:
    """The rules that hold in ``folder``: from the repository's top, or from the folder itself."""
    top = next((p for p in (folder, *folder.parents) if exists(p / ".git")), folder)
    rules = IgnoreRules()
    excludes = read_ignore_file(top / ".git" / "info" / "exclude")
    if excludes is not None:
        rules.levels.append((f"{top.as_posix()}/", excludes))
    inside = folder.relative_to(top).parts
    for depth in range(len(inside) + 1):
        rules = rules.descend(top.joinpath(*inside[:depth]))
    return rules


def read_ignore_file(path: Path) -> IgnoreFile | None:
    """The patterns of one ignore file; None when it has none, is missing or can't be read."""
    try:
        patterns = tuple(parse(read_bytes(path, LARGEST_IGNORE_FILE)))
    except Unreadable:
        return None
    return IgnoreFile(patterns) if patterns else None


@dataclass(frozen=True)
class Pattern:
    """One line of an ignore file: a glob for a path below its folder, or for a name anywhere."""

    glob: bytes
    negated: bool = False
    folders_only: bool = False
    on_name: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it has no wildcard, so that only the very text matches."""
        return globs.plain_length(self.glob) == len(self.glob)

    @cached_property
    def _regex(self) -> re.Pattern[bytes] | None:
        return globs.name_regex(self.glob) if self.on_name else globs.path_regex(self.glob)

    def matches(self, path: bytes) -> bool:
        """Whether the glob matches all of a path below the file's folder."""
        text = path.rpartition(b"/")[2] if self.on_name else path
        return self._regex is not None and self._regex.fullmatch(text) is not None


class IgnoreFile:
    """The patterns of one file. Those without wildcards, mostly many, are looked up at once."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self._globs: list[tuple[int, Pattern]] = []
        self._plain: dict[tuple[bool, bytes], list[tuple[int, Pattern]]] = {}
        for order, pattern in enumerate(patterns):
            if pattern.is_plain:
                key = (pattern.on_name, pattern.glob)
                self._plain.setdefault(key, []).append((order, pattern))
            else:
                self._globs.append((order, pattern))

    def verdict(self, path: bytes, *, is_folder: bool) -> bool | None:
        """Whether the last pattern that matches ignores the path; None when none matches."""
        plain = [
            *self._plain.get((False, path), ()),
            *self._plain.get((True, path.rpartition(b"/")[2]), ()),
        ]
        fitting = (item for item in plain if is_folder or not item[1].folders_only)
        last, decisive = max(fitting, key=lambda item: item[0], default=(-1, None))
        for order, pattern in reversed(self._globs):
            if order < last:
                break
            if (is_folder or not pattern.folders_only) and pattern.matches(path):
                decisive = pattern
                break
        return None if decisive is None else not decisive.negated


def parse(data: bytes) -> Iterator[Pattern]:
    """The patterns of an ignore file's bytes, in order."""
    for line in data.removeprefix(_MARK).split(b"\n"):
        pattern = _pattern(line.removesuffix(b"\r"))
        if pattern is not None:
            yield pattern


def _pattern(line: bytes) -> Pattern | None:
    text = _without_spaces(line)
    if text.startswith(b"#") or len(text) > _LONGEST_LINE:
        return None
    negated = text.startswith(b"!")
    text = text[1:] if negated else text
    folders_only = text.endswith(b"/")
    text = text.removesuffix(b"/")
    on_name = b"/" not in text
    text = text.removeprefix(b"/")
    return Pattern(text, negated, folders_only, on_name) if text else None


def _without_spaces(line: bytes) -> bytes:
    """A line without the spaces at its end, unless the first of them is escaped."""
    stripped = line.rstrip(b" ")
    escapes = len(stripped) - len(stripped.rstrip(b"\\"))
    return line[: len(stripped) + 1] if escapes % 2 else stripped
