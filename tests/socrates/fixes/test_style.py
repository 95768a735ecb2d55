"""The length of lines and the quotes of a project, read from the settings of its tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.fixes.style import Style, style_of

FILES = [
    pytest.param({}, Style(88, '"', False), id="nothing"),
    pytest.param(
        {"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}, Style(100, '"', False), id="ruff"
    ),
    pytest.param(
        {"ruff.toml": "line-length = 90\n[format]\nquote-style = 'single'\n"},
        Style(90, "'", True),
        id="ruff formats",
    ),
    pytest.param(
        {
            "pyproject.toml": "[tool.ruff]\nline-length = 100\n",
            "tests/ruff.toml": "line-length = 70",
        },
        Style(70, '"', False),
        id="nearest",
    ),
    pytest.param(
        {"pyproject.toml": "[tool.black]\nline-length = 120\nskip-string-normalization = true\n"},
        Style(120, "", True),
        id="black",
    ),
    pytest.param(
        {
            "pyproject.toml": "[tool.ruff]\nline-length = 120\n",
            ".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: ruff-format\n",
        },
        Style(120, '"', True),
        id="hook",
    ),
    pytest.param(
        {
            "pyproject.toml": "[tool.ruff]\nline-length = 120\n",
            ".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: black\n",
        },
        Style(88, '"', True),
        id="black as a hook beside ruff as a linter",
    ),
    pytest.param(
        {".editorconfig": "[*]\nmax_line_length = 99\n[*.md]\nmax_line_length = 60\n"},
        Style(99, '"', False),
        id="editor",
    ),
    pytest.param(
        {".editorconfig": "[*]\nmax_line_length = 99\n[*.{py,pyi}]\nmax_line_length = 72\n"},
        Style(72, '"', False),
        id="editor for Python",
    ),
    pytest.param({"setup.cfg": "[flake8]\nselect = E\n"}, Style(79, '"', False), id="flake8"),
    pytest.param(
        {"tox.ini": "[flake8]\nmax-line-length = 110\n"}, Style(110, '"', False), id="flake8 in tox"
    ),
    pytest.param({"pyproject.toml": "[tool.ruff\n"}, Style(88, '"', False), id="broken"),
    pytest.param(
        {"pyproject.toml": "[tool.ruff]\nline-length = 'wide'\n"},
        Style(88, '"', False),
        id="no number",
    ),
]


@pytest.mark.parametrize(("files", "style"), FILES)
def test_style(tmp_path: Path, files: dict[str, str], style: Style) -> None:
    (tmp_path / "tests").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert style_of(tmp_path / "tests" / "test_x.py", tmp_path) == style
