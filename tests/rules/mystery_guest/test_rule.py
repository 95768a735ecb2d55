"""What SOC105 makes of the touches of a test: one per call, a fixed one first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.mystery_guest.rule import MysteryGuest

OpenModule = Callable[..., FileContext]


@pytest.mark.parametrize(
    ("line", "severity", "message"),
    [
        pytest.param(
            "os.rename('a', 'b')",
            "warning",
            "reaches for a file or folder at a fixed path: os.rename('a', 'b')",
            id="two fixed paths",
        ),
        pytest.param(
            "os.rename(vendor.A, 'b')",
            "warning",
            "reaches for a file or folder at a fixed path: os.rename(vendor.A, 'b')",
            id="one that can't be followed, then a fixed one",
        ),
        pytest.param(
            "os.rename('a', vendor.B)",
            "warning",
            "reaches for a file or folder at a fixed path: os.rename('a', vendor.B)",
            id="a fixed one, then one that can't be followed",
        ),
        pytest.param(
            "os.rename(vendor.A, vendor.B)",
            "info",
            "reaches for a file or folder whose path comes from elsewhere: os.rename(vendor.A, vendor.B)",
            id="none that can be followed",
        ),
        pytest.param(
            "open(vendor.A); open('b')",
            "warning",
            "reaches for a file or folder at a fixed path: open('b')",
            id="two calls, one fixed",
        ),
        pytest.param(
            "open('a'); os.environ['B']; os.system('c')",
            "warning",
            "reaches for a file or folder at a fixed path, a fixed environment variable and "
            "a fixed command of another process (3 calls): open('a')",
            id="three kinds",
        ),
        pytest.param(
            f"open('{'a' * 70}')",
            "warning",
            f"reaches for a file or folder at a fixed path: open('{'a' * 51}...",
            id="a long call",
        ),
    ],
)
def test_finding(open_module: OpenModule, line: str, severity: str, message: str) -> None:
    file = open_module(f"import os, vendor\n\ndef test_it():\n    {line}\n")
    [finding] = MysteryGuest().check(file)
    assert (finding.severity.value, finding.message) == (severity, message)


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("os.environ['B']", "warning"),
        ("os.environ['PATH']", "info"),
        ("os.environ.get('B', 1)", "info"),
        ("'B' in os.environ", "info"),
    ],
)
def test_severity_of_a_variable(open_module: OpenModule, line: str, severity: str) -> None:
    file = open_module(f"import os\n\ndef test_it():\n    assert {line}\n")
    assert [finding.severity.value for finding in MysteryGuest().check(file)] == [severity]
