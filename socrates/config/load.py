"""Settings of a run from defaults, then the nearest file, then flags.

Guarantee: what comes back is valid. Every mistake is one SocratesError that names the file or
flag, the key, and the nearest valid spelling.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from socrates.classes.lazy import dataclass
from socrates.config.find import ConfigFile, nearest_config, project_root, read_config
from socrates.config.schema import BY_KEY, RULES_TABLE, Setting
from socrates.config.values import option_values, setting_value, unknown_key, wrong_type
from socrates.errors import SocratesError
from socrates.files.looking import exists, is_file, is_folder
from socrates.files.toml import NotToml, parse_toml
from socrates.findings import Severity
from socrates.plugins import SettingsTable
from socrates.registry import Registry
from socrates.settings import Settings


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line says about settings.

    ``config`` are values of ``--config``: one file, or inline TOML such as ``strict = true``.
    ``flags`` maps keys of the schema to values in the form that a file would give them.
    """

    targets: Sequence[str] = ()
    config: Sequence[str] = ()
    isolated: bool = False
    flags: Mapping[str, object] = field(default_factory=dict)
    cwd: Path = field(default_factory=Path.cwd)


def load_settings(
    request: Request,
    registry: Registry,
    tables: Callable[[], Iterable[SettingsTable]] = tuple,
) -> Settings:
    """The settings of a run; plugins are asked for their tables only when a file has one."""
    loader = _Loader(registry, tables)
    start = _start_folder(request)
    file = _config_file(request, start)
    root = _root(file, start)
    layers = [loader.layer(file.table, file.label)] if file else []
    if file is not None:
        _require_inside(root, layers[0], file.label)
    own = [loader.layer(table, label) for table, label in _inline(request)]
    own.append(loader.flags(request.flags))
    merged: dict[str, Any] = {}
    for layer in (*layers, *own):
        merged = _onto(merged, layer, registry)
    given = frozenset(name for layer in own for name in layer)
    settings = Settings(root, file.path if file else None, given=given)
    return dataclasses.replace(settings, **merged)


