"""Defects in the text for people: one entry per root cause, the worst first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from socrates.findings import Severity
from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.faults import Fault, error_reply
from socrates_amplify.model.groups import HAVING, DefectGroup, each_once
from socrates_amplify.model.judgement import DefectClass
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explanations
from socrates_amplify.report.line import Line
from socrates_amplify.report.words import counted, printable, shorten, shorten_order

_STYLES = {Severity.INFO: "cyan", Severity.WARNING: "bold red", Severity.ERROR: "bold red"}
_BESIDE = later(r"(?<![^\s(])\.\./[^\s()]+:\d+")
"""A place outside of the folder that the tests' root is."""
_MOST_FAULTS = 8
"""Lines about the faults of one defect. Only a search that the budget ended early finds more."""
_MOST_TESTS = 3
_MOST_INFOS = 10
"""Entries below ``fail-on``; the rest is counted."""
_TELLING = frozenset({DefectClass.EFFECT, DefectClass.STUCK, DefectClass.UNRECOVERED})
"""Classes whose faults are explained one by one: the class alone does not say what they changed."""


def lines_about(
    run: RunResult, groups: Sequence[DefectGroup], context: ReportContext
) -> Iterator[Line]:
    """All groups; those that don't fail the run in short, and not all of them if there are many."""
    told = entries(run, groups)
    failing = [entry for entry in told if entry[0].severity.at_least(run.fail_on)]
    for group, *beside in failing:
        yield from _entry(run, group, context, beside)
    others = told[len(failing) :]
    if context.show_tests:
        for group in (one for entry in others for one in entry):
            yield from _entry(run, group, context)
        return
    for group, *alike in others[:_MOST_INFOS]:
        yield _head(run, group, alike)
        yield _replay(group.smallest[1])
    left = sum(map(len, others[_MOST_INFOS:]))
    if left:
        yield Line(f"and {left} more of severity info; --show-tests lists them", style="dim")


