"""SARIF 2.1.0: valid against the published schema, and with what code scanning needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from socrates.findings import CheckResult, Finding, PluginError, Severity
from socrates.report import ReportContext, render

Make = Callable[..., Finding]


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft4Validator:
    """The schema that OASIS publishes."""
    path = Path(__file__).parents[2] / "data" / "sarif-schema-2.1.0.json"
    return jsonschema.Draft4Validator(json.loads(path.read_text(encoding="utf-8")))


def run_of(result: CheckResult, context: ReportContext) -> Any:
    return json.loads(render(result, "sarif", context))["runs"][0]


def uri_of(finding: Finding, context: ReportContext) -> str:
    found = run_of(CheckResult((finding,)), context)["results"][0]
    location = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uriBaseId"] == "%SRCROOT%"
    return str(location["uri"])


@pytest.mark.parametrize("errors", [(), (PluginError("plug", "boom", "plug.py:3"),)])
def test_report_is_valid(
    errors: tuple[PluginError, ...],
    result: CheckResult,
    context: ReportContext,
    schema: jsonschema.Draft4Validator,
) -> None:
    report = json.loads(render(replace(result, errors=errors), "sarif", context))
    assert [error.message for error in schema.iter_errors(report)] == []


def test_the_schema_does_refuse_things(schema: jsonschema.Draft4Validator) -> None:
    assert not schema.is_valid({"version": "2.1.0"})


@pytest.mark.parametrize(
    ("severity", "level"),
    [(Severity.INFO, "note"), (Severity.WARNING, "warning"), (Severity.ERROR, "error")],
)
def test_severity_becomes_level(
    severity: Severity, level: str, make_finding: Make, context: ReportContext
) -> None:
    found = CheckResult((make_finding(severity=severity),))
    assert run_of(found, context)["results"][0]["level"] == level


@pytest.mark.parametrize(
    ("filename", "uri"),
    [
        pytest.param("tests/test a#b?.py", "tests/test%20a%23b%3F.py", id="reserved"),
        pytest.param("tests/tést.py", "tests/t%C3%A9st.py", id="not ASCII"),
        pytest.param("tests/caf\udce9.py", "tests/caf%E9.py", id="not UTF-8"),
        pytest.param("c:/test.py", "c%3A/test.py", id="no scheme"),
    ],
)
def test_path_becomes_a_relative_uri(
    filename: str, uri: str, make_finding: Make, context: ReportContext
) -> None:
    assert uri_of(make_finding(filename=filename), context) == uri


def test_project_in_a_folder_of_its_repository(make_finding: Make, context: ReportContext) -> None:
    nested = replace(context, prefix="backend/")
    assert uri_of(make_finding(), nested) == "backend/tests/test_cart.py"


def test_region_is_the_exact_span(result: CheckResult, context: ReportContext) -> None:
    place = run_of(result, context)["results"][0]["locations"][0]["physicalLocation"]
    region = {"startLine": 4, "startColumn": 12, "endLine": 4, "endColumn": 28}
    assert place["region"] == region


def test_rule_metadata_comes_along(result: CheckResult, context: ReportContext) -> None:
    run = run_of(result, context)
    rule = run["tool"]["driver"]["rules"][run["results"][0]["ruleIndex"]]
    assert (rule["id"], rule["helpUri"], rule["help"]["text"]) == (
        "SOC101",
        "https://example.org/assertion-roulette/",
        "The way out.",
    )


def test_rule_without_metadata_is_listed_all_the_same(
    result: CheckResult, context: ReportContext
) -> None:
    run = run_of(result, context)
    rules = run["tool"]["driver"]["rules"]
    named = [rules[found["ruleIndex"]]["id"] for found in run["results"]]
    assert named == [found["ruleId"] for found in run["results"]]


def test_related_places_have_messages(result: CheckResult, context: ReportContext) -> None:
    related = run_of(result, context)["results"][0]["relatedLocations"]
    assert [place["message"]["text"] for place in related] == ["another one"]


def test_moved_lines_keep_the_fingerprint(
    make_finding: Make, result: CheckResult, context: ReportContext
) -> None:
    first = replace(result.findings[0], related=())
    span = first.span
    moved = replace(first, span=span._replace(row=span.row + 2, end_row=span.end_row + 2))
    below = replace(context, read_source=lambda name: f"\n\n{context.read_source(name)}")
    before = run_of(CheckResult((first,)), context)["results"][0]
    after = run_of(CheckResult((moved,)), below)["results"][0]
    assert after["partialFingerprints"] == before["partialFingerprints"]


def test_brackets_in_a_message_are_no_link(make_finding: Make, context: ReportContext) -> None:
    found = CheckResult((make_finding(message="calls[0](1)", advice=""),))
    assert run_of(found, context)["results"][0]["message"]["text"] == "calls\\[0](1)"


def test_plugin_that_raised_is_told(context: ReportContext) -> None:
    outcome = CheckResult(errors=(PluginError("plug", "boom", "plug.py:3"),))
    invocation = run_of(outcome, context)["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == (
        "plug: boom (plug.py:3)"
    )
