"""What is said of fixes, in which words and with which exit code."""

from __future__ import annotations

import argparse

import pytest

from socrates.cli import fixing
from socrates.findings import CheckResult, Finding, Severity, Span
from socrates.fix import Edit, Fix
from socrates.fixes.apply import FixedFile, FixResult
from socrates.fixes.rounds import Change

SAFE = Fix("drop it", "safe", (Edit(Span(1, 1, 1, 2), ""),))
UNSAFE = Fix("turn it", "unsafe", SAFE.edits)


def finding(row: int = 1, test: str | None = "test_a.py::test_it", code: str = "SOC104") -> Finding:
    return Finding(code, "x", Severity.INFO, "", "test_a.py", Span(row, 1, row, 2), test)


def options(**given: bool) -> argparse.Namespace:
    names = "fix fix_only diff show_fixes quiet exit_zero exit_non_zero_on_fix unsafe_fixes".split()
    return argparse.Namespace(**{**dict.fromkeys(names, False), "fix": True, **given})


def result(*files: FixedFile) -> FixResult:
    return FixResult(files, CheckResult())


ONE = Change(SAFE, (finding(),))
CHANGED = FixedFile("test_a.py", b"a\n", b"b\n", (ONE,))
SAME = FixedFile("test_b.py", b"a\n", b"a\n")


@pytest.mark.parametrize(
    ("file", "given", "said"),
    [
        pytest.param(CHANGED, {}, "fixed 1 finding in 1 file", id="fixed"),
        pytest.param(
            CHANGED, {"fix": False, "diff": True}, "would fix 1 finding in 1 file", id="diff"
        ),
        pytest.param(SAME, {}, "fixed 0 findings in 0 files", id="nothing"),
        pytest.param(
            FixedFile("a", b"a", b"b", (Change(SAFE, (finding(1), finding(2))),)),
            {},
            "fixed 1 finding in 1 file",
            id="one test is one finding",
        ),
        pytest.param(
            FixedFile("a", b"a", b"b", (Change(SAFE, (finding(1, None), finding(2, None))),)),
            {},
            "fixed 2 findings in 1 file",
            id="findings about a file are told apart by place",
        ),
        pytest.param(
            FixedFile("a", withdrawn=(ONE,)),
            {},
            "fixed 0 findings in 0 files; 1 fix withdrawn because the finding would have stayed",
            id="withdrawn",
        ),
        pytest.param(
            FixedFile("a", withdrawn=(ONE, ONE)),
            {},
            "fixed 0 findings in 0 files; 2 fixes withdrawn because the finding would have stayed",
            id="two withdrawn",
        ),
        pytest.param(
            FixedFile("a", held_back=2),
            {},
            "fixed 0 findings in 0 files; 2 more with --unsafe-fixes",
            id="held back",
        ),
        pytest.param(
            FixedFile("a", unfixed=((finding(), "why"), (finding(), "why"))),
            {},
            "fixed 0 findings in 0 files; no fix for 2 findings, --show-fixes says why",
            id="no fix",
        ),
    ],
)
def test_last_line(
    file: FixedFile, given: dict[str, bool], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fixing.tell(options(**given), result(file))
    assert capsys.readouterr().err == f"socrates: {said}\n"


def test_quiet_says_only_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    broken = FixedFile("test_b.py", problem="it is a link")
    fixing.tell(options(quiet=True), result(CHANGED, broken))
    assert capsys.readouterr().err == "socrates: test_b.py: not fixed: it is a link\n"


def test_every_fix_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    twice = Change(UNSAFE, (finding(), finding(2), finding(2, code="SOC105")))
    file = FixedFile(
        "test_a.py",
        b"a",
        b"b",
        (ONE, twice),
        (ONE, ONE, Change(UNSAFE, ())),
        unfixed=((finding(), "it is shared"),),
    )
    fixing.tell(options(show_fixes=True, quiet=True), result(file))
    assert capsys.readouterr().err.splitlines() == [
        "socrates: test_a.py: fixed (safe) SOC104 test_it: drop it",
        "socrates: test_a.py: fixed (unsafe) SOC104 test_it, SOC105 test_it: turn it",
        "socrates: test_a.py: withdrawn (2 times): drop it",
        "socrates: test_a.py: withdrawn: turn it",
        "socrates: test_a.py: no fix for SOC104 test_it: it is shared",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("test_a.py", "a/test_a.py"),
        ("test a.py", "a/test a.py"),
        ('te"st.py', '"a/te\\"st.py"'),
        ("te\\st.py", '"a/te\\\\st.py"'),
        ("te\tst.py", '"a/te\\011st.py"'),
        ("te\nst.py", '"a/te\\012st.py"'),
    ],
)
def test_name_in_a_diff(name: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    fixing.print_diff(result(FixedFile(name, b"a\n", b"b\n")))
    assert capsys.readouterr().out.splitlines()[0] == f"--- {shown}"


def test_diff_of_a_text_without_a_last_line_end(capsys: pytest.CaptureFixture[str]) -> None:
    fixing.print_diff(result(FixedFile("a.py", b"a\nb", b"a\nc"), SAME))
    assert capsys.readouterr().out == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n"
        "+c\n\\ No newline at end of file\n"
    )


PROBLEM = FixedFile("a.py", problem="it changed meanwhile")
REFUSED = FixedFile("a.py", problem="it is a link", refused=True)


@pytest.mark.parametrize(
    ("file", "given", "fails", "code"),
    [
        pytest.param(CHANGED, {}, False, 0, id="fixed"),
        pytest.param(CHANGED, {}, True, 1, id="something is left"),
        pytest.param(CHANGED, {"exit_zero": True}, True, 0, id="left, but zero is asked for"),
        pytest.param(CHANGED, {"diff": True}, False, 1, id="diff"),
        pytest.param(SAME, {"diff": True}, True, 0, id="no diff"),
        pytest.param(CHANGED, {"diff": True, "exit_zero": True}, False, 0, id="diff and zero"),
        pytest.param(CHANGED, {"exit_non_zero_on_fix": True}, False, 1, id="non-zero on a fix"),
        pytest.param(SAME, {"exit_non_zero_on_fix": True}, False, 0, id="no fix"),
        pytest.param(CHANGED, {"fix_only": True}, True, 0, id="only fixes"),
        pytest.param(PROBLEM, {"fix_only": True}, False, 1, id="only fixes, one went wrong"),
        pytest.param(PROBLEM, {"fix_only": True, "exit_zero": True}, False, 0, id="and zero"),
        pytest.param(REFUSED, {"exit_zero": True}, False, 2, id="refused"),
    ],
)
def test_exit_code(file: FixedFile, given: dict[str, bool], fails: bool, code: int) -> None:
    assert fixing.exit_code(options(**given), result(file), fails) == code
