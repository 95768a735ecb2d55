"""What production code did instead, as the assertion shows it that failed: words for people."""

from __future__ import annotations

import re

from socrates_amplify.model.evidence import Asserted
from socrates_amplify.triage.case import Case

_COMPARED = re.compile(r"assert \(?(?P<first>.+?) == (?P<second>.+?)\)?$")
_IDENTICAL = re.compile(r"assert \(?(?P<first>\S+) is (?!not )(?P<second>[^\s)]+)\)?$")
_UNEQUAL = re.compile(r"(?P<first>\d+) != (?P<second>\d+)( : .*)?$")
"""How ``assertEqual`` tells of numbers; which of them was expected, the source says."""
_MUTE = re.compile(r"(assert )?(not )?(True|False|None)( is (not )?(True|False|None|true|false))?$")
"""What an assertion says that does not tell values: ``assert False``, ``False is not true``."""
_OF_RESPONSE = re.compile(r"status(_code)?\b")
_SERVER_ERROR = re.compile(r"5\d\d")
_LONGEST = 80


def answered(case: Case) -> str:
    """``answers X instead of Y``, where the assertion shows both and they are an answer."""
    told, kind, asserted = case.failure.told, case.failure.type, case.evidence.asserted
    if kind == "Failed" and "DID NOT RAISE" in told:
        return f"raises nothing: {cut(told)}"
    if case.noted_by_fake:
        return noted(case)
    if kind != "AssertionError":
        return f"answers with something else: {cut(f'{kind}: {told}'.rstrip(': '))}"
    match = _COMPARED.match(told) or _IDENTICAL.match(told)
    if match and match["first"] == match["second"]:
        return _fails("", asserted.text)
    if match:
        return f"answers {cut(match['first'])} instead of {cut(match['second'])}"
    return _fails(told, asserted.text)


def _fails(told: str, source: str) -> str:
    """All that is known is that it fails: its source says more than ``False is not true``."""
    said = "" if _MUTE.match(told) else told
    if not source:
        return f"the test's assertion fails: {cut(said or told)}".rstrip(": ")
    return f"the test's assertion fails: {cut(source)}" + (f" ({cut(said)})" if said else "")


def compared(case: Case) -> tuple[str, ...]:
    """Both sides of the comparison that failed, in its order; nothing where it was none."""
    told = case.failure.told
    match = _COMPARED.match(told) or _IDENTICAL.match(told) or _UNEQUAL.match(told)
    return (match["first"], match["second"]) if match else ()


def error_status(case: Case) -> str:
    """The status, of 500 or more, that the test got instead of another one; empty for another answer."""
    if not _OF_RESPONSE.search(case.evidence.asserted.text):
        return ""
    return next(filter(_SERVER_ERROR.fullmatch, compared(case)), "")


def noted(case: Case) -> str:
    """What the fake or the mock of the test noted instead: that is nothing that was answered."""
    return _called(case.failure.told, case.failure.type, case.evidence.asserted)


def _called(told: str, kind: str, asserted: Asserted) -> str:
    match = _COMPARED.match(told) or _UNEQUAL.match(told)
    if match and match["first"].isdecimal() and match["second"].isdecimal():
        found, expected = int(match["first"]), int(match["second"])
        if asserted.log == "second":
            found, expected = expected, found
        # A call that failed has not reached what counts.
        how = "calls again" if found > expected else "fewer calls reach the test's fake"
        if asserted.of_mock:
            how = "the test's mock noted"
        return f"{how}: {found} call{'' if found == 1 else 's'} instead of {expected}"
    what = told if kind == "AssertionError" else f"{kind}: {told}"
    if match and match["first"] == match["second"]:
        what = asserted.text  # pytest has cut the difference out of both
    return f"the test's fake noted other calls: {cut(what)}"


def cut(text: str) -> str:
    """At most so much that a line can hold it beside other words."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
