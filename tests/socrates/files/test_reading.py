"""Reading what somebody else wrote: regular files up to a size, and never a wait."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from socrates.files.reading import MEGABYTE, Missing, Unreadable, read_bytes, read_text


def test_file_at_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bytes(tmp_path / "file", 5) == b"12345"


def test_empty_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert read_bytes(tmp_path / "file", 5) == b""


def test_line_ends_of_all_systems_are_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb\rc\n")
    assert read_text(tmp_path / "file", 100) == "a\nb\nc\n"


def test_file_beyond_the_limit_is_refused_with_both_sizes(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as stream:
        stream.truncate(3 * MEGABYTE)
    with pytest.raises(Unreadable, match=r"it has 3\.0 MB, and at most 2 MB are read"):
        read_bytes(tmp_path / "file", 2 * MEGABYTE)


def test_file_that_grows_while_it_is_read_is_refused() -> None:
    """The files in /proc say that they are empty, and are not."""
    with pytest.raises(Unreadable, match="at most"):
        read_bytes("/proc/self/maps", 10)


def test_missing_file_is_told_from_others(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="No such file"):
        read_bytes(tmp_path / "file", 5)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null"])
def test_device_is_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(Unreadable, match="not a regular file"):
        read_bytes(tmp_path / "link", MEGABYTE)


def test_pipe_without_a_writer_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="not a regular file"):
        read_bytes(tmp_path / "pipe", MEGABYTE)


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="it is a folder"):
        read_bytes(tmp_path, MEGABYTE)


def test_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(Unreadable, match="symbolic links"):
        read_bytes(tmp_path / "loop", MEGABYTE)


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000])
def test_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable):
        read_bytes(f"{tmp_path}/{name}", MEGABYTE)
