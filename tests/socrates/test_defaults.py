"""What plain data says where nothing is said, and how severities are ordered."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.engine.result import FileResult
from socrates.findings import CheckResult, FileSummary, Finding, Severity, Span
from socrates.settings import Settings

PLACE = Span(2, 3, 4, 5)
SMELL = Finding("SOC101", "assertion-roulette", Severity.WARNING, "message", "a.py", PLACE)


def test_settings_where_nothing_is_set() -> None:
    assert Settings(Path("a")) == Settings(
        Path("a"),
        config_file=None,
        select=("ALL",),
        extend_select=(),
        ignore=(),
        per_file_ignores=(),
        strict=False,
        fail_on=Severity.WARNING,
        min_severity=Severity.INFO,
        output_format="full",
        exclude=(),
        extend_exclude=(),
        respect_gitignore=True,
        baseline=None,
        cache_dir=".socrates_cache",
        jobs=None,
        parser="auto",
        docs_url=None,
        rules={},
        tables={},
        given=frozenset(),
    )


@pytest.mark.parametrize(("name", "border"), [("baseline", None), ("cache_dir", Path("a"))])
def test_only_flags_may_name_places_outside(name: str, border: Path | None) -> None:
    assert Settings(Path("a"), given=frozenset({"baseline"})).border_of(name) == border


def test_a_run_of_which_nothing_is_said_found_nothing() -> None:
    assert CheckResult() == CheckResult((), (), (), 0, 0, (), 0, (), 0.0, "")


def test_a_finding_without_more_is_about_its_file() -> None:
    told = (SMELL.test, SMELL.related, SMELL.advice, dict(SMELL.data))
    assert told == (None, (), "", {})


def test_a_file_of_which_nothing_is_said_gave_nothing() -> None:
    empty = FileResult(FileSummary("a.py"))
    assert empty == FileResult(FileSummary("a.py", (), (), ()), (), 0, (), ())


@pytest.mark.parametrize(
    ("data", "place"), [({}, PLACE), ({"act": [6, 7, 8, 9]}, Span(6, 7, 8, 9)), ({"act": 1}, PLACE)]
)
def test_where_to_act(data: dict[str, object], place: Span) -> None:
    finding = Finding("SOC101", "a", Severity.INFO, "m", "a.py", PLACE, data=data)
    assert finding.act == place


def test_severities_from_the_least_to_the_worst() -> None:
    order = [Severity.INFO, Severity.WARNING, Severity.ERROR]
    assert [one.rank for one in order] == [0, 1, 2]
    assert [one.at_least(Severity.WARNING) for one in order] == [False, True, True]


def test_findings_are_sorted_by_file_then_place_then_code() -> None:
    assert SMELL.sort_key == ("a.py", PLACE, "SOC101")
