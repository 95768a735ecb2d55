"""The groups of defects on the HTML page, and the filters over them: no script, only CSS.

A filter is a radio button; the page's style hides what it does not fit. Values that come from the
project stand in the style only as numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.model.defect_groups.entries import entries
from socrates_amplify.model.defect_groups.groups import DefectGroup
from socrates_amplify.model.events import Trace
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, MESSAGE, STEP, TASK, Channel, kind_of
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult
from socrates_amplify.report.entry_words import headline, scope
from socrates_amplify.report.explain import explanations
from socrates_amplify.report.markup import Markup, join, tag
from socrates_amplify.report.words import counted

_MOST_OPEN = 5
_MOST_TESTS = 100
_FACETS: dict[Channel, str] = {
    CALL: "service",
    TASK: "queue",
    MESSAGE: "actor",
    STEP: "thread",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """What the page can be narrowed to: each facet's values, numbered over all facets."""

    values: tuple[tuple[str, str], ...]

    def mark(self, *groups: DefectGroup) -> str:
        """The numbers of the values that any of the groups has."""
        own = {value for group in groups for value in facets_of(group)}
        return " ".join(f"f{n}" for n, value in enumerate(self.values) if value in own)

    def mark_status(self, status: str) -> str:
        """The number of a test's status."""
        return f"f{self.values.index(('status', status))}"

    @property
    def style(self) -> str:
        """The rules that hide what a chosen filter does not fit."""
        return "\n".join(
            f'main:has(#f{n}:checked) {_filtered(facet)}:not([data-has~="f{n}"]) {{ display: none; }}'
            for n, (facet, _) in enumerate(self.values)
        )

    def form(self) -> Markup:
        """One row of choices for each facet that has something to choose."""
        rows = []
        for facet in dict.fromkeys(facet for facet, _ in self.values):
            numbered = [(n, v) for n, (f, v) in enumerate(self.values) if f == facet]
            if len(numbered) > 1:
                rows.append(_choices(facet, numbered))
        return tag("div", *rows, class_="filters") if rows else join()


def filters_of(run: RunResult, groups: Sequence[DefectGroup]) -> Filters:
    """The filters of a page: classes, services, queues, actors of groups, statuses of tests."""
    found = [value for group in groups for value in facets_of(group)]
    statuses = [("status", test.status.value) for test in run.tests]
    order = ("class", "service", "queue", "actor", "thread", CIRCUMSTANCE, "status")
    values = dict.fromkeys([*found, *statuses])
    return Filters(tuple(sorted(values, key=lambda value: order.index(value[0]))))


def facets_of(group: DefectGroup) -> list[tuple[str, str]]:
    """The class of a group, and the services, queues and actors that its faults are about."""
    values = [("class", group.judgement.kind.value)]
    for test, found in group.found:
        for fault in found.faults:
            channels = kind_of(fault.kind).channels
            if CIRCUMSTANCE in channels:
                values.append((CIRCUMSTANCE, fault.target))
                continue
            channel = _channel(fault.target, (test.control, found.trace)) or channels[0]
            values.append((_FACETS[channel], fault.receiver.partition("#")[0]))
    return list(dict.fromkeys(values))


def section(
    run: RunResult, groups: Sequence[DefectGroup], filters: Filters, linked: dict[str, int]
) -> Markup:
    """All groups, those that are told together in one, the worst first.

    ``linked`` are the tests that have a section of their own. What is in no entry was not reduced.
    """
    together = entries(run, groups)
    told = {group.id for entry in together for group in entry}
    together += [[group] for group in groups if group.id not in told]
    shown = [
        _entry(run, entry, filters, linked, place < _MOST_OPEN)
        for place, entry in enumerate(together)
    ]
    return tag("div", *shown, class_="groups") if shown else join()


def _entry(
    run: RunResult,
    entry: Sequence[DefectGroup],
    filters: Filters,
    linked: dict[str, int],
    near_top: bool,
) -> Markup:
    """The first group of an entry, with its scenario; the others fold out below it."""
    group, *others = entry
    opened = near_top and group.severity.at_least(run.fail_on)
    return tag(
        "details",
        _summary(group, headline(run, group), scope(group)),
        *_details(group, linked),
        *(
            tag(
                "details",
                _summary(other, headline(run, other), scope(other)),
                *_details(other, linked),
                class_="group",
                data_has=filters.mark(other),
                id=f"group-{other.id}",
            )
            for other in others
        ),
        class_="group",
        data_has=filters.mark(*entry),
        id=f"group-{group.id}",
        open="" if opened else None,
    )


def _summary(group: DefectGroup, said: str, about: str) -> Markup:
    judgement = group.judgement
    return tag(
        "summary",
        tag("span", group.severity.value, class_=f"status {group.severity.value}"),
        " ",
        tag("b", judgement.kind.value),
        f" {said} ",
        tag("span", f"{judgement.site.place} ({about})", class_="note"),
    )


def _details(group: DefectGroup, linked: dict[str, int]) -> tuple[Markup | None, ...]:
    unsure = group.judgement.unsure
    return (
        tag("p", f"Not sure: {unsure}.", class_="note") if unsure else None,
        story(*group.smallest),
        tag("p", f"{counted(len(group.tests), 'test')}: ", *_tests(group, linked)),
    )


def story(test: TestResult, found: FoundDefect) -> Markup:
    """The faults of one defect, the failure, and what replays it."""
    failure = found.defect.failure
    faults = tag(
        "ul",
        *(
            tag(
                "li",
                tag("span", fault.what, class_="kind"),
                f" {fault.sender} → {fault.receiver} ",
                tag("code", fault.message),
                f" {why}",
            )
            for fault, why in explanations(test, found)
        ),
    )
    return tag(
        "div",
        faults,
        tag("p", tag("code", f"{failure.type}: {failure.told}", class_="failure")),
        tag("p", tag("span", failure.location, class_="note")),
        None if found.defect.minimal else tag("p", f"Not minimal: {found.defect.note}"),
        tag("p", "Replay: ", tag("code", found.command)),
        class_="defect",
    )


def _tests(group: DefectGroup, linked: dict[str, int]) -> list[Markup | str]:
    shown: list[Markup | str] = []
    for nodeid in group.tests[:_MOST_TESTS]:
        shown.append(", " if shown else "")
        place = linked.get(nodeid)
        shown.append(tag("a", nodeid, href=f"#test-{place}") if place else nodeid)
    left = len(group.tests) - _MOST_TESTS
    return [*shown, f", and {left} more"] if left > 0 else shown


def _choices(facet: str, numbered: Sequence[tuple[int, str]]) -> Markup:
    everything = tag(
        "label", Markup(f'<input type="radio" name="{facet}" checked="">'), tag("span", "all")
    )
    choices = [
        tag("label", Markup(f'<input type="radio" name="{facet}" id="f{n}">'), tag("span", value))
        for n, value in numbered
    ]
    return tag("fieldset", tag("legend", facet), everything, *choices)


def _filtered(facet: str) -> str:
    """What a facet is about: the tests, in their tables and sections, or the groups."""
    return ":is(section.test, details.tested)" if facet == "status" else "details.group"


def _channel(target: str, traces: Sequence[Trace]) -> Channel | None:
    sends = (send for trace in traces for send in trace.sends)
    return next((send.channel for send in sends if send.target == target), None)
