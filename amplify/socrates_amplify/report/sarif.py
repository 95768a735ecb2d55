"""SARIF 2.1.0: each defect at the handler of its faulted message, the test as related location."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import quote

import socrates
from socrates.findings import Severity
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.model.labels import named
from socrates_amplify.model.results import FoundDefect, RunResult, TestResult
from socrates_amplify.model.serial import Json
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explanations, handler_of

_LEVELS = {Severity.INFO: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(run: RunResult, context: ReportContext) -> str:
    """The defects of the run as one SARIF log, with paths relative to the user's folder."""
    root = context.cwd
    results = [
        _result(run, test, found, root)
        for test, found in run.found
        if found.severity.at_least(run.min_severity) and not _is_accepted(run, found)
    ]
    kinds = sorted({str(result["ruleId"]) for result in results})
    log: Json = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "socrates amplify",
                        "version": socrates.__version__,
                        "rules": [_rule(kind) for kind in kinds],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"uri": root.absolute().as_uri() + "/"}},
                "results": results,
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _is_accepted(run: RunResult, found: FoundDefect) -> bool:
    return found.judgement is not None and found.judgement.group in run.accepted


def _rule(rule_id: str) -> Json:
    kind = rule_id.removeprefix("amplify/")
    return {
        "id": rule_id,
        "name": kind,
        "shortDescription": {"text": kind_of(kind).rule},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(run: RunResult, test: TestResult, found: FoundDefect, root: Path) -> Json:
    told = explanations(test, found)
    failure, judgement = found.defect.failure, found.judgement
    words = "; ".join(
        f"{named(fault)} ({fault.sender} -> {fault.receiver}): {why}" for fault, why in told
    )
    meaning = (
        f"{judgement.kind.value}: {judgement.site.name}: {judgement.why}. " if judgement else ""
    )
    site = [judgement.site.place] if judgement and judgement.site.place else []
    places = dict.fromkeys([*site, *(handler_of(fault, test, found) for fault, _ in told)])
    test_place = _location(run, test.location or failure.location, root)
    located = [place for handler in places if (place := _location(run, handler, root))]
    result: Json = {
        "ruleId": f"amplify/{told[0][0].kind}" if told else "amplify/fault",
        "level": _LEVELS[found.severity],
        "message": {
            "text": f"{meaning}{words}. {test.nodeid} fails: {failure.type}: {failure.told}"
        },
        "locations": located[:1] or ([test_place] if test_place else []),
        "partialFingerprints": {"scenario/v1": f"{test.nodeid}:{found.defect.scenario.key}"},
        "properties": _properties(test, found),
    }
    related = [
        *({**place, "message": {"text": "also faulted here"}} for place in located[1:]),
        *([{**test_place, "message": {"text": f"the test {test.nodeid}"}}] if test_place else []),
    ]
    if related:
        result["relatedLocations"] = [
            {**place, "id": number} for number, place in enumerate(related, start=1)
        ]
    return result


def _properties(test: TestResult, found: FoundDefect) -> Json:
    properties: Json = {
        "replay": found.command,
        "nodeid": test.nodeid,
        "severity": found.severity.value,
    }
    if found.judgement is not None:
        properties |= {"class": found.judgement.kind.value, "group": found.judgement.group}
    return properties


def _location(run: RunResult, place: str, root: Path) -> Json | None:
    """A SARIF location of ``file:line``, relative to ``root`` when it lies inside it."""
    file, _, line = place.rpartition(":")
    if not file or not line.isdigit():
        return None
    path = Path(os.path.abspath(root / run.place(file)))  # noqa: PTH100  # links stay links
    artifact: Json
    if path.is_relative_to(root):
        artifact = {"uri": quote(path.relative_to(root).as_posix()), "uriBaseId": "ROOT"}
    else:
        artifact = {"uri": path.as_uri()}
    return {
        "physicalLocation": {
            "artifactLocation": artifact,
            "region": {"startLine": max(1, int(line))},
        }
    }
