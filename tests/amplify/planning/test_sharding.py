"""``--shard``: the same split everywhere, every test in one part."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.results import Shard
from socrates_amplify.planning.sharding import parse, part_of
from socrates_amplify.store import durations

Run = Callable[..., "Done"]


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


TESTS = [f"tests/test_{letter}.py::test_{number}" for letter in "abc" for number in range(7)]


@given(st.lists(st.none() | st.integers(0, 99), max_size=20), st.integers(1, 9))
def test_every_test_is_in_exactly_one_part(measured: list[int | None], count: int) -> None:
    tests = [f"test_{number}" for number in range(len(measured))]
    known = {test: float(time) for test, time in zip(tests, measured, strict=True) if time}

    parts = [part_of(tests, Shard(count, index), known) for index in range(1, count + 1)]

    assert sorted(nodeid for part in parts for nodeid in part.tests) == sorted(tests)


@given(st.permutations(TESTS), st.integers(1, 5))
def test_the_order_of_collection_does_not_matter(tests: list[str], count: int) -> None:
    shard = Shard(count, 1)

    assert set(part_of(tests, shard, {}).tests) == set(part_of(TESTS, shard, {}).tests)


def test_another_hash_seed_makes_the_same_split(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "from socrates_amplify.planning.sharding import Shard, part_of;"
        f"print(part_of({TESTS!r}, Shard(3, 2), {{{TESTS[0]!r}: 3.0}}).plan)"
    )
    plans = set()
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        plans.add(subprocess.check_output([sys.executable, "-c", program], text=True, timeout=120))

    assert plans == {part_of(TESTS, Shard(3, 2), {TESTS[0]: 3.0}).plan + "\n"}


def test_without_durations_parts_differ_by_one_test_at_most() -> None:
    sizes = [len(part_of(TESTS, Shard(4, index), {}).tests) for index in range(1, 5)]

    assert max(sizes) - min(sizes) <= 1


def test_a_long_test_has_a_part_of_its_own() -> None:
    known = dict.fromkeys(TESTS, 1.0) | {TESTS[5]: 100.0}

    parts = [part_of(TESTS, Shard(2, index), known).tests for index in (1, 2)]

    assert (TESTS[5],) in parts


def test_a_part_keeps_the_order_of_collection() -> None:
    mine = part_of(TESTS, Shard(2, 1), {}).tests

    assert list(mine) == [nodeid for nodeid in TESTS if nodeid in mine]


def test_other_durations_make_another_plan() -> None:
    known = dict.fromkeys(TESTS, 1.0) | {TESTS[0]: 9.0}

    plain, weighed = part_of(TESTS, Shard(3, 1), {}), part_of(TESTS, Shard(3, 1), known)

    assert plain.plan != weighed.plan


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/2", ""])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(SocratesError, match="write it like 2/5"):
        parse(text)


def test_a_part_is_read_with_spaces() -> None:
    assert parse(" 2 / 5 ") == Shard(count=5, index=2)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is no JSON"),
        ("[]", "has no durations"),
        ('{"format": "socrates-durations", "version": 1, "durations": {"a": -1}}', "has no"),
        ('{"format": "socrates-durations", "version": 1, "durations": {"a": true}}', "has no"),
        ('{"format": "socrates-durations", "version": 2, "durations": {"a": 1}}', "has no"),
    ],
)
def test_bad_durations_are_told_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "durations.json"
    file.write_text(text)

    with pytest.raises(SocratesError, match=problem):
        durations.read(file)


def test_durations_survive_writing(tmp_path: Path) -> None:
    file = tmp_path / "durations.json"
    file.write_text(durations.to_text({"b": 1.0, "a[ü]": 0.5}))

    assert durations.read(file) == {"a[ü]": 0.5, "b": 1.0}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Six tests that say little."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "test_it.py").write_text(
        "".join(f"def test_{number}():\n    assert {number} >= 0\n" for number in range(6))
    )
    return folder


def test_the_shards_of_a_project_have_every_test_once(project: Path, socrates: Run) -> None:
    ran: list[str] = []
    for index in (1, 2):
        done = socrates(project, "amplify", "--shard", f"{index}/2", "--output-format", "json")
        ran += [test["nodeid"] for test in json.loads(done.stdout)["tests"]]

    assert sorted(ran) == [f"test_it.py::test_{number}" for number in range(6)]


def test_given_durations_decide(project: Path, socrates: Run, tmp_path: Path) -> None:
    known = {f"test_it.py::test_{number}": 1.0 for number in range(5)}
    given = tmp_path / "durations.json"
    given.write_text(durations.to_text({**known, "test_it.py::test_5": 60.0}))
    flags = ("--shard", "1/2", "--durations", str(given), "--output-format", "json")

    document = json.loads(socrates(project, "amplify", *flags).stdout)

    assert [test["nodeid"] for test in document["tests"]] == ["test_it.py::test_5"]


def test_a_shard_without_tests_is_fine(project: Path, socrates: Run) -> None:
    assert socrates(project, "amplify", "--shard", "9/9").returncode == 0


def test_a_shard_leaves_the_durations_alone(project: Path, socrates: Run) -> None:
    socrates(project, "amplify")
    file = project / ".socrates" / durations.FILE
    before = file.read_text()

    socrates(project, "amplify", "--shard", "1/2")

    assert file.read_text() == before


def test_a_whole_run_keeps_the_durations_of_all_tests(project: Path, socrates: Run) -> None:
    socrates(project, "amplify")

    assert len(durations.read(project / ".socrates" / durations.FILE)) == 6


@pytest.mark.parametrize(("flags", "code"), [((), 0), (("--shard", "1/2"), 2)])
def test_broken_durations_matter_to_shards_alone(
    flags: tuple[str, ...], code: int, project: Path, socrates: Run
) -> None:
    (project / ".socrates").mkdir(exist_ok=True)
    (project / ".socrates" / durations.FILE).write_text("{")

    assert socrates(project, "amplify", *flags).returncode == code


def test_a_wrong_shard_is_a_mistake_of_the_user(project: Path, socrates: Run) -> None:
    done = socrates(project, "amplify", "--shard", "3/2")

    assert (done.returncode, "write it like 2/5" in done.stderr) == (2, True)
