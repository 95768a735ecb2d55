"""The JSON report: a contract with other tools and with ``socrates merge``."""

from __future__ import annotations

import json
from dataclasses import asdict

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.entries import entries
from socrates_amplify.model.defect_groups.groups import DefectGroup, groups_of
from socrates_amplify.model.exchanges import exchange_to_json
from socrates_amplify.model.results import (
    FORMAT_VERSION,
    FoundDefect,
    Part,
    RunResult,
    Status,
    TestResult,
)
from socrates_amplify.model.serial import Json
from socrates_amplify.report import coverage
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explanations, handler_of


def render(run: RunResult, context: ReportContext) -> str:
    """The whole run as one JSON document: the one that it was read from, if it was."""
    told = document(run) if run.document is None else run.document
    return json.dumps(told, indent=2, ensure_ascii=True) + "\n"


def document(run: RunResult) -> Json:
    """The run as JSON values. Fields are only ever added within one ``version``."""
    return {
        "version": FORMAT_VERSION,
        "summary": {
            **{status.value: run.count(status) for status in Status},
            "tests": len(run.tests),
            "defects": run.defects,
            "executions": run.executions,
            "duration": round(run.duration, 3),
            "interrupted": run.interrupted,
            "warnings": list(run.warnings),
            "errors": [asdict(error) for error in run.errors],
            **{
                severity.value: _count(run, severity)
                for severity in (Severity.WARNING, Severity.INFO)
            },
            "fail-on": run.fail_on.value,
            "fault_coverage": coverage_of(run),
            "baselined": sorted(run.accepted),
            "fixed_baseline": list(run.gone),
            "resumed": run.resumed,
            "shard": None if run.shard is None else _shard(run.shard),
        },
        "tests": [as_document(test) for test in run.tests],
        "groups": groups_in(run),
        "coverage": None if run.coverage is None else coverage.as_document(run.coverage),
    }


def coverage_of(run: RunResult) -> Json:
    """How many of the kinds of faults that traces offer were tried; ``of`` them, at how many places."""
    covered = run.fault_coverage
    return {
        "percent": covered.percent,
        "tried": covered.tried,
        "of": covered.of,
        "places": covered.places,
        "fail-under": run.fail_under,
    }


def _count(run: RunResult, severity: Severity) -> int:
    return sum(found.severity is severity for _, found in run.found)


def groups_in(run: RunResult) -> list[Json]:
    """Defects by root cause, the worst first."""
    groups = groups_of(run)
    first = {group.id: entry[0].id for entry in entries(run, groups) for group in entry}
    return [
        {**_group(group), "entry": first.get(group.id), "accepted": group.id in run.accepted}
        for group in groups
    ]


def _group(group: DefectGroup) -> Json:
    """Defects with one root cause; ``replay`` is that of the smallest scenario."""
    test, smallest = group.smallest
    return {
        "id": group.id,
        "class": group.judgement.kind.value,
        "severity": group.severity.value,
        "why": group.why,
        "site": group.judgement.site.name,
        "location": group.judgement.site.place,
        "kinds": [what.replace(" ", ":", 1) for what in group.faults],
        "to": list(group.receivers),
        "tests": list(group.tests),
        "defects": len(group.found),
        "smallest": _defect(test, smallest)["faults"],
        "failure": _failure(smallest),
        "replay": smallest.replay,
    }


def _shard(part: Part) -> Json:
    """What ``socrates merge`` needs to put the parts of one split together again."""
    return {
        "index": part.shard.index,
        "count": part.shard.count,
        "plan": part.plan,
        "collected": part.collected,
    }


def as_document(test: TestResult) -> Json:
    """One test."""
    return {
        "nodeid": test.nodeid,
        "status": test.status.value,
        "smells": list(test.smells),
        "targets": test.targets,
        "faults": test.faults,
        "executions": test.executions,
        "unresolved": test.unresolved,
        "duration": round(test.duration, 3),
        "speculation": None if test.speculation is None else asdict(test.speculation),
        "orders": None if test.orders is None else asdict(test.orders),
        "note": test.note,
        "location": test.location,
        "reused": test.reused,
        "defects": [_defect(test, found) for found in test.defects],
        "exchanges": [exchange_to_json(exchange) for exchange in test.exchanges],
    }


def _defect(test: TestResult, found: FoundDefect) -> Json:
    """One defect; ``shown`` is the failure's message as it was, not made the same in every run."""
    told = explanations(test, found)
    return {
        "faults": [
            {
                "kind": fault.what.replace(" ", ":", 1),
                "from": fault.sender,
                "to": fault.receiver,
                "message": fault.message,
                "index": fault.target,
            }
            for fault, _ in told
        ],
        "explained": [
            {"why": why, "handler": handler_of(fault, test, found), "detail": fault.detail}
            for fault, why in told
        ],
        "failure": _failure(found),
        "shown": found.defect.failure.told,
        **judgement_of(found),
        "minimal": found.defect.minimal,
        "note": found.defect.note,
        "replay": found.replay,
        "pytest_args": list(found.pytest_args),
    }


def _failure(found: FoundDefect) -> Json:
    failure = found.defect.failure
    return {
        "type": failure.type,
        "message": failure.message,
        "location": failure.location,
    }


def judgement_of(found: FoundDefect) -> Json:
    """What the defect means; ``site`` is where the fault left our hands."""
    judgement = found.judgement
    if judgement is None:
        return {"severity": found.severity.value, "class": None, "group": None}
    return {
        "severity": judgement.severity.value,
        "class": judgement.kind.value,
        "group": judgement.group,
        "meaning": judgement.why,
        "unsure": judgement.unsure,
        "did": judgement.did,
        "raw": judgement.raw,
        "way": list(judgement.way),
        "gets": judgement.gets,
        "site": {
            "key": judgement.site.key,
            "name": judgement.site.name,
            "place": judgement.site.place,
            "others": list(judgement.site.others),
        },
    }
