"""A scenario of a call to a host that a test makes up is broken again, though the host is another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HOOKS = """\
import requests


def fire(host):
    try:
        return requests.post(f"http://{host}/hook", timeout=2).json()
    except requests.RequestException as error:
        return error.response.status_code
"""

TEST = """\
import random

import hooks
import responses

CHANCE = random.Random()
NUMBER = 1


def made_up():
    return f"h{CHANCE.randrange(10**9)}.example.org"


def test_fire():
    hosts = [made_up() for _ in range(NUMBER)]
    with responses.RequestsMock() as fake:
        for host in hosts:
            fake.post(f"http://{host}/hook", json=1)
            assert hooks.fire(host) == 1
"""


@pytest.fixture
def found(tmp_path: Path, socrates: Callable) -> Path:
    """A project with a defect that was found at a host of that run."""
    (tmp_path / "hooks.py").write_text(HOOKS)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_hooks.py").write_text(TEST)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    socrates(tmp_path, "amplify", "--faults", "connection-error", "--write-tests", "tests/kept")
    return tmp_path


def scenario(project: Path) -> str:
    [path] = (project / ".socrates" / "scenarios").glob("*.json")
    return str(path)


def test_the_call_is_found_by_its_call_site(found: Path, at_terminal: Callable) -> None:
    done = at_terminal(found, "replay", scenario(found), "-q")
    told = "breaks again: AttributeError" in done.stdout
    assert (done.returncode, told) == (1, True), "the fault has hit it"
    assert "the test runs once more" in done.stderr, "why pytest is seen twice"


def test_where_several_are_called_instead_they_are_named(
    found: Path, at_terminal: Callable
) -> None:
    test = found / "tests" / "test_hooks.py"
    test.write_text(TEST.replace("NUMBER = 1", "NUMBER = 2"))
    done = at_terminal(found, "replay", scenario(found), "-q")
    told = "If hosts differ from run to run" in done.stderr
    assert (done.returncode, told) == (2, True), "nobody can tell which is which"
    assert "Run socrates amplify anew" not in done.stderr, "that would not help"


def test_a_test_that_was_written_for_it_is_red(found: Path, python: Callable) -> None:
    done = python(found, "pytest", "-p", "no:cacheprovider", "tests/kept")
    assert "AttributeError: 'NoneType' object has no attribute 'status_code'" in done.stdout


def test_amplify_asks_it_again_where_the_host_is_now(found: Path, socrates: Callable) -> None:
    done = socrates(found, "amplify", "--scenario", scenario(found), "tests/test_hooks.py")
    assert "1 defective" in done.stdout, "the call was found"
