"""What a run warns of before its first test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Heard, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import DEFAULT_KINDS, default_names
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.orders import NOT_CONTROLLED, has_orders, under_control
from socrates_amplify.model.outcomes import HANG, Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.probes.base import Probe
from socrates_amplify.run import suite_runner
from socrates_amplify.run.control_runs import ControlRuns
from socrates_amplify.run.suite_runner import SuiteRunner, run_once, what_to_know

WITHOUT = (
    "no framework that can be faulted is installed here (pykka, http); only orders of threads and "
    "of asyncio's tasks can be asked for"
)


@dataclass(frozen=True)
class OneProbe:
    """A probe as far as it is asked before a run."""

    name: str
    is_there: bool = False
    warning: str = ""

    def available(self) -> bool:
        """Whether its framework is installed."""
        return self.is_there

    def warnings(self) -> Sequence[str]:
        """What it says of itself."""
        return [self.warning] if self.warning else []


@pytest.mark.parametrize(
    ("probes", "around", "told"),
    [
        ([OneProbe("pykka"), OneProbe("http"), OneProbe("orders", True)], False, [WITHOUT]),
        ([OneProbe("pykka"), OneProbe("http", True)], False, []),
        ([OneProbe("pykka"), OneProbe("http")], True, []),
        (
            [OneProbe("http", True, "urllib3 1.x is left alone")],
            False,
            ["urllib3 1.x is left alone"],
        ),
    ],
    ids=["no framework", "one framework", "circumstances", "a warning of its own"],
)
def test_warnings_before_the_first_test(
    probes: list[OneProbe], around: bool, told: list[str]
) -> None:
    assert list(what_to_know(cast("list[Probe]", probes), around)) == told


SCENARIO = Scenario.of([Fault("t", "duplicate")])


class Runner:
    """In the place of a runner: one test, whose control ends as it is told to."""

    tests = ("a.py::a",)
    rootdir = "/p"

    def __init__(self, status: str) -> None:
        self.status = status
        self.log: list[object] = []

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *exc: object) -> None:
        self.log.append("closed")

    def control_runs(self, nodeid: str) -> Any:
        return SimpleNamespace(status=self.status, note="KeyError", trace=Trace())

    def run(self, nodeid: str, scenario: Scenario, control: Any) -> str:
        self.log.append((nodeid, scenario))
        return "outcome"


def once(nodeid: str, status: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, list[object]]:
    runner = Runner(status)
    monkeypatch.setattr(suite_runner, "SuiteRunner", lambda suite, kinds: runner)
    return run_once(Suite(Path("/p")), nodeid, SCENARIO), runner.log


@pytest.mark.parametrize("status", ["ok", "flaky"])
def test_scenario_is_run_once_after_its_control(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = [("a.py::a", SCENARIO), "closed"]
    assert once("a.py::a", status, monkeypatch) == ("outcome", ran)


@pytest.mark.parametrize(
    ("nodeid", "status", "told"),
    [
        ("a.py::b", "ok", "a.py::b: no such test in /p; was it renamed?"),
        ("a.py::a", "failing", "a.py::a fails without any fault: KeyError"),
    ],
)
def test_scenario_that_can_not_be_run_is_a_mistake(
    nodeid: str, status: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SocratesError) as raised:
        once(nodeid, status, monkeypatch)
    assert str(raised.value) == told


class OneExecutor:
    """In the place of an executor: it can or can't be used, and writes down what it is asked."""

    rootdir = Path("/root")

    def __init__(self, name: str, unfit: str = "") -> None:
        self.name = name
        self.unfit = unfit
        self.warnings = (f"{name} warns",)
        self.log: list[Any] = []
        self.error: Exception | None = None
        self.fails = False

    def collect(self) -> list[str]:
        if self.error is not None:
            raise self.error
        return [f"{self.name}::a"]

    def run(self, *asked: object) -> Outcome:
        self.log.append(asked)
        if self.fails:
            return Outcome(SCENARIO, Verdict.FAIL, Failure("E", "gone", ""), status="failed")
        return Outcome(SCENARIO, Verdict.PASS, notices=(NOTICE,), status="passed")

    def run_together(self, nodeids: Sequence[str], heard: Heard, *asked: object) -> bool:
        self.log.append((nodeids, heard, *asked))
        heard("a", Outcome(SCENARIO, Verdict.PASS, notices=(NOTICE,)))
        return True

    def learn(self, nodeid: str, trace: Trace) -> None:
        self.log.append(("learn", nodeid, trace))

    def close(self) -> None:
        self.log.append("close")


