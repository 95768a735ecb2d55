"""The map of the system on the page of a run: a drawing, and every exchange as a row."""

from __future__ import annotations

from socrates_amplify.model.exchanges import Exchange
from socrates_amplify.model.results import RunResult, Status
from socrates_amplify.report.fault_coverage import line_about
from socrates_amplify.report.map_views import svg
from socrates_amplify.report.map_views.text import told_of
from socrates_amplify.report.markup import Markup, tag
from socrates_amplify.report.system_map import map_of

_MOST_ROWS = 400


def section(run: RunResult) -> Markup | None:
    """Who talks to whom and what was tried, if any test sent anything."""
    drawn = map_of(test.exchanges for test in run.tests)
    if not drawn.exchanges:
        return None
    covered = (
        f"{line_about(drawn.coverage, run.fail_under, run.count(Status.NOT_RUN))}.".capitalize()
    )
    rows = [_row(one) for one in drawn.exchanges[:_MOST_ROWS]]
    left = len(drawn.exchanges) - len(rows)
    header = tag("tr", *(tag("th", name) for name in ("From", "To", "What", "Faults")))
    return tag(
        "section",
        tag("h2", "Map"),
        tag("p", covered, class_="note") if drawn.coverage.of else None,
        tag("div", svg.drawing(drawn), class_="canvas"),
        tag(
            "details",
            tag("summary", tag("h3", "Every exchange")),
            tag("table", tag("thead", header), tag("tbody", *rows)),
            tag("p", f"{left} more: socrates map lists them.", class_="note") if left > 0 else None,
            class_="part",
        ),
    )


def _row(one: Exchange) -> Markup:
    sent = one.site or one.sender
    return tag(
        "tr",
        tag("td", sent, class_="name"),
        tag("td", one.receiver, class_="name"),
        tag("td", one.what, class_="name"),
        tag("td", told_of(one)),
    )
