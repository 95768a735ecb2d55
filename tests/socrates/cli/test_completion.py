"""Completion scripts of a small command line, word for word as the files in ``data`` have them (see ``kept``)."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from socrates.cli import completion


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="socrates")
    made.add_argument("--version", "-V", action="store_true", help="say [it]: now")
    commands = made.add_subparsers()
    check = commands.add_parser("check", help="look: it's all there")
    check.add_argument("paths", nargs="*", metavar="PATH", help="folders or files")
    check.add_argument("--format", "-f", choices=("text", "json"), help="how to say it")
    check.add_argument("--output-file", "-o", metavar="FILE", help="where to")
    check.add_argument("--jobs", type=int, metavar="N", help="how many at once")
    check.add_argument("--quiet", action=argparse.BooleanOptionalAction, help="say less")
    check.add_argument("--hidden", help=argparse.SUPPRESS)
    rule = commands.add_parser("rule", help="explain one")
    rule.add_argument("name", choices=("one", "two"))
    commands.add_parser("lsp", help="speak")
    return made


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(shell: str, kept: Callable[[str, str], str]) -> None:
    made = parser()
    told = completion._SHELLS[shell](completion._flags(made), completion._commands(made))
    assert told == kept(f"completion.{shell}", told)
