"""What the amplifier adds to the ``socrates`` command. Cheap to import."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from socrates.plugins import Command, SettingsTable, hookimpl


@hookimpl
def socrates_commands() -> Iterable[Command]:
    """``socrates amplify``, ``socrates replay``, ``socrates trace`` and ``socrates merge``."""
    from socrates_amplify.commands import arguments

    return [
        Command(
            "amplify",
            "run clean tests again under faults and find the smallest that breaks one",
            arguments.amplify,
            _amplify,
            passthrough=True,
        ),
        Command(
            "replay",
            "break a test again with a scenario file",
            arguments.replay,
            _replay,
            passthrough=True,
        ),
        Command(
            "trace", "show the messages of one test", arguments.trace, _trace, passthrough=True
        ),
        Command("merge", "put the results of shards together", arguments.merge, _merge),
    ]


@hookimpl
def socrates_settings() -> Iterable[SettingsTable]:
    """``[tool.socrates.amplify]``."""
    from socrates_amplify import config

    return [
        SettingsTable(
            "amplify", "How socrates amplify searches", config.OPTIONS, validate=_validate
        )
    ]


def _validate(table: Mapping[str, object]) -> Mapping[str, object]:
    from socrates_amplify.config import read_table

    read_table(table)
    return table


def _amplify(args: argparse.Namespace) -> int:
    from socrates_amplify.commands.amplify import run

    return run(args)


def _replay(args: argparse.Namespace) -> int:
    from socrates_amplify.commands.replay import run

    return run(args)


def _trace(args: argparse.Namespace) -> int:
    from socrates_amplify.commands.trace import run

    return run(args)


def _merge(args: argparse.Namespace) -> int:
    from socrates_amplify.commands.merge import run

    return run(args)
