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
_LONGEST = 80


def answered(case: Case) -> str:
    """``answers X instead of Y``, where the assertion shows both and they are an answer."""
    told, kind, asserted = case.failure.told, case.failure.type, case.evidence.asserted
    if kind == "Failed" and "DID NOT RAISE" in told:
        return f"raises nothing: {cut(told)}"
    if asserted.log:
        return _called(told, kind, asserted)
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


def _called(told: str, kind: str, asserted: Asserted) -> str:
    """The fake or the mock of the test noted other calls: that is nothing that was answered."""
    match = _COMPARED.match(told) or _UNEQUAL.match(told)
    if match and match["first"].isdecimal() and match["second"].isdecimal():
        found, expected = int(match["first"]), int(match["second"])
        if asserted.log == "second":
            found, expected = expected, found
        how = "calls again" if found > expected else "calls less often"
        return f"{how}: {found} call{'' if found == 1 else 's'} instead of {expected}"
    what = told if kind == "AssertionError" else f"{kind}: {told}"
    if match and match["first"] == match["second"]:
        what = asserted.text  # pytest has cut the difference out of both
    return f"the test's fake noted other calls: {cut(what)}"


def cut(text: str) -> str:
    """At most so much that a line can hold it beside other words."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
