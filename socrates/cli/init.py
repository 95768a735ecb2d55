"""``socrates init``: show what would be written, ask, write."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates.files.looking import is_folder

if TYPE_CHECKING:
    from socrates.init import FileChange


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates init``."""
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="the project (.)")
    parser.add_argument("--yes", "-y", action="store_true", help="write without asking")
    parser.add_argument(
        "--no-pre-commit", action="store_true", help="leave .pre-commit-config.yaml alone"
    )


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0; nothing is written unless the user said so."""
    from socrates.init import look, plan
    from socrates.init.look import HOOK_FILE

    folder = Path(args.folder).resolve()
    if not is_folder(folder):
        raise SocratesError(f"init: {args.folder}: no such folder")
    found = look(folder)
    made = plan(found)
    changes = [c for c in made.changes if not (args.no_pre_commit and c.filename == HOOK_FILE)]
    terminal.write_lines("\n".join(made.notes))
    if not changes:
        terminal.write_stdout("Nothing to write.\n")
        return 0
    terminal.write_lines("\n" + "\n".join(_shown(change) for change in changes))
    if not args.yes and not _agrees(changes):
        return 0
    for change in changes:
        _write(found.root, change)
        terminal.write_stdout(f"wrote {change.filename}\n")
    return 0


def _shown(change: FileChange) -> str:
    if not change.show:
        return f"new file {change.filename} ({change.after.count(chr(10))} lines)\n"
    before = (change.before or "").splitlines(keepends=True)
    after = change.after.splitlines(keepends=True)
    old = "/dev/null" if change.before is None else f"a/{change.filename}"
    diff = difflib.unified_diff(before, after, old, f"b/{change.filename}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in diff)


def _agrees(changes: list[FileChange]) -> bool:
    names = ", ".join(change.filename for change in changes)
    if not sys.stdin.isatty():
        terminal.note(f"nothing written; `socrates init --yes` writes {names}")
        return False
    terminal.write_stdout(f"\nWrite {names}? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(root: Path, change: FileChange) -> None:
    """Write what was shown, over what was shown: never over anything else, nor elsewhere."""
    from socrates.files.writing import Failed, NotWritten, write_new, write_over

    path = root / change.filename
    data = change.after.encode("utf-8")
    try:
        if change.before is None:
            write_new(path, data, root)
        else:
            write_over(path, change.before.encode("utf-8"), data, root)
    except Failed as error:
        raise SocratesError(f"init: {path.name}: cannot be written: {error.reason}") from None
    except NotWritten as reason:
        raise SocratesError(f"init: {path.name}: left alone, {reason}") from None
