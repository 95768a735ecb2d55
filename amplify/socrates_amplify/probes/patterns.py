"""``module:Class`` globs of the settings, which say what actors and messages promise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern fits a name; a pattern without ``:`` fits in every module."""
    return fnmatchcase(name, pattern if ":" in pattern else f"*:{pattern}")


def fitting(patterns: Iterable[str], names: Collection[str]) -> str:
    """The patterns that fit one of the names, each on its line."""
    return "\n".join(pattern for pattern in patterns if any(fits(pattern, name) for name in names))


def patterns_in(config: Mapping[str, object], key: str, table: str) -> tuple[str, ...]:
    """The list of patterns under ``key``; raises ``SocratesError`` for anything else."""
    value = config.get(key, ())
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise SocratesError(
            f"[tool.socrates.amplify.{table}] {key} must be a list of patterns"
            f' such as "app.actors:*Account", not {value!r}'
        )
    return tuple(value)
