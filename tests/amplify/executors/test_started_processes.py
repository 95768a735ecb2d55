"""What executors do with the processes that they start, with stand-ins for those: nothing is started."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from socrates.errors import SocratesError
from socrates_amplify.commands import replay as command
from socrates_amplify.executors.alarm import ALARM, GRACE
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.fork import executor as forks
from socrates_amplify.executors.in_test import replay as in_test
from socrates_amplify.executors.pipe import OUTCOMES, Unpacker, pack
from socrates_amplify.executors.replaying import OUTCOME, STARTED, VARIABLE
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.executors.subprocess import executor as processes
from socrates_amplify.executors.subprocess import single, supervise
from socrates_amplify.executors.subprocess.executor import SubprocessExecutor
from socrates_amplify.model.events import Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.model.serial import outcome_from_json, outcome_to_json
from socrates_amplify.originals import Process

FAULTY = Scenario.of([Fault("t", "lose")])
PASSED = Outcome(Scenario(), Verdict.PASS, trace=Trace((Turn("A", "t"),)), status="passed")
TEST = "a.py::a"


class Started:
    """A process that has ended with ``code``, or that waits for an alarm, or for its death."""

    pid = 123_456

    def __init__(self, code: int = 0, *, heeds: bool = True, ends: bool = True) -> None:
        self.returncode = code
        self.stdin = None
        self.heeds, self.ends = heeds, ends
        self.log: list[object] = []

    def wait(self) -> int:
        self.log.append("wait")
        return self.returncode

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        self.log.append("kill")

    def send_signal(self, number: int) -> None:
        self.log.append(number)

    def ends_within(self, seconds: float | None) -> bool:
        self.log.append(seconds)
        return self.ends or (ALARM in self.log and self.heeds)


Write = Callable[[Path], None]


class Lab:
    """A subprocess executor of which each process writes what it is told to."""

    def __init__(self, executor: SubprocessExecutor) -> None:
        self.executor = executor
        self.homes: list[Path] = []
        self.asked: dict[str, Any] = {}
        self.writes: Write = lambda home: None
        self.process = Started()

    def start(self, home: Path) -> Started:
        self.homes.append(home)
        if len(self.homes) == 1:
            tests = {"tests": {TEST: 3}, "errors": [], "rootdir": "/root"}
            (home / "tests.json").write_text(json.dumps(tests))
            return Started()
        for name in ("request.json", "group.json"):
            if (home / name).exists():
                self.asked = json.loads((home / name).read_text())
        self.writes(home)
        return self.process

    def run(self, scenario: Scenario = FAULTY, **given: Any) -> Outcome:
        return self.executor.run(TEST, scenario, **given)

    def writes_outcome(self, outcome: Outcome) -> None:
        text = json.dumps(outcome_to_json(outcome))
        self.writes = lambda home: [(home / "outcome.json").write_text(text), None][1]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    executor = SubprocessExecutor(Suite(Path("/cwd")))
    made = Lab(executor)
    monkeypatch.setattr(executor, "_start", made.start)
    monkeypatch.setattr(processes.reaping, "kill_group", lambda pid: None)
    monkeypatch.setattr(processes, "ends_within", Started.ends_within)
    monkeypatch.setattr(processes.os, "kill", lambda pid, number: made.process.log.append(number))
    yield made
    executor.close()


def test_tests_are_listed_once(lab: Lab) -> None:
    found = [lab.executor.collect(), lab.executor.collect()]
    assert (found, len(lab.homes)) == ([[TEST], [TEST]], 1)


def test_root_is_the_one_that_pytest_found(lab: Lab) -> None:
    assert lab.executor.rootdir == Path("/root")


def test_folder_of_the_listing_is_gone(lab: Lab) -> None:
    lab.executor.collect()
    assert not lab.homes[0].exists()


@pytest.mark.parametrize(
    ("listing", "told"),
    [
        (None, "pytest"),
        ({"tests": [], "errors": ["a.py: no such module"], "rootdir": "/"}, "no such module"),
    ],
    ids=["nothing was listed", "errors"],
)
def test_suite_that_can_not_be_collected(
    listing: object, told: str, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(home: Path) -> Started:
        (home / "pytest-output.txt").write_text("pytest does not know --wrong\n")
        if listing is not None:
            (home / "tests.json").write_text(json.dumps(listing))
        return Started(4)

    monkeypatch.setattr(lab.executor, "_start", start)
    with pytest.raises(SocratesError, match=told):
        lab.executor.collect()


def test_unknown_test_starts_nothing(lab: Lab) -> None:
    with pytest.raises(SocratesError, match=r"a\.py::b is not among the collected tests"):
        lab.executor.run("a.py::b", FAULTY)


def test_cancelled_execution_starts_nothing(lab: Lab) -> None:
    lab.executor.collect()
    ticket = Ticket()
    ticket.cancel()
    with pytest.raises(Cancelled):
        lab.run(ticket=ticket)
    assert len(lab.homes) == 1


def test_execution_that_is_cancelled_meanwhile_leaves_nothing(lab: Lab) -> None:
    ticket = Ticket()
    lab.writes = lambda home: ticket.cancel()
    with pytest.raises(Cancelled):
        lab.run(ticket=ticket)
    assert not lab.homes[1].exists()


def test_process_is_told_all_of_its_request(lab: Lab) -> None:
    lab.run(limit=2.5, rounds=Rounds(repeat=3))
    request = Request.from_json(lab.asked["request"])
    assert (request.nodeid, request.scenario, request.tmp, request.rounds, lab.asked["limit"]) == (
        TEST,
        FAULTY,
        str(lab.homes[1] / "tmp"),
        Rounds(repeat=3),
        2.5,
    )


def test_rounds_are_those_of_the_suite_if_nobody_asks_for_others(lab: Lab) -> None:
    lab.run()
    assert Request.from_json(lab.asked["request"]).rounds == Rounds()


def test_outcome_is_what_the_process_has_written(lab: Lab) -> None:
    lab.writes_outcome(PASSED)
    assert lab.run(Scenario()).verdict is Verdict.PASS


def test_folder_of_an_execution_is_gone(lab: Lab) -> None:
    lab.run()
    assert not lab.homes[1].exists()


def test_process_that_died_has_crashed_whatever_it_wrote(lab: Lab) -> None:
    lab.writes_outcome(PASSED)
    lab.process = Started(-9)
    assert lab.run(Scenario()).verdict is Verdict.FAIL


def test_process_that_was_told_to_end_has_said_where_it_waited(lab: Lab) -> None:
    waited = Outcome(FAULTY, Verdict.FAIL, Failure("Hang", "waits", "a.py:7"), status="hung")
    lab.writes_outcome(waited)
    lab.process = Started(-14, ends=False)
    found = lab.run(limit=2.0)
    assert (found.failure, found.status) == (waited.failure, "hung")


def test_what_pytest_needs_to_start_is_added_to_the_limit(lab: Lab) -> None:
    lab.executor.collect()
    lab.executor._startup = 5.0
    lab.run(limit=2.0)
    assert lab.process.log[0] == 7.0


def test_without_a_limit_nothing_ends_a_process(lab: Lab) -> None:
    lab.run()
    assert lab.process.log[0] is None


def test_process_that_takes_too_long_gets_an_alarm_and_time_to_answer(lab: Lab) -> None:
    lab.executor.collect()
    lab.process = Started(ends=False)
    lab.run(limit=2.0)
    assert lab.process.log[1:3] == [ALARM, GRACE]


def test_process_that_ends_in_time_gets_no_alarm(lab: Lab) -> None:
    lab.run(limit=2.0)
    assert ALARM not in lab.process.log


def test_crash_is_told_at_the_test(lab: Lab) -> None:
    failure = lab.run().failure
    assert failure is not None
    assert failure.location == "a.py:3"


@pytest.mark.parametrize(
    ("scenario", "known"), [(Scenario(), True), (FAULTY, False)], ids=["no faults", "faults"]
)
def test_names_are_learned_from_the_first_pass_without_faults(
    scenario: Scenario, known: bool, lab: Lab
) -> None:
    lab.writes_outcome(PASSED)
    lab.run(scenario)
    assert (TEST in lab.executor._known) is known


def test_names_of_a_failure_are_not_learned(lab: Lab) -> None:
    lab.run(Scenario())
    assert TEST not in lab.executor._known


def test_tests_that_run_together_are_told_as_they_end(lab: Lab) -> None:
    heard: list[tuple[str, Verdict]] = []
    body = json.dumps(outcome_to_json(PASSED)).encode()

    def writes(home: Path) -> None:
        (home / OUTCOMES).write_bytes(pack({"nodeid": TEST}, body))

    lab.writes = writes
    ended = lab.executor.run_together(
        [TEST], lambda nodeid, outcome: heard.append((nodeid, outcome.verdict)), 2.0, Ticket()
    )
    group = GroupRequest.from_json(lab.asked)
    assert (ended, heard, group.nodeids, group.tmp) == (
        True,
        [(TEST, Verdict.PASS)],
        (TEST,),
        str(lab.homes[1] / "tmp"),
    )


def item(nodeid: str) -> Any:
    return SimpleNamespace(nodeid=nodeid, config=SimpleNamespace(rootpath=Path("/root")))


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is run in this process, which does not end."""
    log: list[object] = []

    def run_item(
        item: Any, request: Request, limit: object, extensions: object, report: Any
    ) -> None:
        log.append((item.nodeid, request.nodeid, limit))
        report(PASSED)

    def run_together(items: Any, group: GroupRequest, extensions: object, report: Any) -> None:
        for each in items:
            log.append((each.nodeid, group.nodeids))
            report(each.nodeid, PASSED)

    monkeypatch.setattr(single, "run_item", run_item)
    monkeypatch.setattr(single, "run_together", run_together)
    monkeypatch.setattr(single, "for_test_process", lambda: None)
    monkeypatch.setattr(
        single, "listing_of", lambda session: [[one.nodeid, 1] for one in session.items]
    )
    monkeypatch.setattr(Process, "exit", log.append)
    return log


