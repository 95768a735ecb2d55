"""``--fix`` and comments that silence nothing."""

from __future__ import annotations

import pytest

BODY = "    assert sum([1, 2]) == 3\n"


@pytest.fixture
def fixed(write, run):
    """The text of a test file after ``check --fix``."""

    def go(text: str, *flags: str) -> str:
        root = write({"test_a.py": text})
        run("check", "--no-cache", "--fix", *flags)
        return (root / "test_a.py").read_text()

    return go


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("def test_a():  # socrates: ignore", id="every rule"),
        pytest.param("def test_a():  # socrates: ignore[SOC101, eager-test] why", id="all codes"),
        pytest.param("# socrates: ignore-file[SOC102]\ndef test_a():", id="the file"),
        pytest.param("def test_a():  # socrates: ignore[QQQ999]", id="an unknown code"),
        pytest.param("# socrates: ignore\ndef test_a():  # socrates: ignore", id="two of them"),
    ],
)
def test_comment_that_silences_nothing_is_removed(fixed, line: str) -> None:
    assert fixed(f"{line}\n{BODY}") == f"def test_a():\n{BODY}"


def test_comment_for_rules_that_did_not_run_is_left(fixed) -> None:
    text = f"def test_a():  # socrates: ignore\n{BODY}"
    assert fixed(text, "--select", "SOC001,SOC101") == text


def test_misspelt_code_is_corrected_by_an_unsafe_fix_only(fixed) -> None:
    text = f"def test_a():  # socrates: ignore[assertion-roulete]\n{BODY}{BODY}"
    corrected = text.replace("roulete", "roulette")
    only = ["--select", "SOC001"]
    assert (fixed(text, *only), fixed(text, *only, "--unsafe-fixes")) == (text, corrected)
