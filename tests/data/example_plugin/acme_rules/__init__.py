"""Acme's plugin: one rule, one command, one settings table."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.plugins import Command, SettingsTable, hookimpl
from socrates.rule import Option

if TYPE_CHECKING:
    from socrates.rule import Rule


@hookimpl
def socrates_rules() -> Iterable[type[Rule]]:
    """Imported here, because every plugin is loaded for ``socrates --help`` too."""
    from acme_rules.unfinished_test import UnfinishedTest

    return [UnfinishedTest]


@hookimpl
def socrates_settings() -> Iterable[SettingsTable]:
    """The table ``[tool.socrates.acme]``."""
    return [
        SettingsTable("acme", "Acme's own.", (Option("greeting", "str", "hello", "What to say."),))
    ]


@hookimpl
def socrates_commands() -> Iterable[Command]:
    """The command ``socrates acme``."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name")

    def run(args: argparse.Namespace) -> int:
        from socrates.session import prepare

        table = prepare().settings.tables.get("acme", {})
        print(table.get("greeting", "hello"), args.name, *args.passthrough)
        return 0

    return [Command("acme", "greet somebody", add_arguments, run, passthrough=True)]