def session_of(*nodeids: str) -> Any:
    config = SimpleNamespace(rootpath=Path("/root"))
    return SimpleNamespace(items=[item(nodeid) for nodeid in nodeids], config=config)


@pytest.mark.usefixtures("ran")
def test_process_without_a_request_lists_its_tests(tmp_path: Path) -> None:
    single.SingleRun(tmp_path).pytest_runtestloop(session_of("a", "b"))
    found = json.loads((tmp_path / "tests.json").read_text())
    assert found == {"tests": [["a", 1], ["b", 1]], "errors": [], "rootdir": "/root"}


@pytest.mark.usefixtures("ran")
def test_listing_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    single.SingleRun(tmp_path).pytest_runtestloop(session_of("a"))
    assert [path.name for path in tmp_path.iterdir()] == ["tests.json"]


@pytest.mark.usefixtures("ran")
def test_what_can_not_be_collected_is_in_the_listing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single, "collection_error", lambda report: report.nodeid)
    run = single.SingleRun(tmp_path)
    for nodeid, failed in (("a", True), ("b", False)):
        report: Any = SimpleNamespace(nodeid=nodeid, failed=failed)
        run.pytest_collectreport(report)
    run.pytest_runtestloop(session_of())
    assert json.loads((tmp_path / "tests.json").read_text())["errors"] == ["a"]


