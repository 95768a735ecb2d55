"""A small project and the real command, run in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from socrates.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command said."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write files of a project and make it the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "socrates.toml").touch()

    def write_files(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write_files


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``socrates ARGS`` and catch what it says."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run_main(*args: str) -> Ran:
        capsys.readouterr()
        code = main(args)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run_main
