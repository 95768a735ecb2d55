"""SOC105: the test depends on something outside it that no fixture of its own manages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates.syntax.unparse import unparse
from socrates_rules.mystery_guest.examples_reported_files import REPORTED_FILES
from socrates_rules.mystery_guest.examples_reported_services import REPORTED_SERVICES
from socrates_rules.mystery_guest.examples_reported_weight import REPORTED_WEIGHT
from socrates_rules.mystery_guest.examples_silent import SILENT
from socrates_rules.mystery_guest.examples_silent_fakes import SILENT_FAKES
from socrates_rules.mystery_guest.examples_silent_managed import SILENT_MANAGED

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates_rules.mystery_guest.touches import Touch

_FIXED = {
    "file": "a file or folder at a fixed path",
    "network": "a fixed network address",
    "database": "a fixed database",
    "environment": "a fixed environment variable",
    "process": "a fixed command of another process",
    "resource": "a fixed external resource",
}
_OUT_OF_SIGHT = {
    "file": "a file or folder whose path comes from elsewhere",
    "network": "a network address that comes from elsewhere",
    "database": "a database that is named elsewhere",
    "environment": "an environment variable that is named elsewhere",
    "process": "another process whose command comes from elsewhere",
    "resource": "an external resource that is named elsewhere",
}
_TOUCHED = {
    "file": "a file or folder",
    "network": "the network",
    "database": "a database",
    "environment": "an environment variable",
    "process": "another process",
    "resource": "an external resource",
}


class MysteryGuest(Rule):
    """A test that reaches for a resource which no fixture of its own manages.

    What it does
        Looks for calls, in the test and in the helpers of its module, that touch a file, a
        network address, a database, an environment variable or another process. Follows the
        path, address or command to where it comes from. It is a warning when that is written
        in the code and may be missing elsewhere or stay behind: a path that depends on where
        the tests are started, a file that is written, a program, a service, a variable. It is
        an info when it comes with the project or the test says that it needs it: a file beside
        the test that is found through `__file__` and only read, Python and the project's own
        commands, shells that are handed their code and tools such as `cat`, a program that works
        in a temporary folder, a variable with a default, a service for which the test has a mark
        or without which it is skipped. It is an info, too, when it comes from a constant or helper
        that can't be followed, and in a test that is always skipped. Resources from fixtures,
        `tempfile` or memory, those behind a patch or a fake, and variables that a `finally` gives
        back are fine.

    Why is this bad
        The reader sees a verdict but not its cause: half of the story lies in a file, a variable
        or a service elsewhere. When that changes, or is not there on another machine, the test
        turns red although the code is right.

    Example
        ```python
        def test_reads_prices():
            with open("data/prices.csv") as file:
                assert total(file) == 12
        ```

    Use instead
        ```python
        def test_reads_prices(tmp_path):
            prices = tmp_path / "prices.csv"
            prices.write_text("apple,5\\npear,7\\n")
            with prices.open() as file:
                assert total(file) == 12
        ```
    """

    code = "SOC105"
    name = "mystery-guest"
    summary = "an external resource that no fixture of the test manages"
    advice = "Get the resource from a fixture (tmp_path, monkeypatch, a fake) that creates it for this test."
    options = (
        Option("external-resources", "list", (), "Globs of further calls that reach outside."),
    )
    examples = (
        *REPORTED_FILES,
        *REPORTED_SERVICES,
        *REPORTED_WEIGHT,
        *SILENT,
        *SILENT_FAKES,
        *SILENT_MANAGED,
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test."""
        from socrates_rules.mystery_guest.resources import may_touch

        extra = self.texts("external-resources")
        if not extra and not may_touch(file.module.source.text):
            return
        from socrates_rules.mystery_guest.reach import Reach
        from socrates_rules.mystery_guest.touches import TouchFinder
        from socrates_rules.mystery_guest.weight import hurts

        reach = Reach(file.module, file.inference)
        for test in file.tests:
            finder = TouchFinder(test, file.inference, file.fixtures, extra, reach)
            touches = _once(finder.unmanaged())
            if not touches:
                continue
            fixed = [touch for touch in touches if touch.is_fixed]
            hurting = [touch for touch in fixed if hurts(touch, finder)]
            told = hurting or fixed or touches
            related = [
                file.related(_label(touch), touch.scope.module, touch.node) for touch in touches
            ]
            yield file.finding(
                self,
                Severity.WARNING if hurting else Severity.INFO,
                _message(told, bool(fixed)),
                test,
                related=related,
                act=related[touches.index(told[0])],
                data={
                    "touches": len(touches),
                    "fixed": len(fixed),
                    "kinds": sorted({touch.kind for touch in touches}),
                },
            )

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Move a scratch file of the test into tmp_path."""
        from socrates_rules.mystery_guest.fix import fix

        return fix(finding, file)


def _once(touches: Sequence[Touch]) -> list[Touch]:
    """One touch per call, although a call may name two paths; a fixed path is preferred."""
    found: dict[int, Touch] = {}
    for touch in touches:
        kept = found.get(id(touch.node))
        if kept is None or (touch.is_fixed and not kept.is_fixed):
            found[id(touch.node)] = touch
    return list(found.values())


def _label(touch: Touch) -> str:
    """What a touch is, at its place; a relative path says why it may be missing."""
    relative = touch.kind == "file" and touch.is_fixed and not touch.origin.anchored
    where = " that is found from one working folder only" if relative else ""
    return f"touches {_TOUCHED[touch.kind]}{where}"


def _message(touches: Sequence[Touch], fixed: bool) -> str:
    first = touches[0]
    place = unparse(first.node)
    if len(place) > 60:
        place = f"{place[:57]}..."
    nouns = list(dict.fromkeys((_FIXED if fixed else _OUT_OF_SIGHT)[t.kind] for t in touches))
    what = " and ".join([", ".join(nouns[:-1]), nouns[-1]] if len(nouns) > 1 else nouns)
    times = f" ({len(touches)} calls)" if len(touches) > 1 else ""
    return f"reaches for {what}{times}: {place}"