def test_requested_test_is_run_and_its_outcome_written(tmp_path: Path, ran: list[object]) -> None:
    asked = {"request": Request("b", FAULTY).to_json(), "limit": 2.0}
    (tmp_path / "request.json").write_text(json.dumps(asked))
    single.SingleRun(tmp_path).pytest_runtestloop(session_of("a", "b"))
    outcome = outcome_from_json(json.loads((tmp_path / "outcome.json").read_text()))
    assert (ran, outcome.verdict) == ([("b", "b", 2.0), 0], Verdict.PASS)


def test_requested_tests_are_run_together_and_told_one_by_one(
    tmp_path: Path, ran: list[object]
) -> None:
    group = GroupRequest(("b", "a"), {}, "")
    (tmp_path / "group.json").write_text(json.dumps(group.to_json()))
    single.SingleRun(tmp_path).pytest_runtestloop(session_of("a", "b"))
    told = Unpacker().feed((tmp_path / OUTCOMES).read_bytes())
    assert ([header["nodeid"] for header, _ in told], ran[:3]) == (
        ["b", "a"],
        [("b", ("b", "a")), ("a", ("b", "a")), 0],
    )


class Plugins(dict[str, object]):
    """Plugins of pytest by name."""

    def register(self, plugin: object, name: str) -> None:
        self[name] = plugin

    def get_plugin(self, name: str) -> object:
        return self.get(name)


