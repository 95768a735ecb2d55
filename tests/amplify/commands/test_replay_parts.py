"""What ``socrates replay`` asks of a process, and what it says of its answer: no process is started."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.commands import replay
from socrates_amplify.executors.replaying import OUTCOME, STARTED, VARIABLE
from socrates_amplify.executors.request import Request
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.model.serial import outcome_to_json
from socrates_amplify.store.scenario_files import ScenarioFile

TEST = "test_a.py::test_it"
SCENARIO = Scenario.of([Fault("t", "duplicate", "test", "Stock#1", "Add(1)")])
BROKEN = Failure("KeyError", "'id'", "test_a.py:3")
FAILS = Outcome(SCENARIO, Verdict.FAIL, BROKEN, status="failed")
PASSES = Outcome(SCENARIO, Verdict.PASS, status="passed")
UNRESOLVED = Outcome(SCENARIO, Verdict.UNRESOLVED, reason="duplicate found no target")


def file(failure: Failure | None = BROKEN, code: str = "") -> ScenarioFile:
    return ScenarioFile(TEST, SCENARIO, failure, code=code, rounds=Rounds(repeat=2))


class Lab:
    """The command, with what the process of the test answers."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.file = file()
        self.outcome: Outcome | None = PASSES
        self.asked: list[Any] = []
        monkeypatch.chdir(root)
        monkeypatch.setattr(replay.scenario_files, "read", lambda path: self.file)
        monkeypatch.setattr(replay, "project_of", lambda file, path, cwd: root)
        monkeypatch.setattr(replay, "_pytest", self._pytest)
        monkeypatch.setattr(replay, "code_of", lambda root, settings: "now")

    def _pytest(self, *asked: Any) -> Outcome | None:
        self.asked.append(asked)
        return self.outcome

    def run(self, *, pdb: bool = False, quiet: bool = False, rest: tuple[str, ...] = ()) -> int:
        args = argparse.Namespace(
            scenario=Path("s.json"), pdb=pdb, quiet=quiet, passthrough=list(rest), color="never"
        )
        return replay.run(args)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    return Lab(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("outcome", "code"), [(FAILS, 1), (PASSES, 0), (UNRESOLVED, 2)], ids=["breaks", "ok", "?"]
)
def test_exit_code_says_how_it_ended(outcome: Outcome, code: int, lab: Lab) -> None:
    lab.outcome = outcome
    assert lab.run() == code


def test_test_that_did_not_run_is_a_mistake(lab: Lab) -> None:
    lab.outcome = None
    with pytest.raises(SocratesError, match=r"test_it did not run; was it renamed\? s\.json names"):
        lab.run()


def test_all_of_the_scenario_is_asked_for(lab: Lab) -> None:
    lab.run(pdb=True, quiet=True, rest=("-x",))
    [(root, test, request, flags, limit)] = lab.asked
    assert (root, test, flags, limit) == (
        lab.root,
        lab.root / "test_a.py",
        ["--pdb", "-q", "-x"],
        None,
    )
    assert (request.nodeid, request.scenario, request.rounds) == (TEST, SCENARIO, Rounds(repeat=2))


@pytest.mark.parametrize(
    ("failure", "pdb", "limit"),
    [
        (Failure("Hang", "did not end", ""), False, 20.0),
        (Failure("Hang", "did not end", ""), True, None),
        (BROKEN, False, None),
        (None, False, None),
    ],
    ids=["it hung", "it hung, and a person looks", "it failed", "nothing is known"],
)
def test_only_a_test_that_hung_has_a_limit(
    failure: Failure | None, pdb: bool, limit: float | None, lab: Lab
) -> None:
    lab.file = file(failure)
    lab.run(pdb=pdb)
    assert lab.asked[0][4] == limit


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("", f"{TEST} survives.\n"),
        ("now", f"{TEST} survives.\n"),
        ("then", f"{TEST} survives. The code has changed since the scenario was found.\n"),
    ],
    ids=["not known", "the same", "changed"],
)
def test_changed_code_is_told(
    code: str, told: str, lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.file = file(code=code)
    lab.run()
    assert capsys.readouterr().out == told


def test_failure_is_told_with_its_faults(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    lab.outcome, lab.file = FAILS, file(code="then")
    lab.run()
    assert capsys.readouterr().out.splitlines() == [
        "duplicate  test -> Stock#1  Add(1)",
        f"{TEST} breaks again: KeyError: 'id'",
        "The code has changed since the scenario was found.",
    ]


def test_fault_without_a_target_is_told_with_the_way_out(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.outcome = UNRESOLVED
    lab.run()
    told = capsys.readouterr()
    assert (told.out, told.err) == (
        "",
        "socrates: unresolved: duplicate found no target. Run socrates amplify anew.\n",
    )


def test_library_that_could_not_be_patched_is_a_warning(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.outcome = Outcome(SCENARIO, Verdict.PASS, notices=(Notice("urllib3 is not patched"),))
    lab.run()
    assert capsys.readouterr().err == "socrates: warning: urllib3 is not patched\n"


class Process:
    """A process that writes what it is told to into the folder of its request."""

    returncode = 3

    def __init__(self, writes: Any, environment: dict[str, str]) -> None:
        self.home = Path(environment[VARIABLE])
        self.killed = False
        writes(self.home)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *exc: object) -> None: ...

    def wait(self) -> None:
        """It has ended."""

    def kill(self) -> None:
        self.killed = True


REQUEST = Request(TEST, SCENARIO)


def started(home: Path) -> None:
    (home / STARTED).touch()


def reported(home: Path) -> None:
    started(home)
    (home / OUTCOME).write_text(json.dumps(outcome_to_json(PASSES)))


class Starts:
    """Starts such processes."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.asked: dict[str, Any] = {}
        self.processes: list[Process] = []
        self._patch = monkeypatch

    def run(self, writes: Any) -> Outcome | None:
        def start(command: object, cwd: Path, env: dict[str, str]) -> Process:
            home = Path(env[VARIABLE])
            self.asked = json.loads((home / "request.json").read_text())
            self.processes.append(Process(writes, env))
            return self.processes[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(replay.subprocess, "Popen", start)
            return replay._pytest(self.root, self.root / "test_a.py", REQUEST, [], None)


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starts:
    return Starts(tmp_path, monkeypatch)


def test_test_that_was_never_reached_has_no_outcome(starts: Starts) -> None:
    assert starts.run(lambda home: None) is None


def test_outcome_is_what_the_process_wrote(starts: Starts) -> None:
    outcome = starts.run(reported)
    assert outcome is not None
    assert outcome.verdict is Verdict.PASS


def test_process_that_wrote_nothing_has_crashed(starts: Starts) -> None:
    outcome = starts.run(started)
    assert outcome is not None
    assert (outcome.verdict, outcome.status) == (Verdict.FAIL, "crashed")


def test_request_says_where_its_own_files_are_and_the_limit(starts: Starts) -> None:
    starts.run(reported)
    request = Request.from_json(starts.asked["request"])
    home = str(starts.processes[0].home)
    assert (request.own, starts.asked["limit"], Path(home).exists()) == (home, None, False)


def test_process_is_killed_when_the_wait_is_interrupted(
    starts: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "_hangs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        starts.run(started)
    assert starts.processes[0].killed
