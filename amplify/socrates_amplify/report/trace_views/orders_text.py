"""The orders of a test for people: lanes of a passing run and of each failing one, and what was seen
of the pairs that nothing orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from socrates_amplify.model.events import Trace
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.order_coverage import (
    BOTH,
    BROKE,
    IMPOSSIBLE,
    ONE,
    OrderCoverage,
    ReceiverOrders,
)
from socrates_amplify.model.results import FoundDefect, TestResult
from socrates_amplify.report.console import printed
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.drawing.folding import folded
from socrates_amplify.report.drawing.lanes import Moment, lanes_of, marks_of, moments_of, pairs_of
from socrates_amplify.report.words import counted, printable, shorten

_WIDEST = 60
_CELLS = {BOTH: "●", ONE: "◐", IMPOSSIBLE: "-", BROKE: "x", "": " "}
_STYLES = {BOTH: "green", ONE: "yellow", IMPOSSIBLE: "dim", BROKE: "bold red", "": ""}
_ASCII = str.maketrans({"│": "|", "●": "o", "◐": "/", "…": "~"})
_LEGEND = "● seen in both orders  ◐ in one  x the other one breaks the test  - the other one is impossible"


def render(test: TestResult, context: ReportContext) -> str:
    """Lanes of the passing run, lanes of each failing one, then a triangle for each receiver."""
    drawn = printed(
        lambda console: _show(test, console), ReportContext(context.cwd, color=context.color)
    )
    try:
        drawn.encode(context.encoding)
    except UnicodeEncodeError:
        drawn = drawn.translate(_ASCII).encode(context.encoding, "replace").decode(context.encoding)
    return drawn


def _show(test: TestResult, console: Console) -> None:
    console.print(Text(printable(test.nodeid), style="bold"), soft_wrap=True)
    if test.note:
        console.print(Text(printable(test.note)), soft_wrap=True)
    if not test.defects:
        passing = moments_of(test.passing, {})
        _print_run(console, "passes", "green", passing, lanes_of(passing))
    for found in test.defects:
        _print_defect(console, test.passing, found)
    if test.orders is not None:
        _print_triangles(console, test.orders)


def _told(found: FoundDefect, marks: Mapping[str, str]) -> str:
    """``with A after B``; other faults of the scenario by their names."""
    orders = [f"{marks[held]} after {marks[awaited]}" for held, awaited in pairs_of(found)]
    others = [fault.what for fault in found.faults if not kind_of(fault.kind).schedules]
    return "with " + ", ".join([*orders, *others])


def _print_defect(console: Console, passing_trace: Trace, found: FoundDefect) -> None:
    marks, failure = marks_of(found), found.defect.failure
    passing, failing = moments_of(passing_trace, marks), moments_of(found.trace, marks)
    lanes = lanes_of(passing, failing)
    _print_run(console, "passes", "green", passing, lanes)
    told = shorten(f"{failure.type}: {failure.message}", 90)
    _print_run(console, f"fails {_told(found, marks)}: {told}", "bold red", failing, lanes)
    came = {one.name for one in failing}
    for name, mark in marks.items():
        if name not in came:
            console.print(Text(f"  {mark} never comes", style="bold magenta"))


def _print_run(
    console: Console, title: str, style: str, moments: Sequence[Moment], lanes: Sequence[str]
) -> None:
    if not moments:
        return
    console.print()
    console.print(Text(printable(title), style=style), soft_wrap=True)
    for place, lane in enumerate(lanes):
        console.print(Text("  " + "│ " * place + printable(lane), style="cyan"), soft_wrap=True)
    for row in folded(moments):
        console.print(_line(row, lanes), soft_wrap=True)


def _line(row: Moment | int, lanes: Sequence[str]) -> Text:
    if isinstance(row, int):
        return Text(f"  {counted(row, 'row')} more", style="dim")
    line = Text("  ")
    for lane in lanes:
        if lane == row.lane:
            line.append(row.mark or "●", style="bold magenta" if row.mark else "")
        else:
            line.append("│", style="dim")
        line.append(" ")
    who = "" if row.lane == row.sender else f"  from {row.sender}"
    told = shorten(printable(row.label), _WIDEST) + printable(who)
    line.append(f" {told}", style="bold magenta" if row.mark else "")
    if row.failed:
        line.append(f"  fails: {shorten(printable(row.failed))}", style="red")
    return line


def _print_triangles(console: Console, orders: OrderCoverage) -> None:
    for receiver in orders.receivers:
        console.print()
        for line in _triangle(receiver):
            console.print(line, soft_wrap=True)
    if orders.receivers:
        console.print()
        console.print(Text(_LEGEND, style="dim"), soft_wrap=True)


def _triangle(orders: ReceiverOrders) -> Iterator[Text]:
    labels = [shorten(printable(message), _WIDEST) for message in orders.messages]
    head = printable(orders.receiver)
    width = max(map(len, labels)) + 6
    numbers = " ".join(f"{place:>2}" for place in range(1, len(labels)))
    yield Text.assemble((head.ljust(width), "cyan"), (numbers, "dim"))
    for place, (label, row) in enumerate(zip(labels, orders.rows, strict=True), start=1):
        line = Text(f"  {place:>2} {label}".ljust(width))
        for cell in row:
            line.append(f" {_CELLS[cell]} ", style=_STYLES[cell])
        line.rstrip()
        yield line
    if orders.left_out:
        yield Text(f"  {counted(orders.left_out, 'message')} more", style="dim")