@pytest.mark.parametrize(
    ("module", "variable", "name"),
    [
        (single, single.HOME_VARIABLE, "socrates-single-run"),
        (in_test, VARIABLE, "socrates-replay"),
    ],
)
@pytest.mark.parametrize("is_asked", [True, False])
def test_plugin_takes_its_request_once(
    module: Any, variable: str, name: str, is_asked: bool, tmp_path: Path, monkeypatch: Any
) -> None:
    asked = {"request": Request("b", FAULTY).to_json(), "limit": None}
    (tmp_path / "request.json").write_text(json.dumps(asked))
    monkeypatch.setenv(variable, str(tmp_path) if is_asked else "")
    config = SimpleNamespace(pluginmanager=Plugins(), stash=pytest.Stash())
    module.pytest_load_initial_conftests(config)
    left = variable in os.environ
    module.pytest_configure(config)
    assert (name in config.pluginmanager, left) == (is_asked, False)


class Execution:
    """An execution in a replay; ``during`` is what happens while the test runs."""

    def __init__(self, during: Callable[[], object] = lambda: None) -> None:
        self._during = during

    def run(self, extensions: object) -> Outcome:
        self._during()
        return PASSED

    def interrupted(self, frame: object, limit: float) -> Outcome:
        failure = Failure("Hang", f"after {limit}", "a.py:7")
        return Outcome(FAULTY, Verdict.FAIL, failure, status="hung")


