"""Reports are made piece by piece, and read as if they had been made at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.findings import CheckResult, FileSummary, Finding
from socrates.report import FORMATS, ReportContext, pieces, render
from socrates.report.json_list import as_dict
from socrates.report.pretty import pretty, pretty_items

MANY = 400
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.fixture
def many(make_finding: Callable[..., Finding]) -> CheckResult:
    """One finding in each of many files."""
    names = [f"tests/test_{number:03}.py" for number in range(MANY)]
    findings = (make_finding(filename=name, test=f"{name}::test_a") for name in names)
    return CheckResult(tuple(findings), tuple(FileSummary(name) for name in names))


@given(DATA)
def test_indented_json_is_what_the_standard_library_writes(value: object) -> None:
    assert pretty(value) == json.dumps(value, indent=2)


@given(st.lists(DATA))
def test_items_of_a_list_are_written_as_the_list_is(values: list[object]) -> None:
    assert "".join(pretty_items(values)) == json.dumps(values, indent=2)


def test_json_is_written_as_at_once(result: CheckResult, context: ReportContext) -> None:
    at_once = json.dumps([as_dict(finding, context) for finding in result.findings], indent=2)
    assert render(result, "json", context) == f"{at_once}\n"


@pytest.mark.parametrize("output_format", ["sarif", "gitlab"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_objects_are_written_as_at_once(
    result: CheckResult, context: ReportContext, output_format: str, count: int
) -> None:
    text = render(replace(result, findings=result.findings[:count]), output_format, context)
    assert text == f"{json.dumps(json.loads(text), indent=2)}\n"


@pytest.mark.parametrize("files", [0, 1, 2])
def test_junit_is_written_as_at_once(
    result: CheckResult, context: ReportContext, files: int
) -> None:
    shown = replace(result, files=result.files[:files], findings=result.findings[: 2 * files])
    text = render(shown, "junit", context)
    tree = ET.fromstring(text)
    ET.indent(tree)
    declared = '<?xml version="1.0" encoding="utf-8"?>\n'
    assert text == f"{declared}{ET.tostring(tree, encoding='unicode')}\n"


def test_page_holds_every_finding(many: CheckResult, context: ReportContext) -> None:
    text = render(many, "html", context)
    (data,) = re.findall(r'<script[^>]*"application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert len(json.loads(data)) == MANY


@pytest.mark.parametrize("output_format", FORMATS)
def test_no_piece_holds_more_than_a_few_findings(
    many: CheckResult, context: ReportContext, output_format: str
) -> None:
    assert max(_mentioned(piece) for piece in _body(pieces(many, output_format, context))) <= 2


@pytest.mark.parametrize("output_format", ["json", "json-lines", "sarif"])
def test_fixes_are_asked_for_when_a_finding_is_written(
    many: CheckResult, context: ReportContext, output_format: str
) -> None:
    asked: list[Finding] = []

    def fix_of(finding: Finding) -> None:
        asked.append(finding)

    report = pieces(many, output_format, replace(context, fix_of=fix_of))
    begun = list(islice(report, 4))
    assert 3 <= len(asked) <= len(begun)


def _mentioned(piece: str) -> int:
    return len(set(re.findall(r"test_\d{3}\.py", piece)))


def _body(report: Iterator[str]) -> Iterator[str]:
    """The pieces of a report but for its head, which lists what is counted."""
    yield from islice(report, 1, None)


def _fails(*_args: object, **_options: object) -> None:
    raise ZeroDivisionError("a defect")


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("part", ["reading", "fixing", "drawing"])
def test_defect_costs_a_frame_or_a_fix_and_no_finding(
    result: CheckResult,
    context: ReportContext,
    output_format: str,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = replace(
        context,
        read_source=_fails if part == "reading" else context.read_source,
        fix_of=_fails if part == "fixing" else context.fix_of,
        errors=[],
    )
    if part == "drawing":
        monkeypatch.setattr("socrates.report.full.frame", _fails)
    text = render(result, output_format, failing)
    first, _, last = result.findings
    assert [first.message in text, last.message in text] == [True, True]


@pytest.mark.parametrize("output_format", ["full", "html", "sarif", "gitlab"])
def test_defect_is_named_with_its_file(
    result: CheckResult, context: ReportContext, output_format: str
) -> None:
    failing = replace(context, read_source=_fails, errors=[])
    render(result, output_format, failing)
    told = {error.message for error in failing.errors}
    assert "ZeroDivisionError: a defect (while reading tests/test_cart.py)" in told
