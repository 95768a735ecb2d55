"""SOC101: several assertions, and a red run does not say which one failed, or why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates_rules.assertion_roulette.examples_reported import REPORTED
from socrates_rules.assertion_roulette.examples_reported_helpers import REPORTED_HELPERS
from socrates_rules.assertion_roulette.examples_reported_opaque import REPORTED_OPAQUE
from socrates_rules.assertion_roulette.examples_silent import SILENT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.assertions import Assertion
    from socrates.model.suite.collect import TestCase


class AssertionRoulette(Rule):
    """A test with several assertions, at least one of them without an explanation.

    What it does
        Counts the assertions of a test: `assert` statements, unittest's and mock's methods,
        `raises`, and calls of helpers that assert. Reports tests with two or more of which at
        least one carries no message. It is a warning when two or more of those hide the values
        that they compare, such as `self.assertTrue(a == b)` and `assert all(...)`, when more than
        nine show no values, or when more than thirteen of any kind carry no message and they
        look at more than three results: assertions about the fields of one object, or that
        follow one counter through a story, are one look. Of exclusive branches the longest
        counts. A comment above an assertion or at its end says what it hides; `assertTrue(a is
        not None)`, `key in row` above a look at `row[key]`, and objects that are compared by
        several operators hide nothing. The textbook warns of fewer: of two `assertTrue` of
        anything, and of ten assertions. Of those, one in three convinced.

    Why is this bad
        When the test turns red, the reader has to find out which of the assertions failed and
        what it was meant to prove. pytest and unittest show the values that `==` and `assertEqual`
        compare; of `assertTrue(x)` they show that False is not true.

    Example
        ```python
        class TestOrder(unittest.TestCase):
            def test_order(self):
                order = Order(items=[apple, pear])
                self.assertTrue(order.total == 3)
                self.assertTrue(pear in order.items)
                self.assertTrue(order.is_open)
        ```

    Use instead
        ```python
        class TestOrder(unittest.TestCase):
            def test_total_is_the_sum_of_the_items(self):
                self.assertEqual(Order(items=[apple, pear]).total, 3)

            def test_new_order(self):
                order = Order(items=[apple, pear])
                self.assertIn(pear, order.items)
                self.assertTrue(order.is_open, "a new order can still change")
        ```
    """

    code = "SOC101"
    name = "assertion-roulette"
    summary = "several assertions, at least one without an explanation"
    advice = "Split the test, or use assertions that show what they compare, or say with a message what each proves."
    fix_order = 90
    fixes_safely = True
    options = (
        Option(
            "max-unexplained", "int", 13, "More unexplained assertions than this are a warning."
        ),
        Option("max-looks", "int", 3, "So many only weigh if they look at more results than this."),
        Option("max-opaque", "int", 1, "More that hide the values they compare are a warning."),
        Option("max-booleans", "int", 9, "More that show no values are a warning."),
        Option("assertion-helpers", "list", (), "Globs of further functions that assert."),
    )
    examples = (*REPORTED, *REPORTED_OPAQUE, *REPORTED_HELPERS, *SILENT)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test."""
        from socrates.model.suite.assertions import is_quantifier

        helpers = self.texts("assertion-helpers")
        for test in file.tests:
            assertions = file.assertions(test, helpers)
            unexplained = [a for a in assertions if not a.explained]
            if len(assertions) < 2 or not unexplained:
                continue
            opaque = [a for a in unexplained if a.opaque]
            message = f"{len(assertions)} assertions, {len(unexplained)} without an explanation"
            if opaque:
                shows = "shows no values when it fails"
                shows = shows if len(opaque) == 1 else "show no values when they fail"
                message += f", {len(opaque)} of which {shows}"
                if any(
                    isinstance(a.node, ast.Assert) and not is_quantifier(a.node.test)
                    for a in opaque
                ):
                    message += ", as pytest does not rewrite this file"
            related = [
                file.related("without an explanation", test.scope.module, assertion.node)
                for assertion in unexplained
            ]
            # The first assertion may stay as it is; from the second on, they hide each other.
            second = (opaque if len(opaque) > 1 else unexplained)[:2][-1]
            yield file.finding(
                self,
                Severity.WARNING if self._is_serious(test, unexplained) else Severity.INFO,
                message,
                test,
                related=related,
                act=related[unexplained.index(second)],
                data={
                    "assertions": len(assertions),
                    "unexplained": len(unexplained),
                    "opaque": len(opaque),
                },
            )

    def _is_serious(self, test: TestCase, unexplained: Sequence[Assertion]) -> bool:
        """Whether one run of the test can meet more than is allowed of one kind."""
        from socrates_rules.assertion_roulette.hidden import has_values, unclear
        from socrates_rules.assertion_roulette.looks import looks, without_nested
        from socrates_rules.assertion_roulette.ways import on_longest_way

        def are_more(assertions: Sequence[Assertion], option: str) -> bool:
            most = self.number(option)
            return len(assertions) > most and on_longest_way(test.node.body, assertions) > most

        opaque = [a for a in unexplained if a.opaque]
        if len(opaque) > self.number("max-opaque"):
            found = unclear(opaque, unexplained, test)
            hidden = [assertion for assertion in found if has_values(assertion)]
            if are_more(hidden, "max-opaque") or are_more(found, "max-booleans"):
                return True
        if len(unexplained) <= self.number("max-unexplained"):
            return False
        weighed = without_nested(unexplained)
        few = looks(test.node.body, weighed) <= self.number("max-looks")
        return not few and are_more(weighed, "max-unexplained")

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Assertions that show what failed, where that changes no verdict or is asked for."""
        from socrates_rules.assertion_roulette.fix import fix

        return fix(finding, file, self.texts("assertion-helpers"))
