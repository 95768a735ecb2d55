"""What an executor asks of nodes and processes, with stand-ins for both: nothing is started."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.fork import executor as forks
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.executors.pipe import pack
from socrates_amplify.executors.ray.executor import (
    RayExecutor,
    _for_pytest,
    _Member,
    _other_tests,
)
from socrates_amplify.executors.ray.node import Node, portable, settled
from socrates_amplify.executors.subprocess import executor as processes
from socrates_amplify.model.events import Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.serial import outcome_to_json, scenario_to_json, trace_to_json

SCENARIO = Scenario.of([Fault("t", "lose")])
TRACE = Trace((Turn("A", "t"),))
PASSED = Outcome(Scenario(), Verdict.PASS, trace=TRACE)


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        (["a", "b"], ["b", "a"], "has another order"),
        (["a"], ["a", "b"], "collects what is not collected here: b"),
        (None, ["a"], "collects what is not collected here: a"),
        (
            ["a", "b"],
            [],
            "does not collect a and 1 more; does it need a file that git ignores?",
        ),
    ],
)
def test_node_collects_other_tests(here: list[str] | None, there: list[str], told: str) -> None:
    assert _other_tests(here, there) == told


def test_variables_of_pytest_go_to_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, shipped = tmp_path / "root", tmp_path / "shipped"
    (shipped / "src").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(root / "src"), "", "/elsewhere", str(root / "gone")])
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "this")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("OTHER", "1")
    assert _for_pytest(root, shipped) == {"PYTEST_ADDOPTS": "-x", "PYTHONPATH": "src"}


def test_suite_for_another_machine_has_relative_paths() -> None:
    suite = Suite(
        Path("/p/sub"),
        ("/p/tests/a.py::b", "c.py", "/q/d.py"),
        probes={"http": {"slow": 1}},
        python="/own/python",
    )
    sent = portable(suite, Path("/p"))
    assert (sent.cwd, sent.paths, sent.probes, sent.python) == (
        Path("sub"),
        ("../tests/a.py::b", "c.py", "/q/d.py"),
        {"http": {"slow": 1}},
        "",
    )


def test_suite_settles_below_its_new_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/before", ""]))
    suite = Suite(Path("sub"), environment={"PYTHONPATH": os.pathsep.join(["src", ""]), "A": "1"})
    found = settled(suite, Path("/new"))
    search = os.pathsep.join(["/new/src", "/before"])
    assert (found.cwd, found.environment) == (Path("/new/sub"), {"PYTHONPATH": search, "A": "1"})


class Machine:
    """An executor of one machine that writes down what it is asked."""

    def __init__(self, log: list[object], unfit: str = "", error: Exception | None = None) -> None:
        self.log, self.unfit, self.error = log, unfit, error

    def collect(self) -> list[str]:
        if self.error is not None:
            raise self.error
        return ["a"]

    def learn(self, nodeid: str, trace: Trace) -> None:
        self.log.append(("learn", nodeid, trace))

    def run(self, nodeid: str, scenario: Scenario, limit: float | None, ticket: Ticket) -> Outcome:
        self.log.append(("run", nodeid, scenario, limit))
        ticket.check()
        if self.error is not None:
            raise self.error
        return PASSED

    def close(self) -> None:
        self.log.append("close")


def node(unfit: str = "", error: Exception | None = None) -> tuple[Node, list[object]]:
    log: list[object] = []

    def make(name: str, suite: Suite) -> Any:
        log.append(name)
        return Machine(log, unfit if name == "fork" else "", error)

    return Node(Suite(Path()), make), log


def test_node_forks_where_it_can() -> None:
    made, log = node()
    assert (made.collect(), log) == ({"tests": ["a"], "pid": os.getpid()}, ["fork"])


def test_node_starts_processes_where_forks_can_not_serve() -> None:
    made, log = node(unfit="threads")
    assert (made.collect()["tests"], log) == (["a"], ["fork", "close", "subprocess"])


def test_node_tells_what_went_wrong() -> None:
    assert node(error=SocratesError("no"))[0].collect() == {"error": "no"}


def asked(made: Node, trace: Trace | None = None, number: int = 1) -> Any:
    names = trace_to_json(trace) if trace is not None else None
    return made.run(number, "a", scenario_to_json(SCENARIO), 2.0, names)


def test_node_learns_names_before_it_runs() -> None:
    made, log = node()
    made.collect()
    said = asked(made, TRACE)
    assert (said, log[1:]) == (
        {"outcome": outcome_to_json(PASSED)},
        [("learn", "a", TRACE), ("run", "a", SCENARIO, 2.0)],
    )


def test_execution_that_is_cancelled_before_it_starts_does_not_run() -> None:
    made, _ = node()
    made.collect()
    made.cancel(1)
    assert (asked(made), "outcome" in asked(made)) == ({"cancelled": True}, True)


def test_node_tells_of_mistakes() -> None:
    made, log = node()
    made.collect()
    made._executor = Machine(log, error=SocratesError("wrong"))  # type: ignore[assignment]
    assert asked(made) == {"error": "wrong"}


def test_node_is_closed() -> None:
    made, log = node()
    made.close()
    made.collect()
    made.close()
    assert log == ["fork", "close"]


class RayError(Exception):
    """What Ray raises when a node is lost."""


class Actor:
    """The actor of a node; each request gets the next of these replies."""

    def __init__(self, *replies: object) -> None:
        self.replies = list(replies)
        self.requests: list[tuple[object, ...]] = []
        self.run = SimpleNamespace(remote=self._run)

    def _run(self, *request: object) -> object:
        self.requests.append(request)
        return self.replies.pop(0)


def got(reply: object) -> Any:
    if isinstance(reply, Exception):
        raise reply
    return reply


def cluster(*members: _Member) -> RayExecutor:
    """An executor with these nodes, whose tests are collected."""
    made: Any = RayExecutor(Suite(Path()), lambda name, suite: None)  # type: ignore[arg-type,return-value]
    made._tests = ["a"]
    made._members = list(members)
    errors = SimpleNamespace(RayError=RayError)
    ray = SimpleNamespace(exceptions=errors, kill=lambda actor: None)
    made._cluster = SimpleNamespace(get=got, places=list, ray=ray)
    executor: RayExecutor = made
    return executor


def member(slots: int, busy: int = 0, *replies: object) -> _Member:
    place: Any = SimpleNamespace(slots=slots, id=f"n{slots}", name=f"n{slots}")
    return _Member(place, Actor(*replies), busy)


def test_processors_of_all_nodes_count() -> None:
    assert cluster(member(2), member(3)).processors == 5


def test_node_with_the_most_free_processors_is_taken() -> None:
    few, many, full = member(2), member(5, 1), member(9, 9)
    made = cluster(few, many, full)
    with made._a_member(Ticket()) as taken:
        during = (taken, many.busy, made._busy)
    assert (during, many.busy, made._busy) == ((many, 2, 1), 1, 0)


def test_nobody_waits_for_nodes_that_are_gone() -> None:
    with pytest.raises(SocratesError, match="every node of the cluster is gone"):
        cluster().run("a", SCENARIO)


def test_closed_cluster_runs_nothing() -> None:
    made = cluster(member(2))
    made._closed = True
    with pytest.raises(Cancelled):
        made.run("a", SCENARIO)


OUTCOME = {"outcome": outcome_to_json(PASSED)}


def test_names_are_taught_once_to_each_node() -> None:
    taught = member(2, 0, OUTCOME, OUTCOME, OUTCOME)
    made = cluster(taught)
    made.run("a", Scenario(), 3.0)
    made.run("a", SCENARIO)
    made.run("a", SCENARIO)
    names = [request[4] for request in taught.actor.requests]
    limits = [request[3] for request in taught.actor.requests]
    assert (names, limits) == ([None, trace_to_json(TRACE), None], [3.0, None, None])


@pytest.mark.parametrize(
    ("said", "error"),
    [({"cancelled": True}, Cancelled), ({"error": "wrong"}, SocratesError)],
    ids=["cancelled", "mistake"],
)
def test_node_that_has_no_outcome(said: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        cluster(member(2, 0, said)).run("a", SCENARIO)


def test_execution_that_loses_its_workers_has_crashed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = cluster(member(2, 0, *[RayError("gone")] * 3))
    monkeypatch.setattr(made, "_lost", lambda member: None)
    failure = Failure("Crash", "its worker ended 3 times: gone", "")
    assert made.run("a", SCENARIO) == Outcome(
        SCENARIO, Verdict.FAIL, failure, final=False, status="crashed"
    )


def test_execution_that_loses_one_worker_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = cluster(member(2, 0, RayError("gone"), OUTCOME))
    monkeypatch.setattr(made, "_lost", lambda member: None)
    assert made.run("a", SCENARIO) == PASSED


class Running:
    """A process that ends after so many looks."""

    def __init__(self, looks: int, then: Any = lambda: None) -> None:
        self.looks, self.then = looks, then

    def poll(self) -> int | None:
        self.then()
        self.looks -= 1
        return None if self.looks > 0 else 0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The present time; nobody sleeps."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    stand_in = SimpleNamespace(monotonic=lambda: now[0], sleep=sleep)
    monkeypatch.setattr(processes, "time", stand_in)
    monkeypatch.setattr(processes, "_PAUSE", 0.25)
    return now


def heard(process: Running, written: Path, limit: float = 1.0) -> list[tuple[str, bytes]]:
    return list(processes._told(process, written, limit))  # type: ignore[arg-type]


def test_process_that_writes_nothing_says_nothing(tmp_path: Path, clock: list[float]) -> None:
    found = heard(Running(1_000), tmp_path / "none")
    assert (found, clock) == ([], [1.0])


def test_what_is_written_is_heard_once_and_in_order(tmp_path: Path, clock: list[float]) -> None:
    written = tmp_path / "outcomes"
    parts = [pack({"nodeid": "a"}, b"1"), b"", pack({"nodeid": "b"}, b"2")]

    def write() -> None:
        with written.open("ab") as file:
            file.write(parts.pop(0) if parts else b"")

    found = heard(Running(4, write), written)
    assert (found, clock) == ([("a", b"1"), ("b", b"2")], [0.75])


def test_time_begins_anew_with_each_test(tmp_path: Path, clock: list[float]) -> None:
    written = tmp_path / "outcomes"
    written.write_bytes(b"")

    def write() -> None:
        if clock == [0.75]:
            written.write_bytes(pack({"nodeid": "a"}))

    heard(Running(1_000, write), written)
    assert clock == [1.75]


@pytest.mark.parametrize("wrote", [b"\0\0\0\2\0\0\0\0{x", pack({"other": 1})])
@pytest.mark.usefixtures("clock")
def test_what_can_not_be_read_ends_it(wrote: bytes, tmp_path: Path) -> None:
    written = tmp_path / "outcomes"
    written.write_bytes(pack({"nodeid": "a"}, b"1") + wrote + pack({"nodeid": "b"}))
    assert heard(Running(1_000), written) == [("a", b"1")]


@pytest.fixture
def executor() -> Iterator[ForkExecutor]:
    made = ForkExecutor(Suite(Path()))
    yield made
    made.close()


class Server:
    """The server of an executor: says what it is told to."""

    def __init__(self, *replies: Any, threads: tuple[str, ...] = ()) -> None:
        self.tests = {"a.py::a": 3}
        self.threads = list(threads)
        self.rootdir = Path("/root")
        self.gone = False
        self.replies = list(replies)
        self.requests: list[Any] = []

    def ask(self, number: int, limit: float | None, request: Any, ticket: Ticket) -> Any:
        self.requests.append((number, limit, request))
        return self.replies.pop(0)

    def close(self) -> None:
        """It has ended."""


def with_server(executor: ForkExecutor, server: Server) -> Server:
    executor._server = server  # type: ignore[assignment]
    return server


ENDED = {"hung": False, "code": 3, "duration": 1.0}


@pytest.mark.parametrize(
    ("threads", "told"),
    [((), ""), (("a", "b"), "importing the tests started threads: a, b")],
)
def test_suite_that_can_not_be_forked(
    threads: tuple[str, ...], told: str, executor: ForkExecutor
) -> None:
    with_server(executor, Server(threads=threads))
    assert (executor.unfit, executor.rootdir, executor.collect()) == (
        told,
        Path("/root"),
        ["a.py::a"],
    )


def test_unknown_test_is_not_asked_for(executor: ForkExecutor) -> None:
    with_server(executor, Server())
    with pytest.raises(SocratesError, match=r"a\.py::b is not among the collected tests"):
        executor.run("a.py::b", SCENARIO)


def test_crash_is_told_at_the_test(executor: ForkExecutor) -> None:
    with_server(executor, Server((ENDED, b"")))
    failure = executor.run("a.py::a", SCENARIO, 2.0).failure
    assert failure is not None
    assert failure.location == "a.py:3"


def test_test_that_lost_its_server_is_asked_for_once_more(executor: ForkExecutor) -> None:
    server = with_server(executor, Server(forks._DEAD, (ENDED, b"")))
    executor.run("a.py::a", SCENARIO, 2.0)
    assert [number for number, _, _ in server.requests] == [1, 2]


def test_cancelled_execution_has_no_outcome(executor: ForkExecutor) -> None:
    with_server(executor, Server(({**ENDED, "cancelled": True}, b"")))
    with pytest.raises(Cancelled):
        executor.run("a.py::a", SCENARIO)


@pytest.mark.parametrize(
    ("scenario", "learned"), [(Scenario(), True), (SCENARIO, False)], ids=["no faults", "faults"]
)
def test_names_are_learned_from_a_pass_without_faults(
    scenario: Scenario, learned: bool, executor: ForkExecutor
) -> None:
    body = json.dumps(outcome_to_json(PASSED)).encode()
    with_server(executor, Server((ENDED, body)))
    executor.run("a.py::a", scenario)
    assert ("a.py::a" in executor._known) is learned


def test_folder_of_an_execution_is_gone_afterwards(executor: ForkExecutor) -> None:
    server = with_server(executor, Server((ENDED, b"")))
    executor.run("a.py::a", SCENARIO)
    tmp = Path(server.requests[0][2].tmp)
    assert (tmp.name, tmp.exists()) == ("1", False)


def test_closed_executor_starts_nothing(executor: ForkExecutor) -> None:
    executor.close()
    with pytest.raises(Cancelled):
        executor.collect()


def test_process_is_let_go_by_its_input() -> None:
    reading, writing = os.pipe()
    process: Any = SimpleNamespace(stdin=os.fdopen(writing, "wb"))
    processes._let_go(process)
    said = os.read(reading, 1)
    os.close(reading)
    assert (process.stdin.closed, said) == (True, b"")
