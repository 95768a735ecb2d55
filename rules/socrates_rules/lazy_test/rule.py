"""SOC103: several tests of one class or module that call the same method on the same fixture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from socrates.classes.lazy import dataclass
from socrates.findings import Finding, Related, Severity
from socrates.rule import Option, Rule
from socrates_rules.lazy_test.examples_reported import REPORTED
from socrates_rules.lazy_test.examples_reported_clones import REPORTED_CLONES
from socrates_rules.lazy_test.examples_reported_naming import REPORTED_NAMING
from socrates_rules.lazy_test.examples_reported_rows import REPORTED_ROWS
from socrates_rules.lazy_test.examples_reported_worth import REPORTED_WORTH
from socrates_rules.lazy_test.examples_silent import SILENT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase

_SHOWN = 3
_RELATED = 100
_ROWS = 3
"""So many statements of one shape are a table already."""


@dataclass(eq=False)
class _Member:
    """A test of a group: what it is without literals and names, and where it stands."""

    test: TestCase
    file: FileContext
    patterns: Sequence[str]
    place: int
    related: Related

    @cached_property
    def shape(self) -> tuple[str, ...]:
        """Asked for only where there are enough tests to be clones."""
        from socrates_rules.lazy_test.shapes import shape

        return shape(self.file, self.test, self.patterns)

    @cached_property
    def is_case(self) -> bool:
        """Whether it could be a row of a table that reads better."""
        from socrates_rules.lazy_test.worth import is_case

        are_rows = len(self.shape) >= _ROWS and len(set(self.shape)) == 1
        return not are_rows and is_case(self.file, self.test)


class LazyTest(Rule):
    """Several tests with the same fixtures that test the same production method.

    What it does
        Groups the tests of a class, or the functions of a module, that ask for the same fixtures
        and check the same method of the unit under test: an assertion looks at it before the next
        method is called. A call that only prepares does not join tests. It is a warning for each of
        three or more clones near each other: the same statements but for literals and names, with
        the same helpers, keywords and inner definitions. It is no warning, though the textbook says
        clone, where a table would say no more: tests that are tables already, whose literals fill
        most lines or only go to a helper, whose docstrings each say their case, up to five of
        one or two statements with telling names, or two that differ in more than three values.

    Why is this bad
        The tests repeat each other's steps, and one change of the method breaks them all.

    Example
        ```python
        def test_small():
            assert shorten("abc", 5) == "abc"

        def test_long():
            assert shorten("abcdefgh", 5) == "abcd…"

        def test_empty():
            assert shorten("", 5) == ""
        ```

    Use instead
        ```python
        @pytest.mark.parametrize(
            ("text", "short"), [("abc", "abc"), ("abcdefgh", "abcd…"), ("", "")]
        )
        def test_shorten(text, short):
            assert shorten(text, 5) == short
        ```
    """

    code = "SOC103"
    name = "lazy-test"
    summary = "several tests with the same fixtures test the same method"
    advice = "Merge the tests of one behaviour, or make them one parametrized test."
    fix_order = 10
    options = (
        Option(
            "min-clones",
            "int",
            3,
            "This many clones in a group make it a warning, three more if they are short.",
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
        *REPORTED_CLONES,
        *REPORTED_NAMING,
        *REPORTED_ROWS,
        *REPORTED_WORTH,
        *SILENT,
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding for each test of a group."""
        from socrates.model.units.production import methods_under_test

        patterns = self.texts("unit-patterns")
        wanted = {id(test) for test in file.tests}
        places = {id(test): place for place, test in enumerate(file.all_tests)}
        for tests in _with_equal_fixtures(file):
            shared: dict[tuple[str, str], list[TestCase]] = {}
            for test in tests:
                unit = file.unit(test, patterns)
                for method in methods_under_test(file.production_calls(test, patterns)):
                    shared.setdefault((unit.name if unit else "", method), []).append(test)
            mine: dict[int, dict[str, list[TestCase]]] = {}
            for (_, name), group in shared.items():
                for test in group if len(group) > 1 else ():
                    mine.setdefault(id(test), {})[name] = group
            members = {
                id(test): _Member(
                    test,
                    file,
                    patterns,
                    places[id(test)],
                    file.related("tests the same method", test.scope.module, test.node),
                )
                for test in tests
                if id(test) in mine
            }
            for test in tests:
                if id(test) in mine and id(test) in wanted:
                    yield self._finding(file, test, mine[id(test)], members)

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Merge clones into one parametrized test."""
        from socrates_rules.lazy_test.fix import fix

        return fix(finding, file, self.number("min-clones"))

    def _finding(
        self,
        file: FileContext,
        test: TestCase,
        groups: dict[str, list[TestCase]],
        members: Mapping[int, _Member],
    ) -> Finding:
        from socrates_rules.lazy_test.naming import told

        unit = file.unit(test, self.texts("unit-patterns"))
        assert unit is not None
        others = list(
            dict.fromkeys(
                other for group in groups.values() for other in group if other is not test
            )
        )
        clones = self._clones(test, others, members)
        serious = bool(clones)
        names = ", ".join(f"{name}()" for name in groups)
        message = f"tests {names} of {unit.name} like {_listed(others)}"
        if serious:
            calls = file.production_calls(test, self.texts("unit-patterns"))
            about = ", ".join(f"{name}()" for name in told(groups, calls))
            message = f"tests {about} of {unit.name}" if about else f"tests {unit.name}"
            message += f" as a clone of {_listed(clones)}"
            rest = [other for other in others if other not in clones]
            shared = "" if about == names else f" {names}"
            message += f", and{shared} like {_listed(rest)}" if rest else ""
        return file.finding(
            self,
            Severity.WARNING if serious else Severity.INFO,
            message,
            test,
            related=[members[id(other)].related for other in others[:_RELATED]],
            data={
                "unit": unit.name,
                "methods": list(groups),
                "others": len(others),
                "tests": [other.nodeid for other in others[:_RELATED]],
                "clones": [other.nodeid for other in clones[:_RELATED]],
            },
        )

    def _clones(
        self, test: TestCase, others: Sequence[TestCase], members: Mapping[int, _Member]
    ) -> list[TestCase]:
        """The tests that one table would hold together with a test, if they are enough for one."""
        from socrates_rules.lazy_test.worth import is_wide, more_needed, run_of, say_their_case

        least = self.number("min-clones")
        least += more_needed(test) if least > 2 else 0
        own = members[id(test)]
        if len(others) + 1 < least or not own.is_case:
            return []
        alike = [members[id(other)] for other in others]
        alike = [other for other in alike if other.shape == own.shape and other.is_case]
        run = run_of(own.place, [other.place for other in alike])
        clones = [other.test for other in alike if other.place in run]
        group = [test, *clones]
        reads_better = len(group) >= least and not say_their_case(group) and not is_wide(group)
        return clones if reads_better else []


def _listed(tests: Sequence[TestCase]) -> str:
    shown = ", ".join(test.name for test in tests[:_SHOWN])
    return f"{shown} and {len(tests) - _SHOWN} more" if len(tests) > _SHOWN else shown


def _with_equal_fixtures(file: FileContext) -> Iterator[list[TestCase]]:
    """The tests of one class, or a module's functions, that ask for the same fixtures."""
    groups: dict[tuple[str, frozenset[str]], list[TestCase]] = {}
    for test in file.all_tests:
        groups.setdefault((test.container, frozenset(test.fixture_names)), []).append(test)
    return (group for group in groups.values() if len(group) > 1)
