"""Files that are written while a test may have replaced what writes them."""

from __future__ import annotations

from pathlib import Path

from socrates_amplify.originals import Files


def test_written_file_may_be_read_and_written_by_who_the_system_says(tmp_path: Path) -> None:
    path, usual = tmp_path / "a", tmp_path / "usual"
    usual.touch()
    Files.write_bytes(path, b"one")
    assert (path.read_bytes(), path.stat().st_mode) == (b"one", usual.stat().st_mode)


def test_file_is_written_anew_or_added_to(tmp_path: Path) -> None:
    path = tmp_path / "a"
    Files.write_bytes(path, b"first")
    Files.write_bytes(path, b"one")
    Files.append_bytes(path, b" two")
    assert path.read_bytes() == b"one two"
