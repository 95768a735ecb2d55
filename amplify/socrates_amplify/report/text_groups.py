"""Defects in the text for people: one entry per root cause, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.entries import entries, may_be_meant
from socrates_amplify.model.defect_groups.groups import DefectGroup
from socrates_amplify.model.faults import Fault, error_body, is_page
from socrates_amplify.model.judgement import DefectClass
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.entry_words import (
    for_each_function,
    headline,
    scope,
    some,
    told_beside,
    with_those_like_it,
)
from socrates_amplify.report.explain import explanations
from socrates_amplify.report.line import Line
from socrates_amplify.report.words import counted, printable, shorten, shorten_order

_STYLES = {Severity.INFO: "cyan", Severity.WARNING: "bold red", Severity.ERROR: "bold red"}
_MOST_FAULTS = 8
"""Lines about the faults of one defect. Only a search that the budget ended early finds more."""
_MOST_TESTS = 3
_MOST_BESIDE = 5
"""What is told with a warning."""
_MOST_MEANT = 6
"""Lines about one class of what may be meant; the rest is counted."""
_MOST_ALIKE = 3
"""Places that are named where the same happens as at another one."""
_TELLING = frozenset({DefectClass.EFFECT, DefectClass.STUCK, DefectClass.UNRECOVERED})
"""Classes whose faults are explained one by one: the class alone does not say what they changed."""


def lines_about(
    run: RunResult, groups: Sequence[DefectGroup], context: ReportContext
) -> Iterator[Line]:
    """All groups; those of a class that may be meant in short, a line each, the most common first."""
    told = entries(run, groups)
    meant = [group for group, *_ in told if may_be_meant(group)]
    for group, *beside in told[: len(told) - len(meant)]:
        yield from _entry(run, group, context, beside)
    if context.show_tests:
        for group in meant:
            yield from _entry(run, group, context)
    else:
        for _, alike in groupby(meant, lambda group: (group.severity, group.judgement.kind)):
            yield from _in_short(run, list(alike))
    if unreduced := _unreduced(groups):
        fail = "test fails" if len(unreduced) == 1 else "tests fail"
        said = f"{len(unreduced)} {fail} under several faults at once; the time ended before it was known which"
        yield Line(f"{said}: --resume goes on", style="dim")


def _unreduced(groups: Sequence[DefectGroup]) -> frozenset[str]:
    """The tests that fail under several faults, and nobody knows which of them it takes."""
    return frozenset(
        test.nodeid for one in groups for test, found in one.found if not found.is_known
    )


def fault_lines(test: TestResult, found: FoundDefect, *, telling: bool) -> Iterator[Line]:
    """The faults in the order in which they happened; equal ones in a row are one line."""
    told = [
        (
            fault.what,
            printable(f"{fault.sender} -> {fault.receiver}") if fault.receiver else "",
            _message(fault),
            printable(why) if telling else _body(fault),
        )
        for fault, why in explanations(test, found)
    ]
    alike = [(row, len(list(rows))) for row, rows in groupby(told)][:_MOST_FAULTS]
    rows = [(_times(what, count), *rest) for (what, *rest), count in alike]
    widths = [max(len(row[column]) for row in rows) for column in range(3)] if rows else []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        line = Line.of(
            "  ", (cells[0], "red"), "  ", cells[1], "  ", (cells[2], "cyan"), "  ", row[3]
        )
        line.rstrip()
        yield line
    left = len(told) - sum(count for _, count in alike)
    if left > 0:
        yield Line(f"  and {counted(left, 'more fault')}, see the report")


def _body(fault: Fault) -> str:
    """What was in an injected error reply: code may go wrong by it that looks at no status."""
    if not kind_of(fault.kind).answers or not fault.detail.isdecimal():
        return ""
    if is_page(fault):
        return "with a page of HTML as its body, as proxies answer"
    return f"with the body {error_body(int(fault.detail))}"


def _message(fault: Fault) -> str:
    brief = shorten_order if kind_of(fault.kind).schedules else shorten
    return brief(printable(fault.message))


def end_lines(run: RunResult, found: FoundDefect) -> Iterator[Line]:
    """How the test failed, and what replays it."""
    failure = found.defect.failure
    said = shorten(printable(f"{failure.type}: {failure.told}".rstrip(": ")), 100)
    place = printable(run.place(failure.location))
    yield Line.of("  ", (said, "red"), "   ", (place, "dim"))
    if not found.defect.minimal:
        yield Line(f"  not minimal: {printable(found.defect.note)}", style="yellow")
    yield _replay(found)


def _entry(
    run: RunResult, group: DefectGroup, context: ReportContext, beside: Sequence[DefectGroup] = ()
) -> Iterator[Line]:
    """A group in full; ``beside`` are those that are told with it."""
    yield Line.of(_class(group), "  ", _about(run, group, in_full=True))
    test, found = group.smallest
    telling = group.judgement.kind in _TELLING
    yield from fault_lines(test, found, telling=telling)
    if context.show_tests:
        yield from end_lines(run, found)
        for other, further in group.found[1:]:
            yield Line(f"  {printable(run.place(other.nodeid))}", style="bold")
            for line in (*fault_lines(other, further, telling=telling), *end_lines(run, further)):
                yield Line.of("  ", line)
        for one in beside:
            yield from _entry(run, one, context)
        return
    failure, replay = list(end_lines(run, found))[:-1], _replay(found)
    yield from failure
    yield Line(f"  {_tests(run, group)}")
    others = told_beside(group, beside)
    for said in others[:_MOST_BESIDE]:
        yield Line(f"  {printable(said)}")
    left = len(others) - _MOST_BESIDE
    if left > 0:
        yield Line(f"  and {left} more like these; --show-tests lists them")
    yield replay


def _in_short(run: RunResult, groups: Sequence[DefectGroup]) -> Iterator[Line]:
    """Groups of one class that may be meant: a line for each place, and the replay of the first."""
    groups = for_each_function(groups)
    first = groups[0]
    if groups[1:]:
        tests = {nodeid for group in groups for nodeid in group.tests}
        yield Line.of(_class(first), "  ", f"in {counted(len(tests), 'test')}")
        told = with_those_like_it(groups)
        for group, places in told[:_MOST_MEANT]:
            yield Line.of("  ", _about(run, group))
            for how, others in places.items():
                yield Line(f"  {how} {_elsewhere(run, others)}")
        if left := sum(1 + sum(map(len, places.values())) for _, places in told[_MOST_MEANT:]):
            yield Line(f"  and {left} more; --show-tests lists them", style="dim")
    else:
        yield Line.of(_class(first), "  ", _about(run, first))
    yield _replay(first.smallest[1])


def _elsewhere(run: RunResult, groups: Sequence[DefectGroup]) -> str:
    """``at 2 more places: pay (shop/pay.py:12), refund (shop/pay.py:31)``."""
    sites = dict.fromkeys(group.judgement.site for group in groups)
    named = [
        f"{site.name} ({run.place(site.place)})" if site.place else site.name for site in sites
    ]
    return f"at {counted(len(sites), 'more place')}: {printable(some(named, _MOST_ALIKE))}"


def _class(group: DefectGroup) -> Line:
    severity = group.severity
    kind = (group.judgement.kind.value, "bold")
    return Line.of((f"{severity.value:<7}", _STYLES[severity]), "  ", kind)


def _about(run: RunResult, group: DefectGroup, *, in_full: bool = False) -> Line:
    """What happened where; in short also by which faults, and in how many tests."""
    line = Line(printable(headline(run, group)))
    if not in_full:
        line.append(f" ({printable(scope(group))})", style="dim")
    if place := group.judgement.site.place:
        line.append(f"   {printable(run.place(place))}", style="dim")
    return line


def _tests(run: RunResult, group: DefectGroup) -> str:
    """How many tests show it, the first by name, and what else does the same."""
    names = [printable(run.place(nodeid)) for nodeid in group.tests]
    first = group.smallest[1].faults
    also = [what for what in group.faults if what not in {fault.what for fault in first}]
    more = f"; also by {some(also)}" if also else ""
    left = f", and {len(names) - _MOST_TESTS} more" if len(names) > _MOST_TESTS else ""
    return f"{counted(len(names), 'test')}: {', '.join(names[:_MOST_TESTS])}{left}{more}"


def _replay(found: FoundDefect) -> Line:
    line = Line("  replay: ")
    line.append(printable(found.command), style="bold")
    return line


def _times(what: str, count: int) -> str:
    return what if count == 1 else f"{what}, {count} times"
