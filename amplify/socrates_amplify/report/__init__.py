"""Results as text: one module and one row per format, each a pure function ``render``.

To add a format, write a module with ``render(result, context) -> str`` and add its row below:
``--output-format`` of every command, its help and its errors follow the table. What lives
elsewhere: where the text goes and whether it is coloured (``socrates_amplify.commands.output``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.formats import Format, FormatTable

if TYPE_CHECKING:  # the tables are needed for --help too
    from socrates_amplify.model.results import RunResult, TestResult, TracedTest
    from socrates_amplify.report.system_map import SystemMap

__all__ = ["MAPS", "ORDERS", "RESULTS", "TRACES", "ReportContext"]

RESULTS: FormatTable[RunResult] = FormatTable(
    Format("text", "socrates_amplify.report.text"),
    Format("json", "socrates_amplify.report.json_report"),
    Format("junit", "socrates_amplify.report.junit"),
    Format("sarif", "socrates_amplify.report.sarif"),
    Format("html", "socrates_amplify.report.page.html", choice=False),
)
"""The formats of ``socrates amplify`` and ``socrates merge``; ``--report`` writes the page."""

TRACES: FormatTable[TracedTest] = FormatTable(
    Format("tree", "socrates_amplify.report.trace_views.tree"),
    Format("json", "socrates_amplify.report.trace_views.json_trace"),
    Format("mermaid", "socrates_amplify.report.trace_views.mermaid"),
)
"""The formats of ``socrates trace``."""

ORDERS: FormatTable[TestResult] = FormatTable(
    Format("tree", "socrates_amplify.report.trace_views.orders_text"),
    Format("json", "socrates_amplify.report.trace_views.orders_json"),
)
"""The formats of ``socrates trace --orders``."""

MAPS: FormatTable[SystemMap] = FormatTable(
    Format("text", "socrates_amplify.report.map_views.text"),
    Format("json", "socrates_amplify.report.map_views.json_map"),
    Format("svg", "socrates_amplify.report.map_views.svg"),
    Format("mermaid", "socrates_amplify.report.map_views.mermaid"),
)
"""The formats of ``socrates map``."""
