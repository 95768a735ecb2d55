"""Writing over a file: all or nothing, and only over what was checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from socrates.files.writing import NotWritten, Refused, write, write_new, write_over

OLD, NEW = b"old\n", b"new\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the old content."""
    file = tmp_path / "test_a.py"
    file.write_bytes(OLD)
    return file


def test_content_is_replaced(path: Path) -> None:
    write_over(path, OLD, NEW, path.parent)
    assert path.read_bytes() == NEW


def test_nothing_else_is_left_behind(path: Path) -> None:
    write_over(path, OLD, NEW, path.parent)
    assert [file.name for file in path.parent.iterdir()] == ["test_a.py"]


def test_mode_stays(path: Path) -> None:
    path.chmod(0o754)
    write_over(path, OLD, NEW, path.parent)
    assert path.stat().st_mode & 0o777 == 0o754


def test_symbolic_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.py"
    link.symlink_to(path)
    write_over(link, OLD, NEW, path.parent)
    assert (link.is_symlink(), path.read_bytes()) == (True, NEW)


def test_other_name_of_a_hard_link_keeps_the_old_content(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.hardlink_to(path)
    write_over(path, OLD, NEW, path.parent)
    assert (path.read_bytes(), other.read_bytes()) == (NEW, OLD)


def test_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / f"test_{'a' * 247}.py"
    path.write_bytes(OLD)
    write_over(path, OLD, NEW, tmp_path)
    assert path.read_bytes() == NEW


def test_new_file_has_the_mode_that_the_user_wants(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "new.json", NEW, tmp_path)
    finally:
        os.umask(before)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == 0o640


def test_user_may_name_what_is_no_regular_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(pipe, NEW, None)
        assert os.read(reader, 100) == NEW
    finally:
        os.close(reader)


class TestStaysInside:
    """Whatever leads out of the root is refused by name, and nothing is written anywhere."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        """A project beside which something precious lies."""
        root = tmp_path / "project"
        root.mkdir()
        (tmp_path / "precious").mkdir()
        (tmp_path / "precious" / "file.py").write_bytes(OLD)
        return root

    @pytest.fixture
    def precious(self, root: Path) -> Path:
        """What must not change."""
        return root.parent / "precious" / "file.py"

    @pytest.mark.parametrize(
        "put",
        [
            pytest.param(lambda path, root: write(path, NEW, root), id="write"),
            pytest.param(lambda path, root: write_over(path, OLD, NEW, root), id="write over"),
        ],
    )
    @pytest.mark.parametrize("link", ["file", "folder", "chain", "dots"])
    def test_links_and_dots(self, root: Path, precious: Path, link: str, put) -> None:
        (root / "file").symlink_to(precious)
        (root / "folder").symlink_to(precious.parent, target_is_directory=True)
        (root / "chain").symlink_to("file")
        names = {"folder": "folder/file.py", "dots": "../precious/file.py"}
        with pytest.raises(Refused, match="leads out of the project"):
            put(root / names.get(link, link), root)
        assert precious.read_bytes() == OLD
        assert [file.name for file in precious.parent.iterdir()] == ["file.py"]

    def test_dangling_link_is_not_filled(self, root: Path, precious: Path) -> None:
        (root / "link").symlink_to(precious.parent / "new.py")
        with pytest.raises(NotWritten, match="somebody else made it"):
            write_new(root / "link", NEW, root)
        with pytest.raises(Refused):
            write(root / "link", NEW, root)
        assert [file.name for file in precious.parent.iterdir()] == ["file.py"]

    def test_new_file_in_a_linked_folder(self, root: Path, precious: Path) -> None:
        (root / "folder").symlink_to(precious.parent, target_is_directory=True)
        with pytest.raises(Refused):
            write_new(root / "folder" / "new.py", NEW, root)
        assert [file.name for file in precious.parent.iterdir()] == ["file.py"]

    def test_pipe_in_place_of_a_file(self, root: Path) -> None:
        os.mkfifo(root / "pipe")
        with pytest.raises(Refused, match="not a regular file"):
            write(root / "pipe", NEW, root)

    def test_root_that_is_a_link_itself_is_fine(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "alias").symlink_to(root, target_is_directory=True)
        write(tmp_path / "alias" / "new.py", NEW, tmp_path / "alias")
        assert (root / "new.py").read_bytes() == NEW


class TestLeftAlone:
    def test_changed_by_somebody_else(self, path: Path) -> None:
        with pytest.raises(NotWritten, match="changed while it was being checked"):
            write_over(path, b"checked\n", NEW, path.parent)
        assert path.read_bytes() == OLD

    def test_read_only(self, path: Path) -> None:
        path.chmod(0o444)
        with pytest.raises(NotWritten, match="read-only"):
            write_over(path, OLD, NEW, path.parent)
        assert path.read_bytes() == OLD

    def test_gone(self, path: Path) -> None:
        path.unlink()
        with pytest.raises(NotWritten, match="No such file"):
            write_over(path, OLD, NEW, path.parent)
        assert not path.exists(), "a file that somebody deleted does not come back"

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
    def test_folder_without_permission(self, path: Path) -> None:
        path.parent.chmod(0o555)
        try:
            with pytest.raises(NotWritten, match="can't be written"):
                write_over(path, OLD, NEW, path.parent)
        finally:
            path.parent.chmod(0o755)

    def test_no_traces_after_a_refusal(self, path: Path) -> None:
        with pytest.raises(NotWritten, match="changed"):
            write_over(path, b"checked\n", NEW, path.parent)
        assert [file.name for file in path.parent.iterdir()] == ["test_a.py"]


@pytest.mark.parametrize(("durable", "sizes"), [(True, [len(NEW)]), (False, [])])
def test_all_is_in_the_file_when_the_disk_is_asked_to_keep_it(
    durable: bool, sizes: list[int], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: asked.append(os.fstat(fd).st_size))
    write(path, NEW, path.parent, durable=durable)
    assert asked == sizes
