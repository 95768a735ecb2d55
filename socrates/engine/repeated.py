"""A test that several classes inherit is one piece of code: its smell is a warning once.

Each class has a test of its own by pytest's reckoning, and a finding of its own. But there is one
line to change, so the first one is the warning, and the same about the others is an ``info``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from socrates.findings import ALSO, Finding, Severity, Span

_Place = tuple[str, str, Span]


def warned_once(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in their order, with one warning per rule and place.

    It names the other tests in its data: what asks whether a test is clean has to know them all.
    """
    found = list(findings)
    first: dict[_Place, int] = {}
    also: dict[int, list[str]] = {}
    for number, finding in enumerate(found):
        if finding.severity is not Severity.WARNING or finding.test is None:
            continue
        place = (finding.code, finding.filename, finding.span)
        earlier = first.setdefault(place, number)
        if finding.test != found[earlier].test:
            also.setdefault(earlier, []).append(finding.test)
            found[number] = replace(finding, severity=Severity.INFO)
    for number, tests in also.items():
        found[number] = replace(found[number], data={**found[number].data, ALSO: tests})
    return found
