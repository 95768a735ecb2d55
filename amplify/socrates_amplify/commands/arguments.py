"""The arguments of every subcommand. Imports nothing heavy: they are needed for ``--help`` too."""

from __future__ import annotations

import argparse
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.model.shards import Shard
from socrates_amplify.run.sharding import parse as parse_shard
from socrates_amplify.settings.table import EXECUTORS, FORMATS, GATES, parse_duration, parse_jobs

TRACE_FORMATS = ("tree", "json", "mermaid")


def amplify(parser: argparse.ArgumentParser) -> None:
    """``socrates amplify [PATHS | node ids] [-- pytest args]``."""
    parser.add_argument("targets", nargs="*", metavar="PATH", help="files, folders or node ids")
    _what(parser.add_argument_group("what to try"))
    how = parser.add_argument_group("how to search")
    _search(how)
    _execution(how)
    _results(parser.add_argument_group("what to write"))
    parser.add_argument(
        "--config", action="append", default=[], metavar="FILE", help="or a setting: KEY = VALUE"
    )
    parser.add_argument("--isolated", action="store_true", help="read no settings file")


def _what(what: argparse._ArgumentGroup) -> None:
    what.add_argument("--gate", choices=GATES, help="leave out smelly tests (default: fail-on)")
    what.add_argument("--faults", metavar="KINDS", help="kinds, by comma, like restart,status:503")
    what.add_argument(
        "--include", action="append", metavar="PATTERN", help="only these, like kind=restart,to=A*"
    )
    what.add_argument("--exclude", action="append", metavar="PATTERN", help="none of these")
    what.add_argument(
        "--honest-timeouts",
        action="store_true",
        default=None,
        help="a timeout takes as long as its caller waits",
    )
    what.add_argument("--allow-flaky", action="store_true", default=None, help="try these too")


def _search(how: argparse._ArgumentGroup) -> None:
    how.add_argument(
        "--explorer", metavar="NAME", help="socratic (default), dd, naive, exhaustive, static"
    )
    how.add_argument(
        "--scenario", action="append", type=Path, metavar="FILE", help="ask only this (static)"
    )
    how.add_argument("--pruner", metavar="NAME", help="none, patterns, causality")
    how.add_argument("--prioritiser", metavar="NAME", help="such as fan-in-desc, shuffle")
    how.add_argument("--budget", type=_positive, metavar="N", help="executions a test (100)")
    how.add_argument(
        "--time-budget", type=_duration, metavar="TIME", help="for the whole run, like 90s or 10m"
    )
    how.add_argument("--max-defects", type=_positive, metavar="N", help="a test (default: all)")
    how.add_argument(
        "--max-faults", type=_positive, metavar="N", help="a scenario, for exhaustive (any number)"
    )
    how.add_argument(
        "--no-reduction",
        dest="reduction",
        action="store_false",
        default=None,
        help="exhaustive: ask what can be inferred, too",
    )
    how.add_argument(
        "--repeat", type=_positive, metavar="N", help="runs under faults before it must recover (1)"
    )
    how.add_argument(
        "--recovery", type=_duration, metavar="TIME", help="that it may take to do so (5s)"
    )
    how.add_argument("--seed", type=int, metavar="N", help="for what is shuffled (0)")


def _execution(how: argparse._ArgumentGroup) -> None:
    how.add_argument("--jobs", type=_jobs, metavar="N|auto", help="executions at once (1)")
    how.add_argument(
        "--no-speculation",
        dest="speculation",
        action="store_false",
        default=None,
        help="never two executions of one test at once",
    )
    how.add_argument("--executor", choices=EXECUTORS, help="default: fork where it can serve")
    how.add_argument(
        "--address", metavar="HOST:PORT", help="of a Ray cluster (default: one on this machine)"
    )
    how.add_argument("--pip", metavar="FILE", help="requirements to install on Ray's nodes")
    how.add_argument(
        "--ship-limit", metavar="SIZE", help="how much of the project Ray's nodes may get (100MB)"
    )
    how.add_argument("--shard", type=_shard, metavar="I/N", help="only this part, like 2/5")
    how.add_argument(
        "--durations", type=Path, metavar="FILE", help="split by these (.socrates/durations.json)"
    )
    how.add_argument("--resume", action="store_true", help="reuse what is known of this very code")


def _results(out: argparse._ArgumentGroup) -> None:
    out.add_argument("--output-format", choices=FORMATS, default="text")
    out.add_argument("--output-file", type=Path, metavar="FILE", help="instead of stdout")
    out.add_argument("--report", type=Path, metavar="FILE.html", help="a page with diagrams")
    out.add_argument("--write-tests", type=Path, metavar="DIR", help="keep defects as tests")
    out.add_argument(
        "--coverage", action="store_true", default=None, help="of runs under faults, by file"
    )
    _talk(out)


def replay(parser: argparse.ArgumentParser) -> None:
    """``socrates replay SCENARIO.json [--pdb] [-- pytest args]``."""
    parser.add_argument("scenario", type=Path, metavar="SCENARIO.json")
    parser.add_argument("--pdb", action="store_true", help="stop in the debugger where it fails")
    _talk(parser)


def trace(parser: argparse.ArgumentParser) -> None:
    """``socrates trace NODEID [-- pytest args]``."""
    parser.add_argument("nodeid", metavar="NODEID", help="such as tests/test_a.py::test_b")
    parser.add_argument("--output-format", choices=TRACE_FORMATS, default="tree")
    _talk(parser)


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
    parser.add_argument("--output-format", choices=FORMATS, default="text")
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="instead of stdout")
    parser.add_argument("-q", "--quiet", action="store_true", help="only what was found")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _talk(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="only what was found")
    parser.add_argument("-v", "--verbose", action="store_true", help="every question asked")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return number


def _shard(text: str) -> Shard:
    try:
        return parse_shard(text)
    except SocratesError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None


def _jobs(text: str) -> int:
    try:
        return parse_jobs(text, "--jobs")
    except SocratesError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None


def _duration(text: str) -> float:
    try:
        return parse_duration(text, "--time-budget")
    except SocratesError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None