class Replayed:
    """The plugin of a replay, with what it does to its process."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.handlers: list[Any] = []
        self.exits: list[int] = []
        self._patch = monkeypatch
        monkeypatch.setattr(in_test, "for_test_process", lambda: None)
        monkeypatch.setattr(Process, "on_signal", lambda number, do: self.handlers.append(do))
        monkeypatch.setattr(Process, "exit", self.exits.append)
        monkeypatch.setattr(in_test.faulthandler, "dump_traceback", lambda file: None)

    def plugin(self, limit: float | None = None, execution: Execution | None = None) -> Any:
        asked = {"request": Request("b", FAULTY).to_json(), "limit": limit}
        (self.home / "request.json").write_text(json.dumps(asked))
        made = execution or Execution()
        self._patch.setattr(in_test, "execution_of", lambda item, request: made)
        return in_test.Replay(self.home)

    @property
    def outcome(self) -> Outcome:
        return outcome_from_json(json.loads((self.home / OUTCOME).read_text()))


@pytest.fixture
def replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replayed:
    return Replayed(tmp_path, monkeypatch)


def with_plugins(nodeid: str, **plugins: object) -> Any:
    config = SimpleNamespace(pluginmanager=Plugins(plugins), rootpath=Path("/root"))
    return SimpleNamespace(nodeid=nodeid, config=config)


def test_replay_keeps_the_requested_test_alone(replayed: Replayed) -> None:
    deselected: list[Any] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: deselected.extend(items))
    a, b = item("a"), item("b")
    items = [a, b]
    replayed.plugin().pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)
    assert (items, deselected) == ([b], [a])


def test_replay_runs_the_test_once_and_leaves_the_protocol_inside_to_pytest(
    replayed: Replayed,
) -> None:
    plugin = replayed.plugin()
    answers = [plugin.pytest_runtest_protocol(with_plugins("b")) for _ in range(2)]
    assert answers == [True, None]


def test_replay_says_that_the_test_has_started_before_it_runs(replayed: Replayed) -> None:
    there: list[bool] = []
    started = replayed.home / STARTED
    execution = Execution(lambda: there.append(started.exists()))
    replayed.plugin(execution=execution).pytest_runtest_protocol(with_plugins("b"))
    assert there == [True]


def test_replay_writes_the_outcome(replayed: Replayed) -> None:
    replayed.plugin().pytest_runtest_protocol(with_plugins("b"))
    assert replayed.outcome.verdict is Verdict.PASS


@pytest.mark.parametrize(("limit", "heeded"), [(None, 0), (2.0, 1)])
def test_replay_heeds_the_alarm_while_its_test_has_a_limit(
    limit: float | None, heeded: int, replayed: Replayed
) -> None:
    replayed.plugin(limit).pytest_runtest_protocol(with_plugins("b"))
    handlers = replayed.handlers
    assert (len(handlers), handlers[-1]) == (heeded + 1, signal.SIG_IGN)


def test_replay_that_is_over_says_where_it_waited_and_ends(replayed: Replayed) -> None:
    shown: list[bool] = []
    capture = SimpleNamespace(suspend_global_capture=lambda in_: shown.append(in_))
    kept: list[Failure | None] = []

    def alarm() -> None:
        replayed.handlers[0](ALARM, None)
        kept.append(replayed.outcome.failure)

    plugin = replayed.plugin(2.0, Execution(alarm))
    plugin.pytest_runtest_protocol(with_plugins("b", capturemanager=capture))
    assert (kept, shown, replayed.exits) == ([Failure("Hang", "after 2.0", "a.py:7")], [True], [1])


def test_replay_without_capturing_ends_all_the_same(replayed: Replayed) -> None:
    execution = Execution(lambda: replayed.handlers[0](ALARM, None))
    replayed.plugin(2.0, execution).pytest_runtest_protocol(with_plugins("b"))
    assert replayed.exits == [1]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time of a replay passes at once."""
    monkeypatch.setattr(command, "ends_within", Started.ends_within)


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize(
    ("process", "limit", "hung", "log"),
    [
        pytest.param(Started(ends=False), None, False, ["wait"], id="no limit"),
        pytest.param(Started(), 2.0, False, [2.0], id="ends"),
        pytest.param(
            Started(ends=False), 2.0, True, [2.0, ALARM, command._GRACE, "wait"], id="heeds"
        ),
        pytest.param(
            Started(ends=False, heeds=False),
            2.0,
            True,
            [2.0, ALARM, command._GRACE, "kill", "wait"],
            id="does not heed",
        ),
    ],
)
def test_replay_that_hangs_is_told_then_killed(
    process: Any, limit: float | None, hung: bool, log: list[object], tmp_path: Path
) -> None:
    assert (command._hangs(process, tmp_path / STARTED, limit), process.log) == (hung, log)


class ServerProcess(Started):
    """The process of a fork server: says hello on its end of the connection, and ends."""

    def __init__(self, hello: dict[str, object] | None, fd: int) -> None:
        super().__init__(3)
        if hello is not None:
            with socket.socket(fileno=fd) as theirs:
                theirs.sendall(pack(hello))
                theirs.detach()


HELLO: dict[str, object] = {
    "tests": {TEST: 3},
    "errors": [],
    "rootdir": "/root",
    "threads": ["t"],
}


