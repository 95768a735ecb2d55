"""Comments that silence findings, on real source text."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.findings import Finding, Severity, Span
from socrates.fix import Edit, apply_edits
from socrates.suppress import apply, parse, removal

KNOWN = {"SOC001": "unused-suppression", "SOC101": "assertion-roulette", "SOC102": "eager-test"}


def finding(row: int, code: str = "SOC101", test: str | None = None) -> Finding:
    return Finding(
        code, KNOWN.get(code, "x"), Severity.WARNING, "m", "t.py", Span(row, 1, row, 9), test
    )


def outcome(source: str, *findings: Finding, tests=(), active=None) -> tuple[list[int], list[str]]:
    """Rows of the findings that are left, and the messages about comments."""
    kept, _, unused = apply(findings, dedent(source), "t.py", tests, known=KNOWN, active=active)
    return [item.span.row for item in kept], [item.message for item in unused]


@pytest.mark.parametrize(
    "comment",
    [
        pytest.param("# socrates: ignore[SOC101] slow backend", id="code"),
        pytest.param("# socrates: ignore[assertion-roulette]", id="name"),
        pytest.param("# socrates: ignore[soc101]", id="lower case"),
        pytest.param("# socrates: ignore", id="bare"),
        pytest.param("#socrates:ignore[SOC101]", id="no blanks"),
        pytest.param("# noqa: E501  # socrates: ignore[SOC101]", id="after another comment"),
    ],
)
def test_comment_silences_its_line(comment: str) -> None:
    assert outcome(f"x = 1  {comment}\n", finding(1)) == ([], [])


def test_silenced_findings_are_counted() -> None:
    _, count, _ = apply([finding(1), finding(1)], "x = 1  # socrates: ignore\n", "t.py")
    assert count == 2


def test_other_lines_and_other_codes_stay() -> None:
    source = "x = 1  # socrates: ignore[SOC101]\ny = 2\n"
    assert outcome(source, finding(1), finding(1, "SOC102"), finding(2)) == ([1, 2], [])


def test_comment_in_a_multi_line_statement_covers_its_first_line() -> None:
    source = """\
        check(
            1,  # socrates: ignore[SOC101]
        )
        """
    assert outcome(source, finding(1)) == ([], [])


def test_comment_after_a_multi_line_string_covers_its_first_line() -> None:
    source = 'x = """\n# socrates: ignore[SOC102]\n"""  # socrates: ignore[SOC101]\n'
    assert outcome(source, finding(1)) == ([], [])


TEST = """\
    @mark
    @other(
        1)
    def test_a(
        x,
    ):
        assert x
        assert not x
    """
TEST_ROWS = [("t.py::test_a", 1, 6, 8)]


@pytest.mark.parametrize("row", [1, 2, 3, 4, 5, 6])
def test_comment_on_any_def_or_decorator_line_covers_the_test(row: int) -> None:
    lines = dedent(TEST).splitlines()
    lines[row - 1] += "  # socrates: ignore[SOC101]"
    left = outcome("\n".join(lines) + "\n", finding(8, test="t.py::test_a"), tests=TEST_ROWS)
    assert left == ([], [])


def test_comment_on_a_def_line_leaves_other_tests_alone() -> None:
    source = "def test_a():  # socrates: ignore\n    a\ndef test_b():\n    b\n"
    rows = [("t.py::test_a", 1, 1, 2), ("t.py::test_b", 3, 3, 4)]
    found = [finding(2, test="t.py::test_a"), finding(4, test="t.py::test_b")]
    assert outcome(source, *found, tests=rows) == ([4], [])


def test_comment_in_the_body_covers_its_line_only() -> None:
    lines = dedent(TEST).splitlines()
    lines[6] += "  # socrates: ignore[SOC101]"
    found = [finding(row, test="t.py::test_a") for row in (7, 8)]
    assert outcome("\n".join(lines) + "\n", *found, tests=TEST_ROWS) == ([8], [])


def test_rows_of_another_file_are_not_covered() -> None:
    elsewhere = Finding("SOC101", "x", Severity.INFO, "m", "base.py", Span(1, 1, 1, 2), "t.py::a")
    kept, _, _ = apply([elsewhere], "x = 1  # socrates: ignore\n", "t.py")
    assert kept == [elsewhere]


def test_inherited_test_is_covered_by_the_file_that_collects_it() -> None:
    elsewhere = Finding("SOC101", "x", Severity.INFO, "m", "base.py", Span(1, 1, 1, 2), "t.py::a")
    kept, _, _ = apply([elsewhere], "# socrates: ignore-file\n", "t.py")
    assert kept == []


@pytest.mark.parametrize("place", ["first", "last"])
def test_ignore_file_covers_everything_wherever_it_stands(place: str) -> None:
    comment, code = "# socrates: ignore-file[SOC101] generated\n", "x = 1\ny = 2\n"
    source = comment + code if place == "first" else code + comment
    assert outcome(source, finding(2), finding(3), finding(2, "SOC102")) == ([2], [])


