"""Temporary folders of dead processes are removed, and only those."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.files import temporary

KILLED = """
import os, signal, sys
from socrates.files import temporary
folder = temporary.make(sys.argv[1])
(folder / "deep").mkdir()
(folder / "deep" / "file").touch()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def abandoned(tmp_path: Path) -> Path:
    """The folder of a process that was killed."""
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
    (folder,) = tmp_path.iterdir()
    return folder


def test_what_a_killed_process_left_is_removed(abandoned: Path, tmp_path: Path) -> None:
    assert temporary.clear_abandoned(tmp_path) == [abandoned]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_a_process_that_lives_stays(tmp_path: Path) -> None:
    folder = temporary.make(tmp_path)

    assert temporary.clear_abandoned(tmp_path) == []
    assert folder.is_dir()


def changed(folder: Path, **changes: object) -> None:
    owner = folder / temporary.OWNER
    owner.write_text(json.dumps({**json.loads(owner.read_text()), **changes}))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda folder: (folder / temporary.OWNER).unlink(), id="says nothing"),
        pytest.param(lambda folder: (folder / temporary.OWNER).write_text("["), id="is broken"),
        pytest.param(lambda folder: changed(folder, machine="x"), id="of another machine"),
        pytest.param(lambda folder: changed(folder, pid="1"), id="a pid that is none"),
        pytest.param(lambda folder: changed(folder, pid=-1), id="a pid of all"),
        pytest.param(lambda folder: folder.rename(folder.parent / "other"), id="of another name"),
    ],
)
def test_a_folder_that_is_not_known_to_be_abandoned_stays(
    spoil: Callable[[Path], object], abandoned: Path, tmp_path: Path
) -> None:
    spoil(abandoned)

    assert temporary.clear_abandoned(tmp_path) == []
    assert len(list(tmp_path.glob("*/deep/file"))) == 1


def test_a_pid_that_was_given_again_is_another_process(tmp_path: Path) -> None:
    folder = temporary.make(tmp_path)
    changed(folder, start="1")

    assert temporary.clear_abandoned(tmp_path) == [folder]


def test_links_are_not_followed(abandoned: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").touch()
    (abandoned / "link").symlink_to(outside)
    kept = tmp_path / "kept"
    abandoned.rename(kept)
    (tmp_path / "socrates-link").symlink_to(kept)
    temporary.clear_abandoned(tmp_path)
    kept.rename(abandoned)
    temporary.clear_abandoned(tmp_path)

    assert (outside / "mine").exists(), "what a link in it leads to"
    assert (tmp_path / "socrates-link").is_symlink(), "a link of that name"
    assert not abandoned.exists(), "the folder itself is gone"


def test_a_folder_of_another_user_stays(
    abandoned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getuid", lambda: 4711)

    assert temporary.clear_abandoned(tmp_path) == []
    assert abandoned.is_dir()
