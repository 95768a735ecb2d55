"""Every report tells the same run in its own format, and no name can break out of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from socrates.findings import Severity
from socrates_amplify.model.events import Injected, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import DefectClass
from socrates_amplify.model.results import RunResult, Status, TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.model.search import Question
from socrates_amplify.report import json_report, junit, questions, sarif, text
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.page import causality_graph as causality
from socrates_amplify.report.page import html
from socrates_amplify.report.page.sequence import diagram
from socrates_amplify.triage.judge import finish

CONTEXT = ReportContext(Path("project"))


class Page(HTMLParser):
    """The elements and attributes of a page, as a browser would read them."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.rows: list[list[str]] = []
        """The cells of each row of a table's body, as text."""
        self._cell = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links.update(value or "" for name, value in attrs if name in ("href", "src"))
        if tag == "tr":
            self.rows.append([])
        self._cell = tag == "td" or (self._cell and tag in ("a", "span"))
        if tag == "td":
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._cell = self._cell and tag != "td"


@pytest.fixture
def page(run: RunResult) -> Page:
    return Page(html.render(run, CONTEXT))


def lines(run: RunResult, **options: bool) -> list[str]:
    return text.render(run, ReportContext(Path("project"), **options)).splitlines()


def test_text_shows_the_first_faults_of_a_long_scenario(defective: TestResult) -> None:
    (found,) = defective.defects
    many = Scenario.of(
        Fault(f"t{number:02}", "restart", "test", "A#1", f"Add({number})") for number in range(20)
    )
    long = replace(found, defect=replace(found.defect, scenario=many))
    shown = lines(RunResult((replace(defective, defects=(long,)),)))[1:]
    assert (
        sum("restart" in line for line in shown),
        "  and 12 more faults, see the report" in shown,
    ) == (8, True)


def test_text_tells_in_one_line_what_was_done_again_and_again(defective: TestResult) -> None:
    (found,) = defective.defects
    attempts = Scenario.of(
        Fault(f"t{number}", "timeout", "shop", "bank", "POST /charges") for number in range(3)
    )
    repeated = replace(found, defect=replace(found.defect, scenario=attempts))
    shown = lines(RunResult((replace(defective, defects=(repeated,)),)))
    assert [line.split("  ")[1] for line in shown if "-> bank" in line] == ["timeout, 3 times"]


@pytest.mark.parametrize(
    ("fail_on", "told"), [(Severity.INFO, True), (Severity.WARNING, False)], ids=str
)
def test_text_tells_how_to_say_that_a_service_may_break_a_test(
    defective: TestResult, fail_on: Severity, told: bool
) -> None:
    (found,) = defective.defects
    down = Scenario.of([Fault("t1", "timeout", "shop", "bank", "POST /charges")])
    broken = replace(found, defect=replace(found.defect, scenario=down), judgement=None)
    run = RunResult((replace(defective, defects=(broken,)),), fail_on=fail_on)
    advice = (
        'If a test may fail while bank is down, say so: critical = ["bank"], or '
        'faults.injected_on("bank") in the test.'
    )
    assert (advice in lines(finish(run))) is told


def test_text_says_where_defects_are_infos_only(defective: TestResult) -> None:
    (found,) = defective.defects
    assert found.judgement is not None
    honest = replace(found, judgement=replace(found.judgement, severity=Severity.INFO))
    sums = [
        lines(RunResult((replace(defective, defects=(one,)),)))[-1].partition(";")[0]
        for one in (found, honest)
    ]
    assert sums == ["1 defective", "1 defective (infos only)"]


def test_text_says_how_many_tests_had_no_time_beside_the_usual_reason() -> None:
    notes = ["Skipped: slow"] * 3 + ["the time budget is spent"]
    tests = (TestResult(f"t.py::t{n}", Status.NOT_RUN, note=note) for n, note in enumerate(notes))
    told = "4 not-run (most: Skipped: slow; 1: the time budget is spent)"
    assert lines(RunResult(tuple(tests)))[-1].partition("; 0 defects")[0] == told


@pytest.mark.parametrize(
    ("kind", "failure"),
    [("lost-reply", "AssertionError"), ("timeout", NOT_RECOVERED), ("timeout", "KeyError")],
    ids=["what was done twice", "no recovery", "a slip"],
)
def test_text_gives_no_advice_on_what_has_no_excuse(
    defective: TestResult, kind: str, failure: str
) -> None:
    (found,) = defective.defects
    down = Scenario.of([Fault("t1", kind, "shop", "bank", "POST /charges")])
    failed = replace(found.defect.failure, type=failure)
    defect = replace(found.defect, scenario=down, failure=failed)
    broken = replace(found, defect=defect, judgement=None)
    shown = lines(finish(RunResult((replace(defective, defects=(broken,)),))))
    assert not any("critical" in line for line in shown)


