"""pytest's ``testpaths`` as the files and folders that they name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from socrates.files.looking import exists, is_folder

_MOST_FOLDERS = 100_000


def expand(patterns: tuple[str, ...], root: Path) -> list[str]:
    """What the patterns name below ``root``, each once, by path relative to it.

    Every folder is listed at most once for each part of a pattern, whatever the pattern. A path
    to a folder above the root names nothing, nor does a pattern with wildcards and dots: to check
    all that lies there is for the user to say.
    """
    found: dict[str, None] = {}
    above = {str(folder) for folder in Path(os.path.realpath(root)).parents}
    for pattern in patterns:
        if PurePath(pattern).is_absolute() or "\0" in pattern:
            continue
        named = sorted(set(_matching(PurePath(pattern).parts, root)))
        found |= dict.fromkeys(name for name in named if os.path.realpath(root / name) not in above)
    return list(found)


def _matching(parts: tuple[str, ...], root: Path) -> Iterator[str]:
    """Depth first through the folders that the first parts of a pattern match."""
    plain = next((at for at, part in enumerate(parts) if _is_glob(part)), len(parts))
    if ".." in parts and plain < len(parts):
        return
    start = PurePath(*parts[:plain])
    if not exists(root / start):
        return
    stack = [(start, plain)]
    seen: set[tuple[PurePath, int]] = set()
    while stack and len(seen) < _MOST_FOLDERS:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        path, at = state
        if at == len(parts):
            yield path.as_posix()
        elif parts[at] == "**":
            stack.append((path, at + 1))
            stack += [(path / name, at) for name in _folders(root / path)]
        else:
            stack += [(path / name, at + 1) for name in _names(root / path, parts[at])]


def _is_glob(part: str) -> bool:
    return any(char in part for char in "*?[")


def _names(folder: Path, pattern: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [name for name in names if fnmatchcase(name, pattern)]


def _folders(folder: Path) -> list[str]:
    """The folders in a folder that are no links: those could lead in circles."""
    names = _names(folder, "*")
    return [name for name in names if is_folder(folder / name) and not (folder / name).is_symlink()]
