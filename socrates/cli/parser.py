"""The argument parser: our commands and those of plugins, with mistakes told in one line."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from socrates import __version__, plugins
from socrates.cli import terminal
from socrates.plugins import Command
from socrates.printable import one_line
from socrates.spelling import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_INVALID_CHOICE = re.compile(r"invalid choice: '?(?P<word>[^']*)'? \(choose from (?P<valid>.*)\)")

_OWN = (
    ("check", "check tests for smells"),
    ("rule", "explain a rule"),
    ("config", "list settings"),
    ("docs", "show a guide"),
    ("baseline", "write the baseline: findings to leave out from now on"),
    ("init", "write settings and a pre-commit hook that fit this project"),
    ("lsp", "serve editors: findings while you type, over standard input and output"),
    ("completion", "print a completion script for a shell"),
)


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors that offer the nearest spelling, and no abbreviations."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        kwargs["allow_abbrev"] = False
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # argparse's own signature

    def error(self, message: str) -> NoReturn:
        """Exit with 2 after one line."""
        self.exit(2, f"{self.prog}: error: {one_line(self._with_hint(message))}\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write help and the version as all our output: argparse hides failures in some versions."""
        if file is not None and file is sys.stdout:
            terminal.write_stdout(message)
        else:
            super()._print_message(message, file)

    def _with_hint(self, message: str) -> str:
        choice = _INVALID_CHOICE.search(message)
        if choice:
            valid = re.findall(r"[\w./-]+", choice["valid"])
            return message + did_you_mean(choice["word"], valid)
        if message.startswith("unrecognized arguments: "):
            word = message.partition(": ")[2].split()[0].partition("=")[0]
            hint = did_you_mean(word, self._every_option()) or f"; see `{self.prog} --help`"
            return f"unknown argument {word!r}{hint}"
        return message

    def _every_option(self) -> list[str]:
        options = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for sub in action.choices.values():
                    options.extend(sub._option_string_actions)
        return options


def build_parser(*chosen: Command | None) -> Parser:
    """The parser of ``socrates``; only the chosen commands get their arguments filled in."""
    parser = Parser(
        prog="socrates",
        description="Are your tests any good, and would your system survive production?",
        epilog="Exit codes: 0 nothing found, 1 findings, 2 a mistake. `socrates COMMAND --help` says more.",
    )
    parser.add_argument("--version", action="version", version=f"socrates {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    names = {command.name for command in chosen if command is not None}
    for command in all_commands():
        sub = subparsers.add_parser(command.name, help=command.help, description=command.help)
        if command.name in names:
            command.add_arguments(sub)
    return parser


def all_commands() -> list[Command]:
    """Our commands, then those of plugins under names that are still free."""
    own = [_own(name, text) for name, text in _OWN]
    taken = {command.name for command in own}
    return own + [item for item in plugins.installed().commands() if item.name not in taken]


def find_command(argv: Sequence[str]) -> Command | None:
    """The command that the first word names, if it names one."""
    word = next((item for item in argv if not item.startswith("-")), None)
    return next((command for command in all_commands() if command.name == word), None)


def split_passthrough(argv: list[str], command: Command | None) -> tuple[list[str], list[str]]:
    """What to parse, and what follows ``--`` for a command that hands it on."""
    if command is None or not command.passthrough or "--" not in argv:
        return argv, []
    cut = argv.index("--")
    return argv[:cut], argv[cut + 1 :]


def _own(name: str, text: str) -> Command:
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        _module(name).add_arguments(parser)

    def run(args: argparse.Namespace) -> int:
        return _module(name).run(args)

    return Command(name, text, add_arguments, run)


class _CommandModule(Protocol):
    """What each of our command modules holds."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def _module(name: str) -> _CommandModule:
    return cast("_CommandModule", importlib.import_module(f"socrates.cli.{name}"))
