"""What a run without tests has looked for, in words: names that the user can compare with theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from socrates.discovery import pytest_config
from socrates.discovery.files import parse_target

_UNITTEST = "test*.py"
_MOST_PLACES = 3


def looked_for(targets: Sequence[str], cwd: Path, files: int) -> str:
    """One sentence; ``files`` is how many files were looked into. No targets are the current folder."""
    folders = [parse_target(target, cwd).path for target in targets] or [cwd]
    configs = [pytest_config.load(folder) for folder in dict.fromkeys(folders)]
    names = _listed([*(p for config in configs for p in config.python_files), _UNITTEST])
    functions = _listed(_glob(p) for config in configs for p in config.python_functions)
    classes = _listed(_glob(p) for config in configs for p in config.python_classes)
    if not files:
        return f"Looked for files named {names} in {_places(targets)}."
    found = "1 file" if files == 1 else f"{files:,} files"
    return (
        f"Looked in {found} for functions {functions}, and methods of that name in classes "
        f"{classes} or subclasses of unittest.TestCase; of a folder, files named {names} count."
    )


def _glob(prefix: str) -> str:
    """pytest takes a name without a star for its beginning."""
    return prefix if any(char in prefix for char in "*?[") else f"{prefix}*"


def _listed(words: Iterable[str]) -> str:
    *first, last = dict.fromkeys(words)
    return f"{', '.join(first)} or {last}" if first else last


def _places(targets: Sequence[str]) -> str:
    shown = ["this folder" if target == "." else target for target in targets]
    if len(shown) > _MOST_PLACES:
        shown = [*shown[:_MOST_PLACES], f"{len(shown) - _MOST_PLACES} more places"]
    return _listed(shown).replace(" or ", " and ")
