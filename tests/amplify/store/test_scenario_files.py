"""Scenario files are plain JSON; what is not one is refused by name."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import unforced
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile

FAULT = Fault("t1", "duplicate", "test", "A#1", "Add(1)")
FILE = ScenarioFile(
    "tests/test_a.py::test_a",
    Scenario.of([FAULT]),
    Failure("AssertionError", "assert 2 == 1", "tests/test_a.py:3"),
    rootdir="../..",
    code="abc",
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
faults = st.builds(Fault, texts, texts, texts, texts, texts, texts)


@given(name=names, faults=st.lists(faults, max_size=5))
def test_every_scenario_survives_writing_and_reading(name: str, faults: list[Fault]) -> None:
    file = ScenarioFile(f"tests/test_a.py::test_{name}", Scenario.of(faults))

    assert scenario_files.from_text(scenario_files.to_text(file), "x.json") == file


def test_the_failure_survives_too() -> None:
    assert scenario_files.from_text(scenario_files.to_text(FILE), "x.json") == FILE


def test_a_test_that_races_is_asked_for_under_control() -> None:
    file = dataclasses.replace(FILE, controlled=True)
    read = scenario_files.from_text(scenario_files.to_text(file), "x.json")

    assert read.executed == Scenario.of([FAULT, unforced()])


def test_the_root_is_found_from_the_place_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / ".socrates" / "scenarios" / FILE.name

    assert FILE.root(path) == tmp_path.resolve()


def test_the_same_faults_have_the_same_name() -> None:
    assert ScenarioFile(FILE.nodeid, Scenario.of([FAULT])).name == FILE.name


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(scenario_files.to_text(FILE)), **changes})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("{", "the JSON is broken", id="cut off"),
        pytest.param("[" * 100_000, "the JSON is broken", id="nested without end"),
        pytest.param("[]", '"format" must be', id="a list"),
        pytest.param(changed(format="pickle"), '"format" must be', id="another format"),
        pytest.param(changed(version=2), "version 2 is not 1", id="another version"),
        pytest.param(changed(nodeid=""), '"nodeid" is missing', id="no test"),
        pytest.param(changed(nodeid=7), '"nodeid" must be a text', id="a number for a test"),
        pytest.param(changed(nodeid="a\0b"), '"nodeid" must be a text', id="a NUL in the test"),
        pytest.param(changed(faults={}), "faults must be a list", id="no list of faults"),
        pytest.param(
            changed(faults=[{"kind": 1}]), "kind must be str", id="a kind that is a number"
        ),
        pytest.param(changed(failure="bad"), "failure must be an object", id="failure as a text"),
    ],
)
def test_what_is_no_scenario_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(SocratesError, match=f"^x.json.*{complaint}"):
        scenario_files.from_text(text, "x.json")


BAD_NODE_IDS = [
    *("--junitxml=victim.xml", "-pevil", "-p", "--", "-", "@arguments", "@../arguments::t"),
    *("/etc/test_x.py::t", "..", "../x.py::t", "a/../../x.py::t", "a/..//../x.py", "..\\x.py::t"),
    *(
        "C:\\x.py::t",
        "C:x.py::t",
        "\\\\host\\x.py::t",
        "::t",
        "a.py\n--junitxml=x",
        "a\x1b[2J.py::t",
    ),
    *("a.py::t\x7f", "a.py::t\x85", "\r-px"),
]


@pytest.mark.parametrize("nodeid", BAD_NODE_IDS, ids=ascii)
def test_a_node_id_is_a_test_inside_the_root_and_no_option(nodeid: str) -> None:
    with pytest.raises(SocratesError, match=r'^x\.json: "nodeid" must be .*') as refusal:
        scenario_files.from_text(changed(nodeid=nodeid), "x.json")

    assert str(refusal.value).isprintable(), "one line that does nothing to a terminal"


@pytest.mark.parametrize(
    "nodeid",
    [
        "test_a.py::test_b",
        "tests/../test_a.py::test_b",
        "tests/..x/test_a.py::TestC::test_b[-p @x ../..]",
        "tests/-x/@y.py::test_b[/etc]",
        "docs/guide.md::guide.md",
        "täst.py::test_ö[日本]",
    ],
)
def test_a_node_id_of_a_test_is_taken(nodeid: str) -> None:
    assert scenario_files.from_text(changed(nodeid=nodeid), "x.json").nodeid == nodeid


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(changed(command="rm"), "has no field 'command'", id="an unknown field"),
        pytest.param(
            changed(**{"\x1b[2J": 1}), r"no field '\\x1b\[2J'", id="its name is shown safely"
        ),
        pytest.param(
            changed(faults=[{"target": "t", "kind": "drop", "hook": ""}]),
            r"faults\[0\] must be only .*, not 'hook'",
            id="an unknown field of a fault",
        ),
        pytest.param(
            changed(faults=[{"target": "t", "kind": "drop"}] * 1001),
            "at most 1000",
            id="many faults",
        ),
        pytest.param(changed(code="x" * 20_001), "at most 20000 are read", id="a long text"),
        pytest.param(
            changed(faults=[{"target": "t" * 20_001, "kind": "drop"}]),
            "at most 20000 are read",
            id="a long text in a fault",
        ),
        pytest.param(changed(code="\ud800"), "half a character", id="a surrogate"),
        pytest.param(
            changed(faults=[{"target": "\udfff", "kind": "drop"}]),
            "half a character",
            id="a surrogate in a fault",
        ),
        pytest.param(changed(rootdir="a\n"), '"rootdir" must be a text without', id="a line end"),
        pytest.param(changed(recovery=1e300), "seconds up to 86400", id="a wait without end"),
        pytest.param(changed(repeat=10**9), "from 1 to 10000", id="runs without end"),
        pytest.param(
            changed(failure=[]).replace('"failure": []', '"failure": ' + "[" * 5000 + "]" * 5000),
            "the JSON is broken|failure must be an object",
            id="deep nesting inside",
        ),
    ],
)
def test_a_file_has_known_fields_of_bounded_size(text: str, complaint: str) -> None:
    with pytest.raises(SocratesError, match=f"^x.json.*({complaint})"):
        scenario_files.from_text(text, "x.json")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (os.mkfifo, "it is not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is not a regular file"),
        (lambda path: path.mkdir(), "it is a folder"),
        (lambda path: path.write_bytes(b" " * (4 * 1024 * 1024 + 1)), "at most 4 MB are read"),
    ],
    ids=["a pipe", "a device", "a folder", "a large file"],
)
def test_only_regular_files_of_bounded_size_are_read(
    make: Callable[[Path], object], complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    make(path)

    with pytest.raises(SocratesError, match=f"cannot be read: .*{complaint}"):
        scenario_files.read(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SocratesError, match=r"gone\.json: cannot be read: No such file"):
        scenario_files.read(tmp_path / "gone.json")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\x80\x04\x95")

    with pytest.raises(SocratesError, match="not UTF-8 text"):
        scenario_files.read(path)
