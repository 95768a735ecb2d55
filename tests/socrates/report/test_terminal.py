"""The formats that people read: full, concise and grouped, and the summary below them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent

import pytest

from socrates.findings import ACT, CheckResult, FileSummary, Finding, Related, Severity, Span
from socrates.report import ReportContext, render

Make = Callable[..., Finding]


def test_full_shows_place_frame_other_places_and_advice(
    make_finding: Make, result: CheckResult, context: ReportContext
) -> None:
    text = render(replace(result, findings=result.findings[:1]), "full", context)
    assert text == dedent("""\
        tests/test_cart.py:4:12: SOC101 assertion-roulette [warning] 2 assertions, 2 of them unexplained (test_total)
          |
        3 | def test_total(cart):
        4 |     assert cart.add(1) == 1
          |            ^^^^^^^^^^^^^^^^
        5 |     assert cart.total == 3
          |            --------------- another one
          = help: Say why.

        Found 1 warning in 1 file (3 tests).
        """)


def test_full_without_source_still_names_the_related_place(
    result: CheckResult, context: ReportContext
) -> None:
    text = render(result, "full", replace(context, show_source=False))
    assert "  = note: tests/test_cart.py:5:12: another one\n" in text


def test_full_names_related_places_in_other_files(
    make_finding: Make, context: ReportContext
) -> None:
    related = Related("the same call", "tests/test_b.py", Span(7, 5, 7, 9))
    result = CheckResult((make_finding(related=(related,)),))
    assert "= note: tests/test_b.py:7:5: the same call\n" in render(result, "full", context)


def test_full_cuts_a_long_list_of_related_places(
    make_finding: Make, context: ReportContext
) -> None:
    places = tuple(
        Related("clone", "tests/test_b.py", Span(row, 1, row, 2)) for row in range(1, 40)
    )
    text = render(CheckResult((make_finding(related=places),)), "full", context)
    assert (text.count("clone"), "= note: and 34 more places\n" in text) == (5, True)


def test_full_wraps_long_advice(make_finding: Make, context: ReportContext) -> None:
    result = CheckResult((make_finding(advice="word " * 60),))
    text = render(result, "full", replace(context, width=60))
    assert max(len(line) for line in text.splitlines()[1:]) <= 60


def test_concise_is_one_line_a_finding_and_the_summary(
    result: CheckResult, context: ReportContext
) -> None:
    assert render(result, "concise", context) == dedent("""\
        tests/test_cart.py:4:12: SOC101 assertion-roulette [warning] 2 assertions, 2 of them unexplained (test_total)
        tests/test_cart.py:9:16: SOC105 mystery-guest [info] opens 'prices' (TestPrice::test_price)
        tests/test_old.py:1:7: SOC000 syntax-error [error] invalid syntax
        Found 1 error, 1 warning and 1 info in 2 files (3 tests).
        """)


@pytest.mark.parametrize("output_format", ["full", "concise"])
def test_line_to_act_on_is_named(
    output_format: str, make_finding: Make, context: ReportContext
) -> None:
    found = CheckResult((make_finding(data={ACT: [5, 5, 5, 27]}),))
    assert render(found, output_format, context).startswith("tests/test_cart.py:5:5: SOC101")


def infos(make: Make, number: int, **changes: object) -> list[Finding]:
    """Infos in so many lines of a file."""
    return [
        make(severity=Severity.INFO, span=Span(row, 1, row, 2), test=f"t.py::test_{row}", **changes)
        for row in range(1, number + 1)
    ]


def test_full_shows_few_infos_in_one_line_each_below_what_counts(
    make_finding: Make, context: ReportContext
) -> None:
    found = CheckResult((*infos(make_finding, 2, message="m"), make_finding(related=())))
    lines = render(found, "full", context).splitlines()
    assert (lines[0].split()[3], lines[-4:-1]) == (
        "[warning]",
        [
            "tests/test_cart.py:1:1: SOC101 assertion-roulette [info] m (test_1)",
            "tests/test_cart.py:2:1: SOC101 assertion-roulette [info] m (test_2)",
            "",
        ],
    )


def test_full_folds_many_infos_of_one_rule_and_says_how_to_unfold_them(
    make_finding: Make, context: ReportContext
) -> None:
    text = render(CheckResult(tuple(infos(make_finding, 11))), "full", context)
    assert text == dedent("""\
        tests/test_cart.py:1:1: SOC101 assertion-roulette [info] 11 tests (About assertion-roulette.): lines 1, 2, 3, 4, 5, 6, 7, 8 and 3 more

        Found 11 infos in 1 file (0 tests).
        11 infos share lines: `--output-format concise` lists each, `--strict` shows their code, `--min-severity warning` leaves them out.
        """)


def test_full_folds_by_rule_and_by_file(make_finding: Make, context: ReportContext) -> None:
    many = [
        *infos(make_finding, 4, filename="a.py"),
        *infos(make_finding, 4, filename="a.py", code="SOC102"),
        *infos(make_finding, 4, filename="b.py"),
    ]
    text = render(CheckResult(tuple(many)), "full", context)
    assert re.findall(r"^(\S+) (SOC\d+)", text, re.MULTILINE) == [
        ("a.py:1:1:", "SOC101"),
        ("a.py:1:1:", "SOC102"),
        ("b.py:1:1:", "SOC101"),
    ]


def test_grouped_names_each_file_once(result: CheckResult, context: ReportContext) -> None:
    assert render(result, "grouped", context) == dedent("""\
        tests/test_cart.py (2 findings)
          4:12  SOC101 assertion-roulette [warning] 2 assertions, 2 of them unexplained (test_total)
          9:16  SOC105 mystery-guest [info] opens 'prices' (TestPrice::test_price)

        tests/test_old.py (1 finding)
          1:7  SOC000 syntax-error [error] invalid syntax

        Found 1 error, 1 warning and 1 info in 2 files (3 tests).
        """)


@pytest.mark.parametrize("output_format", ["full", "concise", "grouped"])
def test_colours_change_nothing_but_colours(
    output_format: str, result: CheckResult, context: ReportContext
) -> None:
    painted = render(result, output_format, replace(context, color=True))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert painted != bare
    assert bare == render(result, output_format, context)


FILES = (FileSummary("t.py", tuple(f"t.py::test_{number}" for number in range(41))),)


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        pytest.param(CheckResult(), "No tests found.\n", id="nothing"),
        pytest.param(
            CheckResult(files=(FileSummary("t.py", ("t.py::test_a",)),)),
            "The only test is clean.\n",
            id="one clean test",
        ),
        pytest.param(CheckResult(files=FILES), "All 41 tests are clean.\n", id="clean"),
        pytest.param(
            CheckResult(files=FILES, suppressed=2, baselined=1),
            "Nothing new in 41 tests.\nNot shown: 2 suppressed and 1 in the baseline.\n",
            id="all held back",
        ),
        pytest.param(
            CheckResult(files=FILES, fixed_baseline=("t.py::test_1 SOC101",)),
            "All 41 tests are clean.\n"
            "1 baseline entry is fixed; `socrates baseline --shrink` drops it:\n"
            "  t.py::test_1 SOC101\n",
            id="baseline got better",
        ),
    ],
)
def test_summary(outcome: CheckResult, text: str, context: ReportContext) -> None:
    assert render(outcome, "full", context) == text


def test_summary_counts_each_severity(make_finding: Make, context: ReportContext) -> None:
    findings = [make_finding()] * 3 + [make_finding(severity=Severity.INFO)] * 7
    text = render(CheckResult(tuple(findings), FILES), "concise", context)
    assert text.endswith("Found 3 warnings and 7 infos in 1 file (41 tests).\n")


@pytest.mark.parametrize("output_format", ["full", "concise", "grouped"])
def test_summary_can_be_left_out(
    output_format: str, result: CheckResult, context: ReportContext
) -> None:
    assert "Found " not in render(result, output_format, replace(context, show_summary=False))
