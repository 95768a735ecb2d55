"""Results are reused while nothing has changed that could change them, and no longer."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from socrates_amplify.store import regression_files
from socrates_amplify.store.fingerprint import fingerprint


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return tmp_path


def write(name: str, text: str) -> Callable[[Path], None]:
    def change(project: Path) -> None:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return change


def make_environment(project: Path) -> None:
    write("env/pyvenv.cfg", "")(project)
    write("env/lib/package.py", "")(project)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(write("app.py", "x = 2\n"), id="code"),
        pytest.param(write("tests/test_new.py", ""), id="a new test"),
        pytest.param(write("pyproject.toml", "[tool.x]\n"), id="settings"),
        pytest.param(
            lambda project: (project / "app.py").rename(project / "b.py"), id="a new name"
        ),
        pytest.param(write(f"tests/{regression_files.NAME}", "# mine\n"), id="a test of this name"),
    ],
)
def test_what_counts(change: Callable[[Path], None], project: Path) -> None:
    before = fingerprint(project)
    change(project)

    assert fingerprint(project) != before


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(write("notes.txt", "hello"), id="a text"),
        pytest.param(write(".socrates/x.py", ""), id="a hidden folder"),
        pytest.param(write("__pycache__/app.py", ""), id="a cache"),
        pytest.param(make_environment, id="a virtual environment"),
        pytest.param(
            write(f"tests/{regression_files.NAME}", regression_files.SOURCE), id="a kept test"
        ),
        pytest.param(lambda project: (project / "loop").symlink_to(project), id="a loop of links"),
    ],
)
def test_what_does_not_count(change: Callable[[Path], None], project: Path) -> None:
    before = fingerprint(project)
    change(project)

    assert fingerprint(project) == before


def test_what_else_was_asked_counts(project: Path) -> None:
    assert fingerprint(project, {"pytest": ("-x",)}) != fingerprint(project)


@pytest.mark.parametrize("metadata", ["acme-1.dist-info/METADATA", "acme.egg-info/PKG-INFO"])
def test_the_version_of_an_installed_distribution_counts(
    metadata: str, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch
) -> None:
    site = tmp_path_factory.mktemp("site")
    monkeypatch.syspath_prepend(site)
    digests = set()
    for version in ("1.0", "1.1"):
        header = f"Metadata-Version: 2.1\nName: acme\nVersion: {version}\n\nVersion: 3\n"
        write(metadata, header)(site)
        digests.add(fingerprint(project))

    assert len({fingerprint(project), *digests}) == 2, "two versions, and the last stays the same"


@pytest.mark.timeout(20)
def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "test_pipe.py")
    (tmp_path / "test_device.py").symlink_to("/dev/zero")

    assert fingerprint(tmp_path) == fingerprint(tmp_path)
