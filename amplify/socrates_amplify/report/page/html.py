"""One self-contained HTML page about a run: no script, no network, every name escaped.

The content security policy allows our own style sheet by its hash and nothing else, so even a
mistake in escaping could not run or load anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources

import socrates
from socrates_amplify.model.defect_groups.groups import shown_groups
from socrates_amplify.model.kinds import CIRCUMSTANCE, kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.report import questions
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.map_views import svg
from socrates_amplify.report.markup import Markup, join, tag
from socrates_amplify.report.page import causality_graph as causality
from socrates_amplify.report.page import (
    coverage_table,
    html_groups,
    lane_drawing,
    map_section,
    order_matrix,
    sequence,
)
from socrates_amplify.report.words import counted

_DETAILED = frozenset({Status.DEFECTIVE, Status.RESILIENT})

_MAX_RESILIENT = 40
"""How many tests without defects get a section; the tables have them all."""
_FEW_TESTS = 12
"""Up to so many tests, their tables are not folded away."""


def render(run: RunResult, context: ReportContext) -> str:
    """The whole page."""
    style = resources.files("socrates_amplify.report.page").joinpath("style.css").read_text("utf-8")
    groups = shown_groups(run)
    filters = html_groups.filters_of(run, groups)
    style += svg.style_sheet() + filters.style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", _headline(run)),
        tag("style", Markup(style)),
    )
    numbered = list(enumerate(run.tests, start=1))
    detailed = _detailed(run)
    linked = {test.nodeid: place for place, test in numbered if place in detailed}
    body = tag(
        "body",
        tag(
            "main",
            tag("h1", _headline(run)),
            tag("p", f"{run.executions} executions, {run.duration:.1f} s", class_="note"),
            _tiles(run),
            filters.form(),
            html_groups.section(run, groups, filters, linked),
            map_section.section(run),
            None if run.coverage is None else coverage_table.section(run.coverage),
            *_tables(numbered, detailed, filters),
            *(
                _section(place, test, filters, len(numbered) <= _FEW_TESTS)
                for place, test in numbered
                if place in detailed
            ),
            tag("footer", f"Written by socrates amplify {socrates.__version__}."),
        ),
    )
    return f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'


def _detailed(run: RunResult) -> set[int]:
    """The tests with a section of their own: all with defects, and the first resilient ones."""
    places: dict[Status, list[int]] = {status: [] for status in _DETAILED}
    for place, test in enumerate(run.tests, start=1):
        if test.status in places:
            places[test.status].append(place)
    return {*places[Status.DEFECTIVE], *places[Status.RESILIENT][:_MAX_RESILIENT]}


def _headline(run: RunResult) -> str:
    if not run.tests:
        return "No tests were amplified"
    tested = sum(test.status in _DETAILED for test in run.tests)
    if not run.defects:
        return f"No defects in {counted(tested, 'amplified test')}"
    return f"{counted(run.defects, 'defect')} in {counted(tested, 'amplified test')}"


def _tiles(run: RunResult) -> Markup:
    counts = [(run.count(status), status.value) for status in Status if run.count(status)]
    return tag(
        "ul",
        *(tag("li", tag("b", str(number)), tag("span", name)) for number, name in counts),
        class_="tiles",
    )


def _tables(
    numbered: list[tuple[int, TestResult]], detailed: set[int], filters: html_groups.Filters
) -> Iterator[Markup]:
    """The tests by status; folded away where there are many, so that a long list is one line."""
    for status in sorted(Status, key=lambda status: status is not Status.DEFECTIVE):
        listed = [(place, test) for place, test in numbered if test.status is status]
        if listed:
            title = tag("h3", counted(len(listed), f"{status.value} test"))
            yield tag(
                "details",
                tag("summary", title),
                _table(listed, detailed),
                class_="part tested",
                data_has=filters.mark_status(status.value),
                open="" if len(numbered) <= _FEW_TESTS else None,
            )


def _table(numbered: list[tuple[int, TestResult]], detailed: set[int]) -> Markup:
    header = tag(
        "tr",
        tag("th", "Test"),
        tag("th", "Status"),
        *(tag("th", name, class_="number") for name in ("Targets", "Faults", "Executions")),
        tag("th", "Remark"),
    )
    return tag(
        "table",
        tag("thead", header),
        tag("tbody", *(_table_row(place, test, place in detailed) for place, test in numbered)),
    )


def _table_row(place: int, test: TestResult, linked: bool) -> Markup:
    name = tag("a", test.nodeid, href=f"#test-{place}") if linked else join(test.nodeid)
    return tag(
        "tr",
        tag("td", name, class_="name"),
        tag("td", _status(test)),
        *(
            tag("td", str(number) if number else "", class_="number")
            for number in (test.targets, test.faults, test.executions)
        ),
        tag("td", ", ".join(test.smells) or test.note),
    )


def _status(test: TestResult) -> Markup:
    return tag("span", test.status.value, class_=f"status {test.status.value}")


def _section(place: int, test: TestResult, filters: html_groups.Filters, opened: bool) -> Markup:
    """One test in full; folded away up to its name where there are many."""
    told = tag(
        "details",
        tag("summary", tag("header", tag("h2", test.nodeid), _status(test))),
        tag(
            "p",
            f"{counted(test.targets, 'target')}, {counted(test.faults, 'fault')}, "
            f"{counted(test.executions, 'execution')}, {test.unresolved} unresolved"
            + (f"; {test.note}" if test.note else ""),
            class_="note",
        ),
        *(_defect(test, found) for found in test.defects),
        *(_reused() if test.reused else _how_it_went(test)),
        open="" if opened else None,
    )
    return tag(
        "section",
        told,
        class_="test",
        id=f"test-{place}",
        data_has=filters.mark_status(test.status.value),
    )


def _reused() -> Iterator[Markup]:
    """In place of traces, which are those of an earlier run."""
    told = "Known from an earlier run, since nothing that it depends on has changed."
    yield tag("p", told, class_="note")


def _how_it_went(test: TestResult) -> Iterator[Markup]:
    """The passing run, and the search."""
    faulted = {fault.target for found in test.defects for fault in found.defect.scenario}
    pruned = {fault.target for fault in test.pruned} - faulted
    asked = {fault.target for question in test.questions for fault in question.scenario}
    if not _only_circumstances(test):
        yield _part(
            "What led to what",
            bool(test.defects),
            _legend(
                ("faulted", "faulted in a defect"),
                ("faultable", "could be faulted"),
                ("pruned", "pruned: cannot have caused the failure"),
            ),
            tag(
                "div",
                causality.graph(test.control, faulted=faulted, faultable=asked, pruned=pruned),
                class_="canvas",
            ),
        )
    if test.orders is not None and test.orders.receivers:
        yield _part(
            "Which orders were seen",
            bool(test.defects),
            _legend(*order_matrix.WORDS.items()),
            order_matrix.matrices(test.orders),
        )
    yield _part(
        "The search, question by question",
        True,
        questions.tree(test.questions)
        if test.questions
        else tag("p", "No question was needed.", class_="note"),
        tag("p", questions.told(test.speculation), class_="note") if test.speculation else None,
    )


def _only_circumstances(test: TestResult) -> bool:
    """Whether the test sent nothing and only circumstances were tried: there is no graph then."""
    asked = {fault.kind for question in test.questions for fault in question.scenario}
    around = all(CIRCUMSTANCE in kind_of(kind).channels for kind in asked)
    return not test.control.sends and bool(asked) and around


def _defect(test: TestResult, found: FoundDefect) -> Markup:
    if test.reused:
        return html_groups.story(test, found)
    if lane_drawing.is_of_orders(found):
        return join(html_groups.story(test, found), *_orders(test, found))
    targets = {fault.target for fault in found.defect.scenario}
    return join(
        html_groups.story(test, found),
        tag("h3", "The passing run beside the failing one"),
        _legend(("faulted", "fault"), ("changed", "differs from the other run")),
        tag(
            "div",
            _run("Passing", sequence.diagram(test.control, found.trace, targets)),
            _run("Failing", sequence.diagram(found.trace, test.control, targets)),
            class_="pair",
        ),
    )


def _orders(test: TestResult, found: FoundDefect) -> Iterator[Markup]:
    passing, failing = lane_drawing.drawings(test, found)
    yield tag("h3", "The order that passes beside the one that fails")
    yield _legend(("letter", "their order decides: the same letters in both runs"))
    yield tag("div", _run("Passing", passing), _run("Failing", failing), class_="pair")


def _part(title: str, opened: bool, *content: Markup | None) -> Markup:
    """A part of a section that can be folded away; those of tests without defects start folded."""
    return tag(
        "details",
        tag("summary", tag("h3", title)),
        *content,
        class_="part",
        open="" if opened else None,
    )


def _run(title: str, drawing: Markup) -> Markup:
    return tag("div", tag("h4", title), tag("div", drawing, class_="canvas"))


def _legend(*entries: tuple[str, str]) -> Markup:
    return tag(
        "div",
        *(tag("span", tag("i", class_=style), words) for style, words in entries),
        class_="legend",
    )
