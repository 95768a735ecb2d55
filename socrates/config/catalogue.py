"""Every setting of this installation in one list: ours, those of rules, those of plugins."""

from __future__ import annotations

from collections.abc import Iterable

from socrates.classes.lazy import dataclass
from socrates.config.schema import RULES_TABLE, SETTINGS, TYPE_TEXTS
from socrates.plugins import SettingsTable
from socrates.registry import Registry
from socrates.rule import Option


@dataclass(frozen=True, slots=True)
class Described:
    """A setting for people: its dotted key below ``[tool.socrates]``, type, default and meaning."""

    key: str
    type: str
    default: object
    help: str


def own_settings() -> list[Described]:
    """The settings of the linter itself."""
    return [
        Described(setting.key, setting.type_text, setting.default, setting.help)
        for setting in SETTINGS
    ]


def rule_settings(registry: Registry) -> list[Described]:
    """The options of every rule."""
    return [
        _option(f"{RULES_TABLE}.{rule.name}", option)
        for rule in registry
        for option in rule.options
    ]


def table_settings(tables: Iterable[SettingsTable]) -> list[Described]:
    """The tables of plugins, each followed by its keys."""
    found = []
    for table in tables:
        found.append(Described(table.name, "a table", {}, table.help))
        found += [_option(table.name, option) for option in table.options]
    return found


def _option(table: str, option: Option) -> Described:
    return Described(f"{table}.{option.name}", TYPE_TEXTS[option.type], option.default, option.help)
