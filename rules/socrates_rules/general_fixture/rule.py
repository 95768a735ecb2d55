"""SOC104: the fixture sets up more than the test uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates_rules.general_fixture.examples_reported_fixtures import REPORTED_FIXTURES
from socrates_rules.general_fixture.examples_reported_setup import REPORTED_SETUP
from socrates_rules.general_fixture.examples_reported_weight import REPORTED_WEIGHT
from socrates_rules.general_fixture.examples_silent import SILENT
from socrates_rules.general_fixture.examples_silent_effects import SILENT_EFFECTS

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase
    from socrates_rules.general_fixture.provision import Provided
    from socrates_rules.general_fixture.shares import Shares


class GeneralFixture(Rule):
    """A test whose fixture hands it more than it uses.

    What it does
        Compares what fixtures hand to a test with what the test reads: attributes that `setUp`
        and its kin set on `self` (inherited ones too), the objects in a tuple, list, dict or
        record that a fixture or a context manager of the tests hands out, and fixtures that are
        requested and never read. It is a warning when half or more of it is unused, and less
        than a third of the tests beside it use those parts: what many of them need is a fair
        fixture. Constants, what is put together from names, placeholders such as `None` and what
        set-up makes once for the class cost a test nothing: they are an info, unless no test of
        the class reads half of the fixture. So is a second name for a value of a module. Fixtures that
        have or may have an effect, what set-up hands on to patches and modules, and what
        clean-up needs, don't count; what set-up reads to build another attribute is as used as
        that one.

    Why is this bad
        The reader can't see what the test depends on, each test pays for objects that only
        others need, and a change of the fixture breaks tests that have nothing to do with it.

    Example
        ```python
        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.empty = Recipe([])
                self.cookies = Recipe(["flour", "sugar"])

            def test_empty_recipe_has_no_ingredients(self):
                self.assertEqual(self.empty.ingredients, [])
        ```

    Use instead
        ```python
        class TestRecipe(unittest.TestCase):
            def test_empty_recipe_has_no_ingredients(self):
                self.assertEqual(Recipe([]).ingredients, [])
        ```
    """

    code = "SOC104"
    name = "general-fixture"
    summary = "the fixture sets up more than the test uses"
    advice = "Set up only what every test of the class needs; build the rest where it is used."
    fixes_safely = True
    options = (
        Option("warning-percent", "int", 50, "At least this share unused is a warning."),
        Option("ignore-attributes", "list", (), "Globs of set-up attributes that never count."),
        Option("ignore-fixtures", "list", (), "Globs of fixtures that never count."),
    )
    examples = (*REPORTED_SETUP, *REPORTED_FIXTURES, *REPORTED_WEIGHT, *SILENT, *SILENT_EFFECTS)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test."""
        from socrates_rules.general_fixture.provision import Provisions
        from socrates_rules.general_fixture.shares import Shares

        provisions = Provisions(
            file,
            ignored_attributes=self.texts("ignore-attributes"),
            ignored_fixtures=self.texts("ignore-fixtures"),
        )
        shares = Shares(file, provisions)
        for test in file.tests:
            provided = provisions.of(test)
            if any(not part.used for part in provided):
                yield self._finding(file, test, provided, shares)

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Drop fixtures and attributes that no code uses, where no test can notice."""
        from socrates_rules.general_fixture.fix import fix

        return fix(finding, file)

    def _finding(
        self, file: FileContext, test: TestCase, provided: list[Provided], shares: Shares
    ) -> Finding:
        unused = [part for part in provided if not part.used]
        stray = [part for part in unused if shares.is_stray(part, test)]
        percent = self.number("warning-percent")
        serious = bool(stray) and all(
            len(parts) * 100 >= percent * len(of)
            for parts, of in ((unused, provided), (stray, _weighing(provided, stray)))
        )
        names = ", ".join(_listed(part.name for part in unused))
        dead = [part.name for part in stray if serious and shares.is_dead(part, test)]
        note = f"; no test of the class reads {', '.join(_listed(dead))}" if dead else ""
        related = [
            file.related(f"{part.name} {part.origin}", part.module, part.node) for part in unused
        ]
        return file.finding(
            self,
            Severity.WARNING if serious else Severity.INFO,
            f"{len(unused)} of {len(provided)} fixture objects unused: {names}{note}",
            test,
            related=related,
            act=None
            if unused[0].type == "pytest"
            else related[0],  # a parameter is dropped in the test
            data={
                "provided": len(provided),
                "unused": [part.name for part in unused],
                "types": sorted({part.type for part in unused}),
            },
        )


def _weighing(provided: list[Provided], stray: list[Provided]) -> list[Provided]:
    """The parts that stray ones are compared with: where those weigh something, without all that is cheap."""
    if all(part.cheap for part in stray):
        return provided
    return [part for part in provided if part.used or part in stray or not part.cheap]


def _listed(names: Iterable[str], most: int = 6) -> Iterator[str]:
    """The first names, and how many more there are."""
    every = list(names)
    yield from every[:most]
    if len(every) > most:
        yield f"and {len(every) - most} more"
