"""The report for people: one block per test, then the sum; coloured on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from rich.console import Console
from rich.text import Text

from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.report import coverage
from socrates_amplify.report.console import printed
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explanations
from socrates_amplify.report.questions import told
from socrates_amplify.report.words import counted, printable, shorten

_STYLES = {
    Status.RESILIENT: "green",
    Status.DEFECTIVE: "bold red",
    Status.SMELLY: "yellow",
    Status.NO_TARGETS: "dim",
    Status.FAILING: "red",
    Status.FLAKY: "magenta",
    Status.ERROR: "bold red",
    Status.NOT_RUN: "dim",
}
_QUIET = frozenset({Status.DEFECTIVE, Status.ERROR})
_NODE_WIDTH = 80
_MOST_FAULTS = 8
"""Lines about the faults of one defect. Only a search that the budget ended early finds more."""


def render(run: RunResult, context: ReportContext) -> str:
    """Every test, or when quiet only those with a defect or an error, then the sum."""
    return printed(lambda console: _show(run, console, context), context)


def _show(run: RunResult, console: Console, context: ReportContext) -> None:
    shown = [test for test in run.tests if not context.quiet or test.status in _QUIET]
    width = min(_NODE_WIDTH, max((len(run.place(test.nodeid)) for test in shown), default=0))
    for test in shown:
        for line in _lines_about(run, test, width, context.verbose):
            console.print(line, soft_wrap=True)
    if shown:
        console.print()
    if run.coverage is not None:
        for covered in coverage.lines_about(run.coverage):
            console.print(Text(printable(covered)), soft_wrap=True)
    if not context.quiet and (service := _blamed(run)):
        told = f'critical = ["{service}"], or faults.injected_on("{service}") in the test'
        told = f"If a test may fail while {service} is down, say so: {told}."
        console.print(Text(printable(told), style="dim"), soft_wrap=True)
    console.print(_summary(run), soft_wrap=True)


def _lines_about(run: RunResult, test: TestResult, width: int, verbose: bool) -> Iterator[Text]:
    """The lines about one test."""
    head = Text.assemble((printable(run.place(test.nodeid)).ljust(width), "bold"), "  ")
    head.append(test.status.value.ljust(10), style=_STYLES[test.status])
    head.append("  ")
    head.append(_remark(test))
    head.rstrip()
    yield head
    for before, found in zip((None, *test.defects), test.defects, strict=False):
        yield from _fault_lines(test, found)
        yield from _end_lines(run, found, before)
    if verbose:
        for number, question in enumerate(test.questions, start=1):
            cached = " (known)" if question.cached else ""
            yield Text(
                f"  {number:>3}. {printable(question.hypothesis)}: "
                f"{printable(question.answer)}{cached}",
                style="dim",
            )
        if test.speculation is not None:
            yield Text(f"  {told(test.speculation)}", style="dim")


def _remark(test: TestResult) -> str:
    match test.status:
        case Status.SMELLY:
            return ", ".join(test.smells)
        case Status.RESILIENT | Status.DEFECTIVE:
            parts = [counted(test.faults, "fault"), counted(test.executions, "execution")]
            if test.unresolved:
                parts.append(f"{test.unresolved} unresolved")
            cost = ", ".join(parts)
            return f"{cost}; {printable(test.note)}" if test.note else cost
        case _:
            return printable(test.note)


def _fault_lines(test: TestResult, found: FoundDefect) -> Iterator[Text]:
    """The faults in the order in which they happened; equal ones in a row are one line."""
    told = [
        (
            fault.what,
            printable(f"{fault.sender} -> {fault.receiver}"),
            shorten(printable(fault.message)),
            printable(why),
        )
        for fault, why in explanations(test, found)
    ]
    alike = [(row, len(list(rows))) for row, rows in groupby(told)][:_MOST_FAULTS]
    rows = [(_times(what, count), *rest) for (what, *rest), count in alike]
    widths = [max(len(row[column]) for row in rows) for column in range(3)] if rows else []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield Text.assemble(
            "  ", (cells[0], "red"), "  ", cells[1], "  ", (cells[2], "cyan"), "  ", row[3]
        )
    left = len(told) - sum(count for _, count in alike)
    if left > 0:
        yield Text(f"  and {counted(left, 'more fault')}, see the report")


def _end_lines(run: RunResult, found: FoundDefect, before: FoundDefect | None) -> Iterator[Text]:
    """How the test failed, unless the defect ``before`` failed alike, and what replays it."""
    failure = found.defect.failure
    same = before is not None and before.defect.failure == failure
    if not same:
        said = shorten(printable(f"{failure.type}: {failure.message}".rstrip(": ")), 100)
        place = printable(run.place(failure.location))
        yield Text.assemble("  ", (said, "red"), "   ", (place, "dim"))
    if not found.defect.minimal:
        yield Text(f"  not minimal: {printable(found.defect.note)}", style="yellow")
    replay = Text("  the same failure; replay: " if same else "  replay: ")
    replay.append(f"socrates replay {printable(found.replay)}", style="bold")
    if run.report and not same:
        replay.append(f"      report: {printable(run.report)}")
    yield replay


def _times(what: str, count: int) -> str:
    return what if count == 1 else f"{what}, {count} times"


def _blamed(run: RunResult) -> str:
    """The service whose outages alone make the most defects, which may be intended; else empty.

    Only defects count whose faults are all outages: not what is done twice after a lost reply, nor
    a test that still fails once the service is up again.
    """
    defects = [found.defect for test in run.tests for found in test.defects]
    while_down = [d.scenario.faults for d in defects if d.failure.type != NOT_RECOVERED]
    only = [faults for faults in while_down if all(kind_of(fault.kind).outage for fault in faults)]
    broken = Counter(service for faults in only for service in {fault.receiver for fault in faults})
    return max(sorted(broken), key=broken.__getitem__, default="")


def _summary(run: RunResult) -> Text:
    counts = [
        (f"{run.count(status)} {status.value}", _STYLES[status])
        for status in Status
        if run.count(status)
    ]
    line = Text()
    for number, (count, style) in enumerate(counts):
        line.append(", " if number else "")
        line.append(count, style=style)
    if not counts:
        line.append("no tests")
    line.append(f"; {counted(run.defects, 'defect')} in {counted(run.executions, 'execution')}")
    line.append(f", {run.duration:.1f} s")
    if run.interrupted:
        line.append("; interrupted, go on with --resume", style="yellow")
    return line