NOTICE = Notice("urllib3 could not be patched")


class Lab:
    """Runners whose executors are these."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[OneExecutor] = []
        self.unfit = ""
        self.error: Exception | None = None
        self.failing: tuple[str, ...] = ()
        monkeypatch.setattr(suite_runner, "make_executor", self._make)
        monkeypatch.setattr(suite_runner, "usable_cores", lambda: 4)
        monkeypatch.setattr(suite_runner, "what_to_know", lambda probes, around: ["known before"])

    def _make(self, name: str, suite: Suite) -> OneExecutor:
        self.made.append(OneExecutor(name, self.unfit if name == "fork" else ""))
        self.made[-1].error = self.error
        self.made[-1].fails = name in self.failing
        return self.made[-1]

    def runner(self, **given: Any) -> SuiteRunner:
        suite = Suite(Path("/p"), rounds=given.pop("rounds", Rounds()))
        return SuiteRunner(suite, given.pop("kinds", None), **given)

    @property
    def asked(self) -> list[Any]:
        return self.made[-1].log


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    return Lab(monkeypatch)


def control(slowest: float = 0.0) -> ControlRuns:
    return ControlRuns("a", "ok", slowest=slowest)


def test_suite_that_can_be_forked_is(lab: Lab) -> None:
    runner = lab.runner()
    assert (runner.tests, runner.rootdir, runner.warnings) == (
        ("fork::a",),
        Path("/root"),
        ("known before", "fork warns"),
    )


def test_suite_that_can_not_be_forked_gets_fresh_processes(lab: Lab) -> None:
    lab.unfit = "importing the tests started threads: t"
    runner = lab.runner()
    assert (runner.tests, runner.warnings[-1], lab.made[0].log) == (
        ("subprocess::a",),
        "importing the tests started threads: t; each execution is a fresh process",
        ["close"],
    )


def test_executor_that_the_user_named_is_kept(lab: Lab) -> None:
    lab.unfit = "importing the tests started threads: t"
    assert lab.runner(executor="fork").tests == ("fork::a",)


def test_executor_of_a_suite_that_can_not_be_collected_is_closed(lab: Lab) -> None:
    lab.error = SocratesError("no tests")
    with pytest.raises(SocratesError):
        lab.runner()
    assert lab.asked == ["close"]


def test_executor_is_closed_with_its_runner(lab: Lab) -> None:
    with lab.runner():
        pass
    assert lab.asked == ["close"]


@pytest.mark.parametrize(("jobs", "expected"), [(None, 4), (9, 9)])
def test_as_many_executions_at_once_as_there_are_cores_or_as_asked_for(
    jobs: int | None, expected: int, lab: Lab
) -> None:
    assert lab.runner(jobs=jobs).jobs == expected


@pytest.mark.parametrize(
    ("given", "slowest", "expected"),
    [
        pytest.param({}, 0.0, 5.0, id="at least"),
        pytest.param({}, 2.0, 25.0, id="a slow test"),
        pytest.param({"jobs": 8}, 2.0, 50.0, id="more jobs than cores"),
        pytest.param({"jobs": 2}, 2.0, 25.0, id="fewer jobs than cores"),
        pytest.param({"executor": "subprocess"}, 0.0, 30.0, id="fresh processes"),
        pytest.param({"executor": "ray", "jobs": 8}, 2.0, 25.0, id="a cluster has room for all"),
        pytest.param({"rounds": Rounds(repeat=3, recovery=7.0)}, 0.0, 12.0, id="time to recover"),
        pytest.param({"rounds": Rounds(recovery=7.0)}, 0.0, 5.0, id="nothing to recover from"),
    ],
)
def test_limit_of_an_execution(
    given: dict[str, Any], slowest: float, expected: float, lab: Lab
) -> None:
    assert lab.runner(**given).limit(control(slowest)) == expected


def test_what_faults_take_by_themselves_comes_on_top(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = lab.runner(rounds=Rounds(repeat=3))
    probe = SimpleNamespace(takes=lambda scenario, trace: 2.0)
    monkeypatch.setattr(runner, "_probes", [probe, probe])
    assert runner.limit(control(), SCENARIO) == 3 * 4.0 + 5.0


@pytest.mark.parametrize(
    ("rounds", "limit"), [(None, 5.0), (Rounds(recovery=7.0), 17.0)], ids=["usual", "rounds"]
)
def test_execution_has_its_limit(rounds: Rounds | None, limit: float, lab: Lab) -> None:
    lab.runner().run("a", SCENARIO, control(), None, rounds)
    asked = lab.asked[0]
    assert (asked[0], asked[1], asked[2], asked[4]) == ("a", SCENARIO, limit, rounds)


def test_what_an_execution_warns_of_is_heard_once(lab: Lab) -> None:
    runner = lab.runner()
    for _ in range(2):
        runner.run("a", SCENARIO, control())
    assert (runner.heard, runner.warnings[-1], runner.failures) == (
        (NOTICE.message,),
        NOTICE.message,
        (),
    )


def test_what_tests_that_run_together_warn_of_is_told(lab: Lab) -> None:
    runner, heard = lab.runner(), list[str]()
    runner.run_together(["a"], lambda nodeid, outcome: heard.append(nodeid), Ticket())
    assert (heard, runner.heard) == (["a"], (NOTICE.message,))


def test_tests_that_run_together_may_be_silent_for_two_minutes(lab: Lab) -> None:
    assert lab.runner().run_together(["a"], lambda *heard: None, Ticket())
    assert lab.asked[0][2] == 120.0


def test_control_runs_that_are_known_are_not_run_again(lab: Lab) -> None:
    known = [Outcome(Scenario(), Verdict.PASS, status="passed", duration=1.0)] * 2
    found = lab.runner().control_runs("a", known)
    assert (found.outcomes, lab.asked) == (tuple(known), [("learn", "a", Trace())])


def test_stopped_runner_runs_nothing(lab: Lab) -> None:
    runner = lab.runner()
    runner.stop()
    with pytest.raises(Cancelled):
        runner.run("a", SCENARIO, control())


class OffersProbe:
    """A probe that offers what it is asked for."""

    channel = "message"

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def faults_of(self, trace: Trace, kinds: Any) -> list[Fault]:
        self.asked.append(tuple(kinds))
        return [Fault("t", "duplicate"), Fault("t", "duplicate")]


def test_each_fault_is_offered_once(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    runner, probe = lab.runner(kinds=("duplicate",)), OffersProbe()
    monkeypatch.setattr(runner, "_probes", [probe, probe])
    assert (runner.faults_of(Trace()), probe.asked) == (
        [Fault("t", "duplicate")],
        [("duplicate",)] * 2,
    )


def test_usual_kinds_are_those_of_each_channel(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    runner, probe = lab.runner(kinds=DEFAULT_KINDS), OffersProbe()
    monkeypatch.setattr(runner, "_probes", [probe])
    runner.faults_of(Trace())
    assert probe.asked == [tuple(default_names("message"))]


def test_what_passes_only_in_a_fresh_process_goes_on_there(lab: Lab) -> None:
    lab.failing = ("fork",)
    with lab.runner() as runner:
        found = runner.control_runs("a")
    assert (found.status, [one.name for one in lab.made], runner.warnings[-2].split(":")[0]) == (
        "no-targets",
        ["fork", "subprocess"],
        "a passes in a fresh process and fails in a fork of one",
    )
    assert [one.log[-1] for one in lab.made] == ["close", "close"], "nothing is left running"


@pytest.mark.parametrize(
    ("failing", "executor", "known"),
    [
        pytest.param(("fork", "subprocess"), None, False, id="fails anywhere"),
        pytest.param(("fork",), "fork", False, id="the user wants forks"),
        pytest.param(("fork",), None, True, id="failed together with others"),
    ],
)
def test_what_fails_stays_where_it_is(
    failing: tuple[str, ...], executor: str | None, known: bool, lab: Lab
) -> None:
    lab.failing = failing
    with lab.runner(executor=executor) as runner:
        found = runner.control_runs("a", seen=Outcome(SCENARIO, Verdict.FAIL) if known else None)
    assert (found.status, runner.warnings) == ("failing", ("known before", "fork warns"))


def test_what_fails_by_chance_stays_where_it_is(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.failing = ("fork",)
    monkeypatch.setattr(ControlRuns, "races", True)
    with lab.runner() as runner:
        found = runner.control_runs("a")
    assert (found.status, [one.name for one in lab.made]) == ("failing", ["fork"])


def test_three_tests_at_most_are_tried_in_a_fresh_process(lab: Lab) -> None:
    lab.failing = ("fork", "subprocess")
    with lab.runner() as runner:
        for nodeid in "abcd":
            runner.control_runs(nodeid)
    assert [one.name for one in lab.made] == ["fork", *["subprocess"] * 3]


@dataclass
class Sleepy:
    """In the place of an executor: a run that is not under control ends in a hang."""

    in_virtual_time: Outcome
    asked: list[Scenario] = field(default_factory=list)

    def run(self, nodeid: str, scenario: Scenario, *_: object) -> Outcome:
        self.asked.append(scenario)
        hang = Outcome(scenario, Verdict.FAIL, Failure(HANG, "", ""), final=False)
        return self.in_virtual_time if has_orders(scenario) else hang


DOWN = Scenario.of([Fault("t1", "connection-error", "test", "shop", "GET /")])
BACK = Outcome(under_control(DOWN), Verdict.PASS)


@pytest.mark.parametrize(
    ("in_virtual_time", "expected"),
    [
        pytest.param(BACK, Verdict.PASS, id="only waits between its tries"),
        pytest.param(replace(BACK, verdict=Verdict.FAIL), Verdict.FAIL, id="gives up in the end"),
    ],
)
def test_hang_is_asked_about_in_virtual_time(
    in_virtual_time: Outcome, expected: Verdict, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, sleepy = lab.runner(), Sleepy(in_virtual_time)
    monkeypatch.setattr(runner, "_executor", sleepy)
    outcome = runner.run("a", DOWN, control())
    assert (outcome.verdict, outcome.scenario, sleepy.asked) == (
        expected,
        DOWN,
        [DOWN, under_control(DOWN)],
    )


@dataclass
class Late:
    """In the place of an executor: runs end after so many seconds, and control is not to be had."""

    takes: float

    def run(self, nodeid: str, scenario: Scenario, limit: float, *_: object) -> Outcome:
        if has_orders(scenario):
            return Outcome(scenario, Verdict.PASS, reason=f"{NOT_CONTROLLED}: a socket")
        if limit < self.takes:
            return Outcome(scenario, Verdict.FAIL, Failure(HANG, "", ""), final=False)
        return Outcome(scenario, Verdict.PASS)


@pytest.mark.parametrize(
    ("takes", "kind", "expected"),
    [
        pytest.param(30.0, "timeout", ["pass", "pass", "unresolved"], id="waits between its tries"),
        pytest.param(600.0, "timeout", ["fail", "fail", "fail"], id="does not end at all"),
        pytest.param(30.0, "duplicate", ["fail", "fail", "fail"], id="no outage"),
    ],
)
def test_first_tests_that_do_not_end_are_given_longer(
    takes: float, kind: str, expected: list[str], lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = lab.runner()
    monkeypatch.setattr(runner, "_executor", Late(takes))
    scenario = Scenario.of([Fault("t1", kind, "test", "shop", "GET /")])
    verdicts = [runner.run("a", scenario, control()).verdict.value for _ in range(3)]
    assert verdicts == expected
