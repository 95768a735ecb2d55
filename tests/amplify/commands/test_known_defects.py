"""``socrates amplify --baseline``: accepted defects, and runs in which nothing could be examined."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.amplify.conftest import Command


@pytest.fixture(scope="module")
def stock(example, socrates: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The accumulator, one of whose defects is accepted."""
    root: Path = example("accumulator", tmp_path_factory.mktemp("known"))
    socrates(root, "amplify", "tests/test_stock.py", "--write-baseline")
    return root


def test_an_accepted_defect_does_not_fail_the_run(stock: Path, socrates: Command) -> None:
    assert socrates(stock, "amplify", "--baseline", "tests/test_stock.py").returncode == 0


def test_a_new_defect_fails_the_run(stock: Path, socrates: Command) -> None:
    flags = ("--faults", "duplicate", "--baseline")
    assert socrates(stock, "amplify", "tests/test_dock.py", *flags).returncode == 1


def test_a_baseline_that_is_not_there_is_a_mistake(stock: Path, socrates: Command) -> None:
    done = socrates(stock, "amplify", "--baseline", "gone.json")
    assert (done.returncode, "baseline gone.json: no such file" in done.stderr) == (2, True)


def test_the_linter_keeps_accepted_defects(stock: Path, socrates: Command) -> None:
    socrates(stock, "baseline")
    assert "amplify/effect" in (stock / ".socrates-baseline.json").read_text()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param("def test_a():\n    assert 1 == 2\n", "1 failing; run pytest", id="failing"),
        pytest.param(
            "def test_a():\n" + "    assert divmod(1, 1)\n" * 16,
            "1 smelly; `socrates check`",
            id="smelly",
        ),
    ],
)
def test_a_run_that_could_examine_nothing_says_so(
    tmp_path: Path, socrates: Command, source: str, said: str
) -> None:
    (tmp_path / "test_a.py").write_text(source)
    done = socrates(tmp_path, "amplify")
    assert (done.returncode, f"nothing could be examined: {said}" in done.stderr) == (2, True)
