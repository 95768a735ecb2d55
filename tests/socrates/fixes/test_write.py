"""Writing over a file: all or nothing, and only over what was checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from socrates.fixes.write import NotWritten, write_over

OLD, NEW = b"old\n", b"new\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the old content."""
    file = tmp_path / "test_a.py"
    file.write_bytes(OLD)
    return file


def test_content_is_replaced(path: Path) -> None:
    write_over(path, OLD, NEW)
    assert path.read_bytes() == NEW


def test_nothing_else_is_left_behind(path: Path) -> None:
    write_over(path, OLD, NEW)
    assert [file.name for file in path.parent.iterdir()] == ["test_a.py"]


def test_mode_stays(path: Path) -> None:
    path.chmod(0o754)
    write_over(path, OLD, NEW)
    assert path.stat().st_mode & 0o777 == 0o754


def test_symbolic_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.py"
    link.symlink_to(path)
    write_over(link, OLD, NEW)
    assert (link.is_symlink(), path.read_bytes()) == (True, NEW)


class TestLeftAlone:
    def test_changed_by_somebody_else(self, path: Path) -> None:
        with pytest.raises(NotWritten, match="changed while it was being checked"):
            write_over(path, b"checked\n", NEW)
        assert path.read_bytes() == OLD

    def test_read_only(self, path: Path) -> None:
        path.chmod(0o444)
        with pytest.raises(NotWritten, match="read-only"):
            write_over(path, OLD, NEW)
        assert path.read_bytes() == OLD

    def test_gone(self, path: Path) -> None:
        path.unlink()
        with pytest.raises(NotWritten, match="No such file"):
            write_over(path, OLD, NEW)
        assert not path.exists(), "a file that somebody deleted does not come back"

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
    def test_folder_without_permission(self, path: Path) -> None:
        path.parent.chmod(0o555)
        try:
            with pytest.raises(NotWritten, match="can't be written"):
                write_over(path, OLD, NEW)
        finally:
            path.parent.chmod(0o755)

    def test_no_traces_after_a_refusal(self, path: Path) -> None:
        with pytest.raises(NotWritten, match="changed"):
            write_over(path, b"checked\n", NEW)
        assert [file.name for file in path.parent.iterdir()] == ["test_a.py"]
