"""``json-lines``: one finding per line, for tools that read a stream."""

from __future__ import annotations

import json

from socrates.findings import CheckResult
from socrates.report.context import ReportContext
from socrates.report.json_list import as_list


def render(result: CheckResult, context: ReportContext) -> str:
    """Each finding as the same object as in ``json``, on a line of its own."""
    return "".join(f"{json.dumps(entry)}\n" for entry in as_list(result))
