"""What a report may ask for beside the result: plain data, so that no report looks at a terminal."""

from __future__ import annotations

from pathlib import Path

from socrates.classes.lazy import dataclass


@dataclass(frozen=True, slots=True)
class ReportContext:
    """The surroundings of one report.

    ``cwd`` is the folder that the user is in: paths that tools resolve are relative to it. Reports
    for people leave out what is fine when ``quiet``, list every test and question when ``verbose``,
    unfold groups of defects with ``show_tests``, and draw with what ``encoding`` can say.
    """

    cwd: Path
    quiet: bool = False
    verbose: bool = False
    show_tests: bool = False
    color: bool = False
    encoding: str = "utf-8"
