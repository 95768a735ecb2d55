"""The gate holds back exactly the tests that ``socrates check`` complains about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import socrates.session
from socrates.findings import ALSO, Finding, Severity, Span
from socrates_amplify.run import gate
from socrates_amplify.run.gate import Gate, Gatekeeper

SPAN = Span(1, 1, 1, 2)


def finding(test: str | None, severity: Severity, code: str = "SOC101") -> Finding:
    return Finding(code, "a-smell", severity, "smells", "tests/test_a.py", SPAN, test)


def test_a_finding_at_the_level_closes(tmp_path: Path) -> None:
    closed = Gate(
        [finding("tests/test_a.py::test_a", Severity.WARNING)], tmp_path, Severity.WARNING
    )

    assert closed.codes("tests/test_a.py::test_a", tmp_path) == ("SOC101",)


def test_a_finding_below_the_level_does_not(tmp_path: Path) -> None:
    closed = Gate([finding("tests/test_a.py::test_a", Severity.INFO)], tmp_path, Severity.WARNING)

    assert closed.codes("tests/test_a.py::test_a", tmp_path) == ()


def test_a_warning_closes_for_the_tests_that_inherit_its_code(tmp_path: Path) -> None:
    told = replace(
        finding("test_a.py::TestA::test_a", Severity.WARNING),
        data={ALSO: ["test_a.py::TestB::test_a"]},
    )

    closed = Gate([told], tmp_path, Severity.WARNING)

    assert closed.codes("test_a.py::TestB::test_a", tmp_path) == ("SOC101",)


def test_all_parameters_share_the_findings_of_the_function(tmp_path: Path) -> None:
    closed = Gate([finding("tests/test_a.py::test_a", Severity.ERROR)], tmp_path, Severity.WARNING)

    assert closed.codes("tests/test_a.py::test_a[x::y]", tmp_path) == ("SOC101",)


def test_roots_may_differ(tmp_path: Path) -> None:
    closed = Gate([finding("app/tests/test_a.py::test_a", Severity.ERROR)], tmp_path, Severity.INFO)

    assert closed.codes("tests/test_a.py::test_a", tmp_path / "app") == ("SOC101",)


def test_codes_are_listed_once_and_sorted(tmp_path: Path) -> None:
    findings = [
        finding("test_a.py::test_a", Severity.ERROR, code)
        for code in ("SOC103", "SOC101", "SOC103")
    ]

    assert Gate(findings, tmp_path, Severity.INFO).codes("test_a.py::test_a", tmp_path) == (
        "SOC101",
        "SOC103",
    )


def test_a_finding_about_a_file_is_not_held_against_its_tests(tmp_path: Path) -> None:
    closed = Gate([finding(None, Severity.ERROR)], tmp_path, Severity.INFO)

    assert closed.codes("tests/test_a.py::test_a", tmp_path) == ()


@pytest.mark.parametrize(
    ("asked", "level"),
    [
        pytest.param(None, Severity.ERROR, id="the check's own"),
        pytest.param("off", None, id="off"),
        pytest.param("info", Severity.INFO, id="info"),
        pytest.param("warning", Severity.WARNING, id="warning"),
    ],
)
def test_the_level_of_the_gate(asked: str | None, level: Severity | None) -> None:
    assert gate.level_of(asked, Severity.ERROR) is level


@pytest.fixture
def smelly(tmp_path: Path) -> Path:
    """A project with one test that asserts too much and one that is fine."""
    (tmp_path / "pyproject.toml").write_text("[tool.socrates]\n")
    (tmp_path / "test_sums.py").write_text(
        "def test_roulette():\n"
        + "".join(f"    assert divmod({n}, 1) == ({n}, 0)\n" for n in range(16))
        + "\n\ndef test_fine():\n    assert sum([1, 2]) == 3\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("test", "codes"), [("test_roulette", ("SOC101",)), ("test_fine", ())], ids=["smelly", "clean"]
)
def test_the_linter_decides(smelly: Path, test: str, codes: tuple[str, ...]) -> None:
    session = socrates.session.prepare(["test_sums.py"], cwd=smelly)
    closed = gate.make_gate([smelly / "test_sums.py"], Severity.WARNING, session)

    assert closed.codes(f"test_sums.py::{test}", smelly) == codes


ROULETTE = "def test_roulette():\n" + "".join(f"    assert divmod({n}, 1)\n" for n in range(16))
FINE = "def test_fine():\n    assert sum([1, 2]) == 3\n"


@pytest.fixture
def keeper(tmp_path: Path) -> Gatekeeper:
    """Of a project with two small files that are smelly, a clean one, and two large ones that are smelly."""
    (tmp_path / "pyproject.toml").write_text("[tool.socrates]\n")
    for number in range(2):
        (tmp_path / f"test_small_{number}.py").write_text(ROULETTE)
        (tmp_path / f"test_large_{number}.py").write_text(ROULETTE + "\n# " + "more " * 400)
    (tmp_path / "test_middle.py").write_text(FINE + "\n# " + "more " * 200)
    return Gatekeeper(tmp_path, Severity.WARNING, socrates.session.prepare([], cwd=tmp_path))


LARGE = [f"test_large_{number}.py::test_roulette" for number in range(2)]
SMALL = [f"test_small_{number}.py::test_roulette" for number in range(2)]
CLEAN = "test_middle.py::test_fine"


def test_the_linter_says_nothing_unasked(keeper: Gatekeeper) -> None:
    keeper.ask(SMALL[:1])
    told = [keeper.codes(SMALL[0]), keeper.codes(SMALL[1]), keeper.location(SMALL[1])]
    assert told == [("SOC101",), (), ""]


def test_the_linter_is_asked_until_a_test_is_clean_smallest_file_first(keeper: Gatekeeper) -> None:
    keeper.ask_until_clean([*LARGE, CLEAN, *SMALL])
    told = [[keeper.location(test) for test in tests] for tests in (SMALL, [CLEAN], LARGE)]
    assert told == [["test_small_0.py:1", "test_small_1.py:1"], ["test_middle.py:1"], ["", ""]]


def test_the_linter_is_asked_about_all_where_none_is_clean(keeper: Gatekeeper) -> None:
    keeper.ask_until_clean([*LARGE, *SMALL])
    assert [keeper.codes(test) for test in (*LARGE, *SMALL)] == [("SOC101",)] * 4


def test_a_file_that_is_gone_has_clean_tests(keeper: Gatekeeper) -> None:
    keeper.ask(["gone.py::test_a"])
    assert (keeper.codes("gone.py::test_a"), keeper.warnings) == ((), ())
