"""The result of ``socrates check`` as text, in the formats that people and tools read.

One module per format, each a pure function ``pieces`` from a result and its context to strings, so
that no report has to be in memory as a whole. A format is
imported when it is asked for, so that ``json`` costs no terminal library. What lives elsewhere:
deciding the exit code, writing files, and whether there are colours (the command line).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import cast

from socrates.errors import SocratesError
from socrates.findings import CheckResult
from socrates.report.context import ReportContext, RuleInfo
from socrates.report.fingerprint import fingerprints
from socrates.report.statistics import statistics, statistics_rows

__all__ = [
    "FORMATS",
    "ReportContext",
    "RuleInfo",
    "fingerprints",
    "pieces",
    "render",
    "statistics",
    "statistics_rows",
]

_MODULES = {
    "full": "socrates.report.full",
    "concise": "socrates.report.concise",
    "grouped": "socrates.report.grouped",
    "json": "socrates.report.json_list",
    "json-lines": "socrates.report.json_lines",
    "sarif": "socrates.report.sarif",
    "github": "socrates.report.github",
    "gitlab": "socrates.report.gitlab",
    "junit": "socrates.report.junit",
    "html": "socrates.report.html.page",
}

FORMATS: tuple[str, ...] = tuple(_MODULES)


def render(result: CheckResult, output_format: str, context: ReportContext) -> str:
    """The report as one text: for tests, and for reports that are known to be small."""
    return "".join(pieces(result, output_format, context))


def pieces(result: CheckResult, output_format: str, context: ReportContext) -> Iterator[str]:
    """The report piece by piece; it ends with a newline, or is empty when there is nothing to say.

    No piece holds a lone surrogate, so that it can be written in UTF-8.
    """
    if output_format not in _MODULES:
        raise SocratesError(
            f"--output-format: no format '{output_format}'; choose one of {', '.join(FORMATS)}"
        )
    module = importlib.import_module(_MODULES[output_format])
    made = cast("Callable[[CheckResult, ReportContext], Iterator[str]]", module.pieces)
    return made(result, context)
