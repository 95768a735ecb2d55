"""SOC102: one test that exercises several methods of its unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates_rules.eager_test.examples_reported import REPORTED
from socrates_rules.eager_test.examples_reported_bodies import REPORTED_BODIES
from socrates_rules.eager_test.examples_reported_objects import REPORTED_OBJECTS
from socrates_rules.eager_test.examples_reported_stories import REPORTED_STORIES
from socrates_rules.eager_test.examples_reported_units import REPORTED_UNITS
from socrates_rules.eager_test.examples_reported_ways import REPORTED_WAYS
from socrates_rules.eager_test.examples_silent import SILENT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase
    from socrates.model.units.production import ProductionCall
    from socrates.model.units.unit import Unit


class EagerTest(Rule):
    """A test that calls more than one distinct production method of the unit under test.

    What it does
        Finds the unit under test, by name or else by use, and counts its distinct public methods
        that the test and its helpers call. Constructors, properties, getters in assertions, clean-up
        and fixtures don't count. It is a warning when the test itself checks three or more that don't
        need each other: on different objects, or on one that they don't change; no warning, though the
        textbook says so, for a story that checks up to four, or for six calls and assertions about what
        they return. Methods that must raise one exception, or that `__getattr__` makes up, are one.

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
        Option(
            "max-methods",
            "int",
            4,
            "More methods than this that are checked in turn are a warning.",
        ),
        Option("checked-acts", "int", 3, "This many methods that are checked apart are a warning."),
        Option(
            "max-questions",
            "int",
            6,
            "Up to so many calls and assertions about what they return are no warning.",
        ),
        Option(
            "unit-patterns",
            "list",
            (),
            "Further patterns of test class names, {} for the class: {}Scenario.",
        ),
    )
    examples = (
        *REPORTED,
        *REPORTED_UNITS,
        *REPORTED_OBJECTS,
        *REPORTED_WAYS,
        *REPORTED_BODIES,
        *REPORTED_STORIES,
        *SILENT,
    )

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
            serious, reason = self._weight(file, test, unit, calls)
            message = f"calls {len(first)} {kind} of {unit.name}: {names}{reason}"
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

    def _weight(
        self, file: FileContext, test: TestCase, unit: Unit, calls: Sequence[ProductionCall]
    ) -> tuple[bool, str]:
        """Whether it is a warning, and what to say then."""
        from socrates_rules.eager_test import families
        from socrates_rules.eager_test.independence import (
            bindings,
            own_acts,
            stories,
            without_observers,
        )
        from socrates_rules.eager_test.refusals import without_repeated

        least, most = self.number("checked-acts"), self.number("max-methods")

        def are_few(acts: Sequence[ProductionCall]) -> bool:
            return len({act.method for act in acts if act.checked}) < min(least, most + 1)

        if are_few(calls) or are_few(own := own_acts(calls)):
            return False, ""
        assertions = file.assertions(test)
        asked = families.asked_in(assertions)
        own = families.without_made_up(without_repeated(own, calls, test), unit, file)
        own = without_observers(families.without_expected(own, asked), unit, file)
        if are_few(own):
            return False, ""
        if max(len(own), len(assertions)) <= self.number("max-questions"):
            if families.only_asks(own, asked.keys() | dict(bindings(own)).keys()):
                return False, ""
        checked = {call.method for call in own if call.checked}
        apart = stories(own, unit, file) if len(checked) >= least else 0
        if apart >= least:
            return True, f"; {apart} of them don't need each other and could be tests of their own"
        many = len(checked) > most
        return many, f"; checks {len(checked)} of them in turn" if many else ""

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Split into one test per method, where no part depends on another."""
        from socrates_rules.eager_test.fix import fix

        return fix(finding, file, self.texts("unit-patterns"))
