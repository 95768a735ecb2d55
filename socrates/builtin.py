"""The two rules that the engine itself answers for: broken files and useless comments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.example import safe
from socrates.rule import Example, Rule
from socrates.suppress import GUESS, INSTEAD, removal

if TYPE_CHECKING:
    from socrates.findings import Finding
    from socrates.fix import Applicability, Fix
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
    fixes_safely = True
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
            "rule that does not exist",
            """
            def test_a():  # socrates: ignore[PT101] of another tool  # <-
                assert sum([1]) == 1
            """,
            {"test_example.py": "warning: unknown rule 'PT101' in `ignore`"},
            fixed=safe(
                """
                def test_a():
                    assert sum([1]) == 1
                """
            ),
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

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """The comment goes, or what it names in vain. Unsafe where a spelling is corrected."""
        from socrates.fix import Edit, Fix
        from socrates.model.python.source import split_lines

        instead = finding.data.get(INSTEAD)
        lines = split_lines(file.module.source.text)
        if not isinstance(instead, str) or finding.span.row > len(lines):
            return None
        if instead:
            sureness: Applicability = "unsafe" if finding.data.get(GUESS) else "safe"
            return Fix(f"Write `{instead}`", sureness, (Edit(finding.span, instead),))
        span = removal(lines[finding.span.row - 1], finding.span)
        return Fix("Remove the comment that silences nothing", "safe", (Edit(span, ""),))


BUILTIN: tuple[type[Rule], ...] = (SyntaxErrorRule, UnusedSuppression)
