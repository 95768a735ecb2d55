"""``socrates amplify`` runs all tests together first, and only those that send anything alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

TESTS = """
    import os
    from pathlib import Path

    import pykka

    ledger = []

    class Ledger(pykka.ThreadingActor):
        def __init__(self):
            super().__init__()
            self.total = 0

        def add(self, amount):
            self.total += amount

        def get(self):
            return self.total

    def note(name):
        with Path(os.environ["NOTES"]).open("a") as file:
            file.write(name + "\\n")

    def test_fills():
        note("fills")
        ledger.append(1)

    def test_needs_the_one_before():
        filled, actor = len(ledger), Ledger.start()
        actor.proxy().add(3).get()
        actor.stop()
        assert filled == 1

    def test_sends():
        note("sends")
        actor = Ledger.start()
        try:
            actor.proxy().add(3).get()
            assert actor.proxy().get().get() == 3
        finally:
            actor.stop()

    class Clock(pykka.ThreadingActor):
        def now(self):
            return 12

    def test_promises_nothing():
        note("promises_nothing")
        actor = Clock.start()
        try:
            assert actor.proxy().now().get() == 12
        finally:
            actor.stop()

    def test_silent():
        note("silent")
        assert sum([1, 2]) == 3
"""
SETTINGS = """
    [tool.socrates.amplify.pykka]
    persistent = ["*Ledger"]
    at-least-once = ["*Ledger.add"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("company")
    (made / "test_it.py").write_text(dedent(TESTS))
    (made / "pyproject.toml").write_text(dedent(SETTINGS))
    return made


@pytest.fixture(scope="module")
def run(folder: Path, socrates: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """Amplifies; the tests by name, each with how often it was run."""

    def amplify(*args: str) -> dict[str, Any]:
        notes = folder / "notes"
        notes.write_text("")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NOTES", str(notes))
            done = socrates(folder, "amplify", "--gate", "off", "--output-format", "json", *args)
        tests = json.loads(done.stdout)["tests"]
        runs = Counter(notes.read_text().split())
        named = ((test["nodeid"].rpartition("::test_")[2], test) for test in tests)
        return {name: {**test, "runs": runs[name]} for name, test in named}

    return amplify


@pytest.fixture(scope="module")
def first(run: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return run()


def test_a_test_that_sends_nothing_is_run_once(first):
    assert (first["silent"]["status"], first["silent"]["runs"]) == ("no-targets", 1)


def test_a_test_that_sends_what_promises_nothing_is_looked_at_by_itself(first):
    found = first["promises_nothing"]
    assert (found["status"], found["runs"]) == ("no-targets", 3)


def test_a_test_that_sends_is_searched(first):
    assert first["sends"]["status"] == "defective"


def test_a_test_that_fails_alone_names_the_one_it_needs(first):
    note = first["needs_the_one_before"]["note"]
    told = "depends on earlier tests: passes after test_it.py::test_fills, fails alone: failed: "
    assert note.startswith(told)


def test_resuming_runs_nothing_again_and_says_the_same(first, run):
    again = run("--resume")
    assert {test["runs"] for test in again.values()} == {0}
    assert [test["note"] for test in again.values()] == [test["note"] for test in first.values()]
