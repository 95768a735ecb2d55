"""A trace for programs: the whole of it as one JSON document."""

from __future__ import annotations

import json

from socrates_amplify.model.results import TracedTest
from socrates_amplify.model.serial import trace_to_json
from socrates_amplify.report.context import ReportContext


def render(traced: TracedTest, context: ReportContext) -> str:
    """Every event of the trace, in order."""
    return json.dumps({"nodeid": traced.nodeid, **trace_to_json(traced.trace)}, indent=2) + "\n"
