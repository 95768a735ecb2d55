"""A defect that was found once is broken again, shown, and kept as a test."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from socrates.cli import main
from socrates_amplify import regression, scenario_files

EXAMPLES = Path(__file__).parents[3] / "examples"
RESERVED = "tests/test_stock.py::test_reserved_pieces_are_not_available"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The defective example after one test of it was amplified."""
    ignored = shutil.ignore_patterns(".socrates*", "__pycache__")
    folder = tmp_path_factory.mktemp("found") / "project"
    shutil.copytree(EXAMPLES / "accumulator", folder, ignore=ignored)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.chdir(folder)
        main(["amplify", RESERVED, "--write-tests", "tests/regressions"])
    return folder


@pytest.fixture
def project(found: Path, tmp_path: Path) -> Path:
    """A copy to change; also shows that a project can be moved."""
    return Path(shutil.copytree(found, tmp_path / "moved"))


def scenario(project: Path) -> Path:
    (path,) = (project / ".socrates" / "scenarios").glob("*.json")
    return path


def repair(project: Path) -> None:
    repaired = EXAMPLES / "accumulator_repaired" / "warehouse" / "stock.py"
    shutil.copy(repaired, project / "warehouse" / "stock.py")


def replay(path: Path, *flags: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "socrates", "replay", str(path), *flags],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_replay_breaks_the_test_again(project: Path) -> None:
    done = replay(scenario(project))

    assert done.returncode == 1
    assert f"{RESERVED} breaks again." in done.stdout


def test_a_replay_shows_what_pytest_shows(project: Path) -> None:
    assert "assert full_stock.ask(Available()) == 6" in replay(scenario(project)).stdout


def test_pytest_arguments_are_handed_on(project: Path) -> None:
    assert "assert full_stock.ask" not in replay(scenario(project), "--", "--tb=no").stdout


def test_the_debugger_stops_where_it_fails(project: Path) -> None:
    done = replay(
        scenario(project), "--pdb", stdin="p 'at ' + full_stock.actor_class.__name__\nq\n"
    )

    assert "'at Stock'" in done.stdout


def test_a_replay_of_repaired_code_survives(project: Path) -> None:
    repair(project)
    done = replay(scenario(project))

    assert done.returncode == 0
    assert "survives. The code has changed since" in done.stdout


def test_a_replay_without_its_target_is_unresolved(project: Path) -> None:
    test = project / "tests" / "test_stock.py"
    test.write_text(
        test.read_text().replace("full_stock.ask(Reserve", "(lambda message: 0)(Reserve")
    )
    done = replay(scenario(project))

    assert done.returncode == 2
    assert "unresolved: " in done.stderr
    assert "The code has changed since the scenario was found." in done.stderr


def test_a_replay_of_a_test_that_is_gone_is_a_mistake(project: Path) -> None:
    test = project / "tests" / "test_stock.py"
    test.write_text(test.read_text().replace("def test_reserved", "def test_renamed"))
    done = replay(scenario(project))

    assert (done.returncode, "did not run; was it renamed?" in done.stderr) == (2, True)


def test_a_corrupt_scenario_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"format": "socrates-scenario"')
    done = replay(tmp_path / "broken.json")

    assert done.returncode == 2
    assert "broken.json: not a scenario file, the JSON is broken" in done.stderr


def kept(project: Path) -> subprocess.CompletedProcess[str]:
    """Plain pytest on the written tests."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "tests/regressions"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_kept_test_fails_while_the_defect_lives(project: Path) -> None:
    done = kept(project)

    assert "1 failed" in done.stdout
    assert "restart  test -> Stock#1  Reserve(order='A-1', quantity=4)" in done.stdout


def test_a_kept_test_passes_once_it_is_repaired(project: Path) -> None:
    repair(project)

    assert "1 passed" in kept(project).stdout


def test_a_kept_test_that_can_not_tell_is_skipped(project: Path) -> None:
    test = project / "tests" / "test_stock.py"
    test.write_text(
        test.read_text().replace("full_stock.ask(Reserve", "(lambda message: 0)(Reserve")
    )
    test.write_text(test.read_text().replace("== 6", "== 10"))

    assert "1 skipped" in kept(project).stdout


def test_a_file_of_the_user_is_not_overwritten(project: Path) -> None:
    mine = project / "tests" / "regressions" / regression.NAME
    mine.write_text("# mine\n")

    with pytest.raises(regression.SocratesError, match="is not ours to change"):
        regression.write(mine.parent, [scenario(project)])


def test_scenarios_of_earlier_runs_stay(project: Path) -> None:
    file = scenario_files.read(scenario(project))
    other = scenario_files.ScenarioFile("tests/test_stock.py::test_other", file.scenario)
    path = project / ".socrates" / "scenarios" / other.name
    path.write_text(scenario_files.to_text(other))
    regression.write(project / "tests" / "regressions", [path])

    assert len(list((project / "tests" / "regressions" / "scenarios").iterdir())) == 2


@pytest.fixture(scope="module")
def traced(found: Path) -> dict[str, str]:
    """The trace of the test in every format."""
    shown = {}
    for name in ("tree", "json", "mermaid"):
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
            patch.chdir(found)
            main(["trace", RESERVED, "--output-format", name, "--color", "never"])
        shown[name] = out.getvalue()
    return shown


def test_a_trace_is_shown_as_a_tree(traced: dict[str, str]) -> None:
    assert traced["tree"].splitlines()[1] == (
        "├── test -> Stock#1  Reserve(order='A-1', quantity=4)  = True"
    )


def test_a_trace_is_shown_as_json(traced: dict[str, str]) -> None:
    sends = [event for event in json.loads(traced["json"])["events"] if event["event"] == "send"]

    assert [send["message"] for send in sends if not send["internal"]] == [
        "Reserve(order='A-1', quantity=4)",
        "Available()",
    ]


def test_a_trace_is_shown_as_mermaid(traced: dict[str, str]) -> None:
    assert "    a0->>a1: Reserve(order='A-1', quantity=4)\n" in traced["mermaid"]


def test_a_trace_of_no_test_is_a_mistake(found: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(io.StringIO()) as err:
        patch.chdir(found)
        code = main(["trace", "tests/test_stock.py::test_gone"])

    assert (code, "test_gone" in err.getvalue()) == (2, True)