class _Loader:
    """Validates one table after the other against schema, rules and plugins' tables."""

    def __init__(self, registry: Registry, tables: Callable[[], Iterable[SettingsTable]]) -> None:
        self._registry = registry
        self._ask = tables

    @cached_property
    def _tables(self) -> Mapping[str, SettingsTable]:
        return {table.name: table for table in self._ask()}

    def layer(self, table: Mapping[str, object], label: str) -> dict[str, object]:
        """The fields of Settings that a file sets."""
        values: dict[str, object] = {}
        owned: dict[str, Mapping[str, object]] = {}
        for key, value in table.items():
            if key in BY_KEY:
                values[BY_KEY[key].field] = self._checked(BY_KEY[key], value, f"{label} {key}")
            elif key == RULES_TABLE:
                values["rules"] = self._rules(value, label)
            elif key in self._tables:
                owned[key] = self._owned(self._tables[key], value, _table(label, key))
            else:
                raise unknown_key(label, key, (*BY_KEY, RULES_TABLE, *self._tables))
        if owned:
            values["tables"] = owned
        return values

    def flags(self, flags: Mapping[str, object]) -> dict[str, object]:
        """The fields of Settings that flags set."""
        return {
            BY_KEY[key].field: self._checked(BY_KEY[key], value, f"--{key}")
            for key, value in flags.items()
        }

    def _checked(self, setting: Setting, value: object, where: str) -> object:
        checked: Any = setting_value(setting, value, where)
        if setting.type == "rules":
            self._registry.expand(checked, where)
        elif setting.type == "rules-by-pattern":
            for pattern, rules in checked:
                self._registry.expand(rules, f"{where}.{pattern!r}")
        elif setting.key in ("fail-on", "min-severity"):
            return Severity(checked)
        return checked

    def _rules(self, value: object, label: str) -> dict[str, dict[str, object]]:
        where = _table(label, RULES_TABLE)
        if not isinstance(value, dict):
            raise wrong_type(where, "a table", value)
        result = {}
        for name, options in value.items():
            rule = self._registry.find(name, where)
            place = _table(where, name)
            if not isinstance(options, dict):
                raise wrong_type(place, "a table", options)
            result[rule.name] = option_values(rule.options, options, place)
        return result

    def _owned(self, table: SettingsTable, value: object, where: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise wrong_type(where, "a table", value)
        if table.validate is None:
            return option_values(table.options, value, where)
        try:
            return table.validate(value)
        except SocratesError as error:
            raise SocratesError(f"{where} {error}") from None


def _onto(below: Mapping[str, Any], above: Mapping[str, Any], registry: Registry) -> dict[str, Any]:
    """One layer over another: the upper wins, ignores add up, tables are joined key by key.

    What the upper layer selects by the very selector that the lower one ignores is not ignored:
    ``--select SOC101`` means it.
    """
    merged = {**below, **above}
    for key in ("rules", "tables"):
        merged[key] = _joined(below.get(key, {}), above.get(key, {}))
    extended = () if "select" in above else below.get("extend_select", ())
    merged["extend_select"] = (*extended, *above.get("extend_select", ()))
    asked = {
        registry.matches(selector)
        for selector in (*above.get("select", ()), *above.get("extend_select", ()))
    }
    still = [item for item in below.get("ignore", ()) if registry.matches(item) not in asked]
    merged["ignore"] = (*still, *above.get("ignore", ()))
    return merged


def _joined(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    return {key: {**below.get(key, {}), **above.get(key, {})} for key in (*below, *above)}


def _config_file(request: Request, start: Path) -> ConfigFile | None:
    """The file that ``--config`` names, else the nearest one, else none."""
    named = [text for text in request.config if not _is_inline(text)]
    if len(named) > 1:
        raise SocratesError(f"--config: only one file can be given, not {' and '.join(named)}")
    if named:
        path = Path(os.path.normpath(request.cwd / named[0]))
        if not is_file(path):
            raise SocratesError(
                f"--config: no file {named[0]!r}; give a TOML file or a setting such as 'strict = true'"
            )
        return read_config(path)
    return None if request.isolated else nearest_config(start)


def _inline(request: Request) -> list[tuple[dict[str, object], str]]:
    tables = []
    for text in request.config:
        if _is_inline(text):
            try:
                tables.append((parse_toml(text), "--config:"))
            except NotToml as reason:
                raise SocratesError(f"--config: {text!r} is not valid TOML: {reason}") from None
    return tables


def _is_inline(text: str) -> bool:
    return "=" in text and not exists(Path(text))


def _root(file: ConfigFile | None, start: Path) -> Path:
    """The settings file's folder if what is checked lies below it, else the nearest project."""
    if file is not None:
        folder = file.path.parent
        if start == folder or folder in start.parents:
            return folder
    return project_root(start)


def _start_folder(request: Request) -> Path:
    """The folder of the first target: where the search for settings begins."""
    first = request.targets[0].partition("::")[0] if request.targets else ""
    path = Path(os.path.normpath(request.cwd / first))
    return path if is_folder(path) else path.parent


def _require_inside(root: Path, layer: Mapping[str, object], label: str) -> None:
    """A settings file says where results are kept, but only inside its own project."""
    folder = layer.get("cache_dir")
    if isinstance(folder, str) and root not in Path(os.path.normpath(root / folder)).parents:
        raise SocratesError(
            f"{label} cache-dir: {folder!r} leads out of the project; "
            "name a folder inside, or say it with --cache-dir"
        )


def _table(label: str, key: str) -> str:
    """How messages call a table inside another: ``pyproject.toml: [tool.socrates.rules]``."""
    if label.endswith("]"):
        return f"{label[:-1]}.{key}]"
    return f"{label.removesuffix(':')}: [{key}]"
