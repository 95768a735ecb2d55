"""Which files of a project are sent to the nodes: those that git does not ignore, up to a limit."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from socrates.discovery.gitignore import IgnoreRules, rules_for
from socrates.errors import SocratesError

_NEVER = frozenset({".git", ".hg", ".svn", ".socrates", ".socrates_cache", "__pycache__"})
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}


def parse_size(text: str, where: str) -> int:
    """Bytes of ``100MB``, ``1.5G`` or ``2000``."""
    match = _SIZE.fullmatch(text.strip())
    size = int(float(match[1]) * _UNITS[match[2].lower()]) if match else 0
    if size < 1:
        raise SocratesError(f"{where}: {text!r} is no size; write it like 100MB or 2GB")
    return size


def shipped_files(root: Path) -> Iterator[Path]:
    """The files below ``root`` that are sent; links to folders are followed, each folder once."""
    yield from _below(root, rules_for(root), set())


def _below(folder: Path, rules: IgnoreRules, seen: set[Path]) -> Iterator[Path]:
    real = folder.resolve()
    if real in seen or (folder / "pyvenv.cfg").is_file():
        return
    seen.add(real)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except PermissionError:
        return
    for entry in entries:
        is_folder = entry.is_dir()
        if entry.name in _NEVER or rules.ignores(Path(entry.path).as_posix(), is_folder=is_folder):
            continue
        path = Path(entry.path)
        if is_folder:
            yield from _below(path, rules.descend(path), seen)
        elif entry.is_file():
            yield path


def stage(root: Path, target: Path, limit: int) -> None:
    """Copy what is sent from ``root`` to ``target``; raises SocratesError beyond ``limit`` bytes."""
    files = list(shipped_files(root))
    sizes = {path: path.stat().st_size for path in files}
    total = sum(sizes.values())
    if total > limit:
        parts: Counter[str] = Counter()
        for path, size in sizes.items():
            parts[path.relative_to(root).parts[0]] += size
        largest = ", ".join(f"{name} {_shown(size)}" for name, size in parts.most_common(3))
        raise SocratesError(
            f"{root} has {_shown(total)} to ship, more than --ship-limit {_shown(limit)} "
            f"(largest: {largest}); git-ignore what no test needs, or raise the limit"
        )
    for path in files:
        copy = target / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def _shown(size: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size} {unit}"
        size = round(size / 1000)
    return f"{size} GB"
