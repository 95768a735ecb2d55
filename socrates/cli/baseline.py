"""``socrates baseline``: accept what is there, so that only new findings count."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from socrates import baseline
from socrates.cli import terminal
from socrates.cli.options import add_run_options, add_selection_options, flags_of
from socrates.config.find import shown
from socrates.files.looking import exists
from socrates.findings import Severity
from socrates.session import Session, accepted_entries, check, prepare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates baseline``."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="folders, files or node ids")
    parser.add_argument(
        "--output-file",
        "-o",
        metavar="FILE",
        help=f"the file to write (the setting `baseline`, else {baseline.DEFAULT_FILE})",
    )
    parser.add_argument(
        "--shrink", action="store_true", help="only drop entries that are fixed, add none"
    )
    add_selection_options(parser)
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0, or 2 when a plugin failed and the file was left alone."""
    asked = prepare(args.paths, config=args.config, isolated=args.isolated, flags=flags_of(args))
    # What is below min-severity is accepted too, or it would turn up as new when that is lowered;
    # and at its own severity, or an info of a strict project could become a warning unseen.
    own = replace(asked.settings, min_severity=Severity.INFO, strict=False)
    session = replace(asked, settings=own)
    path, root = _path(args, session)
    before = baseline.load(path, shown(path)) if args.shrink or exists(path) else []
    with terminal.ProgressBar(enabled=not args.quiet) as progress:
        found = check(session, use_cache=not args.no_cache, use_baseline=False, progress=progress)
    terminal.report_warnings(found.warnings)
    if terminal.report_failures(found.errors):
        return 2
    entries = accepted_entries(session, found, before, shrink=args.shrink)
    baseline.save(path, entries, shown(path), root)
    if not args.quiet:
        _tell(before, entries, shown(path))
    return 0


def _path(args: argparse.Namespace, session: Session) -> tuple[Path, Path | None]:
    """The file to write, and the folder that it has to lie in unless the user has named it."""
    if args.output_file:
        return Path(os.path.normpath(Path.cwd() / args.output_file)), None
    path = session.baseline_path or session.settings.root / baseline.DEFAULT_FILE
    return path, session.settings.border_of("baseline")


def _tell(before: list[baseline.Entry], after: list[baseline.Entry], name: str) -> None:
    old = {entry.fingerprint for entry in before}
    new = {entry.fingerprint for entry in after}
    text = f"{name}: {len(new)} accepted ({len(new - old)} added, {len(old - new)} dropped)\n"
    terminal.write_lines(text)
