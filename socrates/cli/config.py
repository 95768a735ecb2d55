"""``socrates config``: every setting with its type, default and meaning."""

from __future__ import annotations

import argparse
import json

from socrates import plugins, registry
from socrates.cli import terminal
from socrates.cli.show import toml
from socrates.config.catalogue import Described, own_settings, rule_settings, table_settings
from socrates.errors import SocratesError
from socrates.spelling import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates config``."""
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help="one setting, or a table such as rules.eager-test"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0."""
    rules = registry.installed()
    settings = [
        *own_settings(),
        *rule_settings(rules),
        *table_settings(plugins.installed().tables()),
    ]
    if args.key:
        settings = _below(args.key, settings)
    if args.output_format == "json":
        data = [_as_data(setting) for setting in settings]
        terminal.write_stdout(json.dumps(data, indent=2) + "\n")
    else:
        terminal.write_lines("\n".join(_as_text(setting) for setting in settings))
    return 0


def _below(key: str, settings: list[Described]) -> list[Described]:
    wanted = key.removeprefix("tool.socrates.")
    found = [
        setting
        for setting in settings
        if setting.key == wanted or setting.key.startswith(f"{wanted}.")
    ]
    if not found:
        keys = [setting.key for setting in settings]
        hint = did_you_mean(wanted, keys) or "; `socrates config` lists them"
        raise SocratesError(f"config: unknown key {key!r}{hint}")
    return found


def _as_text(setting: Described) -> str:
    default = "not set" if setting.default is None else toml(setting.default)
    return f"{setting.key}\n    {setting.help}\n    type: {setting.type}\n    default: {default}\n"


def _as_data(setting: Described) -> dict[str, object]:
    default = setting.default
    return {
        "key": setting.key,
        "type": setting.type,
        "default": list(default) if isinstance(default, tuple) else default,
        "help": setting.help,
    }
