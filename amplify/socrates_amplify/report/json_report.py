"""The JSON report: a contract with other tools and with ``socrates merge``."""

from __future__ import annotations

import json
from dataclasses import asdict

from socrates_amplify.model.results import (
    FORMAT_VERSION,
    FoundDefect,
    RunResult,
    Status,
    TestResult,
)
from socrates_amplify.model.serial import Json
from socrates_amplify.model.shards import Part
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
            "shard": None if run.shard is None else _shard(run.shard),
        },
        "tests": [as_document(test) for test in run.tests],
        "coverage": None if run.coverage is None else coverage.as_document(run.coverage),
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
        "note": test.note,
        "location": test.location,
        "defects": [_defect(test, found) for found in test.defects],
    }


def _defect(test: TestResult, found: FoundDefect) -> Json:
    failure, told = found.defect.failure, explanations(test, found)
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
        "failure": {
            "type": failure.type,
            "message": failure.message,
            "location": failure.location,
        },
        "minimal": found.defect.minimal,
        "note": found.defect.note,
        "replay": found.replay,
    }
