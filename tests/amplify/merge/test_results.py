"""Reports that are put together: each number, list and flag, and what is read back of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates_amplify.merge.report_files import Report, read
from socrates_amplify.merge.results import as_run, merge
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import (
    ExplainedFault,
    FoundDefect,
    RunResult,
    Status,
    TestResult,
)
from socrates_amplify.model.search import Defect

WORST_FIRST = "defective error failing flaky resilient smelly no-targets not-run".split()


def told_of(nodeid: str, status: str = "resilient", **more: object) -> dict[str, Any]:
    return {"nodeid": nodeid, "status": status, "defects": [], **more}


def report(name: str, tests: Sequence[dict[str, Any]] = (), **summary: object) -> Report:
    return Report(Path(name), dict(summary), tuple(tests))


def shard(index: int, count: int, plan: str = "p") -> dict[str, object]:
    return {"index": index, "count": count, "plan": plan}


@pytest.mark.parametrize("worse", WORST_FIRST)
@pytest.mark.parametrize("better", WORST_FIRST)
@pytest.mark.parametrize("turned", [False, True])
def test_the_worst_result_of_a_test_is_kept(worse: str, better: str, turned: bool) -> None:
    one, two = report("a", [told_of("t", worse)]), report("b", [told_of("t", better)])
    document, _ = merge([two, one] if turned else [one, two])
    [kept] = document["tests"]  # type: ignore[misc]
    assert kept["status"] == min(worse, better, key=WORST_FIRST.index)


@pytest.mark.parametrize(
    ("statuses", "notes"),
    [
        (("flaky", "error"), ["t is in a and b; kept error of b"]),
        (("resilient", "resilient"), ["t is in a and b; kept resilient of a"]),
        (("resilient", "not-run"), []),
        (("not-run", "resilient"), []),
    ],
)
def test_a_test_that_was_run_twice_is_told(statuses: tuple[str, str], notes: list[str]) -> None:
    reports = [report(n, [told_of("t", s)]) for n, s in zip("ab", statuses, strict=True)]
    assert merge(reports)[1] == notes


def test_summaries_are_added_up() -> None:
    first = report(
        "a",
        [told_of("b", "defective", defects=[{}, {}], executions=3), told_of("a")],
        duration=1.25,
        interrupted=False,
        warnings=["x", "y"],
        other={"n": 1, "only": "a"},
        text="first",
    )
    second = report(
        "b",
        [told_of("c", executions=4), told_of("d", "flaky", executions="many")],
        duration=2.0004,
        interrupted=True,
        warnings=["y", "z"],
        other={"n": 2},
        text="second",
        fresh=None,
    )
    document, notes = merge([first, second])
    assert notes == []
    assert [test["nodeid"] for test in document["tests"]] == ["a", "b", "c", "d"]  # type: ignore[attr-defined]
    assert document["summary"] == {
        **dict.fromkeys(WORST_FIRST, 0),
        "defective": 1,
        "resilient": 2,
        "flaky": 1,
        "tests": 4,
        "defects": 2,
        "executions": 7,
        "duration": 3.25,
        "interrupted": True,
        "warnings": ["x", "y", "z"],
        "other": {"n": 3, "only": "a"},
        "text": "first",
        "fresh": None,
        "shard": None,
    }
    assert (document["version"], document["coverage"]) == (1, None)


@pytest.mark.parametrize(
    ("shards", "missing"),
    [
        ([shard(1, 2), shard(2, 2)], ""),
        ([shard(2, 2), shard(1, 2)], ""),
        ([shard(2, 3)], "1/3, 3/3"),
        ([None, shard(1, 2)], "2/2"),
        ([None, None], ""),
    ],
)
def test_shards_that_are_missing(shards: list[Any], missing: str) -> None:
    reports = [report(str(number), shard=one) for number, one in enumerate(shards)]
    if missing:
        with pytest.raises(SocratesError, match=f"^shard {missing} is missing; give its report"):
            merge(reports)
    document, notes = merge(reports, allow_missing=True)
    names = missing.split(", ") if missing else []
    assert notes == [f"shard {name} is missing; its tests are in no report" for name in names]
    assert document["summary"].get("interrupted", False) is bool(missing)  # type: ignore[attr-defined]


def test_shards_of_two_splits_are_refused() -> None:
    with pytest.raises(SocratesError, match=r"^a \(shard 1/2\) and b \(shard 2/2\) are parts of"):
        merge([report("a", shard=shard(1, 2)), report("b", shard=shard(2, 2, "q"))])


GOOD = {"version": 1, "summary": {}, "tests": [told_of("t")]}


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {**GOOD, "summary": []},
        {**GOOD, "tests": {}},
        {**GOOD, "tests": [1]},
        {**GOOD, "tests": [told_of("t", "odd")]},
        {**GOOD, "tests": [{**told_of("t"), "nodeid": 1}]},
        {**GOOD, "tests": [{**told_of("t"), "defects": {}}]},
        {**GOOD, "tests": [told_of("t"), {}]},
    ],
)
def test_what_is_no_report_is_refused(document: object, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    with pytest.raises(SocratesError, match="no report of socrates amplify --output-format json"):
        read(path)


def exchange(**kinds: str) -> dict[str, object]:
    ends = {"from": "a.py", "from_kind": "module", "to": "bank", "channel": "call"}
    return {**ends, "what": "GET /", "site": "a.py:f", "clean": True, "kinds": kinds}


@pytest.mark.parametrize(("asked", "code"), [((0, 0), 0), ((70, 0), 1), ((60, 66), 0)])
def test_fault_coverage_is_that_of_all_shards_together(asked: tuple[int, int], code: int) -> None:
    tried = [
        exchange(timeout="survived", slow="untried", status="untried"),
        exchange(timeout="untried", slow="noticed"),
    ]
    reports = [
        report(
            f"{number}.json",
            [told_of(f"t{number}", exchanges=[one])],
            shard=shard(number, 2),
            fault_coverage={"percent": 50.0, "tried": 1, "of": 2, "fail-under": limit},
        )
        for number, one, limit in zip((1, 2), tried, asked, strict=True)
    ]
    document, _ = merge(reports)
    run = as_run(document)
    assert (document["summary"]["fault_coverage"], run.exit_code) == (  # type: ignore[index]
        {"percent": 66.6, "tried": 2, "of": 3, "places": 1, "fail-under": max(asked)},
        code,
    )


def test_a_report_is_read(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps({**GOOD, "coverage": {"files": []}}))
    assert read(path) == Report(path, {}, (told_of("t"),), {"files": []})


DEFECT = {
    "faults": [
        {"kind": "status:503", "from": "a", "to": "b", "message": "m", "index": "t1"},
        {"kind": "delay", "from": "c", "to": "d", "message": "n", "index": "t2"},
    ],
    "explained": [
        {"why": "w", "handler": "h:1", "detail": "503"},
        {"why": "v", "handler": "", "detail": ""},
    ],
    "failure": {"type": "E", "message": "x", "location": "t.py:3"},
    "minimal": False,
    "note": "budget",
    "replay": "s.json",
    "pytest_args": ["-k", "shop"],
}
FAULTS = (Fault("t1", "status", "a", "b", "m", "503"), Fault("t2", "delay", "c", "d", "n"))


def test_a_document_is_read_back_as_a_run() -> None:
    test = told_of(
        "t",
        "defective",
        smells=["SOC101"],
        targets=1,
        faults=2,
        executions=3,
        unresolved=4,
        duration=1.5,
        note="n",
        location="t.py:2",
        defects=[DEFECT],
    )
    summary = {
        "duration": 2.5,
        "warnings": ["w"],
        "interrupted": True,
        "errors": [{"plugin": "p", "message": "m", "location": "l"}],
    }
    document = {"summary": summary, "tests": [test], "coverage": None}
    told = (ExplainedFault(FAULTS[0], "w", "h:1"), ExplainedFault(FAULTS[1], "v", ""))
    found = FoundDefect(
        Defect(Scenario.of(FAULTS), Failure("E", "x", "t.py:3"), False, "budget"),
        "s.json",
        told=told,
        pytest_args=("-k", "shop"),
    )
    result = TestResult(
        "t", Status.DEFECTIVE, "t.py:2", ("SOC101",), 1, 2, 3, 4, 1.5, (found,), "n"
    )
    errors = (PluginError("p", "m", "l"),)
    run = as_run(document)
    unjudged = [replace(one, judgement=None) for one in run.tests[0].defects]
    tests = (replace(run.tests[0], defects=tuple(unjudged)),)
    assert replace(run, tests=tests) == RunResult(
        (result,), 2.5, ("w",), True, errors=errors, document=document
    )


@pytest.mark.parametrize("explained", [None, [], [{"why": "only one"}]], ids=["no", "none", "few"])
def test_a_defect_of_an_earlier_version_has_no_explanations(explained: object) -> None:
    test = told_of("t", "defective", defects=[{**DEFECT, "explained": explained}])
    document = {"summary": {}, "tests": [test], "coverage": None}
    [found] = as_run(document).tests[0].defects
    details = sorted(fault.detail for fault in found.defect.scenario)
    assert (details, bool(found.told)) == (["", "503"], explained == [{"why": "only one"}])


def test_what_is_missing_in_a_report_is_nothing() -> None:
    document = {"summary": {"errors": [1]}, "tests": [told_of("t", defects=[1])], "coverage": None}
    run = as_run(document)
    [found] = run.tests[0].defects
    assert (run.duration, run.warnings, run.interrupted) == (0.0, (), False)
    assert run.errors == (PluginError("", "", ""),)
    bare = FoundDefect(Defect(Scenario(), Failure("", "", "")), "")
    assert replace(found, judgement=None) == bare


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param(1, 2, 3, id="whole numbers"),
        pytest.param(0.1111, 0.2222, 0.333, id="numbers are rounded"),
        pytest.param(True, False, True, id="flags"),
        pytest.param(False, False, False, id="flags that are not set"),
        pytest.param(["a", "b"], ["b", "c"], ["a", "b", "c"], id="lists"),
        pytest.param({"x": 1}, {"x": 2, "y": 3}, {"x": 3, "y": 3}, id="objects"),
        pytest.param(None, 2, 2, id="first unknown"),
        pytest.param("a", "b", "a", id="texts"),
        pytest.param("a", 1, "a", id="text and number"),
        pytest.param(1, "a", 1, id="number and text"),
        pytest.param(["a"], "b", ["a"], id="list and text"),
        pytest.param({"x": 1}, 1, {"x": 1}, id="object and number"),
    ],
)
def test_values_of_summaries_are_joined_by_their_type(
    one: object, two: object, expected: object
) -> None:
    document, _ = merge([report("a", of_plugin=one), report("b", of_plugin=two)])
    assert document["summary"]["of_plugin"] == expected  # type: ignore[index]
