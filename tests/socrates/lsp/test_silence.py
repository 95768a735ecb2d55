"""The comments that code actions write, on the examples of every rule that there is."""

from __future__ import annotations

import pytest

from socrates import registry
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
    """Check a text of ``test_example.py`` among the other files of an example."""
    checker = Checker(Options())
    (tmp_path / "socrates.toml").touch()

    def ask(text, files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return checker.check(Question(tmp_path / "test_example.py", text, {})).findings

    return ask


@pytest.mark.parametrize("way", [silence.on_line, silence.in_file])
@pytest.mark.parametrize("example", SMELLY)
def test_one_comment_after_the_other_silences_everything(check, example, way):
    text = example.texts["test_example.py"]
    for _ in range(MOST):
        findings = [f for f in check(text, example.texts) if silence.can_be_silenced(f)]
        if not findings:
            break
        edit = way(findings[0], text)
        text = apply_edits(text, [edit])
    assert [f for f in check(text, example.texts) if silence.can_be_silenced(f)] == [], text
