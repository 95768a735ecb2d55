"""``socrates merge``: reports of shards to one report, stores of shards to one store."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from socrates.cli import terminal
from socrates.plugins import iter_errors
from socrates_amplify.commands import output
from socrates_amplify.extensions.collect import installed
from socrates_amplify.merge import report_files
from socrates_amplify.merge import results as merging
from socrates_amplify.merge import stores as merging_stores
from socrates_amplify.report.words import printable


def run(args: argparse.Namespace) -> int:
    """Merge; with reports, the exit code is that of one run of everything, else 0."""
    output.check_writable(args.output_file, "--output-file")
    files = [path for path in args.inputs if not path.is_dir()]
    stores = [merging_stores.find(path) for path in args.inputs if path.is_dir()]
    reports = [report_files.read(path) for path in files]
    merged = merging.merge(reports, allow_missing=args.allow_missing) if reports else None
    if stores:
        _merge_stores(stores, args)
    if merged is None:
        return 0
    document, notes = merged
    for note in notes:
        terminal.note(printable(note))
    extensions = installed()  # reports tell the faults of plugins in the plugins' own words
    result = merging.as_run(document)
    result = replace(result, errors=tuple(iter_errors(result.errors, extensions.failures)))
    terminal.report_failures(result.errors)
    output.write_result(result, args)
    output.tell_if_unexamined(result)
    return result.exit_code


def _merge_stores(stores: list[Path], args: argparse.Namespace) -> None:
    root = args.into or Path.cwd()
    done = merging_stores.merge(stores, root)
    if args.quiet:
        return
    told = f"{done.taken} tests taken into {root / '.socrates'}"
    if done.kept:
        told += f"; {done.kept} were known there, finished later"
    if done.codes > 1:
        told += (
            f"; {done.codes} versions of the code are in it, --resume reuses only the one at hand"
        )
    terminal.note(printable(told))
