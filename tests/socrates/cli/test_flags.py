"""The flags of the linter's commands, as the file in ``data`` has them (see ``kept``)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from socrates.cli.parser import all_commands, build_parser

OTHERS = ("amplify", "replay", "trace", "map", "merge")
"""Commands of plugins."""


def flags_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """One line per flag or argument: its spellings, what it stores where, and what may follow."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                if name not in OTHERS:
                    yield f"{name}:"
                    yield from (f"  {line}" for line in flags_of(command))
            continue
        kind = type(action).__name__.strip("_").removesuffix("Action")
        follows = f" {action.nargs}" if action.nargs is not None else ""
        choices = f" of {', '.join(map(str, action.choices))}" if action.choices else ""
        spelled = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        yield f"{spelled}: {kind} {action.dest} = {action.default!r}{follows}{choices}"


def test_flags(kept: Callable[[str, str], str]) -> None:
    told = "\n".join(flags_of(build_parser(*all_commands()))) + "\n"
    assert told == kept("flags.txt", told)
