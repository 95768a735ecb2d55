"""The comments that code actions write, on the examples of every rule that there is."""

from __future__ import annotations

import pytest

from socrates import registry
from socrates.findings import Finding, Severity, Span
from socrates.fix import apply_edits
from socrates.lsp import silence
from socrates.lsp.checker import Checker, Question
from socrates.lsp.options import Options

MOST = 20
"""More comments than any example has findings."""

SMELLY = [
    pytest.param(example, id=f"{rule.code}-{example.name}")
    for rule in registry.installed()
    for example in rule.examples
    if example.expect and "test_example.py" in example.texts and not example.options
]


@pytest.fixture
def check(tmp_path):
    """What can be silenced in a text of ``test_example.py`` among the other files of an example."""
    checker = Checker(Options())
    (tmp_path / "socrates.toml").touch()

    def ask(text, files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        found = checker.check(Question(tmp_path / "test_example.py", text, {})).findings
        return [finding for finding in found if silence.can_be_silenced(finding)]

    return ask


@pytest.mark.parametrize("way", [silence.on_line, silence.in_file])
@pytest.mark.parametrize("example", SMELLY)
def test_one_comment_after_the_other_silences_everything(check, example, way):
    text = example.texts["test_example.py"]
    findings = check(text, example.texts)
    for _ in range(MOST):
        if not findings:
            break
        text = apply_edits(text, [way(findings[0], text)])
        findings = check(text, example.texts)
    assert findings == [], text


def silenced(way, text: str, row: int = 1) -> str | None:
    """The text with the comment against a finding on a row; None when there is no comment for it."""
    finding = Finding("SOC101", "x", Severity.INFO, "", "test_a.py", Span(row, 1, row, 2))
    edit = way(finding, text)
    return None if edit is None else apply_edits(text, [edit])


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        pytest.param("x = 1\n", 1, "x = 1  # socrates: ignore[SOC101]\n", id="at the end"),
        pytest.param("x = 1  \n", 1, "x = 1  # socrates: ignore[SOC101]\n", id="after blanks"),
        pytest.param("x = (\n  1)", 1, "x = (\n  1)  # socrates: ignore[SOC101]", id="statement"),
        pytest.param(
            "x = 1  # socrates: ignore[SOC103]\n",
            1,
            "x = 1  # socrates: ignore[SOC103, SOC101]\n",
            id="in a comment that is there",
        ),
        pytest.param("x = 1  # socrates: ignore\n", 1, None, id="all is silenced already"),
        pytest.param("x = 1\n", 9, None, id="no such line"),
        pytest.param("x = \\\n", 1, None, id="a line that goes on"),
    ],
)
def test_comment_on_a_line(text, row, expected):
    assert silenced(silence.on_line, text, row) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1\n", "# socrates: ignore-file[SOC101]\nx = 1\n", id="at the top"),
        pytest.param("x\r\n", "# socrates: ignore-file[SOC101]\r\nx\r\n", id="CRLF"),
        pytest.param(
            "#!/usr/bin/python\nx\n",
            "#!/usr/bin/python\n# socrates: ignore-file[SOC101]\nx\n",
            id="after the interpreter",
        ),
        pytest.param(
            "#!/usr/bin/python\n# coding: utf-8\nx\n",
            "#!/usr/bin/python\n# coding: utf-8\n# socrates: ignore-file[SOC101]\nx\n",
            id="after the encoding",
        ),
        pytest.param(
            "x\n# coding: utf-8\n",
            "# socrates: ignore-file[SOC101]\nx\n# coding: utf-8\n",
            id="what is no encoding",
        ),
        pytest.param(
            "# coding: utf-8",
            "# coding: utf-8\n# socrates: ignore-file[SOC101]",
            id="after the only line",
        ),
        pytest.param(
            "# socrates: ignore-file[SOC103]\n",
            "# socrates: ignore-file[SOC103, SOC101]\n",
            id="in a comment that is there",
        ),
        pytest.param("# socrates: ignore-file\n", None, id="all is silenced already"),
    ],
)
def test_comment_for_a_file(text, expected):
    assert silenced(silence.in_file, text) == expected


@pytest.mark.parametrize(("code", "expected"), [("SOC000", False), ("SOC001", False), ("X", True)])
def test_what_can_be_silenced(code, expected):
    finding = Finding(code, "x", Severity.INFO, "", "test_a.py", Span(1, 1, 1, 2))
    assert silence.can_be_silenced(finding) is expected
