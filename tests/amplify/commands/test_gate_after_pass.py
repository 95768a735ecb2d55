"""The gate comes after the traced pass: smells count where anything is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMELLY = "def test_many():\n" + "".join(f"    assert divmod({n}, 1)\n" for n in range(16))
CLEAN = "def test_one():\n    assert sum([1, 2]) == 3\n"
ACTORS = """
import pykka


class Till(pykka.ThreadingActor):
    persistence_id = "till"

    def on_receive(self, message):
        return 12
"""
SENDING = f"""{ACTORS}

def test_sends():
    till = Till.start()
    try:
        assert till.ask("total") == 12
    finally:
        till.stop()
"""
SMELLY_SENDING = SENDING.replace("test_sends", "test_smells").replace(
    "    try:\n", "    try:\n" + "".join(f"        assert divmod({n}, 1)\n" for n in range(16))
)


class Amplify:
    """Amplifies a project of these test files."""

    def __init__(self, folder: Path, socrates: Callable[..., Any]) -> None:
        self.folder = folder
        self.socrates = socrates
        (folder / "pyproject.toml").write_text("[tool.socrates]\n")

    def __call__(self, *args: str, **files: str) -> tuple[int, dict[str, str]]:
        """The exit code, and the status of each test by its name."""
        for name, code in files.items():
            (self.folder / f"test_{name}.py").write_text(code)
        done = self.socrates(self.folder, "amplify", "--output-format", "json", *args)
        tests = json.loads(done.stdout)["tests"]
        return done.returncode, {
            test["nodeid"].rpartition("::test_")[2]: test["status"] for test in tests
        }


@pytest.fixture
def amplify(tmp_path: Path, socrates: Callable[..., Any]) -> Amplify:
    return Amplify(tmp_path, socrates)


def test_smells_make_no_difference_where_nothing_is_sent(amplify: Amplify) -> None:
    assert amplify(a=SMELLY, b=CLEAN) == (0, {"many": "no-targets", "one": "no-targets"})


def test_smelly_tests_are_told_where_all_are(amplify: Amplify) -> None:
    other = SMELLY.replace("test_many", "test_more")
    assert amplify(a=SMELLY, b=other) == (2, {"many": "smelly", "more": "smelly"})


def test_smelly_tests_are_told_where_anything_is_sent(amplify: Amplify) -> None:
    told = {"many": "smelly", "sends": "resilient"}
    assert amplify(a=SMELLY, b=SENDING) == (0, told)


def test_what_only_a_smelly_test_sends_is_on_the_map(amplify: Amplify) -> None:
    found = amplify(a=CLEAN, b=SMELLY_SENDING)
    drawn = amplify.socrates(amplify.folder, "map", "--output-format", "json").stdout
    states = [(edge["to"], edge["state"]) for edge in json.loads(drawn)["edges"]]
    assert (found[1]["smells"], states) == ("smelly", [("Till", "no clean test")])