def test_text_gives_no_advice_on_services_where_messages_broke_a_test(run: RunResult) -> None:
    assert not any("critical" in line for line in lines(run))


def many_tests(defective: TestResult, number: int) -> RunResult:
    return RunResult(tuple(replace(defective, nodeid=f"t.py::t{n}") for n in range(number)))


def test_text_tells_one_root_cause_once(defective: TestResult) -> None:
    assert lines(many_tests(defective, 34))[3] == (
        "  34 tests: t.py::t0, t.py::t1, t.py::t2, and 31 more"
    )


def test_text_unfolds_the_tests_of_a_group(defective: TestResult) -> None:
    shown = lines(many_tests(defective, 5), show_tests=True)
    assert sum("replay: " in line for line in shown) == 5


def honest(defective: TestResult) -> RunResult:
    (found,) = defective.defects
    assert found.judgement
    mild = replace(found.judgement, kind=DefectClass.PASSED_ON, severity=Severity.INFO)
    return RunResult((replace(defective, defects=(replace(found, judgement=mild),)),))


def test_text_tells_what_does_not_fail_the_run_in_short(defective: TestResult) -> None:
    assert [line.split("  ")[0] for line in lines(honest(defective))[:3]] == ["info", "", ""]


def test_text_leaves_out_what_is_below_the_asked_severity(defective: TestResult) -> None:
    run = replace(honest(defective), min_severity=Severity.WARNING)
    assert not any("passed on" in line for line in lines(run))


def test_junit_fails_only_what_fails_the_run(defective: TestResult) -> None:
    suite = ElementTree.fromstring(junit.render(honest(defective), CONTEXT))[0]
    assert (suite.get("failures"), [child.tag for child in suite[0]]) == ("0", ["system-out"])


def test_sarif_has_the_severity_as_its_level(defective: TestResult) -> None:
    log = json.loads(sarif.render(honest(defective), ReportContext(Path.cwd())))
    assert log["runs"][0]["results"][0]["level"] == "note"


def test_json_tells_class_severity_and_group(run: RunResult) -> None:
    document = json.loads(json_report.render(run, CONTEXT))
    (defect,) = document["tests"][0]["defects"]
    (group,) = document["groups"]
    assert [defect["class"], defect["severity"], defect["group"]] == [
        "effect",
        "warning",
        group["id"],
    ]


def test_three_hundred_tests_fit_on_a_screen_and_a_half(defective: TestResult) -> None:
    pure = (TestResult(f"t.py::p{n}", Status.NO_TARGETS, note="sends nothing") for n in range(290))
    run = replace(many_tests(defective, 10), tests=(*many_tests(defective, 10).tests, *pure))
    assert len(lines(run)) <= 60


def test_html_filters_by_class_service_and_status(run: RunResult) -> None:
    page = html.render(run, CONTEXT)
    assert re.findall("<legend>([a-z]+)</legend>", page) == ["status"]


def test_faults_are_told_in_the_order_in_which_they_happened(defective: TestResult) -> None:
    (found,) = defective.defects
    hits = ("t2", "t1", "t2")
    happened = replace(
        found,
        defect=replace(
            found.defect,
            scenario=Scenario.of(Fault(name, "timeout") for name in ("t0", "t1", "t2")),
        ),
        trace=Trace(tuple(Injected(name, "timeout") for name in hits)),
    )
    told = json_report.render(RunResult((replace(defective, defects=(happened,)),)), CONTEXT)
    (test,) = json.loads(told)["tests"]
    assert [fault["index"] for fault in test["defects"][0]["faults"]] == ["t2", "t1", "t0"]


def test_verbose_text_names_the_test_its_status_and_its_cost(run: RunResult) -> None:
    named = r"tests/test_dock\.py::TestDock::test_total\[a::b\] +defective +4 faults, \d executions"
    assert any(re.fullmatch(named, line) for line in lines(run, verbose=True))


def test_text_starts_with_the_class_of_the_worst(run: RunResult) -> None:
    assert lines(run)[0] == "warning  effect  Stock is done twice"


