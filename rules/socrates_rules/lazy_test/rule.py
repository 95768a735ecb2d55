"""SOC103: several tests of one class or module that call the same method on the same fixture."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates_rules.lazy_test.examples_reported import REPORTED
from socrates_rules.lazy_test.examples_reported_clones import REPORTED_CLONES
from socrates_rules.lazy_test.examples_reported_naming import REPORTED_NAMING
from socrates_rules.lazy_test.examples_reported_rows import REPORTED_ROWS
from socrates_rules.lazy_test.examples_silent import SILENT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase

_SHOWN = 3
_RELATED = 100


class LazyTest(Rule):
    """Several tests with the same fixtures that test the same production method.

    What it does
        Groups the tests of a class, or the functions of a module, that ask for the same
        fixtures and have a method of the unit under test in common. A call that only prepares
        for a different method, or only observes its effect, does not join tests. It is a
        warning when three or more of the group are clones: the same statements but for
        literals and names.

    Why is this bad
        What the method promises is spread over many tests, and each of them repeats the
        others' steps. One change of the method breaks them all.

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
        Option("min-clones", "int", 3, "This many clones in a group make it a warning."),
        Option(
            "unit-patterns",
            "list",
            (),
            "Further patterns of test class names, {} for the class: {}Scenario.",
        ),
    )
    examples = (*REPORTED, *REPORTED_CLONES, *REPORTED_NAMING, *REPORTED_ROWS, *SILENT)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding for each test of a group."""
        from socrates.model.suite.production import methods_under_test

        patterns = self.texts("unit-patterns")
        wanted = {id(test) for test in file.tests}
        for tests in _with_equal_fixtures(file):
            shared: dict[str, list[TestCase]] = {}
            for test in tests:
                for method in methods_under_test(file.production_calls(test, patterns)):
                    shared.setdefault(method, []).append(test)
            mine: dict[int, dict[str, list[TestCase]]] = {}
            for name, group in shared.items():
                for test in group if len(group) > 1 else ():
                    mine.setdefault(id(test), {})[name] = group
            clones = {name: _most_clones(g) for name, g in shared.items() if len(g) > 1}
            for test in tests:
                if id(test) in mine and id(test) in wanted:
                    most = max(clones[name] for name in mine[id(test)])
                    yield self._finding(file, test, mine[id(test)], most, patterns)

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Merge clones into one parametrized test."""
        from socrates_rules.lazy_test.fix import fix

        return fix(finding, file, self.number("min-clones"))

    def _finding(
        self,
        file: FileContext,
        test: TestCase,
        groups: dict[str, list[TestCase]],
        clones: int,
        patterns: Sequence[str],
    ) -> Finding:
        unit = file.unit(test, patterns)
        assert unit is not None
        others = list(
            dict.fromkeys(
                other for group in groups.values() for other in group if other is not test
            )
        )
        serious = clones >= self.number("min-clones")
        names = ", ".join(f"{name}()" for name in groups)
        shown = ", ".join(other.name for other in others[:_SHOWN])
        if len(others) > _SHOWN:
            shown += f" and {len(others) - _SHOWN} more"
        message = f"tests {names} of {unit.name} like {shown}"
        if serious:
            message += f"; {clones} of them are clones"
        return file.finding(
            self,
            Severity.WARNING if serious else Severity.INFO,
            message,
            test,
            related=[
                file.related("tests the same method", other.scope.module, other.node)
                for other in others[:_RELATED]
            ],
            data={
                "unit": unit.name,
                "methods": list(groups),
                "others": len(others),
                "tests": [other.nodeid for other in others[:_RELATED]],
                "clones": clones,
            },
        )


def _with_equal_fixtures(file: FileContext) -> Iterator[list[TestCase]]:
    """The tests of one class, or a module's functions, that ask for the same fixtures."""
    groups: dict[tuple[str, frozenset[str]], list[TestCase]] = {}
    for test in file.all_tests:
        groups.setdefault((test.container, frozenset(test.fixture_names)), []).append(test)
    return (group for group in groups.values() if len(group) > 1)


def _most_clones(tests: Sequence[TestCase]) -> int:
    return max(Counter(_shape(test) for test in tests).values())


def _shape(test: TestCase) -> str:
    """The statements of a test without its literals and names."""
    return "\n".join(
        _dump(statement)
        for statement in test.node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    )


def _dump(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return "_"
    if isinstance(node, ast.Name):
        return "x"
    parts = []
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            parts.append(_dump(value))
        elif isinstance(value, list):
            parts += [_dump(item) for item in value if isinstance(item, ast.AST)]
        elif name == "attr":
            parts.append(str(value))
    return f"{type(node).__name__}({','.join(parts)})"
