"""SOC102: one test that exercises several methods of its unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates_rules.eager_test.examples_reported import REPORTED
from socrates_rules.eager_test.examples_reported_objects import REPORTED_OBJECTS
from socrates_rules.eager_test.examples_reported_units import REPORTED_UNITS
from socrates_rules.eager_test.examples_silent import SILENT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.units.production import ProductionCall


class EagerTest(Rule):
    """A test that calls more than one distinct production method of the unit under test.

    What it does
        Finds the unit under test, by the name of the test class or file (narrowed to the class
        that most of its tests use) or else by use, and counts the distinct public methods of it
        that the test and its helpers call. Constructors, properties, getters in assertions,
        clean-up and whatever fixtures do don't count. More than four are a warning, and so are
        three that are each followed by an assertion.

    Why is this bad
        Several behaviours share one name and one verdict. When one fails, the rest is not tried.

    Example
        ```python
        def test_stack():
            stack = Stack()
            stack.push(1)
            assert stack.top == 1
            stack.clear()
            assert stack.top is None
        ```

    Use instead
        ```python
        def test_push():
            stack = Stack()
            stack.push(1)
            assert stack.top == 1


        def test_clear(full_stack):
            full_stack.clear()
            assert full_stack.top is None
        ```
    """

    code = "SOC102"
    name = "eager-test"
    summary = "one test calls several methods of the unit under test"
    advice = "Write one test for each method; let a fixture do what only prepares for it."
    fix_order = 20
    options = (
        Option("max-methods", "int", 4, "More distinct methods than this are a warning."),
        Option("checked-acts", "int", 3, "This many methods, each checked in turn, are a warning."),
        Option(
            "unit-patterns",
            "list",
            (),
            "Further patterns of test class names, {} for the class: {}Scenario.",
        ),
    )
    examples = (*REPORTED, *REPORTED_UNITS, *REPORTED_OBJECTS, *SILENT)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test."""
        patterns = self.texts("unit-patterns")
        for test in file.tests:
            calls = file.production_calls(test, patterns)
            first: dict[str, ProductionCall] = {}
            for call in calls:
                if call.acts:
                    first.setdefault(call.method, call)
            if len(first) < 2:
                continue
            unit = file.unit(test, patterns)
            assert unit is not None
            kind = "methods" if unit.cls is not None else "functions"
            names = ", ".join(first)
            checked = list(dict.fromkeys(c.method for c in calls if c.is_checked_act))
            many = len(first) > self.number("max-methods")
            serious = many or len(checked) >= self.number("checked-acts")
            message = f"calls {len(first)} {kind} of {unit.name}: {names}"
            if serious and not many:
                message += f"; checks {len(checked)} of them in turn"
            related = [
                file.related(f"{name}()", call.scope.module, call.node)
                for name, call in first.items()
            ]
            yield file.finding(
                self,
                Severity.WARNING if serious else Severity.INFO,
                message,
                test,
                related=related,
                act=related[1],
                data={"unit": unit.name, "methods": list(first), "checked": checked},
            )

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Split into one test per method, where no part depends on another."""
        from socrates_rules.eager_test.fix import fix

        return fix(finding, file, self.texts("unit-patterns"))
