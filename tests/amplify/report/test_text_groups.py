"""Entries for people: what several sites do alike is told once, unless all is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import groups_of
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import CAUGHT_IN, UNREAD, DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.report import json_report
from socrates_amplify.report.console import printed_lines
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.page import html
from socrates_amplify.report.text_groups import lines_about

RAW = "ConnectionError comes through as it is"
GETS = "ConnectionError by connection-error"
"""What is told of it."""


def shown(
    kind: DefectClass,
    whys: list[str],
    *,
    all_tests: bool = False,
    tries: int = 1,
    minimal: bool = True,
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
            Defect(Scenario.of(faults), Failure("E", "", "t.py:1"), minimal=minimal),
            f"{number}.json",
            judgement=Judgement(kind, Severity.INFO, why, site, gets=why.partition(" ")[0]),
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=(found,)))
    run = RunResult(tuple(tests))
    context = ReportContext(Path(), show_tests=all_tests)
    text = printed_lines(lines_about(run, groups_of(run), context), context)
    told = text.splitlines()
    return [line for line in told if " replay: " not in line]


def test_what_may_be_meant_is_told_in_a_line_if_it_is_at_one_place() -> None:
    assert shown(DefectClass.PASSED_ON, [RAW]) == [
        f"info     passed on  Maps.get0: {GETS} (maps; 1 test)   maps.py:0"
    ]


def test_places_of_a_class_that_may_be_meant_are_a_line_each_below_it() -> None:
    assert shown(DefectClass.PASSED_ON, [RAW, "MapError"]) == [
        "info     passed on  in 2 tests",
        f"  Maps.get0: {GETS} (maps; 1 test)   maps.py:0",
        "  Maps.get1: MapError by connection-error (maps; 1 test)   maps.py:1",
    ]


def test_other_answers_are_told_with_the_faults_by_which_they_come() -> None:
    assert shown(DefectClass.ABSORBED, ["answers 1 instead of 2"]) == [
        "info     absorbed  Maps.get0: answers 1 instead of 2, under connection-error (maps; 1 test)   maps.py:0"
    ]


@pytest.mark.parametrize(
    ("first", "second", "example"),
    [
        pytest.param(
            "the test finds None instead of 1", "the test finds None instead of 2", "", id="alike"
        ),
        pytest.param(
            "the test's assertion fails: assert up()",
            "the test's assertion fails: assert down()",
            "e.g. ",
            id="assertions without values",
        ),
        pytest.param(
            "the test finds None instead of 1", "raises no MapError", "e.g. ", id="not alike"
        ),
    ],
)
def test_other_answers_are_compared_by_what_was_found(
    first: str, second: str, example: str
) -> None:
    answers = [replace(ANSWERS, why=why) for why in (first, second)]
    (line,) = (line for line in told_of(*answers) if "absorbed" in line)
    assert f": {example}{first}, under connection-error (maps; 2 tests)" in line


@pytest.mark.parametrize(
    ("minimal", "often"),
    [pytest.param(True, "5 times", id="reduced"), pytest.param(False, "up to 5 times", id="not")],
)
def test_an_entry_in_short_says_how_often_a_caller_tries(*, minimal: bool, often: str) -> None:
    (head,) = shown(DefectClass.PASSED_ON, [RAW], tries=5, minimal=minimal)
    assert f"ConnectionError by connection-error {often} (maps; 1 test)" in head


def test_all_entries_are_shown_with_their_tests() -> None:
    told = shown(DefectClass.PASSED_ON, [RAW, RAW, RAW], all_tests=True)
    assert sum(line.startswith("info") for line in told) == 3


def test_honest_errors_of_several_calls_of_one_function_are_one_line() -> None:
    elsewhere = replace(COMES, site=Site("s2", SITE.name, "maps.py:9"))
    assert [line for line in told_of(COMES, elsewhere) if GETS in line] == [
        f"info     passed on  Maps.get: {GETS} (maps; 2 tests)   maps.py:1"
    ]


def test_a_call_of_a_function_at_which_less_was_tried_is_no_place_of_its_own() -> None:
    late = replace(COMES, why="ReadTimeout comes through as it is", gets="ReadTimeout")
    again = replace(COMES, site=Site("s2", SITE.name, "maps.py:9"))
    text = told_by({0: again}, {1: COMES}, {1: late})
    assert [line for line in text if "maps.py" in line] == [
        "info     passed on  Maps.get: ConnectionError, ReadTimeout by connection-error (maps; 2 tests)   maps.py:1"
    ]


def test_a_place_at_which_less_was_tried_is_told_with_the_one_that_shows_more() -> None:
    late = replace(COMES, why="ReadTimeout comes through as it is", gets="ReadTimeout")
    put = replace(COMES, site=Site("s2", "Maps.put", "maps.py:9"))
    text = told_by({0: put}, {1: COMES}, {1: late})
    assert text[:3] == [
        "info     passed on  in 2 tests",
        "  Maps.get: ConnectionError, ReadTimeout by connection-error (maps; 1 test)   maps.py:1",
        "  in part the same at 1 more place: Maps.put (maps.py:9)",
    ]


def test_other_answers_of_one_handler_are_told_with_the_first_of_them() -> None:
    kept = "ConnectionError is caught in ask (maps.py:3): "
    did = f"{CAUGHT_IN}maps.py:ask"
    get = replace(ANSWERS, why=f"{kept}answers 1 instead of 2", did=did)
    put = replace(
        get, why=f"{kept}answers 0 instead of 3", site=Site("s2", "Maps.put", "maps.py:9")
    )
    assert told_of(get, put)[2] == "  caught there, too, at 1 more place: Maps.put (maps.py:9)"


def test_one_replay_of_each_class_that_may_be_meant_is_told() -> None:
    text = told_of(COMES, replace(COMES, site=Site("s2", "Maps.put", "maps.py:2")), ANSWERS)
    assert sum("replay:" in line for line in text) == 2


def test_further_places_are_counted() -> None:
    told = shown(DefectClass.PASSED_ON, [f"Error{number} is" for number in range(8)])
    assert told[-1] == "  and 2 more; --show-tests lists them"


SITE = Site("s", "Maps.get", "maps.py:1")
MAIL = Fault("t9", "connection-error", "test", "mails", "GET /")
ESCAPES = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "a 500", SITE, "d", raw=True)
COMES = Judgement(DefectClass.PASSED_ON, Severity.INFO, RAW, SITE, raw=True, gets="ConnectionError")
BROKEN = Judgement(
    DefectClass.INCONSISTENT,
    Severity.WARNING,
    "get documents ShopError, but MapError is raised (maps.py:9)",
    SITE,
)
RAISED = Judgement(
    DefectClass.PASSED_ON,
    Severity.INFO,
    "raises MapError for it",
    SITE,
    "MapError in f",
    gets="MapError",
)

ANSWERS = Judgement(DefectClass.ABSORBED, Severity.INFO, "the test finds 1 instead of 2", SITE)


def told_of(*judgements: Judgement) -> list[str]:
    """The lines about a test for each of these."""
    return told_by(dict(enumerate(judgements)))


def told_by(*judgements: dict[int, Judgement]) -> list[str]:
    """The lines about tests, by their numbers, of which each may show several of these."""
    run = run_of(*judgements)
    context = ReportContext(Path())
    return printed_lines(lines_about(run, groups_of(run), context), context).splitlines()


def run_of(*judgements: dict[int, Judgement]) -> RunResult:
    """A run of tests, by their numbers, of which each may show several of these."""
    tests = []
    for number in sorted({number for some in judgements for number in some}):
        defects = tuple(
            FoundDefect(
                Defect(
                    Scenario.of(
                        [Fault(f"t{number}-{way}", "connection-error", "test", "maps", "GET /")]
                    ),
                    Failure("E", "", "t.py:1"),
                ),
                "r.json",
                judgement=some[number],
            )
            for way, some in enumerate(judgements)
            if number in some
        )
        tests.append(TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=defects))
    return RunResult(tuple(tests))


@pytest.mark.parametrize(
    ("failing", "passed", "told"),
    [
        pytest.param(ESCAPES, COMES, f": {GETS}", id="a 500 for others"),
        pytest.param(
            BROKEN, RAISED, ": MapError by connection-error", id="a broken promise for others"
        ),
        pytest.param(
            BROKEN, ANSWERS, f": {ANSWERS.why}, under connection-error", id="another answer"
        ),
    ],
)
def test_what_other_tests_see_of_the_call_of_a_warning_is_told_with_that(
    failing: Judgement, passed: Judgement, told: str
) -> None:
    text = told_of(failing, passed, passed)
    assert [line for line in text if "maps.py" in line or "other tests" in line] == [
        f"warning  {failing.kind.value}  Maps.get: {failing.why}   maps.py:1",
        f"  2 other tests{told}",
    ]


def test_what_is_seen_of_several_calls_of_one_function_is_one_line_beside_a_warning() -> None:
    """One slip of what four calls of a function hand a reply to."""
    calls = [Site(f"s{line}", "Maps.call", f"maps.py:{line}") for line in (3, 5)]
    both = replace(calls[0], name="Maps.call and 1 more call", others=("s5",))
    slip = replace(ESCAPES, site=both, raw=False, why="KeyError at a.py:1")
    first, second = (replace(COMES, site=site) for site in calls)
    text = told_by({0: slip, 1: slip}, {0: first, 1: second})
    assert [line for line in text if GETS in line] == [f"  the same tests: {GETS}"]


@pytest.mark.parametrize(
    ("seen_by", "expected"),
    [
        pytest.param((0,), "the same test", id="the same"),
        pytest.param((0, 1), "2 tests", id="another, too"),
        pytest.param((1,), "1 other test", id="another"),
    ],
)
def test_tests_of_what_is_told_with_a_warning_are_those_of_the_warning_or_others(
    seen_by: tuple[int, ...], expected: str
) -> None:
    told = told_by({0: ESCAPES}, dict.fromkeys(seen_by, COMES))
    assert f"  {expected}: {GETS}" in told


def test_a_promise_that_is_broken_at_another_call_too_is_told_once() -> None:
    broken = replace(BROKEN, did="get documents ShopError")
    there = replace(broken, site=Site("s2", "Maps.put", "maps.py:2"))
    told = [line for line in told_of(broken, there) if "Maps." in line]
    assert told == [
        f"warning  inconsistent  Maps.get: {BROKEN.why}   maps.py:1",
        "  1 other test, by connection-error: the same in Maps.put",
    ]


def test_a_slip_at_one_line_is_one_entry_whatever_leads_to_it() -> None:
    unread = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "KeyError at a.py:7", SITE, UNREAD)
    text = told_of(unread, replace(unread, did="KeyError in a.py:get"))
    assert [line for line in text if "KeyError at" in line] == [
        "warning  unprepared  Maps.get: KeyError at a.py:7   maps.py:1",
        "  1 other test, by connection-error: KeyError at a.py:7",
    ]


@pytest.mark.parametrize(
    ("ways", "entries"),
    [
        pytest.param((("b.py:ask", "views.py:get"), ("c.py:ask", "views.py:get")), 1, id="one"),
        pytest.param((("b.py:ask", "views.py:get"), ("c.py:ask", "views.py:put")), 2, id="two"),
        pytest.param(((), ()), 2, id="nobody knows which"),
    ],
)
def test_what_leaves_one_handler_is_one_entry_whichever_service_is_down(
    ways: tuple[tuple[str, ...], ...], entries: int
) -> None:
    sites = (SITE, Site("s2", "Mails.get", "mails.py:1"))
    first, second = (
        replace(ESCAPES, site=site, way=way) for site, way in zip(sites, ways, strict=True)
    )
    run = run_of({0: first}, {1: second})
    others = tuple(
        replace(
            test,
            defects=tuple(
                replace(one, defect=replace(one.defect, scenario=Scenario.of([MAIL])))
                for one in test.defects
            ),
        )
        for test in run.tests[1:]
    )
    run = replace(run, tests=(run.tests[0], *others))
    context = ReportContext(Path())
    text = printed_lines(lines_about(run, groups_of(run), context), context)
    assert text.count("warning  unprepared") == entries


@pytest.mark.parametrize(
    ("why", "entries"),
    [("AttributeError: 'NoneType'", 1), ("AssertionError: assert 1 == 2", 2)],
)
def test_what_stays_broken_by_one_error_is_one_entry(why: str, entries: int) -> None:
    broken = Judgement(
        DefectClass.UNRECOVERED, Severity.WARNING, f"still fails: {why}", SITE, "stays broken"
    )
    text = told_of(broken, replace(broken, site=Site("s2", "Mails.get", "mails.py:1")))
    assert sum(line.startswith("warning") for line in text) == entries


def test_error_replies_that_one_file_does_not_look_at_are_one_entry() -> None:
    slip = Judgement(
        DefectClass.UNPREPARED, Severity.WARNING, "KeyError at maps.py:7", SITE, UNREAD
    )
    near, far = Site("s2", "Maps.put", "maps.py:20"), Site("s3", "Mails.get", "mails.py:1")
    honest = replace(COMES, site=near)
    mails = replace(slip, why="KeyError at mails.py:7", site=far)
    text = told_of(slip, replace(slip, site=near), mails, honest)
    assert f"  1 other test, in Maps.put: {GETS}" in text
    assert [line.split()[2] for line in text if line.startswith("warning")] == [
        "Maps.get:",
        "Mails.get:",
    ]


def test_what_tests_see_of_any_call_that_a_slip_follows_is_told_with_the_slip() -> None:
    slip = replace(ESCAPES, raw=False, site=replace(SITE, others=("s2",)))
    elsewhere = replace(COMES, site=Site("s2", "Maps.put", "maps.py:2"))
    assert [line for line in told_of(slip, elsewhere) if GETS in line] == [
        f"  1 other test, in Maps.put: {GETS}"
    ]


def test_honest_errors_are_told_in_short_also_if_they_fail_the_run() -> None:
    strict = replace(COMES, severity=Severity.WARNING)
    text = told_of(strict, replace(strict, site=Site("s2", "Maps.put", "maps.py:2")))
    assert text[:3] == [
        "warning  passed on  in 2 tests",
        f"  Maps.get: {GETS} (maps; 1 test)   maps.py:1",
        "  the same at 1 more place: Maps.put (maps.py:2)",
    ]


def test_what_happens_alike_at_many_places_is_told_once() -> None:
    others = [replace(COMES, site=Site(f"s{n}", f"put_{n}", f"maps.py:{n}")) for n in range(2, 7)]
    text = told_of(COMES, *others)
    told = "put_2 (maps.py:2), put_3 (maps.py:3), put_4 (maps.py:4) and 2 more"
    assert [line for line in text if "the same" in line] == [f"  the same at 5 more places: {told}"]


def test_some_of_the_tests_of_a_warning_are_counted() -> None:
    told = told_by({0: ESCAPES, 1: ESCAPES}, {1: COMES})
    assert f"  1 of these tests: {GETS}" in told


def test_of_several_calls_that_were_not_reduced_only_the_known_ones_are_named() -> None:
    known = Fault("t0", "timeout", "test", "maps", "GET /")
    other = Fault("t1", "timeout", "test", "mails", "GET /")
    defects = [
        FoundDefect(
            Defect(Scenario.of(faults), Failure("E", "", "t.py:1"), minimal=len(faults) == 1),
            "r.json",
            judgement=COMES,
        )
        for faults in ([known], [known, other])
    ]
    run = RunResult(
        tuple(
            TestResult(f"t.py::t{number}", Status.DEFECTIVE, defects=(found,))
            for number, found in enumerate(defects)
        )
    )
    context = ReportContext(Path())
    text = printed_lines(lines_about(run, groups_of(run), context), context)
    assert "ConnectionError by timeout (maps; 1 test)" in text
    assert "1 test fails under several faults at once" in text


def test_errors_that_leave_request_handlers_while_one_service_is_down_are_one_entry() -> None:
    sites = [Site(f"s{number}", f"Maps.get{number}", f"maps.py:{number}") for number in range(2)]
    whys = [f"E (maps.py:{number}) leaves the request handler: a 500" for number in range(2)]
    text = told_of(
        *(replace(ESCAPES, site=site, why=why) for site, why in zip(sites, whys, strict=True))
    )
    assert [line for line in text if "leaves" in line] == [
        f"warning  unprepared  Maps.get0: {whys[0]}   maps.py:0",
        f"  1 other test, by connection-error: {whys[1]}",
    ]


@pytest.mark.parametrize(
    ("other", "entries_told"),
    [
        pytest.param(replace(BROKEN, did="put documents E"), 1, id="another promise at the call"),
        pytest.param(
            replace(BROKEN, did="get documents E", site=Site("s2", "Maps.put", "maps.py:2")),
            1,
            id="the same promise elsewhere",
        ),
        pytest.param(
            replace(BROKEN, did="put documents E", site=Site("s2", "Maps.put", "maps.py:2")),
            2,
            id="neither",
        ),
    ],
)
def test_gaps_of_one_call_or_of_one_promise_are_one_entry(
    other: Judgement, entries_told: int
) -> None:
    text = told_of(replace(BROKEN, did="get documents E"), other)
    assert sum(line.startswith("warning") for line in text) == entries_told


def test_two_entries_are_one_if_a_third_gap_has_something_in_common_with_each() -> None:
    elsewhere = Site("s2", "Maps.put", "maps.py:2")
    text = told_of(
        replace(BROKEN, did="get documents E"),
        replace(BROKEN, did="put documents E", site=elsewhere),
        replace(BROKEN, did="get documents E", site=elsewhere),
    )
    assert sum(line.startswith("warning") for line in text) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("503", 'with the body {"message": "Service Unavailable"}'),
        ("502", "with a page of HTML as its body, as proxies answer"),
    ],
)
def test_entry_about_an_error_reply_shows_its_body(status: str, body: str) -> None:
    fault = Fault("t1", "status", "test", "maps", "GET /", status)
    slip = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "KeyError at maps.py:9", SITE)
    found = FoundDefect(
        Defect(Scenario.of([fault]), Failure("KeyError", "'id'", "t.py:1")), "r", judgement=slip
    )
    run = RunResult((TestResult("t.py::t", Status.DEFECTIVE, defects=(found,)),))
    context = ReportContext(Path())
    text = printed_lines(lines_about(run, groups_of(run), context), context).splitlines()
    assert text[1] == f"  status {status}  test -> maps  GET /  {body}"


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        pytest.param(1, "info     passed on  Maps.get: ", id="one call"),
        pytest.param(2, "1 test fails under several faults at once; ", id="one of two calls"),
    ],
)
def test_what_was_not_reduced_is_counted_where_it_may_be_about_another_call(
    calls: int, expected: str
) -> None:
    faults = [Fault(f"t{n}", "timeout", "test", "maps", f"GET /{n}") for n in range(calls)]
    found = FoundDefect(
        Defect(Scenario.of(faults), Failure("E", "", "t.py:1"), minimal=False),
        "r.json",
        judgement=COMES,
    )
    run = RunResult((TestResult("t.py::t", Status.DEFECTIVE, defects=(found,)),))
    context = ReportContext(Path())
    text = printed_lines(lines_about(run, groups_of(run), context), context)
    assert text.startswith(expected)


def test_json_and_the_page_tell_the_same_groups_together_as_the_text() -> None:
    elsewhere = Site("s2", "Maps.put", "maps.py:2")
    run = run_of({0: ESCAPES}, {1: COMES}, {2: replace(ANSWERS, site=elsewhere)})
    slip, comes, answers = groups_of(run)
    page = html.render(run, ReportContext(Path()))
    assert [group["entry"] for group in json_report.groups_in(run)] == [
        slip.id,
        slip.id,
        answers.id,
    ]
    inside = page.partition(f'id="group-{slip.id}"')[2].partition("</details></details>")[0]
    assert f'id="group-{comes.id}"' in inside
    assert [page.count(f'id="group-{group.id}"') for group in (slip, comes, answers)] == [1, 1, 1]


@pytest.mark.parametrize(("file", "entries"), [("maps.py", 1), ("roads.py", 2)])
def test_replies_that_nobody_in_a_file_looks_at_are_told_with_the_slip_of_one(
    file: str, entries: int
) -> None:
    slip = replace(ESCAPES, raw=False, why="KeyError at maps.py:7", did=UNREAD)
    body = replace(ANSWERS, site=Site("s2", "Maps.put", f"{file}:2"), did=UNREAD)
    text = told_of(slip, body)
    assert sum(line.startswith(("warning", "info")) for line in text) == entries


def test_an_error_reply_that_nobody_looked_at_is_told_by_the_line_that_goes_wrong() -> None:
    read = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "answers with the body", SITE, "u")
    slips = [replace(read, why=f"KeyError at maps.py:{line} in Maps.get") for line in (7, 8)]
    text = told_of(read, *slips)
    assert text[0] == (
        "warning  unprepared  Maps.get: KeyError at maps.py:7 in Maps.get, and in 1 more place   maps.py:1"
    )
