"""``--parser`` and the setting ``parser``: what reaches the engine."""

from __future__ import annotations

import pytest

NEWER = (
    "lazy import os\n\n\ndef test_pair():\n    assert (1, 2)[0] == 1\n    assert (1, 2)[1] == 2\n"
)


@pytest.mark.parametrize(
    ("words", "settings", "code"),
    [
        pytest.param([], "", "SOC101", id="default"),
        pytest.param(["--parser", "auto"], "", "SOC101", id="auto"),
        pytest.param(["--parser", "libcst"], "", "SOC101", id="libcst"),
        pytest.param(["--parser", "python"], "", "SOC000", id="python"),
        pytest.param([], "parser = 'python'", "SOC000", id="setting"),
        pytest.param(["--parser", "auto"], "parser = 'python'", "SOC101", id="flag over setting"),
    ],
)
def test_parser_decides_whether_newer_grammar_is_a_mistake(write, run, words, settings, code):
    write({"test_a.py": NEWER, "socrates.toml": settings})
    ran = run("check", "--output-format", "concise", *words)
    assert [line.split()[1] for line in ran.out.splitlines()[:1]] == [code]


def test_results_of_one_parser_are_not_those_of_another(write, run):
    write({"test_a.py": NEWER})
    first = run("check", "--output-format", "concise", "--parser", "python")
    second = run("check", "--output-format", "concise", "--parser", "auto")
    assert "SOC000" in first.out
    assert "SOC000" not in second.out


def test_text_from_standard_input_is_parsed_alike(write, run, monkeypatch):
    import io

    class Stdin:
        buffer = io.BytesIO(NEWER.encode())

    write({})
    monkeypatch.setattr("sys.stdin", Stdin)
    ran = run("check", "-", "--stdin-filename", "test_a.py", "--output-format", "concise")
    assert "SOC101" in ran.out
    assert "SOC000" not in ran.out
