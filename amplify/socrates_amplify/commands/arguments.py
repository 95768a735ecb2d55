"""The arguments of every subcommand. Imports nothing heavy: they are needed for ``--help`` too."""

from __future__ import annotations

import argparse
from pathlib import Path

from socrates_amplify.planning.sharding import parse as parse_shard
from socrates_amplify.report import MAPS, RESULTS, TRACES
from socrates_amplify.settings.flags import Group, add_flags
from socrates_amplify.settings.row import Topic
from socrates_amplify.settings.values import for_argparse


def amplify(parser: argparse.ArgumentParser) -> None:
    """``socrates amplify [PATHS | node ids] [-- pytest args]``."""
    parser.add_argument("targets", nargs="*", metavar="PATH", help="files, folders or node ids")
    what = parser.add_argument_group("what to try")
    add_flags(what, Topic.WHAT_TO_TRY, after={"exclude": _honest_timeouts})
    how = parser.add_argument_group("how to search")
    add_flags(how, Topic.SEARCH, after={"explorer": _scenario})
    add_flags(how, Topic.JOBS)
    add_flags(how, Topic.EXECUTOR)
    _shards(how)
    how.add_argument("--resume", action="store_true", help="reuse what is known of this very code")
    how.add_argument(
        "--since",
        default="",
        metavar="REF",
        help="run what changes since then concern, reuse the rest",
    )
    _results(parser.add_argument_group("what to write"))
    parser.add_argument(
        "--config", action="append", default=[], metavar="FILE", help="or a setting: KEY = VALUE"
    )
    parser.add_argument("--isolated", action="store_true", help="read no settings file")


def _honest_timeouts(group: Group) -> None:
    group.add_argument(
        "--honest-timeouts",
        action="store_true",
        default=None,
        help="a timeout takes as long as its caller waits",
    )


def _scenario(group: Group) -> None:
    group.add_argument(
        "--scenario", action="append", type=Path, metavar="FILE", help="ask only this (static)"
    )


def _shards(group: Group) -> None:
    group.add_argument(
        "--shard", type=for_argparse(parse_shard), metavar="I/N", help="only this part, like 2/5"
    )
    group.add_argument(
        "--durations", type=Path, metavar="FILE", help="split by these (.socrates/durations.json)"
    )


def _results(out: Group) -> None:
    out.add_argument("--output-format", choices=RESULTS.choices, default="text")
    out.add_argument("--output-file", type=Path, metavar="FILE", help="instead of stdout")
    out.add_argument("--report", type=Path, metavar="FILE.html", help="a page with diagrams")
    _show_tests(out)
    out.add_argument("--write-tests", type=Path, metavar="DIR", help="keep defects as tests")
    add_flags(out, Topic.RESULTS)
    _baseline(out)
    _talk(out)


def _baseline(group: Group) -> None:
    group.add_argument(
        "--baseline",
        nargs="?",
        const="",
        metavar="FILE",
        help="defects that this file accepts don't fail the run",
    )
    group.add_argument(
        "--write-baseline",
        nargs="?",
        const="",
        metavar="FILE",
        help="accept all defects of this run",
    )


def _show_tests(parser: argparse.ArgumentParser | Group) -> None:
    parser.add_argument(
        "--show-tests",
        action="store_true",
        help="every test of a group of defects, with its replay",
    )


def replay(parser: argparse.ArgumentParser) -> None:
    """``socrates replay SCENARIO.json [--pdb] [-- pytest args]``."""
    parser.add_argument("scenario", type=Path, metavar="SCENARIO.json")
    parser.add_argument("--pdb", action="store_true", help="stop in the debugger where it fails")
    _talk(parser)


def trace(parser: argparse.ArgumentParser) -> None:
    """``socrates trace NODEID [-- pytest args]``."""
    parser.add_argument("nodeid", metavar="NODEID", help="such as tests/test_a.py::test_b")
    parser.add_argument("--output-format", choices=TRACES.choices, default="tree")
    parser.add_argument(
        "--orders", action="store_true", help="lanes of a passing and of a failing order"
    )
    _talk(parser)


def map(parser: argparse.ArgumentParser) -> None:  # named as the command is
    """``socrates map``."""
    parser.add_argument("--output-format", choices=MAPS.choices, default="text")
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="instead of stdout")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the map itself")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def merge(parser: argparse.ArgumentParser) -> None:
    """``socrates merge REPORT.json... | STORE...``."""
    parser.add_argument(
        "inputs", nargs="+", type=Path, metavar="PATH", help="JSON reports, or .socrates folders"
    )
    parser.add_argument(
        "--into", type=Path, metavar="DIR", help="the project whose store takes the others in (.)"
    )
    parser.add_argument(
        "--allow-missing", action="store_true", help="merge though a shard's report is not there"
    )
    parser.add_argument("--output-format", choices=RESULTS.choices, default="text")
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="instead of stdout")
    _show_tests(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="only what was found")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _talk(parser: argparse.ArgumentParser | Group) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="only what was found")
    parser.add_argument("-v", "--verbose", action="store_true", help="every question asked")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
