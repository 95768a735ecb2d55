"""Defects of one run, compared and grouped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates.findings import Severity
from socrates_amplify.model.defect_groups.groups import groups_of
from socrates_amplify.model.events import Reply, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import UNREAD, DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.triage.judge import finish

FETCH = Site("shop.py|fetch|get()", "fetch", "shop.py:3")
WAY = ("shop.py:fetch",)
RAW = Judgement(DefectClass.PASSED_ON, Severity.INFO, "ReadTimeout", FETCH, raw=True, way=WAY)
RAISES = replace(RAW, raw=False, way=(), did="ShopError in shop.py:fetch", why="raises ShopError")
DOWN = Fault("t1", "connection-error", "test", "shop", "GET /")
LATE = Fault("t1", "timeout", "test", "shop", "GET /")
BUSY = Fault("t1", "status", "test", "shop", "GET /", "503")
PAGE = Fault("t1", "status", "test", "shop", "GET /", "502")
LATER = Fault("t2", "timeout", "test", "shop", "GET /2")


def found(judgement: Judgement, *faults: Fault) -> FoundDefect:
    return FoundDefect(
        Defect(Scenario.of(faults), Failure("E", "", "t.py:1")), "r.json", judgement=judgement
    )


def run(*tests: tuple[FoundDefect, ...], survived: tuple[Fault, ...] = ()) -> RunResult:
    return RunResult(
        tuple(
            TestResult(f"t.py::t{n}", Status.DEFECTIVE, defects=defects, survived=survived)
            for n, defects in enumerate(tests)
        )
    )


def classes(result: RunResult) -> list[str]:
    return [one.judgement.kind.value for _, one in result.found if one.judgement]


def test_a_site_that_translates_one_failure_and_leaks_its_like_is_inconsistent() -> None:
    result = finish(run((found(RAISES, DOWN),), (found(RAW, LATE),)))
    assert classes(result) == ["passed on", "inconsistent"]


@pytest.mark.parametrize(
    ("why", "did", "expected"),
    [
        pytest.param(
            "ConnectionError is caught: answers 1 instead of 2",
            "",
            "inconsistent",
            id="at the call",
        ),
        pytest.param(
            "ConnectionError is caught in shop (shop.py:3): answers 1 instead of 2",
            "caught in shop.py:fetch",
            "inconsistent",
            id="above it, on the way of the leak",
        ),
        pytest.param(
            "ConnectionError is caught in other (shop.py:9): answers 1 instead of 2",
            "caught in shop.py:other",
            "passed on",
            id="on another way",
        ),
        pytest.param(
            "ConnectionError is caught: calls again: 2 calls instead of 1",
            "",
            "passed on",
            id="to call again",
        ),
        pytest.param("answers 1 instead of 2", "", "passed on", id="nobody knows where"),
    ],
)
def test_a_site_that_answers_one_failure_and_leaks_its_like_is_inconsistent(
    why: str, did: str, expected: str
) -> None:
    kept = Judgement(DefectClass.ABSORBED, Severity.INFO, why, FETCH, did)
    result = finish(run((found(kept, DOWN),), (found(RAW, LATE),)))
    assert classes(result) == ["absorbed", expected]


def test_leak_that_ends_as_a_500_is_the_same_gap_as_one_that_reaches_the_test() -> None:
    escapes = replace(RAW, kind=DefectClass.UNPREPARED, did="escapes fetch", why="a 500")
    tests = [(found(one, fault),) for one, fault in ((RAISES, DOWN), (RAW, LATE), (escapes, LATE))]
    result = finish(run(*tests))
    assert classes(result) == ["passed on", "inconsistent", "inconsistent"]
    assert [len(group.tests) for group in groups_of(result)] == [2, 1]


def test_a_site_that_bears_with_one_failure_and_leaks_its_like_is_inconsistent() -> None:
    assert classes(finish(run((found(RAW, LATE),), survived=(DOWN,)))) == ["inconsistent"]


@pytest.mark.parametrize(("answer", "expected"), [("200", "inconsistent"), ("502", "passed on")])
def test_that_a_test_about_an_error_reply_passes_is_no_handling(answer: str, expected: str) -> None:
    known = run((found(RAW, LATE),), survived=(DOWN,))
    control = Trace((Reply("shop", "t1", f"{answer} x", "d"),))
    tests = tuple(replace(test, control=control) for test in known.tests)
    assert classes(finish(replace(known, tests=tests))) == [expected]


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(found(RAW, BUSY), id="a failure of another family"),
        pytest.param(found(replace(RAW, site=Site("x", "x", "x:1")), LATE), id="another site"),
        pytest.param(found(RAW, LATE, LATER), id="two failures at once"),
        pytest.param(found(RAW, DOWN), id="the same failure elsewhere"),
    ],
)
def test_what_may_differ_is_not_inconsistent(leak: FoundDefect) -> None:
    assert classes(finish(run((found(RAISES, DOWN),), (leak,)))) == ["passed on", "passed on"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [("fetch", "inconsistent"), ("other", "passed on")],
    ids=["by the function that translates", "by another one above the same call"],
)
def test_leak_that_does_not_come_by_what_translates_is_none(function: str, expected: str) -> None:
    leak = found(replace(RAW, way=(f"shop.py:{function}",)), LATE)
    assert classes(finish(run((found(RAISES, DOWN),), (leak,))))[1] == expected


@pytest.mark.parametrize(
    ("did", "expected"),
    [
        (UNREAD, ["unprepared", "unprepared"]),
        ("KeyError in shop.py:fetch", ["unprepared", "absorbed"]),
    ],
    ids=["the reply that nobody looked at", "another slip"],
)
def test_body_of_a_reply_that_nobody_looked_at_is_part_of_the_slip(
    did: str, expected: list[str]
) -> None:
    slip = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "KeyError at a.py:1", FETCH, did)
    body = replace(slip, kind=DefectClass.ABSORBED, severity=Severity.INFO, why="body", did=UNREAD)
    result = finish(run((found(slip, BUSY),), (found(body, BUSY),)))
    assert classes(result) == expected
    assert groups_of(result)[0].why == "KeyError at a.py:1"


def test_slip_of_which_it_is_not_known_what_it_takes_makes_no_warning_of_a_body() -> None:
    slip = Judgement(
        DefectClass.UNPREPARED, Severity.INFO, "KeyError at a.py:1", FETCH, UNREAD, unsure="time"
    )
    body = replace(slip, kind=DefectClass.ABSORBED, why="body", unsure="")
    assert classes(finish(run((found(slip, BUSY),), (found(body, BUSY),))))[1] == "absorbed"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (UNREAD, {UNREAD}),
        (
            "ShopError in shop.py:fetch",
            {"ShopError in shop.py:fetch", "JSONDecodeError in shop.py"},
        ),
    ],
    ids=["nobody looks at any reply", "somebody looks at the status"],
)
def test_page_that_is_not_read_is_a_slip_of_its_own_where_replies_are_looked_at(
    other: str, expected: set[str]
) -> None:
    page = Judgement(
        DefectClass.UNPREPARED,
        Severity.WARNING,
        "JSONDecodeError at shop.py:4",
        FETCH,
        "JSONDecodeError in shop.py",
    )
    reply = replace(page, why="KeyError at shop.py:5", did=other)
    result = finish(run((found(reply, BUSY),), (found(page, PAGE),)))
    assert {found.judgement.did for _, found in result.found if found.judgement} == expected


def test_what_is_done_about_a_page_is_no_reason_to_do_it_about_other_replies() -> None:
    """A client tries again after a 502, and only then."""
    leak = replace(RAW, why="HTTPError comes through as it is", gets="HTTPError")
    assert classes(finish(run((found(RAISES, PAGE),), (found(leak, BUSY),)))) == ["passed on"] * 2


@pytest.mark.parametrize(
    ("whats", "expected"),
    [((BUSY,), "status 503"), ((BUSY, PAGE), "status 503"), ((PAGE,), "status 502")],
)
def test_a_page_is_told_where_no_other_error_of_the_server_does_the_same(
    whats: tuple[Fault, ...], expected: str
) -> None:
    judged = [(found(replace(RAISES, gets="ShopError"), fault),) for fault in whats]
    (group,) = groups_of(run(*judged))
    assert group.why == f"ShopError by {expected}"


def test_slip_that_several_calls_lead_to_names_them_by_their_number() -> None:
    slips = [
        Judgement(DefectClass.UNPREPARED, Severity.WARNING, "KeyError at a.py:1", site)
        for site in (FETCH, Site("shop.py|list|get()", "list", "shop.py:9"))
    ]
    (group,) = groups_of(finish(run(*((found(one, BUSY),) for one in slips))))
    assert group.judgement.site.name == "fetch and 1 more call"


def test_strict_makes_every_defect_a_warning() -> None:
    result = finish(run((found(RAW, LATE),)), strict=True)
    assert [one.severity for _, one in result.found] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("fail_on", "code"), [(Severity.INFO, 1), (Severity.WARNING, 0), (Severity.ERROR, 0)]
)
def test_fail_on_decides_the_exit_code(fail_on: Severity, code: int) -> None:
    assert replace(run((found(RAW, LATE),)), fail_on=fail_on).exit_code == code


def test_a_defect_that_nobody_judged_is_judged() -> None:
    bare = replace(found(RAW, LATE), judgement=None)
    assert classes(finish(run((bare,)))) == ["unprepared"]


def test_one_root_cause_is_one_group_with_all_its_tests() -> None:
    (group,) = groups_of(run(*[(found(RAW, LATE),)] * 34))
    assert len(group.tests) == 34


def test_a_group_starts_with_its_smallest_scenario() -> None:
    (group,) = groups_of(run((found(RAW, LATE, LATER),), (found(RAW, DOWN),)))
    assert group.smallest[1].faults == [DOWN]


def test_groups_below_the_asked_severity_are_left_out() -> None:
    assert groups_of(run((found(RAW, LATE),)), Severity.WARNING) == ()


def test_the_worst_group_comes_first() -> None:
    bad = Judgement(DefectClass.EFFECT, Severity.WARNING, "is done twice", Site("y", "y"))
    groups = groups_of(run((found(RAW, LATE),), (found(bad, DOWN),)))
    assert [group.judgement.kind for group in groups] == [DefectClass.EFFECT, DefectClass.PASSED_ON]


def test_the_first_failure_that_was_handled_is_named() -> None:
    broken = replace(RAISES, did="OtherError in shop.py:fetch", why="raises OtherError")
    handled = (found(RAISES, DOWN), found(broken, replace(DOWN, target="t9")))
    result = finish(run(handled, (found(RAW, LATE),)))
    told = [one.judgement.why for _, one in result.found if one.judgement][-1]
    assert ("ShopError" in told or "handles" in told, "OtherError" in told) == (True, False)


def test_leak_of_an_error_that_is_raised_again_by_name_is_no_gap() -> None:
    again = replace(RAW, way=())
    assert classes(finish(run((found(RAISES, DOWN),), (found(again, LATE),)))) == ["passed on"] * 2


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        pytest.param(
            (("ShopError", DOWN), ("ReadTimeout", LATE), ("the 503", BUSY)),
            "ShopError by connection-error; ReadTimeout by timeout; the 503 by status 503",
            id="each by a fault of its own",
        ),
        pytest.param(
            (("ReadTimeout", LATE), ("ShopError", LATE), ("ShopError", LATER)),
            "ReadTimeout, ShopError by timeout",
            id="several by one fault",
        ),
        pytest.param(
            (("ShopError", DOWN), ("ShopError", LATE)),
            "ShopError by connection-error, timeout",
            id="one by several faults",
        ),
    ],
)
def test_honest_errors_of_one_call_are_one_group_with_what_tests_get_by_which_fault(
    got: tuple[tuple[str, Fault], ...], expected: str
) -> None:
    judged = [(found(replace(RAISES, gets=gets), fault),) for gets, fault in got]
    (group,) = groups_of(run(*judged))
    assert sorted(group.why.split("; ")) == sorted(expected.split("; "))


@pytest.mark.parametrize(
    ("scenarios", "expected"),
    [
        pytest.param(((BUSY, LATER),), "status 503 with timeout", id="together"),
        pytest.param(((BUSY, LATER), (LATE,)), "timeout", id="one of them is enough for others"),
        pytest.param(((LATE, LATER),), "timeout 2 times", id="one kind"),
    ],
)
def test_faults_that_are_only_needed_together_are_told_together(
    scenarios: tuple[tuple[Fault, ...], ...], expected: str
) -> None:
    judged = [(found(replace(RAISES, gets="ShopError"), *faults),) for faults in scenarios]
    (group,) = groups_of(run(*judged))
    assert group.why == f"ShopError by {expected}"


def test_honest_errors_of_reports_of_earlier_versions_are_told_as_they_were() -> None:
    (group,) = groups_of(run((found(RAISES, DOWN),)))
    assert group.why == f"{RAISES.why} by connection-error"


def test_error_that_comes_out_as_a_group_of_tasks_is_no_translation() -> None:
    grouped = replace(RAW, raw=False, why="ConnectError comes out as ExceptionGroup", did="as it")
    assert classes(finish(run((found(grouped, DOWN),), (found(RAW, LATE),)))) == ["passed on"] * 2


def test_errors_that_break_one_promise_are_told_with_it_once() -> None:
    broken = replace(RAW, kind=DefectClass.INCONSISTENT, did="get documents ShopError")
    down = replace(
        broken, why="get documents ShopError, but ConnectionError comes through as it is"
    )
    late = replace(broken, why="get documents ShopError, but ReadTimeout comes through as it is")
    (group,) = groups_of(run((found(down, DOWN), found(late, LATE))))
    assert group.why == (
        "get documents ShopError, but ConnectionError, ReadTimeout come through as they are"
    )


ABSORBED = Judgement(DefectClass.ABSORBED, Severity.INFO, "", FETCH)
SLIPPED = Judgement(DefectClass.UNPREPARED, Severity.WARNING, "", FETCH, did="an error reply")


def test_what_is_answered_alike_without_an_error_that_is_caught_is_told_apart() -> None:
    why = "answers None instead of 2"
    caught = replace(ABSORBED, why=f"ConnectionError is caught: {why}")
    (group,) = groups_of(run((found(caught, DOWN),), (found(replace(ABSORBED, why=why), BUSY),)))
    assert group.why == f"{caught.why}, under connection-error; the same under status 503"


def test_all_faults_are_told_where_only_some_lead_to_the_first_answer() -> None:
    one, other = (replace(ABSORBED, why=why) for why in ("answers 1 instead of 2", "raises no E"))
    (group,) = groups_of(run((found(one, DOWN),), (found(other, LATE),)))
    assert group.why == (
        "e.g. answers 1 instead of 2, under connection-error; "
        "in all, tests break under connection-error, timeout"
    )


@pytest.mark.parametrize(
    ("judgement", "whys", "expected"),
    [
        pytest.param(
            ABSORBED,
            ("answers 1 instead of 2", "answers None instead of 3"),
            "e.g. answers 1 instead of 2, under connection-error",
            id="other answers",
        ),
        pytest.param(
            ABSORBED,
            ("the test's assertion fails: a", "the test's assertion fails: b", "c", "d"),
            "e.g. the test's assertion fails: a, under connection-error",
            id="other assertions",
        ),
        pytest.param(
            ABSORBED,
            ("answers 1 instead of 2", "answers 1 instead of 2"),
            "answers 1 instead of 2, under connection-error",
            id="the same answer",
        ),
        pytest.param(
            ABSORBED,
            ("A is caught in f (a.py:1): x", "B is caught in f (a.py:1): x", "C is caught: x", "y"),
            "e.g. A, B are caught in f (a.py:1): x, under connection-error",
            id="errors that are caught",
        ),
        pytest.param(
            ABSORBED,
            ("A is caught in f (a.py:1): x", "B is caught in f (a.py:1): y"),
            "A, B are caught in f (a.py:1): e.g. x, under connection-error",
            id="errors that are caught at one place",
        ),
        pytest.param(
            ABSORBED,
            ("A is caught: calls again: 2 calls instead of 1", "calls again: 4 calls instead of 3"),
            "A is caught: calls again: 2 calls instead of 1, under connection-error",
            id="other numbers of calls",
        ),
        pytest.param(
            SLIPPED,
            ("KeyError at a.py:1", "KeyError at b.py:2", "KeyError at a.py:1"),
            "KeyError at a.py:1, and in 1 more place",
            id="two places",
        ),
        pytest.param(
            SLIPPED,
            ("KeyError (a.py:1) leaves the request handler: a 500", "OSError (a.py:1) leaves"),
            "KeyError (a.py:1) leaves the request handler: a 500",
            id="one place",
        ),
    ],
)
def test_headline_of_a_group_says_what_differs(
    judgement: Judgement, whys: tuple[str, ...], expected: str
) -> None:
    defects = [(found(replace(judgement, why=why), DOWN),) for why in whys]
    (group,) = groups_of(run(*defects))
    assert group.why == expected
