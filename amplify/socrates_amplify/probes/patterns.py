"""``module:Class`` globs, by which a project says what its actors and messages promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from socrates.errors import SocratesError


def names_of(kind: type, member: str = "") -> list[str]:
    """``module:Class`` of a class and of all that it inherits from; ``.member`` at the end."""
    suffix = f".{member}" if member else ""
    return [
        f"{base.__module__}:{base.__qualname__}{suffix}"
        for base in kind.__mro__
        if base is not object
    ]


def matches(patterns: Iterable[str], names: Iterable[str]) -> bool:
    """Whether a pattern fits a name; a pattern without ``:`` fits in every module."""
    wanted = [pattern if ":" in pattern else f"*:{pattern}" for pattern in patterns]
    return any(fnmatchcase(name, pattern) for name in names for pattern in wanted)


def patterns_in(config: Mapping[str, object], key: str, table: str) -> tuple[str, ...]:
    """The list of patterns under ``key``; raises ``SocratesError`` for anything else."""
    value = config.get(key, ())
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise SocratesError(
            f"[tool.socrates.amplify.{table}] {key} must be a list of patterns"
            f' such as "app.actors:*Account", not {value!r}'
        )
    return tuple(value)
