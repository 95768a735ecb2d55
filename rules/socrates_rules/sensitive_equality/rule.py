"""SOC106: an assertion compares an object through its text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.findings import Finding, Severity
from socrates.rule import Option, Rule
from socrates.syntax.unparse import unparse
from socrates_rules.sensitive_equality.examples_reported import REPORTED
from socrates_rules.sensitive_equality.examples_reported_objects import REPORTED_OBJECTS
from socrates_rules.sensitive_equality.examples_silent import SILENT
from socrates_rules.sensitive_equality.examples_silent_text import SILENT_TEXT

if TYPE_CHECKING:
    from socrates.fix import Fix
    from socrates.model.context import FileContext
    from socrates.model.suite.collect import TestCase
    from socrates_rules.sensitive_equality.comparisons import Comparison
    from socrates_rules.sensitive_equality.text import TextOf

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PRODUCES_TEXT = re.compile(
    r"str|to_?str|to_?string|strings?|stringif\w*|stringify|p?format\w*|reformat\w*|render\w*|"
    r"p?print\w*|printable|serializ\w*|serialis\w*|p?reprs?|represent\w*|dunders?|"
    r"logs?|logger\w*|logging|logged"
)


class SensitiveEquality(Rule):
    """An assertion that compares an object through its text.

    What it does
        Reports assertions that turn an object into text, with `str`, `repr`, `format` or an
        f-string, and compare that text. It is a warning where the whole text of a record, which
        its dataclass, attrs or named tuple writes, is repeated as a literal. All else is an info:
        containment, regular expressions and, though the textbook calls it a warning, equality
        with a text that is no literal and of a text that the class words itself, which may be
        what the test is about. Objects whose class is not known or belongs to a library, texts
        that an object was made from, and tests of the text itself are fine: those whose name says
        so, and assertions on a text that the class defines, where the test checks nothing else of
        the object.

    Why is this bad
        Text is made for people: a comma, a quote or a new field in `__repr__` turns the test red
        although nothing that it is about has changed, and a difference that the text does not
        show stays green.

    Example
        ```python
        @dataclass
        class Money:
            amount: int


        def test_add():
            assert str(Money(1) + Money(2)) == "Money(amount=3)"
        ```

    Use instead
        ```python
        def test_add():
            assert Money(1) + Money(2) == Money(3)
        ```
    """

    code = "SOC106"
    name = "sensitive-equality"
    summary = "an object is compared through its text"
    advice = "Compare the objects, or the attributes that matter, instead of their text."
    options = (
        Option(
            "text-words", "list", (), "Further words in a test's name that say text is the point."
        ),
    )
    examples = (*REPORTED, *REPORTED_OBJECTS, *SILENT, *SILENT_TEXT)

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Compare the objects where both are records of one class."""
        from socrates_rules.sensitive_equality.fix import fix

        return fix(finding, file)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding per test, at its first comparison."""
        from socrates_rules.sensitive_equality.comparisons import comparisons
        from socrates_rules.sensitive_equality.sensitivity import is_written_out, sensitive

        for test in file.tests:
            compared = list(comparisons(file, test))
            if not compared or self._say_text(test.nodeid.split("::")[1:]):
                continue
            found = sensitive(file, test, compared)
            if not found or self._say_text([_unit_name(file, test)]):
                continue
            serious = [item for item in found if is_written_out(file, test, *item)]
            whole = [item for item in found if item[0].whole]
            first, text = (serious or whole or found)[0]
            yield file.finding(
                self,
                Severity.WARNING if serious else Severity.INFO,
                f"{_named(text)} (`{text.method}`) {_how(first)} {_with_what(first, text)}",
                test,
                first.node,
                related=[
                    file.related("compared through its text", test.scope.module, other.node)
                    for other, _ in found
                    if other.node is not first.node
                ],
                data={"comparisons": len(found), "method": text.method},
            )

    def _say_text(self, names: Iterable[str]) -> bool:
        """Whether a name, of the test or of its unit, says that text is what is produced."""
        extra = {word.lower() for word in self.texts("text-words")}
        words = [word.lower() for name in names for word in _WORD.findall(name)]
        return any(_PRODUCES_TEXT.fullmatch(word) or word in extra for word in words)


def _unit_name(file: FileContext, test: TestCase) -> str:
    unit = file.unit(test)
    return unit.name.rpartition(".")[2] if unit else file.module.path.stem


def _how(comparison: Comparison) -> str:
    if comparison.whole:
        return "is compared as a whole with"
    return "is looked for in" if comparison.sought else "is searched for"


def _with_what(comparison: Comparison, text: TextOf) -> str:
    """Text, or the other object whose text it is."""
    if not comparison.whole or comparison.others:
        return "text"
    others = [other for other in comparison.texts if other is not text]
    return _named(others[0]) if others else "text"


def _named(text: TextOf) -> str:
    return f"the text of `{_cut(unparse(text.subject))}`"


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
