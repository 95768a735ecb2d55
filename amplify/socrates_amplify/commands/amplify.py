"""``socrates amplify``: from arguments to reports and an exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates.session import prepare
from socrates_amplify.commands import known_defects, output
from socrates_amplify.model.results import RunResult, Status
from socrates_amplify.report import RESULTS, ReportContext
from socrates_amplify.report.words import printable
from socrates_amplify.run import session
from socrates_amplify.run.progress import Progress
from socrates_amplify.run.request import RunRequest, shown
from socrates_amplify.settings.flags import given_flags
from socrates_amplify.store import regression_files, scenario_files
from socrates_amplify.store.folders import FOLDER


def run(args: argparse.Namespace) -> int:
    """Run, report, and say with the exit code what was found."""
    output.check_writable(args.output_file, "--output-file")
    output.check_writable(args.report, "--report")
    known_defects.take_targets_back(args)
    linter = prepare(args.targets, config=args.config, isolated=args.isolated)
    known = known_defects.read(args, linter)
    request = RunRequest(
        tuple(args.targets),
        tuple(args.passthrough),
        _flags(args),
        args.resume,
        args.since,
        tuple(scenario_files.read(path) for path in args.scenario or ()),
        shard=args.shard,
        durations=args.durations,
    )
    watching = not args.quiet and sys.stderr.isatty()
    console = output.console_for(args.color, stderr=True) if watching else None
    with Progress(console) as progress:
        result = session.run(request, linter, progress)
    result = _report(known.applied(result), args, request.cwd)
    for warning in result.warnings:
        terminal.note(f"warning: {printable(warning)}")
    terminal.report_failures(result.errors)
    output.write_result(result, args)
    if args.write_tests is not None:
        _keep_tests(result, args, request.cwd)
    if args.write_baseline is not None and not result.interrupted:
        known.write(result, quiet=args.quiet)
    if result.interrupted:
        # The report is written; Ctrl-C while Python shuts down would only change the exit code.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not (result.tests or result.interrupted or (result.shard and result.shard.collected)):
        raise SocratesError("no tests were collected; name files, folders or node ids of tests")
    output.tell_if_unexamined(result)
    return result.exit_code


def _report(result: RunResult, args: argparse.Namespace, cwd: Path) -> RunResult:
    """Write the HTML page: where ``--report`` says, else, if there are defects, into the store."""
    if args.report is None and not result.defects:
        return result
    folder = cwd / result.rootdir / FOLDER
    path = args.report or folder / "report.html"
    result = replace(result, report=shown(path.absolute(), cwd))
    page = RESULTS.render(result, "html", ReportContext(cwd))
    output.write_file(path, page, "--report", None if args.report else folder)
    return result


def _flags(args: argparse.Namespace) -> dict[str, object]:
    """What the command line says about settings; None where it says nothing."""
    flags = given_flags(args)
    if args.scenario and args.explorer is None:
        flags["explorer"] = "static"
    if args.honest_timeouts:
        flags["probes"] = {"http": {"honest-timeouts": True}}
    return flags


def _keep_tests(result: RunResult, args: argparse.Namespace, cwd: Path) -> None:
    scenarios = [
        cwd / found.replay
        for test in result.tests
        if test.status is Status.DEFECTIVE
        for found in test.defects
        if found.defect.minimal
    ]
    root = (cwd / result.rootdir).absolute()
    named = Path(os.path.abspath(args.write_tests))  # noqa: PTH100  # links are not followed here
    bound = root if root in named.parents else None
    written = regression_files.write(args.write_tests, scenarios, bound)
    if written is not None and not args.quiet:
        terminal.note(f"wrote {shown(written, cwd)}")