def test_text_says_what_the_fault_did(run: RunResult) -> None:
    assert re.fullmatch(
        r"  duplicate  test -> Stock#1  CountIn\(\d\)  Stock#1 then answers \d instead of 6",
        lines(run)[1],
    )


def test_text_shows_the_failure_where_it_is(run: RunResult) -> None:
    assert re.fullmatch(r"  AssertionError: assert \d == 6   test:17", lines(run)[2])


def test_text_says_how_to_replay(run: RunResult) -> None:
    assert lines(run)[4] == "  replay: socrates replay .socrates/scenarios/3f2a.json"


def test_verbose_text_lists_the_codes_of_smelly_tests(run: RunResult) -> None:
    shown = lines(run, verbose=True)
    assert any(re.search(r"test_smelly +smelly +SOC101, SOC103$", line) for line in shown)


def test_text_ends_with_the_sum(run: RunResult) -> None:
    assert lines(run)[-1].startswith(
        "1 resilient, 1 defective, 1 smelly (SOC101), 1 no-targets (nothing that can be faulted was sent), 1 error; "
        "1 defect in"
    )


REPLACED = "nothing that can be faulted was sent: a patch replaces "


def quiet_run(*notes: str) -> RunResult:
    """A run in which nothing could be faulted, for these reasons."""
    return RunResult(
        tuple(
            TestResult(f"test_a.py::test_{place}", Status.NO_TARGETS, note=note)
            for place, note in enumerate(notes)
        )
    )


def test_text_says_what_to_do_about_replaced_clients() -> None:
    run = quiet_run(f"{REPLACED}requests.get, requests.post", f"{REPLACED}requests.get")
    assert lines(run)[0] == (
        "2 tests replace what would send something (requests.get, requests.post). Where a fake "
        "stands for the service instead (responses, respx, a local server, a broker in memory), "
        "what is sent can be faulted."
    )


def test_text_counts_searches_that_the_time_budget_ended() -> None:
    note = "the time budget is spent: nothing broke it so far"
    tests = [TestResult(f"t.py::t{n}", Status.RESILIENT, note=note * (n < 2)) for n in range(3)]
    shown = lines(RunResult(tuple(tests)))[-1]
    assert shown.startswith("3 resilient (2 of them not searched to the end: time); 0 defects")


def test_text_has_no_advice_where_nothing_was_replaced() -> None:
    assert len(lines(quiet_run("nothing that can be faulted was sent"))) == 1


def test_quiet_text_leaves_out_what_is_fine(run: RunResult) -> None:
    assert not any("test_smelly" in line for line in lines(run, quiet=True))


def test_verbose_text_lists_the_questions(run: RunResult) -> None:
    assert any(re.match(r"    1\. .*\? it fails", line) for line in lines(run, verbose=True))


def test_text_lets_no_escape_sequence_through(run: RunResult) -> None:
    assert "\x1b" not in "".join(lines(run))


def test_json_keeps_its_contract(run: RunResult) -> None:
    test = json.loads(json_report.render(run, CONTEXT))["tests"][0]
    promised = "nodeid status smells targets faults executions duration defects".split()

    assert set(promised) <= set(test)


def test_json_names_each_fault(run: RunResult, defective: TestResult) -> None:
    (fault,) = defective.defects[0].defect.scenario
    (told,) = json.loads(json_report.render(run, CONTEXT))["tests"][0]["defects"][0]["faults"]

    assert told == {
        "kind": "duplicate",
        "from": "test",
        "to": "Stock#1",
        "message": fault.message,
        "index": fault.target,
    }


def test_json_tells_the_failure(run: RunResult) -> None:
    failure = json.loads(json_report.render(run, CONTEXT))["tests"][0]["defects"][0]["failure"]

    assert sorted(failure) == ["location", "message", "type"]


def test_json_sums_up(run: RunResult) -> None:
    summary = json.loads(json_report.render(run, CONTEXT))["summary"]

    assert {summary["tests"], summary["defects"], summary["defective"]} == {5, 1}


def test_junit_counts(run: RunResult) -> None:
    suite = ElementTree.fromstring(junit.render(run, CONTEXT))[0]

    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "2",
    }


def test_junit_splits_a_node_id(run: RunResult) -> None:
    case = ElementTree.fromstring(junit.render(run, CONTEXT))[0][0]

    assert (case.get("classname"), case.get("name")) == (
        "tests.test_dock.TestDock",
        "test_total[a::b]",
    )


