"""Settings as text: what is in force (``check --show-settings``), in TOML that could be pasted."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Mapping

from socrates.config.schema import SETTINGS
from socrates.session import Session

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def shown_settings(session: Session) -> str:
    """Every setting with the value that this run uses."""
    settings = session.settings
    lines = [
        f"# project: {settings.root}",
        f"# settings: {settings.config_file or 'defaults'}",
        f"# rules in use: {', '.join(rule.code for rule in session.rules)}",
        "[tool.socrates]",
    ]
    for setting in SETTINGS:
        value = getattr(settings, setting.field)
        if setting.type == "rules-by-pattern":
            value = dict(value)
        if value is None:
            lines.append(f"# {setting.key} is not set")
        else:
            lines.append(f"{setting.key} = {toml(value)}")
    for rule in session.rules:
        if rule.options:
            given = settings.rules.get(rule.name, {})
            lines += ["", f"[tool.socrates.rules.{rule.name}]"]
            lines += [
                f"{option.name} = {toml(given.get(option.name, option.default))}"
                for option in rule.options
            ]
    for name, table in settings.tables.items():
        lines += ["", f"[tool.socrates.{name}]"]
        lines += [f"{_key(key)} = {toml(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def toml(value: object) -> str:
    """A value in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return toml(value.value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, (int, float)):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False)


def _key(key: object) -> str:
    text = str(key)
    return text if _BARE_KEY.fullmatch(text) else json.dumps(text, ensure_ascii=False)
