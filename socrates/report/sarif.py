"""``sarif``: SARIF 2.1.0, for code scanning services and editors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from socrates.findings import CheckResult, Finding, PluginError, Related, Severity, Span
from socrates.printable import well_formed
from socrates.report.context import ReportContext, RuleInfo
from socrates.report.fingerprint import fingerprints
from socrates.report.pretty import pretty, pretty_items

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.INFO: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}
_LATER = "\0"
"""Stands for a list that is written piece by piece, ``_DEPTH`` levels deep."""
_DEPTH = 3
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """One run; paths are relative to the root of the sources and percent-encoded byte by byte."""
    rules = _rules(result, context)
    index = {rule.code: number for number, rule in enumerate(rules)}
    names = fingerprints(result.findings, context.source)
    results = (
        _result(finding, index[finding.code], name, context)
        for finding, name in zip(result.findings, names, strict=True)
    )
    run = {
        "tool": {"driver": _driver(rules, context)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the sources."}}},
        "results": _LATER,
        "invocations": _LATER,
    }
    frame = pretty({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})
    before, between, after = frame.rsplit(pretty(_LATER), 2)
    yield before
    yield from pretty_items(results, level=_DEPTH)
    yield between
    yield pretty([_invocation((*result.errors, *context.errors))], level=_DEPTH)
    yield f"{after}\n"


def _rules(result: CheckResult, context: ReportContext) -> list[RuleInfo]:
    """The known rules and those that findings name without being known, by code."""
    rules = dict(context.rules)
    for finding in result.findings:
        if finding.code not in rules:
            rules[finding.code] = RuleInfo(finding.code, finding.name)
    return [rules[code] for code in sorted(rules)]


def _driver(rules: list[RuleInfo], context: ReportContext) -> dict[str, object]:
    driver: dict[str, object] = {
        "name": "Socrates",
        "rules": [_rule(rule) for rule in rules],
    }
    if context.version:
        driver["version"] = context.version
    return driver


def _rule(rule: RuleInfo) -> dict[str, object]:
    summary = rule.summary or rule.name
    worst = max(
        (Severity(name) for name in rule.severities),
        key=lambda each: each.rank,
        default=Severity.WARNING,
    )
    described: dict[str, object] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": _text(summary),
        "fullDescription": _text(f"{summary} {rule.advice}".strip()),
        "help": {
            "text": well_formed(rule.advice or summary),
            "markdown": well_formed(
                rule.page() if rule.page else rule.description or rule.advice or summary
            ),
        },
        "defaultConfiguration": {"level": _LEVELS[worst]},
        "properties": {"tags": ["test-smell"]},
    }
    if rule.web_url:
        described["helpUri"] = rule.web_url
    return described


def _result(
    finding: Finding, rule_index: int, fingerprint: str, context: ReportContext
) -> dict[str, object]:
    location = _location(context.repository_path(finding.filename), finding.span)
    if finding.test is not None:
        location["logicalLocations"] = [
            {"fullyQualifiedName": well_formed(finding.test), "kind": "function"}
        ]
    message = f"{finding.message}\n{finding.advice}" if finding.advice else finding.message
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": _message(message),
        "locations": [location],
        "relatedLocations": [
            {"id": number, "message": _message(related.message), **_related(related, context)}
            for number, related in enumerate(finding.related, start=1)
        ],
        "partialFingerprints": {"socratesFinding/v1": fingerprint},
    }
    fix = context.fix(finding)
    if fix is not None:
        result["fixes"] = [_fix(fix, context.repository_path(finding.filename))]
    return result


def _fix(fix: Mapping[str, Any], filename: str) -> dict[str, object]:
    return {
        "description": _message(str(fix["message"])),
        "artifactChanges": [
            {
                "artifactLocation": {"uri": _uri(filename), "uriBaseId": _ROOT},
                "replacements": [_replacement(edit) for edit in fix["edits"]],
            }
        ],
        "properties": {"applicability": fix["applicability"]},
    }


def _replacement(edit: Mapping[str, Any]) -> dict[str, object]:
    start, end = edit["location"], edit["end_location"]
    return {
        "deletedRegion": {
            "startLine": start["row"],
            "startColumn": start["column"],
            "endLine": end["row"],
            "endColumn": end["column"],
        },
        "insertedContent": _text(edit["content"]),
    }


def _related(related: Related, context: ReportContext) -> dict[str, object]:
    return _location(context.repository_path(related.filename), related.span)


def _location(filename: str, span: Span) -> dict[str, object]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(filename), "uriBaseId": _ROOT},
            "region": {
                "startLine": max(span.row, 1),
                "startColumn": max(span.column, 1),
                "endLine": max(span.end_row, span.row, 1),
                "endColumn": max(span.end_column, 1),
            },
        }
    }


def _uri(filename: str) -> str:
    """The name's own bytes, percent-encoded, so that a name that is not UTF-8 survives."""
    try:
        name = filename.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        name = well_formed(filename).encode()
    return quote(name, safe="/")


def _invocation(errors: Sequence[PluginError]) -> dict[str, object]:
    """What failed on the way, which is known once all fixes have been asked for."""
    return {
        "executionSuccessful": not errors,
        "toolExecutionNotifications": [_notification(error) for error in errors],
    }


def _notification(error: PluginError) -> dict[str, object]:
    text = f"{error.plugin}: {error.message} ({error.location})"
    return {"level": "error", "message": _message(text)}


def _message(text: str) -> dict[str, object]:
    """A message to the letter: ``[a](b)`` would be read as a link."""
    return _text(_LINK.sub(r"\\[", text))


def _text(text: str) -> dict[str, object]:
    return {"text": well_formed(text)}