def entries(run: RunResult, groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """The groups that are told together, of all groups; those that fail the run first.

    What some tests get as an honest error, and is a 500 or a gap at the same call for others, is told with that.
    """
    failing = [[group] for group in groups if group.severity.at_least(run.fail_on)]
    others: list[DefectGroup] = []
    for group in groups:
        if not group.severity.at_least(run.fail_on):
            same = (entry for entry in failing if _is_the_same_error(group, entry[0]))
            next(same, others).append(group)
    return failing + _alike(others)


def _is_the_same_error(honest: DefectGroup, failing: DefectGroup) -> bool:
    one, other = honest.judgement, failing.judgement
    if one.kind is not DefectClass.PASSED_ON or one.site.key != other.site.key:
        return False
    broken = f", but {honest.raises} is raised" in other.why if honest.raises else False
    return (one.raw and other.raw) or (other.kind is DefectClass.INCONSISTENT and broken)


def _alike(groups: Sequence[DefectGroup]) -> list[list[DefectGroup]]:
    """Sites that hand the same error on are one decision of the project, and one entry.

    So are effects that say little, for the same reason, and calls whose errors one piece of code catches.
    """
    found: dict[tuple[object, ...], list[DefectGroup]] = {}
    for group in groups:
        kind, caught = group.judgement.kind, HAVING in group.why
        alike = kind in (DefectClass.PASSED_ON, DefectClass.EFFECT) or caught
        key = (group.severity, group.why) if alike else (group.id,)
        found.setdefault(key, []).append(group)
    # Named is the one of them of which most is said.
    entries = [sorted(entry, key=lambda group: -len(group.faults)) for entry in found.values()]
    return _with_fewer_errors(_with_other_functions(entries))


def _with_other_functions(entries: list[list[DefectGroup]]) -> list[list[DefectGroup]]:
    """Functions that raise the same error for the same call are one way of the project, and one entry."""
    found: dict[tuple[object, ...], list[DefectGroup]] = {}
    for entry in entries:
        first = entry[0].judgement
        key: tuple[object, ...] = (entry[0].id,)
        if entry[0].raises:
            key = (first.severity, entry[0].raises, first.site.key)
        found.setdefault(key, []).extend(entry)
    return list(found.values())


def _with_fewer_errors(entries: list[list[DefectGroup]]) -> list[list[DefectGroup]]:
    """Places that let some of the errors through which others do are told with those: the rest was not tried there."""
    told = sorted(entries, key=lambda entry: -len(entry[0].leaks))
    for place, entry in enumerate(told):
        wider = (one for one in told[:place] if one and one[0].leaks > entry[0].leaks)
        other = next(wider, None) if entry[0].leaks else None
        if other is not None:
            other += entry
            entry.clear()
    return [entry for entry in entries if entry]


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
    return f"with the body {json.dumps(error_reply(int(fault.detail)))}"


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
    yield _head(run, group)
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
    for one in beside:
        yield Line(f"  {counted(len(one.tests), 'test')} besides: {printable(one.why)}")
    yield replay


def _head(run: RunResult, group: DefectGroup, alike: Sequence[DefectGroup] = ()) -> Line:
    """The entry of a group, and of others that are told with it."""
    judgement = group.judgement
    joined = " " if judgement.kind is DefectClass.EFFECT else ": "
    places = len({one.judgement.site.key for one in (group, *alike)}) - 1
    others = f" and {counted(places, 'more place')}" if places else ""
    functions = len({one.judgement.did for one in (group, *alike)}) - 1 if group.raises else 0
    besides = f" and in {counted(functions, 'more function')}" if functions else ""
    why = _BESIDE.sub(lambda place: run.place(place.group()), group.why)
    said = f"{judgement.site.name}{others}{joined}{why}{besides}"
    line = Line.of(
        (f"{group.severity.value:<7}", _STYLES[group.severity]),
        "  ",
        (judgement.kind.value, "bold"),
        "  ",
        printable(said),
    )
    if not group.severity.at_least(run.fail_on):
        line.append(f" ({printable(_scope((group, *alike)))})", style="dim")
    if judgement.site.place:
        line.append(f"   {printable(run.place(judgement.site.place))}", style="dim")
    return line


def _scope(groups: Sequence[DefectGroup]) -> str:
    """``timeout 3 times, status 500 of catalogue; 3 tests``, and that not all of these faults may be needed."""
    faults = _how_often([found for group in groups for _, found in group.found])
    receivers = each_once(one for group in groups for one in group.receivers)
    tests = each_once(one for group in groups for one in group.tests)
    reduced = any(found.defect.minimal for group in groups for _, found in group.found)
    said = f"{_some(faults)} of {_some(receivers)}; {counted(len(tests), 'test')}"
    return said if reduced else f"{said}; not minimal"


def _how_often(defects: Sequence[FoundDefect]) -> list[str]:
    """What was done in any of them; where a caller tries again, how often it takes at the least.

    Of a scenario that was not reduced to its end, only the last fault is known to matter.
    """
    done = [[fault.what for fault in found.faults] for found in defects if found.defect.minimal]
    last = [found.faults[-1].what for found in defects if not found.defect.minimal]
    told: list[str] = []
    for what in each_once([*(one for struck in done for one in struck), *last]):
        least = min((struck.count(what) for struck in done if what in struck), default=1)
        told.append(what if least == 1 else f"{what} {least} times")
    return told


def _tests(run: RunResult, group: DefectGroup) -> str:
    """How many tests show it, the first by name, and what else does the same."""
    names = [printable(run.place(nodeid)) for nodeid in group.tests]
    first = group.smallest[1].faults
    also = [what for what in group.faults if what not in {fault.what for fault in first}]
    more = f"; also by {_some(also)}" if also else ""
    left = f", and {len(names) - _MOST_TESTS} more" if len(names) > _MOST_TESTS else ""
    return f"{counted(len(names), 'test')}: {', '.join(names[:_MOST_TESTS])}{left}{more}"


def _some(names: Sequence[str], most: int = 4) -> str:
    left = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + left


def _replay(found: FoundDefect) -> Line:
    line = Line("  replay: ")
    line.append(printable(found.command), style="bold")
    return line


def _times(what: str, count: int) -> str:
    return what if count == 1 else f"{what}, {count} times"
