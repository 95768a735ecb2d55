"""``socrates map`` and fault coverage, of one run of a project with a test that fails by itself."""

# socrates: ignore-file[SOC104] how a command ended is one thing, though a test reads a part of it

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from socrates_amplify.store.store import Store

FAILING = """\
from pykka import ThreadingActor


class Gate(ThreadingActor):
    persistence_id = "gate"

    def on_receive(self, message: str) -> str:
        return "closed"


def test_the_gate_opens() -> None:
    gate = Gate.start()
    answer = gate.ask("open")
    gate.stop()
    assert answer == "open"
"""


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


class Amplified(NamedTuple):
    """A project after one run."""

    folder: Path
    done: Done

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.done.stdout)
        return found


@pytest.fixture(scope="module")
def amplified(
    tmp_path_factory: pytest.TempPathFactory, example: Callable[[str, Path], Path], socrates: Run
) -> Amplified:
    """The repaired example with a failing test, amplified with a threshold that it can't meet."""
    folder = example("accumulator_repaired", tmp_path_factory.mktemp("map"))
    (folder / "tests" / "test_failing.py").write_text(FAILING)
    flags = ("--fail-under", "100", "--budget", "1", "--report", "page.html")
    return Amplified(folder, socrates(folder, "amplify", "--output-format", "json", *flags))


@pytest.fixture(scope="module")
def drawn(amplified: Amplified, socrates: Run) -> dict[str, Any]:
    """Its map."""
    found: dict[str, Any] = json.loads(
        socrates(amplified.folder, "map", "--output-format", "json").stdout
    )
    return found


def test_too_little_fault_coverage_fails_a_run(amplified: Amplified) -> None:
    assert (amplified.done.returncode, amplified.document["summary"]["defects"]) == (1, 0)


def test_coverage_counts_what_was_tried_of_what_traces_offer(amplified: Amplified) -> None:
    covered = amplified.document["summary"]["fault_coverage"]
    assert covered == {"percent": 90.0, "tried": 9, "of": 10, "places": 8, "fail-under": 100}


def test_map_and_report_agree_on_the_coverage(amplified: Amplified, drawn: dict[str, Any]) -> None:
    covered = amplified.document["summary"]["fault_coverage"]
    assert drawn["fault_coverage"] == {k: v for k, v in covered.items() if k != "fail-under"}


@pytest.mark.parametrize(
    "edge",
    [
        ("Dock", "Stock", "CountIn", "survived", {"duplicate": "survived", "restart": "survived"}),
        ("tests/test_dock.py", "Dock", "Waiting", "survived", {"restart": "survived"}),
        ("tests/test_failing.py", "Gate", "str", "no clean test", {"restart": "untried"}),
    ],
)
def test_edges_of_the_map(edge: tuple[object, ...], drawn: dict[str, Any]) -> None:
    keys = ("from", "to", "what", "state", "kinds")
    assert edge in [tuple(found[key] for key in keys) for found in drawn["edges"]]


def test_the_page_has_the_map_as_a_drawing(amplified: Amplified) -> None:
    page = (amplified.folder / "page.html").read_text()
    assert ('class="map"' in page, "<style>" in page.partition('class="map"')[2]) == (True, False)


def test_resuming_counts_what_is_known(amplified: Amplified, socrates: Run) -> None:
    flags = ("--resume", "--budget", "1", "--output-format", "json")
    again = json.loads(socrates(amplified.folder, "amplify", *flags).stdout)["summary"]
    before = amplified.document["summary"]["fault_coverage"]
    assert again["fault_coverage"] == {**before, "fail-under": 0}


def test_without_a_store_the_way_out_is_told(tmp_path: Path, socrates: Run) -> None:
    done = socrates(tmp_path, "map")
    assert (done.returncode, done.stderr) == (
        2,
        "socrates: error: no .socrates/store.sqlite here or above; run `socrates amplify` first\n",
    )


def test_the_store_at_the_top_of_the_project_is_found(amplified: Amplified, socrates: Run) -> None:
    assert socrates(amplified.folder / "tests", "map", "-q").returncode == 0


def test_a_store_above_the_project_is_not_its_own(tmp_path: Path, socrates: Run) -> None:
    Store.open(tmp_path).close()
    (tmp_path / "project").mkdir()
    assert "here or above" in socrates(tmp_path / "project", "map").stderr


def test_a_store_without_messages_is_no_map(tmp_path: Path, socrates: Run) -> None:
    Store.open(tmp_path).close()
    done = socrates(tmp_path, "map")
    assert (
        done.returncode,
        done.stderr.startswith("socrates: error: no test in the store sent"),
    ) == (
        2,
        True,
    )


def test_tests_whose_file_is_gone_are_not_on_the_map(
    amplified: Amplified, tmp_path: Path, socrates: Run
) -> None:
    folder = Path(shutil.copytree(amplified.folder, tmp_path / "copy"))
    shutil.rmtree(folder / "tests")
    assert socrates(folder, "map").returncode == 2


@pytest.mark.parametrize("value", ["101", "-1", "many", "nan"])
def test_a_threshold_that_is_no_percentage_is_refused(
    value: str, tmp_path: Path, socrates: Run
) -> None:
    done = socrates(tmp_path, "amplify", f"--fail-under={value}")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        f"socrates amplify: error: argument --fail-under: {value!r} is no percentage; write a number from 0 to 100",
    )
