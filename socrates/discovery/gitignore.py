"""Git's ignore files, read without git: enough of the syntax for folders and test files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file, relative to the folder that holds the file."""

    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


@dataclass(slots=True)
class IgnoreRules:
    """The ignore files met on the way down from the top of the repository to a folder."""

    levels: list[tuple[str, tuple[Pattern, ...]]] = field(default_factory=list)

    def descend(self, folder: Path) -> IgnoreRules:
        """The rules that hold inside ``folder``, its own ignore file included."""
        patterns = read_patterns(folder / ".gitignore")
        if not patterns:
            return self
        return IgnoreRules([*self.levels, (f"{folder.as_posix()}/", patterns)])

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether git would ignore this absolute path; the last pattern that matches decides."""
        for base, patterns in reversed(self.levels):
            if not path.startswith(base):
                continue
            relative = path[len(base) :]
            for pattern in reversed(patterns):
                if pattern.folders_only and not is_folder:
                    continue
                if pattern.regex.fullmatch(relative):
                    return not pattern.negated
        return False


def rules_for(folder: Path) -> IgnoreRules:
    """The rules that hold in ``folder``: from the repository's top, or from the folder itself."""
    top = next((p for p in (folder, *folder.parents) if (p / ".git").exists()), folder)
    rules = IgnoreRules()
    excludes = read_patterns(top / ".git" / "info" / "exclude")
    if excludes:
        rules.levels.append((f"{top.as_posix()}/", excludes))
    inside = folder.relative_to(top).parts
    for depth in range(len(inside) + 1):
        rules = rules.descend(top.joinpath(*inside[:depth]))
    return rules


def read_patterns(path: Path) -> tuple[Pattern, ...]:
    """The patterns of one ignore file; none when it is missing or can't be read."""
    try:
        text = path.read_text("utf-8", errors="surrogateescape")
    except OSError:
        return ()
    found = (_pattern(line) for line in text.splitlines())
    return tuple(pattern for pattern in found if pattern is not None)


@lru_cache(maxsize=512)
def _pattern(line: str) -> Pattern | None:
    text = line.rstrip("\n\r")
    if not text.endswith("\\ "):
        text = text.rstrip(" ")
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.lstrip("/")
    prefix = "" if anchored else "(?:.*/)?"
    try:
        regex = re.compile(prefix + _translate(text), re.DOTALL)
    except re.error:
        return None
    return Pattern(regex, negated, folders_only)


def _translate(glob: str) -> str:
    """A gitignore glob as a regular expression: ``*`` stops at ``/``, ``**`` does not."""
    out = ""
    i = 0
    while i < len(glob):
        if glob.startswith("**/", i):
            out += "(?:.*/)?"
            i += 3
        elif glob.startswith("**", i):
            out += ".*"
            i += 2
        elif glob[i] == "*":
            out += "[^/]*"
            i += 1
        elif glob[i] == "?":
            out += "[^/]"
            i += 1
        elif glob[i] == "[" and "]" in glob[i + 2 :]:
            end = glob.index("]", i + 2)
            inner = glob[i + 1 : end].replace("\\", "\\\\")
            out += f"[{'^' + inner[1:] if inner.startswith('!') else inner}]"
            i = end + 1
        elif glob[i] == "\\" and i + 1 < len(glob):
            out += re.escape(glob[i + 1])
            i += 2
        else:
            out += re.escape(glob[i])
            i += 1
    return out
