"""Parts that executors share: what a process said, who is stopped, which processes stay warm."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors import per_environment
from socrates_amplify.executors.answers import outcome_of
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.per_environment import CircumstancesExecutor
from socrates_amplify.executors.ray.shipping import _shown, shipped_files
from socrates_amplify.executors.ray.versions import about_here, difference
from socrates_amplify.executors.stopping import Stoppable
from socrates_amplify.model.events import Injected, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import MISTAKE, Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.model.serial import outcome_to_json

SCENARIO = Scenario.of([Fault("t1", "duplicate")])
UNREADABLE = "what its process reported can't be read: the test wrote to a descriptor of ours"


def said(body: bytes = b"", code: object = None, hung: bool = False) -> Outcome:
    header = {"hung": hung, "code": code, "duration": 1.5}
    return outcome_of(header, body, SCENARIO, 2.0, "test_a.py:3")


def test_an_outcome_is_taken_as_it_was_sent() -> None:
    sent = Outcome(SCENARIO, Verdict.PASS, duration=0.5)
    assert said(json.dumps(outcome_to_json(sent)).encode()) == sent


def test_a_mistake_of_the_user_is_told() -> None:
    sent = Outcome(SCENARIO, Verdict.FAIL, Failure(MISTAKE, "write it so", ""))
    with pytest.raises(SocratesError, match="write it so"):
        said(json.dumps(outcome_to_json(sent)).encode())


@pytest.mark.parametrize(
    ("given", "kind", "message", "status", "final"),
    [
        pytest.param({"hung": True}, "Hang", "did not end within 2 s", "hung", False, id="hang"),
        pytest.param(
            {"code": 3},
            "Crash",
            "the process ended with exit code 3 before the test did",
            "crashed",
            True,
            id="exit code",
        ),
        pytest.param(
            {"code": 0},
            "Crash",
            "the process ended with exit code 0 before the test did",
            "crashed",
            True,
            id="exit code 0",
        ),
        pytest.param(
            {"code": -signal.SIGSEGV},
            "Crash",
            "the process was ended by SIGSEGV",
            "crashed",
            True,
            id="signal",
        ),
        pytest.param(
            {"code": -99},
            "Crash",
            "the process was ended by signal 99",
            "crashed",
            True,
            id="signal without a name",
        ),
        pytest.param(
            {"code": -9},
            "Crash",
            "the process was ended by SIGKILL, as the system does when memory runs out",
            "crashed",
            False,
            id="killed",
        ),
        pytest.param(
            {"code": None},
            "Crash",
            "the test ended the process that started it",
            "crashed",
            True,
            id="server gone",
        ),
        pytest.param(
            {"code": -9, "body": b"nonsense"}, "Crash", UNREADABLE, "crashed", True, id="nonsense"
        ),
        pytest.param(
            {"code": 0, "body": b'{"verdict": "pass"}'},
            "Crash",
            UNREADABLE,
            "crashed",
            True,
            id="no outcome",
        ),
    ],
)
def test_a_process_that_reports_nothing_has_failed(
    given: dict[str, Any], kind: str, message: str, status: str, final: bool
) -> None:
    failure = Failure(kind, message, "test_a.py:3")
    assert said(**given) == Outcome(
        SCENARIO, Verdict.FAIL, failure, duration=1.5, final=final, status=status
    )


class Fake:
    """An executor that writes down what it is asked."""

    rootdir = Path("/root-dir")
    unfit = "because"

    def __init__(self, suite: Suite | None = None, tests: Sequence[str] = ("a", "b")) -> None:
        self.suite = suite
        self.tests = tests
        self.log: list[object] = []

    def collect(self) -> list[str]:
        if not self.tests:
            raise SocratesError("can't be imported")
        return list(self.tests)

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None,
        ticket: Ticket | None,
        rounds: Rounds | None,
    ) -> Outcome:
        self.log.append(("run", nodeid, limit))
        if isinstance(ticket, Ticket) and nodeid == "endless":
            ticket.cancel()
        return Outcome(scenario, Verdict.PASS, trace=Trace((Turn("A", nodeid),)))

    def run_together(self, nodeids: Any, heard: Any, limit: float, ticket: Ticket) -> bool:
        self.log.append(("together", tuple(nodeids), limit))
        return True

    def learn(self, nodeid: str, trace: Trace) -> None:
        self.log.append(("learn", nodeid, trace))

    def close(self) -> None:
        self.log.append("closed")


def test_what_can_be_stopped_does_what_the_other_one_does() -> None:
    inner = Fake()
    outer = Stoppable(inner)  # type: ignore[arg-type]
    outer.run("a", SCENARIO, 2.0)
    outer.learn("a", Trace())
    together = outer.run_together(["a"], lambda *_: None, 3.0, Ticket())
    told = (outer.rootdir, outer.unfit, outer.collect(), together)
    assert told == (Path("/root-dir"), "because", ["a", "b"], True)
    assert inner.log == [("run", "a", 2.0), ("learn", "a", Trace()), ("together", ("a",), 3.0)]


def test_nothing_runs_once_it_is_stopped() -> None:
    inner = Fake()
    outer = Stoppable(inner)  # type: ignore[arg-type]
    outer.close()
    with pytest.raises(Cancelled):
        outer.run("a", SCENARIO)
    with pytest.raises(Cancelled):
        outer.run_together(["a"], lambda *_: None, 3.0, Ticket())
    assert inner.log == ["closed"]


def test_what_runs_is_cancelled_and_what_has_ended_is_not() -> None:
    outer = Stoppable(Fake())  # type: ignore[arg-type]
    done, running = Ticket(), Ticket()
    outer.run("a", SCENARIO, None, done)
    with outer._counted(running):
        outer.stop()
    assert (done.cancelled, running.cancelled) == (False, True)


TABLE: Mapping[str, object] = {
    "workers": {"environment": "WORKERS", "simple": 1, "general": 4},
    "debug": {"environment": "DEBUG", "general": "yes"},
}


def general(name: str) -> Scenario:
    detail = json.dumps(TABLE[name]["general"])  # type: ignore[index]
    return Scenario.of([Fault(f"circumstance:{name}", "circumstance", detail=detail)])


@pytest.fixture
def made() -> list[Fake]:
    """The executors that were made, the plain one first."""
    return []


@pytest.fixture
def executor(made: list[Fake]) -> CircumstancesExecutor:
    def make(suite: Suite) -> Fake:
        made.append(Fake(suite))
        return made[-1]

    suite = Suite(Path(), probes={"circumstances": TABLE}, environment={"A": "1"})  # type: ignore[dict-item]
    return CircumstancesExecutor(suite, make)  # type: ignore[arg-type]


def environments(made: Sequence[Fake]) -> list[Mapping[str, str | None]]:
    return [one.suite.environment for one in made if one.suite is not None]


def test_each_environment_has_a_process_of_its_own(
    executor: CircumstancesExecutor, made: list[Fake]
) -> None:
    for scenario in (Scenario(), general("workers"), general("debug"), general("workers")):
        executor.run("a", scenario, 5.0)
    assert environments(made) == [
        {"A": "1", "WORKERS": "1", "DEBUG": None},
        {"A": "1", "WORKERS": "4", "DEBUG": None},
        {"A": "1", "WORKERS": "1", "DEBUG": "yes"},
    ]


def test_a_warm_process_learns_the_names_of_a_test_once(
    executor: CircumstancesExecutor, made: list[Fake]
) -> None:
    executor.run("a", Scenario(), 5.0)
    for _ in range(2):
        executor.run("a", general("workers"), 5.0)
    trace = Trace((Turn("A", "a"),))
    assert made[1].log == [("learn", "a", trace), ("run", "a", 5.0), ("run", "a", 5.0)]


def test_what_is_learned_goes_to_all(executor: CircumstancesExecutor, made: list[Fake]) -> None:
    trace = Trace((Turn("B", "b"),))
    executor.learn("b", trace)
    executor.run("b", general("debug"))
    assert (made[0].log, made[1].log[0]) == ([("learn", "b", trace)], ("learn", "b", trace))


@pytest.mark.parametrize(
    ("tests", "why"),
    [((), "can't be imported"), (("b",), "the test is not collected")],
    ids=["none", "others"],
)
def test_a_suite_that_can_not_be_collected_fails(
    tests: Sequence[str], why: str, executor: CircumstancesExecutor, made: list[Fake]
) -> None:
    executor.run("a", general("workers"))
    made[1].tests = tests
    found = executor.run("a.py::a", general("workers"))
    injected = Trace((Injected("circumstance:workers", "circumstance"),))
    failure = Failure("CollectionError", why, "a.py")
    assert found == Outcome(
        general("workers"), Verdict.FAIL, failure, trace=injected, status="error"
    )


def test_only_so_many_environments_stay_warm(
    executor: CircumstancesExecutor, made: list[Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(per_environment, "_WARM", 1)
    for name in ("workers", "debug", "workers"):
        executor.run("a", general(name))
    executor.close()
    ends = [one.log.count("closed") for one in made]
    assert (len(made), ends) == (4, [1, 1, 1, 1])


def test_simple_circumstances_answer_for_the_suite(
    executor: CircumstancesExecutor, made: list[Fake]
) -> None:
    together = executor.run_together(["a"], lambda *_: None, 3.0, Ticket())
    told = (executor.collect(), executor.rootdir, executor.unfit, together)
    assert told == (["a", "b"], Path("/root-dir"), "because", True)
    assert (len(made), made[0].log) == (1, [("together", ("a",), 3.0)])


@pytest.mark.parametrize(
    ("size", "shown"),
    [(999, "999 bytes"), (1000, "1 kB"), (999_400, "999 kB"), (2_000_000, "2 MB"), (3e9, "3 GB")],
)
def test_sizes_as_people_read_them(size: int, shown: str) -> None:
    assert _shown(int(size)) == shown


def test_files_that_are_shipped(tmp_path: Path) -> None:
    names = ["a.py", "b/c.py", ".git/x", "b/__pycache__/d.pyc", "env/pyvenv.cfg", "env/e.py"]
    names += ["ignored.log", "b/kept.txt", ".socrates/f", ".gitignore"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("*.log\n")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    (tmp_path / "circle").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in shipped_files(tmp_path)]
    assert found == [".gitignore", "a.py", "b/c.py", "b/kept.txt"]


HERE: dict[str, Any] = {
    "python": "CPython 3.11",
    "socrates": "1",
    "packages": {"a": "1", "b": "1", "c": "1", "d": "1", "plugin": "1"},
    "plugins": ["plugin"],
}


@pytest.mark.parametrize(
    ("packages", "told"),
    [
        (HERE["packages"], ""),
        ({**HERE["packages"], "z": "1"}, ""),
        ({"plugin": "1"}, ""),
        ({**HERE["packages"], "a": "2"}, "has a 2 instead of 1"),
        ({"a": "1"}, "has plugin missing instead of 1"),
        (
            {"a": "2", "b": "2", "c": "2", "d": "2", "plugin": "1"},
            "has a 2 instead of 1, b 2 instead of 1, c 2 instead of 1 and 1 more",
        ),
    ],
    ids=["the same", "more", "fewer", "another version", "a plugin is missing", "many"],
)
def test_packages_that_differ(packages: dict[str, str], told: str) -> None:
    assert difference(HERE, {**HERE, "packages": packages}) == told


def test_what_is_installed_here() -> None:
    told = about_here()
    assert sorted(told) == ["packages", "plugins", "python", "socrates"]
    packages, plugins = told["packages"], told["plugins"]
    assert isinstance(packages, dict)
    assert isinstance(plugins, list)
    assert {"pytest", "pytest-timeout"} <= packages.keys()
    assert ("pytest-timeout" in plugins, "pytest" in plugins) == (True, False)
