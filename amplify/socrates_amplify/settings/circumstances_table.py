"""The sub-table ``[tool.socrates.amplify.circumstances]``: reads and checks what a project declares."""

from __future__ import annotations

import re
from collections.abc import Mapping

from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.model.faults import Scenario
from socrates_amplify.settings.circumstances import ABSENT, TABLE, Circumstance, How, chosen

WHERE = f"tool.socrates.amplify.{TABLE}"

_VARIABLES: Mapping[str, str] = {
    "time-zone": "TZ",
    "locale": "LC_ALL",
    "hash-seed": "PYTHONHASHSEED",
}
"""Circumstances of a whole process that have a name of their own, and the variable of each."""
_SIMPLE: Mapping[str, object] = {"time-zone": "UTC", "locale": "C.UTF-8", "hash-seed": 0}
_MOST_SEED = 4_294_967_295
_SETTING = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.\w+)*")
_VARIABLE = re.compile(r"[^=\0]+")
_KEYS = ("environment", "setting", "order", "simple", "general")


def read_table(table: Mapping[str, object]) -> tuple[Circumstance, ...]:
    """The circumstances of ``[tool.socrates.amplify.circumstances]``; one line for a mistake."""
    declared = tuple(_read(name, value) for name, value in table.items())
    owners: dict[str, str] = {}
    for one in declared:
        if one.place and owners.setdefault(one.place, one.name) != one.name:
            raise SocratesError(
                f"{WHERE}: {owners[one.place]} and {one.name} both set {one.place}; keep one"
            )
    return declared


def _read(name: str, value: object) -> Circumstance:
    where = f"{WHERE}.{name}"
    if not isinstance(value, Mapping):
        raise SocratesError(f"{where} must be a table like {{ simple = 1, general = 4 }}")
    for key in value:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS) or f"; use {', '.join(_KEYS)}"
            raise SocratesError(f"{where}: unknown key {key!r}{hint}")
    ways = [key for key in ("environment", "setting", "order") if key in value]
    if len(ways) > 1:
        raise SocratesError(f"{where}: {' and '.join(ways)} exclude each other; keep one")
    if ways == ["order"]:
        return _read_order(name, value, where)
    if "general" not in value:
        raise SocratesError(f"{where}: needs general, the value to try instead of the simple one")
    simple, general = value.get("simple", _SIMPLE.get(name, ABSENT)), value["general"]
    if not ways and name not in _VARIABLES:
        hint = did_you_mean(name, _VARIABLES)
        raise SocratesError(
            f'{where}: say what it is: environment = "NAME", setting = "module:attribute" or '
            f"order = [...]; only {', '.join(_VARIABLES)} need nothing{hint}"
        )
    if ways == ["setting"]:
        place = _matching(value["setting"], _SETTING, f"{where}.setting", "app.settings:PREFETCH")
        found = Circumstance(name, "setting", place, simple, general)
    elif ways:
        variable = _matching(value["environment"], _VARIABLE, f"{where}.environment", "WORKERS")
        found = Circumstance(name, "environment", variable, simple, general)
    else:
        found = Circumstance(name, _named(name), _VARIABLES[name], simple, general)
    if found.variable:
        _check_value(found, simple, f"{where}.simple")
        _check_value(found, general, f"{where}.general")
    if general == simple:
        raise SocratesError(f"{where}: simple and general are both {general!r}; make them differ")
    return found


def _named(name: str) -> How:
    return "time-zone" if name == "time-zone" else "locale" if name == "locale" else "hash-seed"


def _read_order(name: str, value: Mapping[str, object], where: str) -> Circumstance:
    pair = value["order"]
    if not isinstance(pair, list) or len(pair) != 2 or not all(_is_glob(glob) for glob in pair):
        raise SocratesError(
            f'{where}.order must be two patterns of messages, like ["Reserve*", "Cancel*"]'
        )
    if len(value) > 1:
        raise SocratesError(f"{where}: an order has neither simple nor general; leave them out")
    return Circumstance(name, "order", "", ABSENT, ABSENT, (pair[0], pair[1]))


def _is_glob(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _matching(value: object, pattern: re.Pattern[str], where: str, like: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise SocratesError(f"{where}: {value!r} is not a name like {like!r}")
    return value


def _check_value(one: Circumstance, value: object, where: str) -> None:
    if value is ABSENT:
        return
    if one.how == "hash-seed":
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_SEED:
            raise SocratesError(f"{where} must be a whole number up to {_MOST_SEED}, not {value!r}")
    elif one.how == "environment":
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise SocratesError(f"{where} must be a text or a number, not {value!r}")
    elif not isinstance(value, str) or not value:
        raise SocratesError(f"{where} must be the name of a {one.how}, not {value!r}")
    if "\0" in str(value):
        raise SocratesError(f"{where} must not contain a null character")


def environment(table: Mapping[str, object], scenario: Scenario) -> dict[str, str | None]:
    """The variables of a process that runs this scenario; None for one that must not be set."""
    declared = read_table(table)
    general = chosen(declared, scenario)
    return {
        one.variable: one.text(one.general if one.name in general else one.simple)
        for one in declared
        if one.variable
    }
