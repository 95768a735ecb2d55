"""Rounds: what is kept, what is withdrawn, and when it ends.

The checker here finds words that are written in capitals, and fixes give other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from socrates.findings import Finding, Severity, Span
from socrates.fixes import Edit, Fix
from socrates.fixes.rounds import MAX_ROUNDS, Checked, Outcome, fix_in_rounds


def check(data: bytes) -> Checked | None:
    findings = []
    for row, line in enumerate(data.decode().splitlines(), start=1):
        for match in re.finditer(r"\b[A-Z]+\b", line):
            span = Span(row, match.start() + 1, row, match.end() + 1)
            name = f"test_a.py::{match.group().lower()}"
            findings.append(
                Finding("X1", "capital", Severity.WARNING, match.group(), "test_a.py", span, name)
            )
    found = tuple(findings)
    return Checked(found, found, frozenset(finding.test or "" for finding in found))


def fixer(words: dict[str, str], applicability: str = "safe") -> Callable[..., dict[Finding, Fix]]:
    """Fixes that replace words."""

    def ask(data: bytes, findings: Sequence[Finding]) -> dict[Finding, Fix]:
        return {
            finding: Fix("Change", applicability, (Edit(finding.span, words[finding.message]),))  # type: ignore[arg-type]
            for finding in findings
            if finding.message in words
        }

    return ask


def run(
    text: str, words: dict[str, str], applicability: str = "safe", unsafe: bool = False
) -> Outcome:
    data = text.encode()
    first = check(data)
    assert first is not None
    return fix_in_rounds(data, first, fixer(words, applicability), check, unsafe=unsafe)


def test_all_that_fits_goes_in_one_round() -> None:
    outcome = run("A = B\n", {"A": "a", "B": "b"})
    assert (outcome.data, outcome.rounds) == (b"a = b\n", 1)


def test_fix_of_a_finding_that_stays_is_withdrawn() -> None:
    outcome = run("A = B\n", {"A": "A ", "B": "b"})
    assert (outcome.data, len(outcome.withdrawn)) == (b"A = b\n", 1)


def test_fix_that_breaks_the_file_is_withdrawn() -> None:
    outcome = run("A = B\n", {"A": "(", "B": "b"})
    assert (outcome.data, len(outcome.withdrawn)) == (b"A = b\n", 1)


def test_fixes_that_only_break_together_are_taken_one_by_one() -> None:
    outcome = run("def f(A, B): pass\n", {"A": "x", "B": "x"})
    assert outcome.data == b"def f(x, B): pass\n"


def test_definitions_are_not_hidden_by_others() -> None:
    outcome = run("def A(): pass\ndef B(): pass\n", {"A": "f", "B": "f"})
    assert outcome.data == b"def f(): pass\ndef B(): pass\n"


def test_new_finding_as_bad_as_the_old_one_withdraws_the_fix() -> None:
    assert run("A = 1\n", {"A": "B"}).data == b"A = 1\n"


def test_unsafe_fixes_are_held_back() -> None:
    outcome = run("A = B\n", {"A": "a", "B": "b"}, "unsafe")
    assert (outcome.data, outcome.held_back) == (b"A = B\n", 2)


def test_unsafe_fixes_on_request() -> None:
    assert run("A = B\n", {"A": "a", "B": "b"}, "unsafe", unsafe=True).data == b"a = b\n"


def test_ends_when_every_round_brings_new_work() -> None:
    calls = 0

    def ask(data: bytes, findings: Sequence[Finding]) -> dict[Finding, Fix]:
        nonlocal calls
        calls += 1
        text = f"_{calls} = A{'A' * calls}\n"
        return {
            finding: Fix("Grow", "safe", (Edit(Span(1, 1, 2, 1), text),)) for finding in findings
        }

    def milder(data: bytes) -> Checked | None:
        found = check(data)
        assert found is not None
        return Checked(
            found.findings, found.shown, frozenset(f"test_a.py::{'a' * n}" for n in range(99))
        )

    first = milder(b"_ = A\n")
    assert first is not None
    assert fix_in_rounds(b"_ = A\n", first, ask, milder, unsafe=False).rounds == MAX_ROUNDS


def test_overlapping_fixes_take_turns() -> None:
    def ask(data: bytes, findings: Sequence[Finding]) -> dict[Finding, Fix]:
        line = data.decode()
        return {
            finding: Fix(
                "Lower", "safe", (Edit(Span(1, 1, 2, 1), line.replace(finding.message, "x")),)
            )
            for finding in findings
        }

    first = check(b"A = B\n")
    assert first is not None
    outcome = fix_in_rounds(b"A = B\n", first, ask, check, unsafe=False)
    assert (outcome.data, outcome.rounds) == (b"x = x\n", 2)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"\xef\xbb\xbfA = 1\n", b"\xef\xbb\xbfa = 1\n", id="byte order mark"),
        pytest.param(
            b"# coding: latin-1\nA = '\xe9'\n", b"# coding: latin-1\na = '\xe9'\n", id="latin-1"
        ),
        pytest.param(b"A = 1\r\nb = 2\r\n", b"a = 1\r\nb = 2\r\n", id="CRLF"),
        pytest.param(b"A = 1", b"a = 1", id="no last line end"),
    ],
)
def test_encoding_and_line_ends_stay(data: bytes, expected: bytes) -> None:
    def by_text(text: bytes) -> Checked | None:
        return check(text.decode("latin-1").removeprefix("ï»¿").encode())

    first = by_text(data)
    assert first is not None
    assert fix_in_rounds(data, first, fixer({"A": "a"}), by_text, unsafe=False).data == expected


def test_text_that_the_encoding_can_not_hold_is_withdrawn() -> None:
    data = b"# coding: latin-1\nA = 1\n"
    first = check(data)
    assert first is not None
    outcome = fix_in_rounds(data, first, fixer({"A": "\u03b1"}), check, unsafe=False)
    assert (outcome.data, len(outcome.withdrawn)) == (data, 1)


@pytest.mark.parametrize("number", [10, 300])
@pytest.mark.parametrize(
    "failed", [pytest.param("A ", id="mends nothing"), pytest.param("(", id="breaks the file")]
)
def test_checks_do_not_grow_with_the_fixes(number: int, failed: str) -> None:
    names = ["".join(chr(65 + int(digit)) for digit in f"{index:03}") for index in range(number)]
    words = {
        name: failed.replace("A", name) if index % 4 == 0 else name.lower()
        for index, name in enumerate(names)
    }
    text = "".join(f"{name} = 1\n" for name in names).encode()
    checks = 0

    def counted(data: bytes) -> Checked | None:
        nonlocal checks
        checks += 1
        return check(data)

    first = check(text)
    assert first is not None
    outcome = fix_in_rounds(text, first, fixer(words), counted, unsafe=False)
    assert (len(outcome.applied), len(outcome.withdrawn), checks <= 8) == (
        number - (number + 3) // 4,
        (number + 3) // 4,
        True,
    )
