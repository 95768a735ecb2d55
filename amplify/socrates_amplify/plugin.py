"""What the amplifier adds to the ``socrates`` command. Cheap to import."""

from __future__ import annotations

import argparse
import contextlib
import importlib
from collections.abc import Iterable, Iterator, Mapping

from socrates.engine.gc_tuning import collecting_rarely
from socrates.plugins import Command, SettingsTable, hookimpl


@hookimpl
def socrates_commands() -> Iterable[Command]:
    """``socrates amplify``, and what goes with it: ``replay``, ``trace``, ``map`` and ``merge``."""
    return [
        _command(
            "amplify", "run clean tests again under faults and find the smallest that breaks one"
        ),
        _command("replay", "break a test again with a scenario file"),
        _command("trace", "show the messages of one test"),
        _command("map", "draw who talks to whom, and what was tried on the way", passthrough=False),
        _command("merge", "put the results of shards together", passthrough=False),
    ]


def _command(name: str, text: str, *, passthrough: bool = True) -> Command:
    """A command whose arguments and code are imported when they are asked for."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        from socrates_amplify.commands import arguments

        getattr(arguments, name)(parser)

    def run(args: argparse.Namespace) -> int:
        with _early_fork() if name == "amplify" else contextlib.nullcontext():
            with collecting_rarely():  # importing makes many objects and hardly any garbage
                module = importlib.import_module(f"socrates_amplify.commands.{name}")
            return int(module.run(args))

    return Command(name, text, add_arguments, run, passthrough)


@contextlib.contextmanager
def _early_fork() -> Iterator[None]:
    """Within, the process that is to run tests is there: forked before this one loads much more."""
    from socrates_amplify.executors.fork import early

    with collecting_rarely():
        early.prepare()
    try:
        yield
    finally:
        early.dismiss()


@hookimpl
def socrates_settings() -> Iterable[SettingsTable]:
    """``[tool.socrates.amplify]``."""
    from socrates_amplify.settings import table as config

    return [
        SettingsTable(
            "amplify", "How socrates amplify searches", config.OPTIONS, validate=_validate
        )
    ]


def _validate(table: Mapping[str, object]) -> Mapping[str, object]:
    from socrates_amplify.settings.table import read_table

    read_table(table)
    return table
