"""A defect that was found once is broken again, shown, and kept as a test."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from socrates.errors import SocratesError
from socrates_amplify.regression import assert_survives
from socrates_amplify.store import regression_files, scenario_files

RESERVED = "tests/test_stock.py::test_reserved_pieces_are_not_available"


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]
Repair = Callable[[Path], None]


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory, example: Callable[[str, Path], Path], socrates: Run
) -> Path:
    """The defective example after one test of it was amplified."""
    folder = example("accumulator", tmp_path_factory.mktemp("found"))
    socrates(folder, "amplify", RESERVED, "--write-tests", "tests/regressions")
    return folder


@pytest.fixture
def project(found: Path, tmp_path: Path) -> Path:
    """A copy to change; also shows that a project can be moved."""
    return Path(shutil.copytree(found, tmp_path / "moved"))


def scenario(project: Path) -> Path:
    (path,) = (project / ".socrates" / "scenarios").glob("*.json")
    return path


@pytest.fixture
def replay(project: Path, at_terminal: Run) -> Callable[..., Done]:
    """Replays the scenario that was found."""
    return lambda *flags: at_terminal(project, "replay", str(scenario(project)), *flags)


@pytest.fixture
def kept(project: Path, python: Run) -> Callable[[], str]:
    """What plain pytest says about the tests that were written."""
    flags = ("-p", "no:cacheprovider", "tests/regressions")
    return lambda: python(project, "pytest", *flags).stdout


@pytest.fixture(scope="module")
def replayed(found: Path, python: Run) -> Done:
    """The first replay."""
    return python(found, "socrates", "replay", str(scenario(found)))


def test_a_replay_breaks_the_test_again(replayed: Done) -> None:
    assert (
        replayed.returncode,
        f"{RESERVED} breaks again: AssertionError: assert 10 == 6" in replayed.stdout,
    ) == (1, True)


def test_a_replay_shows_what_pytest_shows(replayed: Done) -> None:
    assert "assert full_stock.ask(Available()) == 6" in replayed.stdout


def test_a_replay_breaks_it_every_time(replayed: Done, replay: Run) -> None:
    assert [replayed.returncode, replay("-q").returncode] == [1, 1]


def test_pytest_arguments_are_handed_on(replayed: Done, replay: Run) -> None:
    code = "assert full_stock.ask(Available()) == 6"
    silenced = replay("--", "--tb=no")

    assert (code in replayed.stdout, code in silenced.stdout) == (True, False)
    assert "breaks again" in silenced.stdout, "it was replayed"


def test_the_debugger_stops_where_it_fails(project: Path, python: Run) -> None:
    done = python(project, "socrates", "replay", str(scenario(project)), "--pdb")

    assert "-> assert full_stock.ask(Available()) == 6" in done.stdout


def test_a_replay_of_repaired_code_survives(project: Path, replay: Run, repair: Repair) -> None:
    repair(project)
    done = replay()

    assert (done.returncode, "survives. The code has changed since" in done.stdout) == (0, True)


def without_reserving(project: Path, available: int) -> None:
    """Change the test so that the faulted message is never sent."""
    test = project / "tests" / "test_stock.py"
    text = test.read_text().replace("full_stock.ask(Reserve", "(lambda message: 0)(Reserve")
    test.write_text(text.replace("== 6", f"== {available}"))


def test_a_replay_without_its_target_is_unresolved(project: Path, replay: Run) -> None:
    without_reserving(project, available=10)
    done = replay()

    assert done.returncode == 2, "nobody can tell"
    assert "unresolved: " in done.stderr, "which is no pass"
    assert "The code has changed since the scenario was found." in done.stderr, "the reason"


def test_a_replay_of_a_test_that_is_gone_is_a_mistake(project: Path, replay: Run) -> None:
    test = project / "tests" / "test_stock.py"
    test.write_text(test.read_text().replace("def test_reserved", "def test_renamed"))
    done = replay()

    assert (done.returncode, "did not run; was it renamed?" in done.stderr) == (2, True)


def test_a_corrupt_scenario_is_named(tmp_path: Path, socrates: Run) -> None:
    (tmp_path / "broken.json").write_text('{"format": "socrates-scenario"')
    done = socrates(tmp_path, "replay", "broken.json")

    told = "broken.json: not a scenario file, the JSON is broken" in done.stderr

    assert (done.returncode, told) == (2, True)


def test_a_kept_test_fails_while_the_defect_lives(kept: Callable[[], str]) -> None:
    said = kept()

    assert "1 failed" in said, "the defect lives"
    assert "restart  test -> Stock#1  Reserve(order='A-1', quantity=4)" in said, "its story"


def test_a_kept_test_passes_once_it_is_repaired(
    project: Path, repair: Repair, kept: Callable[[], str]
) -> None:
    repair(project)

    assert "1 passed" in kept()


def test_a_kept_test_that_can_not_tell_is_skipped(project: Path, kept: Callable[[], str]) -> None:
    without_reserving(project, available=10)

    assert "1 skipped" in kept()


def test_a_file_of_the_user_is_not_overwritten(project: Path) -> None:
    mine = project / "tests" / "regressions" / regression_files.NAME
    mine.write_text("# mine\n")

    with pytest.raises(regression_files.SocratesError, match="is not ours to change"):
        regression_files.write(mine.parent, [scenario(project)])


@pytest.mark.parametrize("link", ["kept", "kept/scenarios", f"kept/{regression_files.NAME}"])
def test_kept_tests_are_not_written_outside_of_the_project(
    link: str, project: Path, tmp_path: Path, socrates: Run
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / link).parent.mkdir(exist_ok=True)
    (project / link).symlink_to(outside)
    done = socrates(project, "amplify", "--resume", RESERVED, "--write-tests", "kept")

    assert (done.returncode, "--write-tests: " in done.stderr.splitlines()[-1]) == (2, True)
    assert list(outside.iterdir()) == []


def test_kept_tests_go_to_a_folder_outside_that_the_user_names(
    project: Path, tmp_path: Path, socrates: Run
) -> None:
    outside = tmp_path / "outside"
    done = socrates(project, "amplify", "--resume", RESERVED, "--write-tests", str(outside))

    assert (done.returncode, (outside / regression_files.NAME).exists()) == (1, True)


def test_the_report_of_a_run_is_not_written_outside_of_the_project(
    project: Path, tmp_path: Path, socrates: Run
) -> None:
    report, victim = project / ".socrates" / "report.html", tmp_path / "victim"
    victim.write_text("mine")
    report.unlink()
    report.symlink_to(victim)
    done = socrates(project, "amplify", "--resume", RESERVED)

    assert (done.returncode, "it leads out of the project" in done.stderr) == (2, True)
    assert victim.read_text() == "mine"


def test_scenarios_of_earlier_runs_stay(project: Path) -> None:
    file = scenario_files.read(scenario(project))
    other = scenario_files.ScenarioFile("tests/test_stock.py::test_other", file.scenario)
    path = project / ".socrates" / "scenarios" / other.name
    path.write_text(scenario_files.to_text(other))
    regression_files.write(project / "tests" / "regressions", [path])

    assert len(list((project / "tests" / "regressions" / "scenarios").iterdir())) == 2


@pytest.fixture(scope="module")
def traced(found: Path, socrates: Run) -> Callable[[str], str]:
    """The trace of the test in a format."""
    return lambda name: socrates(found, "trace", RESERVED, "--output-format", name).stdout


def test_a_trace_is_shown_as_a_tree(traced: Callable[[str], str]) -> None:
    assert traced("tree").splitlines()[1] == (
        "├── test -> Stock#1  Reserve(order='A-1', quantity=4)  = True"
    )


def test_a_trace_is_shown_as_json(traced: Callable[[str], str]) -> None:
    sends = [event for event in json.loads(traced("json"))["events"] if event["event"] == "send"]

    assert [send["message"] for send in sends if not send["internal"]] == [
        "Reserve(order='A-1', quantity=4)",
        "Available()",
    ]


def test_a_trace_is_shown_as_mermaid(traced: Callable[[str], str]) -> None:
    assert "    a0->>a1: Reserve(order='A-1', quantity=4)\n" in traced("mermaid")


def test_a_scenario_of_a_test_that_is_gone_is_a_mistake(found: Path, socrates: Run) -> None:
    done = socrates(found, "amplify", "tests/test_dock.py", "--scenario", str(scenario(found)))

    assert (done.returncode, "is not among those collected" in done.stderr) == (2, True)


def test_a_kept_test_is_not_amplified(found: Path, socrates: Run) -> None:
    done = socrates(found, "amplify", "tests/regressions", "--output-format", "json")

    (test,) = json.loads(done.stdout)["tests"]
    assert test["note"] == "keeps a defect; plain pytest runs it"


def test_a_trace_of_no_test_is_a_mistake(found: Path, socrates: Run) -> None:
    done = socrates(found, "trace", "tests/test_stock.py::test_gone")

    assert (done.returncode, "test_gone" in done.stderr) == (2, True)


EVIL = "from pathlib import Path\nPath({mark!r}).touch()\n\ndef test_it():\n    pass\n"


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[..., Path]:
    """A small project, code outside of it that leaves a mark, and a scenario file that leads to it."""
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    (project / "pytest.ini").write_text("[pytest]\n")
    (project / "test_it.py").write_text("def test_it():\n    pass\n")
    evil = EVIL.format(mark=str(tmp_path / "mark"))
    for place in (tmp_path / "x.py", tmp_path / "test_x.py", project / "sub" / "evil.py"):
        place.write_text(evil)
    (project / "arguments").write_text(f"-psub.evil\n--junitxml={tmp_path / 'mark'}\n")
    (project / "link.py").symlink_to(tmp_path / "x.py")

    def write(**fields: object) -> Path:
        document = {
            "format": "socrates-scenario",
            "version": 1,
            "nodeid": "test_it.py::test_it",
            "rootdir": ".",
            "code": "",
            "faults": [],
            "failure": None,
            **fields,
        }
        path = project / "scenario.json"
        path.write_text(json.dumps(document))
        return path

    return write


HOSTILE: dict[str, dict[str, object]] = {
    "an option that writes": {"nodeid": "--junitxml=../mark"},
    "an option that loads": {"nodeid": "-psub.evil"},
    "a file of arguments": {"nodeid": "@arguments"},
    "a test above": {"nodeid": "../x.py::test_it"},
    "a test above, by a detour": {"nodeid": "sub/../../x.py::test_it"},
    "a link that leads out": {"nodeid": "link.py::test_it"},
    "another root": {"rootdir": "..", "nodeid": "x.py::test_it"},
    "a second line": {"nodeid": "test_it.py\n-psub.evil::test_it"},
    "an unknown field": {"pytest_args": ["-psub.evil"]},
}


@pytest.mark.parametrize("fields", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("place", ["project", "project/sub"])
def test_a_hostile_scenario_is_one_line_and_nothing_else(
    fields: dict[str, object],
    place: str,
    hostile: Callable[..., Path],
    tmp_path: Path,
    socrates: Run,
) -> None:
    path = hostile(**fields)
    before = sorted(tmp_path.rglob("*"))
    done = socrates(tmp_path / place, "replay", str(path))

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(path) in done.stderr, "the file is named"
    assert sorted(tmp_path.rglob("*")) == before, "nothing was written, nothing was run"


@pytest.mark.parametrize("fields", HOSTILE.values(), ids=list(HOSTILE))
def test_a_kept_test_runs_no_hostile_scenario(
    fields: dict[str, object], hostile: Callable[..., Path], tmp_path: Path
) -> None:
    path = hostile(**fields)

    with pytest.raises(SocratesError):
        assert_survives(path)
    assert not (tmp_path / "mark").exists()


def test_a_scenario_that_is_sound_is_replayed_from_anywhere(
    hostile: Callable[..., Path], tmp_path: Path, at_terminal: Run
) -> None:
    done = at_terminal(tmp_path, "replay", str(hostile()))

    assert (done.returncode, "test_it.py::test_it survives." in done.stdout) == (0, True)


CRASHING = """
import os
from dataclasses import dataclass

import pykka


@dataclass(frozen=True)
class Add:
    delivery_id: int


class Fragile(pykka.ThreadingActor):
    seen = frozenset()

    def on_receive(self, message):
        if message in self.seen:
            os._exit(7)
        self.seen |= {message}
        return len(self.seen)


def test_it():
    fragile = Fragile.start()
    fragile.tell(Add(1))
    assert fragile.ask("size") == 2
    fragile.stop()
"""


@pytest.fixture
def crashing(tmp_path: Path, socrates: Run) -> Path:
    """A system that ends its process when a message comes twice, amplified."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(CRASHING)
    socrates(tmp_path, "amplify")
    return tmp_path


def test_a_crash_is_replayed_too(crashing: Path, at_terminal: Run) -> None:
    done = at_terminal(crashing, "replay", str(scenario(crashing)))
    told = "breaks again: Crash: the process ended with exit code 7" in done.stdout

    assert (done.returncode, told) == (1, True)
