"""ACME101: a test whose docstring admits that it is not finished."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.findings import Severity
from socrates.rule import Example, Option, Rule

if TYPE_CHECKING:
    from socrates.findings import Finding
    from socrates.model.context import FileContext


class UnfinishedTest(Rule):
    """A test that says in its docstring that there is more to do.

    What it does
        Looks for words such as `TODO` in the docstrings of tests.

    Why is this bad
        The test is green, and nobody comes back to finish it.

    Example
        ```python
        def test_refund():
            \"\"\"TODO: also for orders in other currencies.\"\"\"
            assert refund(order) == 10
        ```

    Use instead
        ```python
        @pytest.mark.xfail(reason="other currencies are not done yet")
        def test_refund_in_other_currency():
            assert refund(foreign_order) == 10
        ```
    """

    code = "ACME101"
    name = "unfinished-test"
    summary = "the docstring says that there is more to do"
    advice = "Write the missing test and mark it as an expected failure."
    since = "1.0.0"
    severities = ("warning",)
    options = (Option("words", "list", ("TODO", "FIXME"), "Words that mean unfinished."),)
    examples = (
        Example(
            "todo in the docstring",
            '''
            def test_a():
                """TODO: more."""
                assert sum([1]) == 1
            ''',
            {"test_a": "warning: the docstring says TODO"},
        ),
        Example(
            "finished docstring",
            '''
            def test_a():
                """One is one."""
                assert sum([1]) == 1
            ''',
        ),
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test."""
        for test in file.tests:
            words = (ast.get_docstring(test.node) or "").split()
            found = [word for word in self.texts("words") if word in {w.strip(":.") for w in words}]
            if found:
                message = f"the docstring says {found[0]}"
                yield file.finding(self, Severity.WARNING, message, test, data={"word": found[0]})