class Fork:
    """Makes connections to fork servers that say a given hello."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.killed: list[int] = []
        self.process: ServerProcess | None = None
        self._patch = monkeypatch
        monkeypatch.setattr(forks.reaping, "kill_group", self.killed.append)
        monkeypatch.setattr(forks, "ends_within", Started.ends_within)

    def server(self, hello: dict[str, object] | None = HELLO) -> Any:
        def start(command: object, pass_fds: list[int], **given: object) -> ServerProcess:
            self.process = ServerProcess(hello, pass_fds[0])
            return self.process

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(forks.subprocess, "Popen", start)
            return forks._Server(Suite(Path()), self.home)


@pytest.fixture
def fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fork:
    return Fork(tmp_path, monkeypatch)


def test_fork_server_says_what_it_has(fork: Fork) -> None:
    server = fork.server()
    server.close()
    assert (server.tests, server.threads, server.rootdir) == ({TEST: 3}, ["t"], Path("/root"))


def test_fork_server_that_could_not_collect_is_closed(fork: Fork) -> None:
    with pytest.raises(SocratesError, match="no such module"):
        fork.server({**HELLO, "errors": ["a.py: no such module"]})
    assert fork.process is not None
    assert fork.process.log[0] == 5


def test_fork_server_that_says_nothing_is_told_with_its_code(fork: Fork) -> None:
    with pytest.raises(SocratesError, match="3"):
        fork.server(None)


def test_fork_server_that_can_not_be_used_is_killed_and_waited_for(fork: Fork) -> None:
    with pytest.raises(SocratesError):
        fork.server(None)
    assert fork.process is not None
    assert (fork.killed, fork.process.log[-1]) == ([Started.pid], "wait")


def test_fork_server_that_is_gone_is_not_asked(fork: Fork) -> None:
    server = fork.server()
    server.close()
    assert server.ask(1, None, Request(TEST, FAULTY), Ticket()) == forks._DEAD


def test_request_that_can_not_be_sent_has_no_answer(fork: Fork) -> None:
    server = fork.server()
    server.close()
    server.gone = False
    found = server.ask(1, None, Request(TEST, FAULTY), Ticket())
    assert (found, server.gone) == (forks._DEAD, True)


@pytest.mark.parametrize(("ends", "killed"), [(True, False), (False, True)])
def test_fork_server_that_does_not_end_is_killed(ends: bool, killed: bool, fork: Fork) -> None:
    server = fork.server()
    assert fork.process is not None
    fork.process.ends = ends
    server.close()
    assert ("kill" in fork.process.log, "wait" in fork.process.log) == (killed, killed)


class Supervised(Started):
    """The process of a test under its supervisor; ``started`` are all such commands."""

    started: ClassVar[list[tuple[str, ...]]] = []

    def __init__(self, command: tuple[str, ...], **given: object) -> None:
        super().__init__(7)
        self.started.append(command)


def test_supervisor_tells_whom_it_started_and_ends_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[object] = []
    monkeypatch.setattr(supervise.subprocess, "Popen", Supervised)
    heeds = SimpleNamespace(signal=lambda number, do: log.append((number, do)))
    monkeypatch.setattr(supervise, "signal", heeds)
    monkeypatch.setattr(supervise, "threading", SimpleNamespace(Thread=NoThread))
    monkeypatch.setattr(
        supervise,
        "reaping",
        SimpleNamespace(
            adopt_orphans=lambda: log.append("adopt"),
            kill_group=lambda pid: log.append(("kill", pid)),
            kill_orphans=lambda keep: log.append(("orphans", keep)),
        ),
    )
    code = supervise.main(str(tmp_path / "pid"), "pytest", "-x")
    told = (tmp_path / "pid").read_text()
    assert (code, told, Supervised.started[-1]) == (7, str(Started.pid), ("pytest", "-x"))
    number, pass_on = log.pop(1)  # type: ignore[misc]
    assert (number, log) == (ALARM, ["adopt", ("kill", Started.pid), ("orphans", ())])
    monkeypatch.setattr(supervise.os, "kill", lambda pid, number: log.append((pid, number)))
    pass_on(number, None)
    assert log[-1] == (Started.pid, ALARM)


class NoThread:
    """A thread that never runs."""

    def __init__(self, target: object, daemon: bool) -> None:
        self.start = lambda: None
