"""The search as a tree: each question hangs under the last wider one that it narrows down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from socrates_amplify.model.faults import Fault
from socrates_amplify.model.search import Question, Tally
from socrates_amplify.report.markup import Markup, join, tag
from socrates_amplify.report.words import counted, shorten

_MAX_FAULTS = 12


def parents(questions: Sequence[Question]) -> list[int | None]:
    """For each question the place of the latest earlier one whose faults include all of its own."""
    numbers: dict[Fault, int] = {}  # sets of numbers are compared far quicker than sets of faults
    asked = [
        {numbers.setdefault(fault, len(numbers)) for fault in question.scenario.faults}
        for question in questions
    ]
    return [
        next((earlier for earlier in reversed(range(place)) if faults < asked[earlier]), None)
        for place, faults in enumerate(asked)
    ]


def tree(questions: Sequence[Question]) -> Markup:
    """The questions as nested lists, in the order in which they were asked."""
    above = parents(questions)
    children: dict[int | None, list[int]] = {}
    for place, parent in enumerate(above):
        children.setdefault(parent, []).append(place)
    built: dict[int, Markup] = {}
    for place in reversed(range(len(questions))):  # children before their parents, no recursion
        below = [built[child] for child in children.get(place, [])]
        nested = tag("ul", *below) if below else None
        built[place] = tag("li", _question(place + 1, questions[place]), nested)
    return tag("ul", *(built[place] for place in children.get(None, [])), class_="questions")


def told(tally: Tally) -> str:
    """One line about what was executed ahead of the questions."""
    return (
        f"executions created {tally.created}, finished {tally.finished}, "
        f"cancelled {tally.cancelled}, reused {tally.reused}"
    )


def _question(place: int, question: Question) -> Markup:
    style = question.answer.split(":")[0].split(" ")[0].casefold()
    kind = style if style in ("pass", "fail", "unresolved") else "other"
    return tag(
        "details",
        tag(
            "summary",
            tag("span", f"{place}", class_="place"),
            tag("span", question.answer, class_=f"answer {kind}"),
            question.hypothesis or "What if all of these happen?",
            tag("span", f" {counted(len(question.scenario), 'fault')}", class_="note"),
            tag("span", " known already", class_="note") if question.cached else None,
        ),
        tag("ul", *_faults(question), class_="faults"),
    )


def _faults(question: Question) -> Iterator[Markup]:
    listed = list(question.scenario)
    for fault in listed[:_MAX_FAULTS]:
        yield tag(
            "li",
            tag("span", fault.what, class_="kind"),
            join(f" {fault.sender} → {fault.receiver} ", tag("code", shorten(fault.message, 80))),
        )
    if len(listed) > _MAX_FAULTS:
        yield tag("li", f"and {len(listed) - _MAX_FAULTS} more", class_="note")