def test_text_in_a_string_is_no_comment() -> None:
    assert outcome("x = '# socrates: ignore'\n", finding(1)) == ([1], [])


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# socrates: ignore", "`ignore` silences nothing"),
        ("# socrates: ignore[SOC101]", "`ignore[SOC101]` silences nothing"),
        ("# socrates: ignore-file[eager-test]", "`ignore-file[eager-test]` silences nothing"),
        ("# socrates: ignore[SOC001]", None),
        ("# socrates: ignore[SOC110]", "unknown rule 'SOC110' in `ignore`; did you mean 'SOC101'?"),
        ("# socrates: ignore[eagr-test]", "unknown rule 'eagr-test' in `ignore`; did you mean 'eager-test'?"),
        ("# socrates: ignore[zzzzzz]", "unknown rule 'zzzzzz' in `ignore`"),
        ("# socrates: ignore[]", "`ignore[]` names no rule"),
        ("# socrates: ignore[SOC101", "`ignore[` has no closing bracket"),
        ("# socrates: ignroe[SOC101]", "unknown directive 'ignroe' after `socrates:`; did you mean 'ignore'?"),
        ("# socrates: all men are mortal", None),
    ],
)  # fmt: skip
def test_useless_comment_is_reported(comment: str, message: str | None) -> None:
    assert outcome(f"x = 1  {comment}\n")[1] == ([message] if message else [])


def test_only_the_unused_code_of_several_is_reported() -> None:
    left = outcome("x = 1  # socrates: ignore[SOC101, eager-test]\n", finding(1))
    assert left == ([], ["`ignore[eager-test]` silences nothing"])


def test_comment_on_a_line_of_its_own_says_where_it_belongs() -> None:
    _, messages = outcome("# socrates: ignore[SOC101]\nx = 1\n", finding(2))
    assert messages == [
        "`ignore[SOC101]` silences nothing on a line of its own; "
        "put it at the end of the line it is for"
    ]


def test_rule_that_did_not_run_is_not_called_unused() -> None:
    assert outcome("x = 1  # socrates: ignore[SOC101]\n", active={"SOC102"}) == ([], [])


def test_unused_comment_is_located_at_the_comment() -> None:
    _, _, [report] = apply([], "é = 1  # socrates: ignore[SOC101] why\n", "t.py")
    assert report.span == Span(1, 8, 1, 34)


def test_ignoring_soc001_by_name_silences_reports_about_comments() -> None:
    source = "# socrates: ignore-file[SOC001]\nx = 1  # socrates: ignore[SOC101]\n"
    assert outcome(source) == ([], [])


def test_syntax_error_is_never_silenced() -> None:
    broken = finding(1, "SOC000")
    assert outcome("# socrates: ignore-file\nx = (\n", broken)[0] == [1]


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_rows_are_right_with_any_newline(newline: str) -> None:
    source = newline.join(["a = 1", "b = 2", "c = 3  # socrates: ignore", ""])
    assert parse(source)[0].first_row == 3


def test_form_feeds_do_not_count_as_lines() -> None:
    assert parse("a = 1\n\x0c\nb = 2  # socrates: ignore\n")[0].first_row == 3


PIECES = ["# socrates: ignore", "[SOC101]", "[", "]", ",", "\n", " ", "x = 1", "(", ")", '"""', "\\", "\t", "é", "-file"]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3))).map("".join))
def test_any_text_keeps_or_counts_every_finding(source: str) -> None:
    found = [finding(row) for row in (1, 2, 3)]
    kept, count, _ = apply(found, source, "t.py", [("t.py::a", 1, 1, 3)], known=KNOWN)
    assert len(kept) + count == len(found)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        pytest.param("x = 1  # socrates: ignore[SOC101] why", "x = 1", id="with its reason"),
        pytest.param("x = 1  # socrates: ignore # noqa", "x = 1  # noqa", id="before another"),
        pytest.param("x = 1  # noqa  # socrates: ignore", "x = 1  # noqa", id="after another"),
        pytest.param("x = 1  # socrates: ignore see #12", "x = 1", id="a number in the reason"),
        pytest.param("    # socrates: ignore", "", id="alone on its line"),
    ],
)
def test_removed_comment_leaves_the_rest_of_its_line(line: str, rest: str) -> None:
    [comment] = parse(f"{line}\ny = 2\n")
    edit = Edit(removal(line, comment.span), "")
    assert apply_edits(f"{line}\ny = 2\n", [edit]) == (f"{rest}\n" if rest else "") + "y = 2\n"


def test_comment_after_prose_about_the_philosopher_counts():
    source = "x = 1  # socrates: died in prison # socrates: ignore[SOC101]\n"
    assert [comment.codes for comment in parse(source)] == [("SOC101",)]


def test_comment_after_one_for_every_rule_counts():
    source = "x = 1  # socrates: ignore # socrates: ignore[SOC101]\n"
    assert [comment.codes for comment in parse(source)] == [None, ("SOC101",)]
