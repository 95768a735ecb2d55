"""The baseline that version 0.1.0 (95cae04) wrote is still honoured."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from socrates.cli import main

WRITTEN = Path(__file__).parents[1] / "data" / "written_by_0_1_0" / "suite"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project with its baseline, as the current folder."""
    project = Path(shutil.copytree(WRITTEN, tmp_path / "suite"))
    monkeypatch.chdir(project)
    return project


def test_every_finding_of_the_old_baseline_is_accepted(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = len(json.loads((suite / ".socrates-baseline.json").read_text())["findings"])
    code = main(["check", "--no-cache", "--fail-on", "info"])

    told = f"Nothing new in 7 tests.\nNot shown: {accepted} in the baseline.\n"
    assert (code, capsys.readouterr().out) == (0, told)


def test_without_the_baseline_its_findings_are_shown(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = json.loads((suite / ".socrates-baseline.json").read_text())["findings"]
    settings = suite / "pyproject.toml"
    settings.write_text(settings.read_text().replace("baseline = ", "# baseline = "))
    main(["check", "--no-cache", "--output-format", "json"])
    shown = json.loads(capsys.readouterr().out)

    fields = ("filename", "test", "code")
    assert sorted(tuple(finding[field] for field in fields) for finding in shown) == sorted(
        tuple(finding[field] for field in fields) for finding in accepted
    )


def test_renewing_the_old_baseline_only_adds_severities_and_words_messages_anew(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = json.loads((suite / ".socrates-baseline.json").read_text())
    main(["baseline"])
    after = json.loads((suite / ".socrates-baseline.json").read_text())
    for entry in after["findings"]:
        entry.pop("severity")
    for entry in (*before["findings"], *after["findings"]):
        entry.pop("message")

    assert after == before
