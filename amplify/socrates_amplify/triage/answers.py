"""What production code did instead, as the assertion shows it that failed: words for people."""

from __future__ import annotations

import re

from socrates_amplify.model.evidence import Asserted
from socrates_amplify.triage.case import Case

_COMPARED = re.compile(r"assert (?P<first>.+?) == (?P<second>.+)$")
_IDENTICAL = re.compile(r"assert \(?(?P<first>\S+) is (?!not )(?P<second>[^\s)]+)\)?$")
_PLAIN = r"-?\d+(?:\.\d+)?|True|False|None|'[^']*'|\"[^\"]*\""
_UNEQUAL = re.compile(rf"(?P<first>{_PLAIN}) != (?P<second>{_PLAIN})( : .*)?$")
"""How ``assertEqual`` tells of values on one line; which of them was expected, the source says."""
_DIFFER = re.compile(r"(?P<first>[\[{(].*) != (?P<second>[\[{(].*)")
"""How it tells of what holds others; long ones are cut."""
_CALLED_ONCE = re.compile(
    r"called once\. Called (?P<found>\d+) times|More than one request \((?P<matched>\d+)\) matched"
)
"""How ``aioresponses``, mocks and ``pytest_httpx`` do."""
_COUNTED = re.compile(r"be called (?P<expected>\d+) times?\. Called (?P<found>\d+) times?")
"""How ``responses`` tells that a call was made more or less often."""
_NOT_RAISED = re.compile(r"DID NOT RAISE (?:any of )?(?P<wanted>.+)|(?P<name>[\w.]+) not raised")
"""How ``pytest.raises`` and ``assertRaises`` tell of it."""
_CLASS = re.compile(r"<class '(?:[\w.]+\.)?(\w+)'>")
_MUTE = re.compile(r"(assert )?(not )?(True|False|None)( is (not )?(True|False|None|true|false))?$")
"""What an assertion says that does not tell values: ``assert False``, ``False is not true``."""
_NOT_FOUND = re.compile(r"(Calls|Awaits|expected call|expected await) not found\.$")
"""The first line of what a mock says to ``assert_called_with`` and the like."""
_STATUS = re.compile(r"<HTTPStatus\.\w+: (\d+)>")
_REPLY = re.compile(
    r"""b?['"]?\{['"]message['"]: (?:['"]|\.\.\.)[^,]*['"]\}['"]?|b?['"]?<html><head>.*</html>['"]?"""
)
"""What ``model.faults.error_body`` gives, of which pytest may have cut out the middle."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]\w)")
_MEMBER = re.compile(r"(?:[\[(]|[,:] )(\d+)(?=[,\])}])")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")
_ASSERTS = re.compile(r"assert|expect|check", re.IGNORECASE)
_LONGEST = 80
_MASKED = "***"


def answered(case: Case) -> str:
    """``answers X instead of Y``, where the assertion shows both and they are an answer."""
    told, kind, asserted = case.failure.told, case.failure.type, case.evidence.asserted
    unraised = _NOT_RAISED.match(told)
    if unraised and kind in ("Failed", "AssertionError"):
        wanted = _CLASS.sub(r"\1", unraised["wanted"] or unraised["name"])
        return f"raises no {cut(wanted)}"
    if case.noted_by_fake and (kind == "AssertionError" or case.complained_by_fake):
        return noted(case)
    raised = asserted.text.startswith("raise ")  # then the error says it all
    if kind != "AssertionError" and case.evidence.links and asserted.text and not raised:
        return f"the test then fails: {cut(asserted.text)} ({cut(f'{kind}: {told}'.rstrip(': '))})"
    if kind != "AssertionError":
        return f"the test then fails: {cut(f'{kind}: {told}'.rstrip(': '))}"
    sides = _sides(told, _COMPARED, _IDENTICAL, *([_UNEQUAL] if asserted.expected else []))
    if sides and sides[0] == sides[1]:
        return _fails("", asserted.text)
    if sides:
        seen, wanted = sides
        if asserted.expected == "first":
            seen, wanted = wanted, seen
        # Of several functions, it is not known whose answer the assertion reads.
        alone = len(set(case.way)) < 2
        own = asserted.text and (asserted.computed or not asserted.of_production or not alone)
        verb = "the test finds" if own else "answers"
        return f"{verb} {cut(seen)} instead of {cut(wanted)}"
    return _fails(told, asserted.text)


def _fails(told: str, source: str) -> str:
    """All that is known is that it fails: its source says more than ``False is not true``.

    Where the source does not assert, a helper of the tests does, whose values say more.
    """
    said = "" if _MUTE.match(told) else told
    if not source or (said and not _ASSERTS.search(source)):
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
    sides = _sides(told, _COMPARED, _IDENTICAL, _UNEQUAL, _DIFFER) or ()
    return tuple(_STATUS.sub(r"\1", side) for side in sides)


def shows_status(case: Case) -> bool:
    """Whether one side of the comparison is the injected status, or a text that has it, and the other is not."""
    told = [case.only_status in _numbers(side) for side in compared(case)]
    return bool(case.only_status) and any(told) and not all(told)


def _numbers(side: str) -> list[str]:
    """The numbers in one side of a comparison; not those in texts that a list or the like holds."""
    return (_MEMBER if side.startswith(("[", "(", "{")) else _NUMBER).findall(side)


def is_reply(side: str) -> bool:
    """Whether one side of a comparison is the injected error reply, as an object or as its text."""
    return _REPLY.fullmatch(side) is not None


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
        return _counted(int(once["found"] or once["matched"]), 1, asserted)
    what = told if kind == "AssertionError" else f"{kind}: {told}"
    same = sides is not None and sides[0] == sides[1]
    own_words = asserted.text.startswith("assert ") and not told.startswith("assert ")
    mute = own_words or _MUTE.match(told) or _NOT_FOUND.match(told)
    if asserted.text and (same or _MASKED in what or mute):
        what = (
            asserted.text
        )  # values are masked, cut out by pytest, or hidden by a message of the test's own
    double = "mock" if asserted.of_mock else "fake"
    return f"the test's {double} is not called as expected: {cut(what.rstrip('.'))}"


def _counted(found: int, expected: int, asserted: Asserted) -> str:
    """What more or fewer calls mean; a mock may stand for anything, a logger for one, and an outbox has mails."""
    if "outbox" in asserted.text:
        return (
            f"the test's outbox has {found} mail{'' if found == 1 else 's'} instead of {expected}"
        )
    said = f"{found} call{'' if found == 1 else 's'} instead of {expected}"
    if asserted.of_mock:
        return f"the test's mock noted {said}: {cut(asserted.text)}"
    # A call that failed has not reached what counts.
    how = "calls again" if found > expected else "fewer calls reach the test's fake"
    return f"{how}: {said}"


def cut(text: str) -> str:
    """At most so much that a line can hold it beside other words; where objects lie in memory says nothing."""
    text = _ADDRESS.sub("", text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
