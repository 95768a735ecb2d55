"""``json-lines``: one finding per line, for tools that read a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator

from socrates.findings import CheckResult
from socrates.report.context import ReportContext
from socrates.report.json_list import as_dict


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """Each finding as the same object as in ``json``, on a line of its own."""
    return (f"{json.dumps(as_dict(finding, context))}\n" for finding in result.findings)
