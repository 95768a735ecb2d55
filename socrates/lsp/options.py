"""What an editor may set: our settings by their names, and how the server behaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.config.schema import BY_KEY
from socrates.spelling import did_you_mean

WAYS = ("auto", "push", "pull")
_OWN = ("config", "diagnostics", "debounce")
_WRAPPERS = ("socrates", "settings")
_LONGEST_DEBOUNCE = 10_000


@dataclass(frozen=True, slots=True)
class Options:
    """``flags`` go over the settings file as flags of ``check`` do. ``debounce`` is in seconds."""

    flags: Mapping[str, object] = field(default_factory=dict)
    config: tuple[str, ...] = ()
    diagnostics: str = "auto"
    debounce: float = 0.1


def parse(raw: object) -> tuple[Options, list[str]]:
    """The options of ``initializationOptions``, and what is wrong with them, for the user.

    Never raises: a mistake in one key leaves the others in force. Keys may be written
    ``min-severity`` or ``minSeverity``.
    """
    table = _unwrapped(raw)
    problems: list[str] = []
    flags: dict[str, object] = {}
    values: dict[str, object] = {}
    for key, value in table.items():
        name = re.sub(r"(?<=[a-z])[A-Z]", lambda match: f"-{match[0].lower()}", key)
        if value is None:
            continue
        if name in BY_KEY:
            flags[name] = value
        elif name in _OWN:
            values[name] = value
        else:
            hint = did_you_mean(name, (*BY_KEY, *_OWN))
            problems.append(f"initializationOptions: unknown key {key!r}{hint}")
    config, diagnostics, debounce = (values.get(name) for name in _OWN)
    default = Options()
    if config is not None and not isinstance(config, str):
        problems.append("initializationOptions: config must be the path of a settings file")
        config = None
    if diagnostics is not None and diagnostics not in WAYS:
        problems.append(f"initializationOptions: diagnostics must be one of {', '.join(WAYS)}")
        diagnostics = None
    if debounce is not None and not _is_time(debounce):
        problems.append("initializationOptions: debounce must be milliseconds, from 0 to 10000")
        debounce = None
    options = Options(
        flags,
        (config,) if isinstance(config, str) else (),
        diagnostics if isinstance(diagnostics, str) else default.diagnostics,
        debounce / 1000 if isinstance(debounce, (int, float)) else default.debounce,
    )
    return options, problems


def _unwrapped(raw: object) -> Mapping[str, object]:
    """The table itself, out of ``{"socrates": {...}}`` or ``{"settings": {...}}``."""
    while isinstance(raw, Mapping):
        inner = next((raw[name] for name in _WRAPPERS if isinstance(raw.get(name), Mapping)), None)
        if inner is None:
            return {str(key): value for key, value in raw.items()}
        raw = inner
    return {}


def _is_time(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 <= value <= _LONGEST_DEBOUNCE  # type: ignore[operator]
