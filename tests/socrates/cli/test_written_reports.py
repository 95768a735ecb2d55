"""A report is written while it is made; what goes wrong on the way does no harm to a file."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates.cli import terminal
from socrates.errors import SocratesError

LONG = "x" * (1 << 20)


def broken(error: BaseException) -> Iterator[str]:
    """A report that ends in an error after its first megabytes."""
    yield from [LONG] * 12
    raise error


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The report of an earlier run."""
    path = tmp_path / "report.json"
    path.write_text("[]\n", "utf-8")
    return path


def test_large_report_is_written_whole(report: Path) -> None:
    terminal.write_file(str(report), iter([LONG] * 12))
    assert report.read_text("utf-8") == LONG * 12


@pytest.mark.parametrize("error", [ValueError("a defect"), KeyboardInterrupt()])
def test_report_that_breaks_off_leaves_the_earlier_one(report: Path, error: BaseException) -> None:
    with pytest.raises(type(error)):
        terminal.write_file(str(report), broken(error))
    assert report.read_text("utf-8") == "[]\n"


def test_file_on_a_full_disk_is_named() -> None:
    with pytest.raises(SocratesError, match="--output-file: cannot write /dev/full: No space"):
        terminal.write_file("/dev/full", iter([LONG]))


def test_link_to_a_report_stays_a_link(report: Path, tmp_path: Path) -> None:
    link = tmp_path / "latest.json"
    link.symlink_to(report)
    terminal.write_file(str(link), iter(["{}\n"]))
    assert (link.is_symlink(), report.read_text("utf-8")) == (True, "{}\n")


def test_printing_ends_when_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    asked = iter([LONG] * 12)
    monkeypatch.setattr(sys, "stdout", Closed())
    terminal.write_pieces(asked)
    assert len(list(asked)) == 11


def test_text_that_breaks_off_is_printed_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="a defect"):
        terminal.write_pieces(broken(ValueError("a defect")))
    assert len(capsys.readouterr().out) == 12 * len(LONG)
