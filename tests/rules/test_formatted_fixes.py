"""In a project that ruff formats, fixes leave what ruff would leave."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from socrates import registry
from socrates.fixes.apply import fix_all
from socrates.session import check, prepare

EXAMPLES = [
    (f"{rule.code}-{number}", example.texts)
    for rule in registry.installed()
    for number, example in enumerate(rule.examples)
    if example.fixed is not None
]
SETTINGS = "line-length = {width}\n[format]\nquote-style = '{quote}'\n"


def ruff(*arguments: str) -> str:
    """What the formatter says."""
    command = [sys.executable, "-m", "ruff", "format", "--no-cache", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "quote"),
    [
        pytest.param(88, "double", id="usual"),
        pytest.param(60, "double", id="narrow"),
        pytest.param(100, "single", id="single quotes"),
    ],
)
def test_fixed_examples_are_formatted(  # socrates: ignore[SOC105] the formatter itself is the judge
    tmp_path: Path, width: int, quote: str
) -> None:
    for name, texts in EXAMPLES:
        folder = tmp_path / name
        for file, text in {"pyproject.toml": "", **texts}.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (folder / "ruff.toml").write_text(SETTINGS.format(width=width, quote=quote))
    ruff(str(tmp_path))
    changed = 0
    for name, _ in EXAMPLES:
        session = prepare([], isolated=True, cwd=tmp_path / name, flags={"jobs": 1})
        fixed = fix_all(session, check(session, use_cache=False), unsafe=True)
        changed += any(file.changed for file in fixed.files)
    assert (ruff("--diff", str(tmp_path)), changed > len(EXAMPLES) // 2) == ("", True)
