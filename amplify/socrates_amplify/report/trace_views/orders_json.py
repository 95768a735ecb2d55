"""The orders of a test for programs: the passing run, the failing ones, and what was seen."""

from __future__ import annotations

import json
from dataclasses import asdict

from socrates_amplify.model.results import TestResult
from socrates_amplify.model.serial import trace_to_json
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.drawing.lanes import pairs_of


def render(test: TestResult, context: ReportContext) -> str:
    """One JSON document."""
    document = {
        "nodeid": test.nodeid,
        "note": test.note,
        "orders": None if test.orders is None else asdict(test.orders),
        "passing": trace_to_json(test.passing),
        "failing": [
            {
                "pairs": [{"late": held, "after": awaited} for held, awaited in pairs_of(found)],
                "failure": asdict(found.defect.failure),
                **trace_to_json(found.trace),
            }
            for found in test.defects
        ],
    }
    return json.dumps(document, indent=2) + "\n"
