"""Flags that several commands share, and how flags become settings."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from socrates.config.schema import SETTINGS
from socrates.errors import SocratesError
from socrates.syntax import PARSERS


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Which rules and files."""
    rules = parser.add_argument_group("rules")
    for flag, text in (
        ("--select", "check these rules only: codes, names, prefixes or ALL"),
        ("--extend-select", "check these rules too"),
        ("--ignore", "leave these rules out"),
    ):
        rules.add_argument(flag, action="append", metavar="RULES", help=text)
    rules.add_argument(
        "--per-file-ignores",
        action="append",
        metavar="GLOB:RULES",
        help="leave rules out in files that match, such as 'tests/e2e/*:SOC105,eager-test'",
    )
    rules.add_argument(
        "--strict",
        action=argparse.BooleanOptionalAction,
        help="raise every info to warning",
    )
    files = parser.add_argument_group("files")
    files.add_argument("--exclude", action="append", metavar="GLOBS", help="skip these paths")
    files.add_argument(
        "--extend-exclude", action="append", metavar="GLOBS", help="skip these paths too"
    )
    files.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        help="skip what git ignores (on)",
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """How to run, and how much to say."""
    group = parser.add_argument_group("run")
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE|SETTING",
        help="use this file, or set one thing: 'strict = true'",
    )
    group.add_argument("--isolated", action="store_true", help="read no settings file")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    group.add_argument("--cache-dir", metavar="FOLDER", help="where results are kept")
    group.add_argument("--jobs", "-j", type=int, metavar="N", help="processes (as many as cores)")
    group.add_argument(
        "--parser", choices=PARSERS, help="which parser goes first (auto: Python's own)"
    )
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("--quiet", "-q", action="store_true", help="print findings only")
    volume.add_argument("--verbose", "-v", action="store_true", help="say what is done, on stderr")
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours (auto)"
    )


def flags_of(args: argparse.Namespace) -> dict[str, object]:
    """The settings that flags set, in the form that a file would give them."""
    flags: dict[str, object] = {}
    for setting in SETTINGS:
        value = getattr(args, setting.field, None)
        if value is None:
            continue
        if setting.type in ("rules", "texts"):
            value = split_list(value)
        elif setting.type == "rules-by-pattern":
            value = split_ignores(value)
        elif setting.key in ("baseline", "cache-dir"):
            value = str(Path.cwd() / value)
        flags[setting.key] = value
    return flags


def split_list(values: Iterable[str]) -> list[str]:
    """``["a,b", "c"]`` as ``["a", "b", "c"]``."""
    return [item.strip() for value in values for item in value.split(",") if item.strip()]


def split_ignores(values: Iterable[str]) -> dict[str, list[str]]:
    """``["tests/*:SOC1,SOC2,b.py:SOC3"]`` as a table: a word with a colon starts a new glob."""
    table: dict[str, list[str]] = {}
    for value in values:
        pattern = ""
        for word in split_list([value]):
            head, colon, rule = word.rpartition(":")
            if colon:
                pattern = head
            if not pattern or not rule:
                raise SocratesError(
                    f"--per-file-ignores: {value!r} is not GLOB:RULES, such as 'tests/*:SOC105'"
                )
            table.setdefault(pattern, []).append(rule)
    return table
