"""How many tests of a class use each part of its fixture."""

from __future__ import annotations

from collections import Counter

from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase
from socrates_rules.general_fixture.provision import Provided, Provisions


class Shares:
    """Knows the parts that the tests of a class or module are handed and use."""

    def __init__(self, file: FileContext, provisions: Provisions) -> None:
        self._file = file
        self._provisions = provisions
        self._counted: dict[str, tuple[Counter[str], Counter[str]]] = {}

    def is_stray(self, part: Provided, test: TestCase) -> bool:
        """Whether less than a third of the tests that are handed a part use it.

        What many of them use is a fair fixture, although this test does without. What is cheap
        bothers nobody, unless no test reads it of the class that sets it, or of the fixture's module.
        """
        if part.excused:
            return False
        if part.type == "pytest":
            return True
        handed, used = self._counts(test.container)
        if part.cheap:
            own = part.type != "context" and part.module is test.module
            return own and not used[part.name]
        return used[part.name] * 3 < handed[part.name]

    def is_dead(self, part: Provided, test: TestCase) -> bool:
        """Whether set-up leaves a part for several tests, none of which reads it."""
        handed, used = self._counts(test.container)
        on_self = part.type in ("global", "context")
        return on_self and handed[part.name] > 1 and not used[part.name]

    def _counts(self, container: str) -> tuple[Counter[str], Counter[str]]:
        if container not in self._counted:
            handed: Counter[str] = Counter()
            used: Counter[str] = Counter()
            for test in self._file.all_tests:
                if test.container == container:
                    parts = self._provisions.of(test)
                    handed.update(part.name for part in parts)
                    used.update(part.name for part in parts if part.used)
            self._counted[container] = (handed, used)
        return self._counted[container]
