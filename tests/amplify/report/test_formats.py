"""A format is one file and one row: the commands offer and write what the tables have."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from socrates_amplify.commands import arguments, output
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.results import RunResult, TracedTest
from socrates_amplify.report import MAPS, RESULTS, TRACES, ReportContext
from socrates_amplify.report.formats import Format, FormatTable

CONTEXT = ReportContext(Path("project"))
TRACED = TracedTest("a.py::test_a", Trace((Send("t1", "test", "Stock#1", "Add(1)", "d", None),)))


def choices(add_arguments: Callable[[argparse.ArgumentParser], None]) -> object:
    """What ``--output-format`` of a command takes."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    (action,) = [one for one in parser._actions if one.dest == "output_format"]
    return action.choices


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.parametrize("name", RESULTS.names)
def test_every_format_tells_the_result_to_its_last_line(name: str, run: RunResult) -> None:
    written = RESULTS.render(run, name, CONTEXT)
    assert ("test_total" in written, written[-1]) == (True, "\n")


@pytest.mark.parametrize("name", TRACES.names)
def test_every_view_shows_the_messages_to_its_last_line(name: str) -> None:
    written = TRACES.render(TRACED, name, CONTEXT)
    assert ("Add(1)" in written, written[-1]) == (True, "\n")


@pytest.mark.parametrize("name", RESULTS.names)
def test_no_format_changes_with_the_colour_but_by_colours(name: str, run: RunResult) -> None:
    plain = RESULTS.render(run, name, CONTEXT)
    colored = RESULTS.render(run, name, replace(CONTEXT, color=True))
    assert without_colours(colored) == without_colours(plain)


def test_text_is_coloured_where_it_should_be(run: RunResult, monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1;31mwarning" in RESULTS.render(run, "text", replace(CONTEXT, color=True))


@pytest.mark.parametrize("command", [arguments.amplify, arguments.merge], ids=["amplify", "merge"])
def test_results_are_offered_in_the_formats_of_the_table(command) -> None:
    assert choices(command) is RESULTS.choices


def test_traces_are_offered_in_the_formats_of_the_table() -> None:
    assert choices(arguments.trace) is TRACES.choices


def test_maps_are_offered_in_the_formats_of_the_table() -> None:
    assert choices(arguments.map) == MAPS.choices


def test_the_page_is_written_by_a_flag_of_its_own() -> None:
    assert set(RESULTS.names) - set(RESULTS.choices) == {"html"}


@pytest.fixture
def with_another_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of results with one more format: how many defects there are."""
    module: Any = ModuleType("count_format")
    module.render = lambda run, context: f"{run.defects}\n"
    monkeypatch.setitem(sys.modules, "count_format", module)
    table = FormatTable[RunResult](*RESULTS.rows, Format("only-count", "count_format"))
    for user in (arguments, output):
        monkeypatch.setattr(user, "RESULTS", table)


@pytest.mark.usefixtures("with_another_row")
def test_a_new_row_is_offered_and_written(
    tmp_path: Path, run: RunResult, socrates: Callable[..., Any]
) -> None:
    report = tmp_path / "report.json"
    report.write_text(RESULTS.render(run, "json", CONTEXT))
    offered = ",".join((*RESULTS.choices, "only-count"))
    assert f"{{{offered}}}" in socrates(tmp_path, "amplify", "--help").stdout
    merged = socrates(tmp_path, "merge", str(report), "--output-format", "only-count")
    assert (merged.returncode, merged.stdout) == (1, "1\n")
