"""Entries for people: what several sites do alike is told once, unless all is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.findings import Severity
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.groups import groups_of
from socrates_amplify.model.judgement import DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.report.console import printed_lines
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.text_groups import entries, lines_about

RAW = "ConnectionError comes through as it is"


def shown(
    kind: DefectClass,
    whys: list[str],
    *,
    all_tests: bool = False,
    minimal: bool = True,
    tries: int = 1,
) -> list[str]:
    """The heads of the entries about a test per site, at each of which this happens."""
    tests = []
    for number, why in enumerate(whys):
        faults = [
            Fault(f"t{number}-{one}", "connection-error", "test", "maps", "GET /")
            for one in range(tries)
        ]
        site = Site(f"s{number}", f"Maps.get{number}", f"maps.py:{number}")
        found = FoundDefect(
            Defect(Scenario.of(faults), Failure("E", "", "t.py:1"), minimal),
            f"{number}.json",
            judgement=Judgement(kind, Severity.INFO, why, site),
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=(found,)))
    run = RunResult(tuple(tests))
    context = ReportContext(Path(), show_tests=all_tests)
    text = printed_lines(lines_about(run, groups_of(run), context), context)
    return [line for line in text.splitlines() if not line.startswith("  ")]


def test_sites_that_hand_the_same_error_on_are_one_entry() -> None:
    assert shown(DefectClass.PASSED_ON, [RAW, RAW, RAW]) == [
        f"info     passed on  Maps.get0 and 2 more places: {RAW} "
        "(connection-error of maps; 3 tests)   maps.py:0"
    ]


def test_an_entry_in_short_says_that_its_scenario_may_hold_too_much() -> None:
    (head,) = shown(DefectClass.PASSED_ON, [RAW], minimal=False)
    assert "(connection-error of maps; 1 test; not minimal)" in head


def test_an_entry_in_short_says_how_often_a_caller_tries() -> None:
    (head,) = shown(DefectClass.PASSED_ON, [RAW], tries=5)
    assert "(connection-error 5 times of maps; 1 test)" in head


@pytest.mark.parametrize(
    ("kind", "whys"),
    [
        pytest.param(DefectClass.PASSED_ON, [RAW, "raises ShopError for it"], id="other errors"),
        pytest.param(DefectClass.ABSORBED, ["answers 1 instead of 2"] * 2, id="answers"),
    ],
)
def test_what_may_have_other_causes_has_entries_of_its_own(
    kind: DefectClass, whys: list[str]
) -> None:
    assert len(shown(kind, whys)) == 2


def test_all_entries_are_shown_with_their_tests() -> None:
    assert len(shown(DefectClass.PASSED_ON, [RAW, RAW, RAW], all_tests=True)) == 3


def test_further_entries_are_counted_by_their_sites() -> None:
    whys = [f"raises Error{number} for it" for number in range(10)]
    last = shown(DefectClass.PASSED_ON, [*whys, RAW, RAW])[-1]
    assert last == "and 2 more of severity info; --show-tests lists them"


SITE = Site("s", "Maps.get", "maps.py:1")
ESCAPES = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "a 500", SITE, "d", raw=True)
COMES = Judgement(DefectClass.PASSED_ON, Severity.INFO, RAW, SITE, raw=True)
BROKEN = Judgement(
    DefectClass.INCONSISTENT,
    Severity.WARNING,
    "get documents ShopError, but MapError is raised (maps.py:9)",
    SITE,
)
RAISED = Judgement(
    DefectClass.PASSED_ON, Severity.INFO, "raises MapError for it", SITE, "MapError in f"
)


def told_of(*judgements: Judgement) -> list[str]:
    """The lines about a test for each of these."""
    tests = []
    for number, judgement in enumerate(judgements):
        scenario = Scenario.of([Fault(f"t{number}", "connection-error", "test", "maps", "GET /")])
        found = FoundDefect(
            Defect(scenario, Failure("E", "", "t.py:1")), "r.json", judgement=judgement
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=(found,)))
    run = RunResult(tuple(tests))
    context = ReportContext(Path())
    return printed_lines(lines_about(run, groups_of(run), context), context).splitlines()


@pytest.mark.parametrize(
    ("failing", "passed"),
    [
        pytest.param(ESCAPES, COMES, id="a 500 for others"),
        pytest.param(BROKEN, RAISED, id="a broken promise for others"),
    ],
)
def test_honest_error_that_is_none_for_other_tests_is_told_with_that(
    failing: Judgement, passed: Judgement
) -> None:
    text = told_of(failing, passed, passed)
    assert [line for line in text if "maps.py" in line or "besides" in line] == [
        f"warning  {failing.kind.value}  Maps.get: {failing.why}   maps.py:1",
        f"  2 tests besides: {passed.why}",
    ]


def test_place_that_lets_some_of_the_errors_through_is_told_with_those_that_let_more() -> None:
    names = (("ConnectionError", "ReadTimeout"), ("ConnectionError",), ("HTTPError",))
    tests = []
    for number, errors in enumerate(names):
        site = Site(f"s{number}", f"Maps.get{number}", f"maps.py:{number}")
        defects = tuple(
            FoundDefect(
                Defect(Scenario.of([Fault(f"{number}{name}", "timeout")]), Failure("E", "", "t:1")),
                "r.json",
                judgement=Judgement(
                    DefectClass.PASSED_ON,
                    Severity.INFO,
                    f"{name} comes through as it is",
                    site,
                    raw=True,
                ),
            )
            for name in errors
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=defects))
    run = RunResult(tuple(tests))
    told = entries(run, groups_of(run))
    assert [[group.judgement.site.name for group in entry] for entry in told] == [
        ["Maps.get0", "Maps.get1"],
        ["Maps.get2"],
    ]


def test_functions_that_raise_the_same_error_for_one_call_are_one_entry() -> None:
    text = told_of(
        *(
            Judgement(
                DefectClass.PASSED_ON,
                Severity.INFO,
                f"raises MapError for it in Maps.get{number} (maps.py:{number})",
                SITE,
                f"MapError in maps.py:get{number}",
            )
            for number in range(3)
        )
    )
    assert text[0] == (
        "info     passed on  Maps.get: raises MapError for it in Maps.get0 (maps.py:0) "
        "and in 2 more functions (connection-error of maps; 3 tests)   maps.py:1"
    )


def test_place_of_which_most_is_said_is_named() -> None:
    tests = []
    for number, kinds in enumerate((["timeout"], ["timeout", "connection-error"])):
        site = Site(f"s{number}", f"Maps.get{number}", f"maps.py:{number}")
        judgement = Judgement(
            DefectClass.PASSED_ON, Severity.INFO, "raises E for it", site, "E in f"
        )
        defects = tuple(
            FoundDefect(
                Defect(Scenario.of([Fault(f"{number}{kind}", kind)]), Failure("E", "", "t:1")),
                "r.json",
                judgement=judgement,
            )
            for kind in kinds
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=defects))
    run = RunResult(tuple(tests))
    assert [entry[0].judgement.site.name for entry in entries(run, groups_of(run))] == ["Maps.get1"]


def test_entry_about_an_error_reply_shows_its_body() -> None:
    fault = Fault("t1", "status", "test", "maps", "GET /", "502")
    slip = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "KeyError at maps.py:9", SITE)
    found = FoundDefect(
        Defect(Scenario.of([fault]), Failure("KeyError", "'id'", "t.py:1")), "r", judgement=slip
    )
    run = RunResult((TestResult("t.py::t", Status.DEFECTIVE, defects=(found,)),))
    context = ReportContext(Path())
    text = printed_lines(lines_about(run, groups_of(run), context), context).splitlines()
    assert text[1] == '  status 502  test -> maps  GET /  with the body {"error": "Bad Gateway"}'
