"""The two rules that the engine itself answers for: broken files and useless comments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.rule import Example, Rule

if TYPE_CHECKING:
    from socrates.findings import Finding
    from socrates.model.context import FileContext


class SyntaxErrorRule(Rule):
    """A test file that cannot be read or parsed.

    What it does
        Reports a test file that Python cannot parse or decode, at the place where it breaks.

    Why is this bad
        pytest fails to collect the file, so none of its tests run, and no other rule can look
        at it.

    Example
        ```python
        def test_total(:
            assert total([1, 2]) == 3
        ```

    Use instead
        ```python
        def test_total():
            assert total([1, 2]) == 3
        ```
    """

    code = "SOC000"
    name = "syntax-error"
    summary = "the file cannot be parsed"
    advice = "Mend the file, or leave it out with `exclude` if it is no test of this project."
    severities = ("error",)
    examples = (
        Example(
            "unclosed parameter list",
            """
            def test_total(:  # <-
                assert True
            """,
            {"test_example.py": "error: syntax error: invalid syntax"},
        ),
        Example(
            "valid file",
            """
            def test_total():
                assert sum([1, 2]) == 3
            """,
        ),
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        """Nothing: the engine reports it when parsing fails."""
        return ()


class UnusedSuppression(Rule):
    """A `# socrates:` comment that silences nothing.

    What it does
        Reports `# socrates: ignore` and `ignore-file` comments, or single codes in them, that
        match no finding, name no known rule or are misspelt.

    Why is this bad
        A comment that outlives its finding hides the next one that appears on the same line, and
        a misspelt one never hid anything.

    Example
        ```python
        def test_total():  # socrates: ignore[SOC101] two facts of one sum
            assert total([1, 2]) == 3
        ```

    Use instead
        ```python
        def test_total():
            assert total([1, 2]) == 3
        ```
    """

    code = "SOC001"
    name = "unused-suppression"
    summary = "a suppression comment silences nothing"
    advice = "Remove the comment, or correct the code in its brackets."
    severities = ("warning",)
    examples = (
        Example(
            "comment that silences nothing",
            """
            def test_a():  # socrates: ignore  # <-
                assert sum([1]) == 1
            """,
            {"test_example.py": "warning: `ignore` silences nothing"},
        ),
        Example(
            "no comment",
            """
            def test_a():
                assert sum([1]) == 1
            """,
        ),
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        """Nothing: the engine reports it after all other rules have spoken."""
        return ()


BUILTIN: tuple[type[Rule], ...] = (SyntaxErrorRule, UnusedSuppression)