def test_sarif_is_valid(run: RunResult, tmp_path: Path, sarif_schema: dict[str, object]) -> None:
    validator = jsonschema.Draft7Validator(sarif_schema)

    assert list(validator.iter_errors(json.loads(sarif.render(run, ReportContext(tmp_path))))) == []


def with_handler(test: TestResult, handler: str) -> RunResult:
    events = tuple(
        Send(e.target, e.sender, e.receiver, e.message, e.digest, e.cause, handler=handler)
        for e in test.control.sends
    )
    found = TestResult(
        test.nodeid,
        Status.DEFECTIVE,
        location=test.location,
        defects=test.defects,
        control=Trace(events),
    )
    return RunResult((found,))


def test_sarif_points_at_the_handler(defective: TestResult, tmp_path: Path) -> None:
    handler = f"{tmp_path}/src/a stock.py:31"
    log = json.loads(sarif.render(with_handler(defective, handler), ReportContext(tmp_path)))

    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20stock.py", "uriBaseId": "ROOT"},
        "region": {"startLine": 31},
    }


def test_sarif_relates_the_test(defective: TestResult, tmp_path: Path) -> None:
    log = json.loads(
        sarif.render(with_handler(defective, "src/stock.py:31"), ReportContext(tmp_path))
    )
    related = log["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"]

    assert related["artifactLocation"]["uri"] == "tests/test_dock.py"


def test_html_runs_nothing(page: Page) -> None:
    assert not page.elements & {"script", "img", "iframe", "object", "embed", "link", "base"}


def test_html_has_no_handlers_and_no_inline_styles(page: Page) -> None:
    assert not [name for name in page.attributes if name.startswith("on") or name == "style"]


def test_html_links_only_within_itself(page: Page) -> None:
    assert all(link.startswith("#test-") for link in page.links)


def test_html_lists_every_test_with_its_cost_and_its_remark(page: Page, run: RunResult) -> None:
    cost = [str(run.tests[0].targets), str(run.tests[0].faults), str(run.tests[0].executions)]

    assert [row[1:] for row in page.rows if row] == [
        ["defective", *cost, ""],
        ["resilient", "", "", "1", ""],
        ["smelly", "", "", "", "SOC101, SOC103"],
        ["no-targets", "", "", "", "nothing that can be faulted was sent"],
        ["error", "", "", "", "it killed its process"],
    ]


def test_html_links_tests_to_their_sections_and_no_others(page: Page) -> None:
    assert page.links == {"#test-1", "#test-2"}


def test_html_forbids_everything_but_its_own_style(run: RunResult) -> None:
    assert re.search(
        r"default-src 'none'; style-src 'sha256-[\w+/]{43}='", html.render(run, CONTEXT)
    )


def test_html_shows_the_fault_in_the_failing_run(run: RunResult) -> None:
    assert html.render(run, CONTEXT).count("⚡ duplicate") == 1


def test_a_long_run_is_folded() -> None:
    quiet = tuple(Send(f"t{n}", "test", "A#1", f"m{n}", "d", None) for n in range(10_000))

    assert "⋯ 9996 lines as in the other run" in diagram(Trace(quiet), Trace(quiet))


def test_a_question_hangs_under_the_latest_wider_one() -> None:
    a, b, c = (Fault(name, "restart") for name in "abc")
    asked = [Question(Scenario.of(some), "", "fail") for some in ((a, b, c), (a, b), (c,), (a,))]

    assert questions.parents(asked) == [None, 0, 0, 1]


def sends(number: int) -> Trace:
    return Trace(tuple(Send(f"t{n}", "test", "A#1", f"m{n}.", "d", None) for n in range(number)))


def test_of_very_many_messages_those_around_the_fault_are_drawn() -> None:
    drawn = causality.graph(sends(10_000), faulted={"t7000"})

    assert ("m6990." in drawn, "m100." in drawn) == (True, False)


def test_how_many_messages_are_not_drawn_is_told() -> None:
    assert "9960 more messages are not drawn." in causality.graph(sends(10_000), faulted={"t7"})


def test_what_was_pruned_is_grey() -> None:
    assert causality.graph(sends(3), pruned={"t1"}).count('class="message pruned"') == 1


def test_a_cause_is_an_edge() -> None:
    trace = Trace((*sends(1).events, Send("u", "A#1", "B#1", "m", "d", "t0")))

    assert causality.graph(trace).count('class="edge"') == 1
