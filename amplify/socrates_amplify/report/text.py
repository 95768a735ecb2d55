"""The report for people: defects by root cause, tests that need a look, then the sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.entries import entries
from socrates_amplify.model.defect_groups.groups import DefectGroup, shown_groups
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.outcomes import REPLACES
from socrates_amplify.model.results import NOTHING_SENT, OUT_OF_TIME, RunResult, Status, TestResult
from socrates_amplify.report import coverage, endless_waits, fault_coverage, text_groups
from socrates_amplify.report.console import printed_lines
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.line import Line
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
_NAMED = (Status.ERROR, Status.FAILING, Status.FLAKY)
"""Statuses whose tests are named: something is to be done about each."""
_REASONED = (Status.NO_TARGETS, Status.SMELLY, Status.NOT_RUN)
"""Statuses that are counted, with the reason that holds for most."""
_REPLIES = {"pass": "it passes", "fail": "it fails"}
_MOST_NAMED = 10
_MOST_REPLACED = 3
_NODE_WIDTH = 80
_LONGEST_NOTE = 160


def render(run: RunResult, context: ReportContext) -> str:
    """Defects, then tests that could not be asked, then one line of counts."""
    return printed_lines(_lines(run, context), context)


def _lines(run: RunResult, context: ReportContext) -> Iterator[Line]:
    groups = shown_groups(run)
    parts = [
        list(text_groups.lines_about(run, groups, context)),
        list(_tests(run, context)),
        list(_remarks(run, context)),
    ]
    for part in parts:
        yield from part
        if part:
            yield Line()
    yield _summary(run, groups, context)


def _tests(run: RunResult, context: ReportContext) -> Iterator[Line]:
    """Tests that are named: all when verbose, else those about which something is to be done."""
    if context.verbose:
        shown, left = list(run.tests), 0
    else:
        wanted = (Status.ERROR,) if context.quiet else _NAMED
        alike = _by_reason(
            [test for status in wanted for test in run.tests if test.status is status]
        )
        shown = [replace(tests[0], note=_with_others(tests)) for tests in alike[:_MOST_NAMED]]
        left = sum(map(len, alike[_MOST_NAMED:]))
    width = min(_NODE_WIDTH, max((len(run.place(test.nodeid)) for test in shown), default=0))
    for test in shown:
        yield from _lines_about(run, test, width, context.verbose)
    if left > 0:
        yield Line(f"and {left} more; -v lists them", style="dim")


def _by_reason(tests: Sequence[TestResult]) -> list[list[TestResult]]:
    """Tests of one status and one reason together: ``failed: KeyError`` is one, whatever its place."""
    alike: dict[tuple[object, ...], list[TestResult]] = {}
    for test in tests:
        alike.setdefault((test.status, *test.note.split(": ")[:2]), []).append(test)
    return list(alike.values())


def _with_others(tests: Sequence[TestResult]) -> str:
    note = shorten(tests[0].note, _LONGEST_NOTE)
    others = len(tests) - 1
    return f"{note}; and {counted(others, 'more test')} like it, -v lists them" if others else note


def _lines_about(run: RunResult, test: TestResult, width: int, verbose: bool) -> Iterator[Line]:
    """The lines about one test."""
    head = Line.of((printable(run.place(test.nodeid)).ljust(width), "bold"), "  ")
    head.append(test.status.value.ljust(10), style=_STYLES[test.status])
    head.append("  ")
    head.append(_remark(test))
    head.rstrip()
    yield head
    if verbose:
        for number, question in enumerate(test.questions, start=1):
            cached = " (known)" if question.cached else ""
            yield Line(
                f"  {number:>3}. {printable(question.hypothesis or 'what if all happen')}? "
                f"{printable(_reply(question.answer))}{cached}",
                style="dim",
            )
        if test.speculation is not None:
            from socrates_amplify.report.questions import told

            yield Line(f"  {told(test.speculation)}", style="dim")


def _reply(answer: str) -> str:
    """The answer to a question, as it is told behind it: ``it`` is the test."""
    found = next((verdict for verdict in _REPLIES if answer.startswith(verdict)), "")
    return _REPLIES.get(found, "") + answer.removeprefix(found)


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


def _remarks(run: RunResult, context: ReportContext) -> Iterator[Line]:
    """Coverage, the way out for services that are meant to be needed, and where to read on."""
    if run.coverage is not None:
        for covered in coverage.lines_about(run.coverage):
            yield Line(printable(covered))
    if not context.quiet and (service := _blamed(run)):
        said = f'critical = ["{service}"], or faults.injected_on("{service}") in the test'
        said = f"If a test may fail while {service} is down, say so: {said}."
        yield Line(printable(said), style="dim")
    smelly = run.count(Status.SMELLY)
    if not context.quiet and smelly > run.count(Status.RESILIENT) + run.count(Status.DEFECTIVE):
        them = "1 smelly test was" if smelly == 1 else f"{smelly} smelly tests were"
        said = f"{them} not examined: `socrates check` says why, --gate off examines all."
        yield Line(said, style="dim")
    if not context.quiet and not run.executions and (said := _replaced(run)):
        yield Line(printable(said), style="dim")
    if not context.quiet and (said := endless_waits.line_about(run)):
        yield Line(printable(said), style="dim")
    if run.fault_coverage.of and not context.quiet:
        style = "red" if run.missed else ""
        limit = run.fail_under if run.missed else 0.0
        yield Line(
            fault_coverage.line_about(run.fault_coverage, limit, run.count(Status.NOT_RUN)),
            style=style,
        )
    if run.report and run.defects:
        yield Line(f"report: {printable(run.report)}")
    if run.accepted:
        number = counted(len(run.accepted), "group")
        yield Line(f"Not shown: {number} of defects in the baseline.", style="dim")
    yield from _gone(run)


def _replaced(run: RunResult) -> str:
    """What to do where nothing is sent because tests patch the client, and what they patch most."""
    before = f"{NOTHING_SENT}: {REPLACES}"
    notes = [test.note.removeprefix(before) for test in run.tests if test.note.startswith(before)]
    if not notes:
        return ""
    names = Counter(name for note in notes for name in note.split(", "))
    most = ", ".join(name for name, _ in names.most_common(_MOST_REPLACED))
    them = "1 test replaces" if len(notes) == 1 else f"{len(notes)} tests replace"
    return (
        f"{them} what would send something ({most}). Where a fake stands for the service instead "
        "(responses, respx, a local server, a broker in memory), what is sent can be faulted."
    )


def _gone(run: RunResult) -> Iterator[Line]:
    """Accepted defects that are gone, and what drops them from the file."""
    if not run.gone:
        return
    said = "1 baseline entry is" if len(run.gone) == 1 else f"{len(run.gone)} baseline entries are"
    yield Line(f"{said} fixed; `socrates amplify --write-baseline` drops what is:", style="green")
    for label in run.gone:
        yield Line(f"  {printable(label)}")


def _blamed(run: RunResult) -> str:
    """The service whose outages most tests fail under in a way that may be intended, and that fails the run.

    Not where code slips over an outage, nor what is done twice after a lost reply, nor a test that still
    fails once the service is up again.
    """
    failing = [one for one in shown_groups(run) if one.severity.at_least(run.fail_on)]
    meant = [group for group in failing if group.judgement.kind.may_be_meant]
    faults = [found.faults for group in meant for _, found in group.found]
    outages = [struck for struck in faults if all(kind_of(fault.kind).outage for fault in struck)]
    broken = Counter(one for struck in outages for one in {fault.receiver for fault in struck})
    return max(sorted(broken), key=broken.__getitem__, default="")


def _summary(run: RunResult, groups: Sequence[DefectGroup], context: ReportContext) -> Line:
    line = Line()
    for status in Status:
        if run.count(status):
            line.append(", " if line else "")
            line.append(f"{run.count(status)} {status.value}", style=_STYLES[status])
            if status in _REASONED and not context.verbose:
                line.append(_usual_reason(run, status), style="dim")
            if status is Status.DEFECTIVE and not _warned(run):
                line.append(" (infos only)", style="dim")
            if status is Status.RESILIENT and (cut := _cut_short(run)):
                line.append(f" ({cut} of them not searched to the end: time)", style="dim")
    if not line:
        line.append("no tests")
    line.append(f"; {counted(run.defects, 'defect')} in {counted(run.executions, 'execution')}")
    line.append(f", {run.duration:.1f} s{_by_severity(run, groups)}")
    if run.resumed:
        line.append(f"; {printable(run.resumed)}")
    if run.interrupted:
        line.append("; interrupted, go on with --resume", style="yellow")
    return line


def _cut_short(run: RunResult) -> int:
    """How many tests are called resilient after a search that the time budget ended."""
    return sum(test.status is Status.RESILIENT and OUT_OF_TIME in test.note for test in run.tests)


def _warned(run: RunResult) -> bool:
    """Whether any defect is more than an info."""
    return any(found.severity.at_least(Severity.WARNING) for _, found in run.found)


def _by_severity(run: RunResult, groups: Sequence[DefectGroup]) -> str:
    """`` (2 warnings, 1 info)``: entries, which tell of root causes, not of defects."""
    severities = [entry[0].severity for entry in entries(run, groups)]
    words = [
        counted(severities.count(severity), severity.value)
        for severity in (Severity.WARNING, Severity.INFO)
        if severity in severities
    ]
    return f" ({', '.join(words)})" if words else ""


def _usual_reason(run: RunResult, status: Status) -> str:
    """Why tests have this status: the reason that holds for most of them."""
    reasons = Counter(
        reason for test in run.tests if test.status is status for reason in _reasons(test) if reason
    )
    if not reasons:
        return ""
    reason, count = reasons.most_common(1)[0]
    most = "" if count == run.count(status) else "most: "
    late = reasons[OUT_OF_TIME] if reason != OUT_OF_TIME else 0
    return f" ({most}{printable(reason)}{f'; {late}: {OUT_OF_TIME}' if late else ''})"


def _reasons(test: TestResult) -> tuple[str, ...]:
    return test.smells if test.status is Status.SMELLY else (test.note,)
