"""Checks single values of a settings file against their declared type.

Every function takes ``where``, the file and key to name, and raises SocratesError in one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from socrates.config.schema import TYPE_TEXTS, Setting
from socrates.errors import SocratesError
from socrates.rule import Option
from socrates.spelling import did_you_mean


def setting_value(setting: Setting, value: object, where: str) -> object:
    """The value as Settings keeps it, save that choices stay text. Rule names are not looked up."""
    match setting.type:
        case "bool" if isinstance(value, bool):
            return value
        case "count" if is_number(value) and isinstance(value, int) and value >= 1:
            return value
        case "text" if isinstance(value, str) and value:
            return value
        case "address" if isinstance(value, str) and value.startswith(("https://", "http://")):
            return value
        case "choice" if isinstance(value, str):
            if value in setting.choices:
                return value
            hint = did_you_mean(value, setting.choices)
            choices = ", ".join(setting.choices)
            raise SocratesError(f"{where}: {value!r} is not one of {choices}{hint}")
        case "texts" | "rules" if is_texts(value):
            return as_texts(value)
        case "rules-by-pattern" if isinstance(value, dict):
            return tuple(
                (pattern, as_texts(_require_texts(rules, f"{where}.{pattern!r}")))
                for pattern, rules in value.items()
            )
    raise wrong_type(where, setting.type_text, value)


def option_values(
    options: Iterable[Option], table: Mapping[str, object], where: str
) -> dict[str, object]:
    """The options that a table sets, checked against their declarations."""
    by_name = {option.name: option for option in options}
    values: dict[str, object] = {}
    for key, value in table.items():
        option = by_name.get(key)
        if option is None:
            raise unknown_key(where, key, by_name)
        values[key] = option_value(option, value, f"{where} {key}")
    return values


def option_value(option: Option, value: object, where: str) -> object:
    """One option's value, lists as tuples."""
    match option.type:
        case "bool" if isinstance(value, bool):
            return value
        case "int" if is_number(value) and isinstance(value, int) and value >= 0:
            return value
        case "str" if isinstance(value, str):
            return value
        case "list" if is_texts(value):
            return as_texts(value)
    raise wrong_type(where, TYPE_TEXTS[option.type], value)


def unknown_key(where: str, key: str, valid: Iterable[str]) -> SocratesError:
    """The error for a key that does not exist."""
    names = sorted(valid)
    hint = did_you_mean(key, names)
    if not hint:
        hint = f"; it takes {', '.join(names)}" if names else "; it takes no keys"
    return SocratesError(f"{where.removesuffix(':')}: unknown key {key!r}{hint}")


def wrong_type(where: str, wanted: str, value: object) -> SocratesError:
    """The error for a value of another type."""
    return SocratesError(f"{where}: must be {wanted}, not {_shown(value)}")


def is_number(value: object) -> bool:
    """Whether it is a whole number; TOML's booleans are not, though Python's are."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_texts(value: object) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def as_texts(value: object) -> tuple[str, ...]:
    """A list of texts as a tuple."""
    assert isinstance(value, (list, tuple))
    return tuple(str(item) for item in value)


def _require_texts(value: object, where: str) -> object:
    if not is_texts(value):
        raise wrong_type(where, "a list of rules", value)
    return value


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list" if all(isinstance(item, str) for item in value) else "a mixed list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
