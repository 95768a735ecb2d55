"""Inherited tests for readers: the same finding in several classes is shown once.

Formats for tools hold every one of them, for each has a node id of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from socrates.findings import Finding


def folded(findings: Sequence[Finding]) -> list[Finding]:
    """Findings in order; those that differ only in the test they are about become one."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for position, finding in enumerate(findings):
        owner, _, name = (finding.test or "").rpartition("::")
        # Only a method can be inherited; anything else stands for itself.
        kind = name if "::" in owner else position
        key = (finding.filename, finding.span, finding.code, finding.message, kind)
        groups.setdefault(key, []).append(finding)
    return [_merged(group) for group in groups.values()]


def _merged(group: list[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    worst = max(group, key=lambda finding: finding.severity.rank).severity
    note = f"{first.message} (in {len(group)} classes that inherit the test)"
    return replace(first, severity=worst, message=note)
