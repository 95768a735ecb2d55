"""Several JSON reports of ``socrates amplify`` become one, as if one machine had run everything.

Documents are merged as they are: fields that a report has beyond those known here stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from socrates.errors import SocratesError
from socrates.findings import PluginError, Severity
from socrates_amplify.coverage import merge as merging_coverage
from socrates_amplify.merge.report_files import Report
from socrates_amplify.model.exchanges import exchanges_from_json
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import (
    FORMAT_VERSION,
    ExplainedFault,
    FoundDefect,
    RunResult,
    Status,
    TestResult,
)
from socrates_amplify.model.search import Defect
from socrates_amplify.model.serial import Json
from socrates_amplify.report import coverage, json_report
from socrates_amplify.triage.judge import finish

_WORST_FIRST = (
    Status.DEFECTIVE,
    Status.ERROR,
    Status.FAILING,
    Status.FLAKY,
    Status.RESILIENT,
    Status.SMELLY,
    Status.NO_TARGETS,
    Status.NOT_RUN,
)
_FAULT = ("index", "kind", "from", "to", "message", "detail", "why", "handler")
_RANK = {status.value: rank for rank, status in enumerate(_WORST_FIRST)}


def merge(reports: Sequence[Report], *, allow_missing: bool = False) -> tuple[Json, list[str]]:
    """The document of all reports together, and one line for each thing worth knowing.

    A test that several reports have is taken from the one with the worst result, so that merging
    never hides a defect; what was run beats what was not. Shards must be of the same split, and
    all there unless ``allow_missing``; the result then counts as interrupted.
    """
    missing = _missing_shards(reports)
    if missing and not allow_missing:
        raise SocratesError(
            f"shard {', '.join(missing)} is missing; give its report too, or --allow-missing"
        )
    notes = [f"shard {name} is missing; its tests are in no report" for name in missing]
    kept: dict[str, tuple[Json, Report]] = {}
    for report in reports:
        for test in report.tests:
            nodeid = str(test["nodeid"])
            if nodeid in kept:
                kept[nodeid] = _worse(kept[nodeid], (test, report), notes)
            else:
                kept[nodeid] = (test, report)
    tests = [kept[nodeid][0] for nodeid in sorted(kept)]
    summary = _summary([report.summary for report in reports], tests)
    if missing:
        summary["interrupted"] = True
    merged: Json = {"version": FORMAT_VERSION, "summary": summary, "tests": tests}
    merged["coverage"] = _coverage(reports, kept, notes)
    return merged, notes


def _coverage(reports: Sequence[Report], nodeids: Iterable[str], notes: list[str]) -> Json | None:
    """What all reports together covered; None when none of them says anything."""
    known = {str(report.path): report.coverage for report in reports if report.coverage is not None}
    if not known:
        return None
    notes += [
        f"{report.path} has no coverage; what it covered is not in the sum"
        for report in reports
        if report.coverage is None
    ]
    tests = {nodeid.partition("::")[0] for nodeid in nodeids}
    return coverage.as_document(merging_coverage.merge(known, tests))


def _missing_shards(reports: Sequence[Report]) -> list[str]:
    """The shards of the split that no report is about; raises when there are two splits."""
    first: tuple[Path, Mapping[str, object]] | None = None
    present: set[object] = set()
    for report in reports:
        shard = report.summary.get("shard")
        if not isinstance(shard, dict):
            continue
        first = first or (report.path, shard)
        if shard.get("plan") != first[1].get("plan"):
            raise SocratesError(
                f"{first[0]} (shard {_name(first[1])}) and {report.path} (shard {_name(shard)}) "
                "are parts of different splits; run all shards on the same code, with the same "
                "--durations"
            )
        present.add(shard.get("index"))
    count = first[1].get("count") if first else 0
    numbers = range(1, count + 1) if isinstance(count, int) else ()
    return [f"{number}/{count}" for number in numbers if number not in present]


def _name(shard: Mapping[str, object]) -> str:
    return f"{shard.get('index')}/{shard.get('count')}"


def _worse(
    one: tuple[Json, Report], two: tuple[Json, Report], notes: list[str]
) -> tuple[Json, Report]:
    """The worse of two results of a test; a note unless one of them simply was not run."""
    best, other = sorted((one, two), key=lambda result: _RANK[str(result[0]["status"])])
    if other[0]["status"] != Status.NOT_RUN.value:
        notes.append(
            f"{best[0]['nodeid']} is in {one[1].path} and {two[1].path}; kept {best[0]['status']} "
            f"of {best[1].path}"
        )
    return best


def _summary(summaries: Sequence[Mapping[str, object]], tests: Sequence[Json]) -> Json:
    merged: Json = {}
    for summary in summaries:
        merged = _sum(merged, summary)
    merged |= {status.value: 0 for status in Status}
    for test in tests:
        status = str(test["status"])
        merged[status] = int(str(merged[status])) + 1
    merged["tests"] = len(tests)
    merged["defects"] = sum(len(_list(test["defects"])) for test in tests)
    merged["executions"] = sum(_whole(test.get("executions")) for test in tests)
    merged["shard"] = None
    if "fault_coverage" in merged:  # that of the parts together is no sum: ``as_run`` counts anew
        merged["fault_coverage"] = {"fail-under": _asked_for(summaries)}
    return merged


def _asked_for(summaries: Sequence[Mapping[str, object]]) -> float:
    """The fault coverage that the shards were told to ask for: the highest, should they differ."""
    told = [summary.get("fault_coverage") for summary in summaries]
    return max(
        (_seconds(one.get("fail-under")) for one in told if isinstance(one, dict)), default=0.0
    )


def _sum(one: Mapping[str, object], two: Mapping[str, object]) -> Json:
    """Numbers added, flags or-ed, lists joined, objects likewise; else the first value."""
    merged: Json = dict(one)
    for key, value in two.items():
        known = merged.get(key)
        if known is None:
            merged[key] = value
        elif isinstance(known, bool) and isinstance(value, bool):
            merged[key] = known or value
        elif isinstance(known, (int, float)) and isinstance(value, (int, float)):
            merged[key] = round(known + value, 3)
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = [*known, *(item for item in value if item not in known)]
        elif isinstance(known, dict) and isinstance(value, dict):
            merged[key] = _sum(known, value)
    return merged


def as_run(document: Json) -> RunResult:
    """A merged document as the result of a run, as far as a report tells: to print it.

    What defects mean is judged anew where they are compared; the document then says so, too.
    """
    summary = document["summary"]
    assert isinstance(summary, dict)
    run = finish(_run(document, summary))
    for told, test in zip(_list(document["tests"]), run.tests, strict=True):
        assert isinstance(told, dict)
        for defect, found in zip(_list(told["defects"]), test.defects, strict=True):
            if isinstance(defect, dict):
                defect.update(json_report.judgement_of(found))
    document["groups"] = json_report.groups_in(run)
    summary["fault_coverage"] = json_report.coverage_of(run)
    return run


def _run(document: Json, summary: Mapping[str, object]) -> RunResult:
    return RunResult(
        tuple(_test(test) for test in _list(document["tests"])),
        _seconds(summary.get("duration")),
        tuple(map(str, _list(summary.get("warnings")))),
        bool(summary.get("interrupted")),
        errors=tuple(_error(error) for error in _list(summary.get("errors"))),
        fail_on=_severity(summary.get("fail-on")),
        fail_under=_asked_for([summary]),
        accepted=frozenset(map(str, _list(summary.get("baselined")))),
        gone=tuple(map(str, _list(summary.get("fixed_baseline")))),
        coverage=None
        if document["coverage"] is None
        else merging_coverage.read(document["coverage"]),
        document=document,
    )


def _severity(value: object) -> Severity:
    return (
        Severity(value) if value in {severity.value for severity in Severity} else Severity.WARNING
    )


def _error(value: object) -> PluginError:
    error = value if isinstance(value, dict) else {}
    return PluginError(*(str(error.get(key, "")) for key in ("plugin", "message", "location")))


def read_test(document: Mapping[str, object]) -> TestResult | None:
    """The result of a test that a store has kept; None where it is damaged."""
    try:
        return _test(dict(document))
    except (KeyError, ValueError):
        return None


def _test(test: object) -> TestResult:
    assert isinstance(test, dict)
    return TestResult(
        str(test["nodeid"]),
        Status(test["status"]),
        str(test.get("location", "")),
        smells=tuple(map(str, _list(test.get("smells")))),
        targets=_whole(test.get("targets")),
        faults=_whole(test.get("faults")),
        executions=_whole(test.get("executions")),
        unresolved=_whole(test.get("unresolved")),
        duration=_seconds(test.get("duration")),
        note=str(test.get("note", "")),
        defects=tuple(_defect(defect) for defect in _list(test["defects"])),
        exchanges=exchanges_from_json(test.get("exchanges")),
    )


def _defect(value: object) -> FoundDefect:
    defect = value if isinstance(value, dict) else {}
    failure = defect.get("failure")
    failed = failure if isinstance(failure, dict) else {}
    about = [str(failed.get(key, "")) for key in ("type", "message", "location")]
    shown = str(defect.get("shown", ""))
    faults = [fault for fault in _list(defect.get("faults")) if isinstance(fault, dict)]
    explained = [one for one in _list(defect.get("explained")) if isinstance(one, dict)]
    if len(explained) == len(faults):
        faults = [{**fault, **more} for fault, more in zip(faults, explained, strict=True)]
    told = tuple(_fault(fault) for fault in faults)
    scenario = Scenario.of(one.fault for one in told)
    minimal, note = bool(defect.get("minimal", True)), str(defect.get("note", ""))
    found = Defect(scenario, Failure(about[0], about[1], about[2], shown=shown), minimal, note)
    return FoundDefect(
        found,
        str(defect.get("replay", "")),
        told=told if explained else (),
        judgement=_judgement(defect),
        pytest_args=tuple(map(str, _list(defect.get("pytest_args")))),
    )


def _judgement(defect: Mapping[str, object]) -> Judgement | None:
    """What the report says that it means; None where an earlier version said nothing."""
    site = defect.get("site")
    known = {kind.value: kind for kind in DefectClass}
    kind, severity = known.get(str(defect.get("class"))), defect.get("severity")
    if kind is None or not isinstance(site, dict) or severity not in {s.value for s in Severity}:
        return None
    text = {key: str(defect.get(key, "")) for key in ("meaning", "did", "unsure", "gets")}
    others = tuple(map(str, _list(site.get("others"))))
    key, name, place = (str(site.get(field, "")) for field in ("key", "name", "place"))
    where = Site(key, name, place, others)
    raw, way = defect.get("raw") is True, tuple(map(str, _list(defect.get("way"))))
    said = (text["meaning"], where, text["did"], raw, text["unsure"], way, text["gets"])
    return Judgement(kind, Severity(severity), *said)


def _fault(value: Mapping[str, object]) -> ExplainedFault:
    """``status:503`` is a kind with its detail."""
    text = {key: str(value.get(key, "")) for key in _FAULT}
    kind, _, detail = text["kind"].partition(":")
    fault = Fault(
        text["index"],
        kind,
        text["from"],
        text["to"],
        text["message"],
        text["detail"] or detail,
    )
    return ExplainedFault(fault, text["why"], text["handler"])


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
