"""The page's table of what runs under faults covered beyond the suite."""

from __future__ import annotations

from socrates_amplify.model.coverage import Coverage
from socrates_amplify.report.coverage import lines_about, ranges
from socrates_amplify.report.markup import Markup, tag


def section(coverage: Coverage) -> Markup:
    """For the page: one row per file."""
    names = ("Statements", "Suite", "Under faults, too")
    header = tag(
        "tr",
        tag("th", "File"),
        *(tag("th", name, class_="number") for name in names),
        tag("th", "Lines that only runs under faults reached"),
    )
    rows = [
        tag(
            "tr",
            tag("td", file.filename, class_="name"),
            *(
                tag("td", str(number), class_="number")
                for number in (file.statements, file.suite, file.amplified)
            ),
            tag("td", ranges(file.added)),
        )
        for file in coverage.files
    ]
    total, *_ = lines_about(coverage)
    return tag(
        "section",
        tag("h2", "Coverage"),
        tag("p", f"{total}.".capitalize(), class_="note"),
        tag("table", tag("thead", header), tag("tbody", *rows)),
    )
