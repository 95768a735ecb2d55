"""What production code did instead, as the assertion shows it that failed: words for people."""

from __future__ import annotations

import re

from socrates_amplify.model.evidence import Asserted
from socrates_amplify.triage.case import Case

_COMPARED = re.compile(r"assert (?P<first>.+?) == (?P<second>.+)$")
_IDENTICAL = re.compile(r"assert \(?(?P<first>\S+) is (?!not )(?P<second>[^\s)]+)\)?$")
_UNEQUAL = re.compile(r"(?P<first>\d+) != (?P<second>\d+)( : .*)?$")
"""How ``assertEqual`` tells of numbers; which of them was expected, the source says."""
_UNLIKE = re.compile(r"(?P<first>'[^']*'|\"[^\"]*\") != (?P<second>'[^']*'|\"[^\"]*\")")
"""How it tells of texts on one line."""
_CALLED_ONCE = re.compile(r"called once\. Called (?P<found>\d+) times")
"""How ``aioresponses`` and mocks do."""
_COUNTED = re.compile(r"be called (?P<expected>\d+) times?\. Called (?P<found>\d+) times?")
"""How ``responses`` tells that a call was made more or less often."""
_NOT_RAISED = re.compile(r"[\w.]+ not raised")
"""How ``assertRaises`` tells of it."""
_MUTE = re.compile(r"(assert )?(not )?(True|False|None)( is (not )?(True|False|None|true|false))?$")
"""What an assertion says that does not tell values: ``assert False``, ``False is not true``."""
_STATUS = re.compile(r"<HTTPStatus\.\w+: (\d+)>")
_REPLY = re.compile(r"""b?['"]?\{['"]error['"]: ['"][^,]*['"]\}['"]?""")
"""What ``model.faults.error_reply`` gives, of which pytest may have cut out the middle."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]\w)")
_OF_RESPONSE = re.compile(r"status(_code)?\b")
_SERVER_ERROR = re.compile(r"5\d\d")
_LONGEST = 80
_MASKED = "***"


def answered(case: Case) -> str:
    """``answers X instead of Y``, where the assertion shows both and they are an answer."""
    told, kind, asserted = case.failure.told, case.failure.type, case.evidence.asserted
    if (kind == "Failed" and "DID NOT RAISE" in told) or _NOT_RAISED.match(told):
        return f"raises nothing: {cut(told)}"
    if case.noted_by_fake:
        return noted(case)
    if kind != "AssertionError" and case.evidence.links and asserted.text:
        return f"the test then fails: {cut(asserted.text)} ({cut(f'{kind}: {told}'.rstrip(': '))})"
    if kind != "AssertionError":
        return f"answers with something else: {cut(f'{kind}: {told}'.rstrip(': '))}"
    sides = _sides(told, _COMPARED, _IDENTICAL)
    if sides and sides[0] == sides[1]:
        return _fails("", asserted.text)
    if sides:
        seen, wanted = sides
        if asserted.expected == "first":
            seen, wanted = wanted, seen
        own = asserted.text and (asserted.computed or not asserted.of_production)
        verb = "the test finds" if own else "answers"
        return f"{verb} {cut(seen)} instead of {cut(wanted)}"
    return _fails(told, asserted.text)


def _fails(told: str, source: str) -> str:
    """All that is known is that it fails: its source says more than ``False is not true``."""
    said = "" if _MUTE.match(told) else told
    if not source:
        return f"the test's assertion fails: {cut(said or told)}".rstrip(": ")
    return f"the test's assertion fails: {cut(source)}" + (f" ({cut(said)})" if said else "")


def _sides(told: str, *patterns: re.Pattern[str]) -> tuple[str, str] | None:
    """What the first of these patterns that fits says was compared; None where none does.

    Brackets of an ``or`` around it, of which the first line may show one only, are none of it.
    """
    match = next(filter(None, (pattern.match(told) for pattern in patterns)), None)
    if match is None:
        return None
    first, second = match["first"], match["second"]
    if first.count("(") > first.count(")"):
        first = first.removeprefix("(")
    if second.count(")") > second.count("("):
        second = second.removesuffix(")")
    return first, second


def compared(case: Case) -> tuple[str, ...]:
    """Both sides of the comparison that failed, in its order; nothing where it was none."""
    told = case.failure.told
    sides = _sides(told, _COMPARED, _IDENTICAL, _UNEQUAL, _UNLIKE) or ()
    return tuple(_STATUS.sub(r"\1", side) for side in sides)


def shows_status(case: Case) -> bool:
    """Whether one side of the comparison is the injected status, or a text that has it, and the other is not."""
    told = [case.only_status in _NUMBER.findall(side) for side in compared(case)]
    return bool(case.only_status) and any(told) and not all(told)


def is_reply(side: str) -> bool:
    """Whether one side of a comparison is the injected error reply, as an object or as its text."""
    return _REPLY.fullmatch(side) is not None


def error_status(case: Case) -> str:
    """The status, of 500 or more, that the test got instead of another one; empty for another answer."""
    if not _OF_RESPONSE.search(case.evidence.asserted.text):
        return ""
    return next(filter(_SERVER_ERROR.fullmatch, compared(case)), "")


def noted(case: Case) -> str:
    """What the fake or the mock of the test noted instead: that is nothing that was answered."""
    return _called(case.failure.told, case.failure.type, case.evidence.asserted)


def _called(told: str, kind: str, asserted: Asserted) -> str:
    sides = _sides(told, _COMPARED, _UNEQUAL)
    counts = _COUNTED.search(told)
    if sides and sides[0].isdecimal() and sides[1].isdecimal():
        found, expected = map(int, sides)
        if asserted.log == "second":
            found, expected = expected, found
        return _counted(found, expected, asserted)
    if counts:
        return _counted(int(counts["found"]), int(counts["expected"]), asserted)
    if once := _CALLED_ONCE.search(told):
        return _counted(int(once["found"]), 1, asserted)
    what = told if kind == "AssertionError" else f"{kind}: {told}"
    same = sides is not None and sides[0] == sides[1]
    if asserted.text and (same or _MASKED in what or _MUTE.match(told)):
        what = asserted.text  # pytest has cut the difference out of both, or we have masked it
    double = "mock" if asserted.of_mock else "fake"
    return f"the test's {double} is called otherwise: {cut(what)}"


def _counted(found: int, expected: int, asserted: Asserted) -> str:
    """What more or fewer calls mean; a mock may stand for anything, a logger for one."""
    said = f"{found} call{'' if found == 1 else 's'} instead of {expected}"
    if asserted.of_mock:
        return f"the test's mock noted {said}: {cut(asserted.text)}"
    # A call that failed has not reached what counts.
    how = "calls again" if found > expected else "fewer calls reach the test's fake"
    return f"{how}: {said}"


def cut(text: str) -> str:
    """At most so much that a line can hold it beside other words."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
