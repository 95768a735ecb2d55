"""SOC106: an assertion compares an object through its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from socrates.findings import Finding, Severity
from socrates.fixes.data import Fix
from socrates.model.collect import TestCase
from socrates.model.context import FileContext
from socrates.model.module import ClassInfo
from socrates.model.names import Scope, binding_for
from socrates.model.values import ClassValue, FunctionValue, Instance
from socrates.model.walk import walk
from socrates.rule import Option, Rule
from socrates_rules._comparisons import Comparison, comparisons
from socrates_rules._plain import Plain
from socrates_rules._plain_names import is_number_pattern, is_plain_text
from socrates_rules._sensitive_equality_examples import EXAMPLES
from socrates_rules._text import TextOf

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PRODUCES_TEXT = re.compile(
    r"str|to_?str|to_?string|strings?|stringif\w*|stringify|p?format\w*|reformat\w*|render\w*|"
    r"p?print\w*|printable|serializ\w*|serialis\w*|p?reprs?|represent\w*"
)


class SensitiveEquality(Rule):
    """An assertion that compares an object through its text.

    What it does
        Reports assertions that turn an object into text, with `str`, `repr`, `format` or an
        f-string, and compare that text. Whole-text equality is a warning, containment and
        regular expressions are information.

    Why is this bad
        Text is made for people: a comma, a quote or a new field in `__repr__` turns the test red
        although nothing that it is about has changed, and a difference that the text does not
        show stays green.

    Example
        ```python
        def test_add():
            assert str(Money(1) + Money(2)) == "Money(3 EUR)"
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

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Compare the objects where both are records of one class."""
        from socrates_rules.fixes.sensitive_equality import fix

        return fix(finding, file)

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding a test, at its first comparison."""
        for test in file.tests:
            compared = list(comparisons(file, test))
            if not compared or self._text_is_the_point(file, test):
                continue
            found = _sensitive(file, test, compared)
            if not found or _targets_text_method(file, test, compared):
                continue
            first, text = next((item for item in found if item[0].whole), found[0])
            how = "is compared as a whole with" if first.whole else "is searched in"
            yield file.finding(
                self,
                Severity.WARNING if first.whole else Severity.INFO,
                f"the text of `{_cut(ast.unparse(text.subject))}` (`{text.method}`) {how} text",
                test,
                first.node,
                related=[
                    file.related("compared through its text", test.scope.module, other.node)
                    for other, _ in found
                    if other.node is not first.node
                ],
                data={"comparisons": len(found), "method": text.method},
            )

    def _text_is_the_point(self, file: FileContext, test: TestCase) -> bool:
        """Whether the test's or the unit's name says that text is what is produced."""
        unit = file.unit(test)
        names = test.nodeid.split("::")[1:]
        names.append(unit.name.rpartition(".")[2] if unit else file.module.path.stem)
        extra = {word.lower() for word in self.texts("text-words")}
        words = [word.lower() for name in names for word in _WORD.findall(name)]
        return any(_PRODUCES_TEXT.fullmatch(word) or word in extra for word in words)

    examples = EXAMPLES


def _sensitive(
    file: FileContext, test: TestCase, compared: Sequence[Comparison]
) -> list[tuple[Comparison, TextOf]]:
    """The comparisons of texts of objects that are not plain, with the object that is not."""
    plain = Plain(file, test)
    found = []
    for comparison in compared:
        answers = [(text, _verdict(plain, text)) for text in comparison.texts]
        # What equals the text of a path is a path, and what reads "0.5" is a number.
        has_plain = comparison.alike and any(answer for _, answer in answers)
        has_plain |= comparison.expected_is(
            is_plain_text if comparison.whole else is_number_pattern
        )
        wrong = [
            text
            for text, answer in answers
            if answer is False or (answer is None and not has_plain)
        ]
        if wrong:
            found.append((comparison, wrong[0]))
    return found


def _verdict(plain: Plain, text: TextOf) -> bool | None:
    if text.each:
        return plain.elements(text.subject, text.scope)
    return plain.verdict(text.subject, text.scope)


def _targets_text_method(file: FileContext, test: TestCase, compared: Sequence[Comparison]) -> bool:
    """Whether the text method is what the test is about.

    The object's class defines it, every assertion compares such a text, and the test calls
    nothing of the project but constructors.
    """
    asserted = {id(assertion.node) for assertion in file.assertions(test)}
    if asserted != {id(comparison.node) for comparison in compared}:
        return False
    texts = [text for comparison in compared for text in comparison.texts]
    if not all(_defines_text(file, text) for text in texts):
        return False
    return not any(_acts(file, node, test.scope) for node in walk(test.node))


def _defines_text(file: FileContext, text: TextOf) -> bool:
    """Whether the test builds or imports the object, and its class defines how it reads."""
    subject = text.subject
    local = text.scope.lookup(subject.id) if isinstance(subject, ast.Name) else None
    if isinstance(subject, ast.Name) and local is not None:
        binding = binding_for(local[1], subject)
        subject = binding.value if isinstance(binding.value, ast.expr) else subject
    value = file.infer(subject, text.scope)
    wanted = ("__repr__",) if text.method == "repr" else ("__str__", "__repr__", "__format__")
    if isinstance(value, ClassValue):
        return any(_defines(file, kind, wanted) for kind in _metaclasses(file, value.cls))
    if not isinstance(value, Instance):
        return False
    is_built = isinstance(subject, ast.Call) and isinstance(
        file.infer(subject.func, text.scope), ClassValue
    )
    return (is_built or _is_constant(file, subject, text.scope)) and _defines(
        file, value.cls, wanted
    )


def _is_constant(file: FileContext, subject: ast.expr, scope: Scope) -> bool:
    """``MISSING`` or ``shop.core.MISSING``: an object that a module makes once."""
    found = file.resolver.expression(subject, scope)
    return found is not None and found.kind == "value" and found.cls is None


def _defines(file: FileContext, cls: ClassInfo, methods: Sequence[str]) -> bool:
    """Whether a class, or a base beside it, defines one: a class of the tests inherits no target."""
    owners = (file.resolver.method(cls, name)[0] for name in methods)
    return any(o is not None and o.module.is_test == cls.module.is_test for o in owners)


def _metaclasses(file: FileContext, cls: ClassInfo) -> Iterable[ClassInfo]:
    for base in file.resolver.mro(cls):
        for keyword in base.node.keywords:
            if keyword.arg == "metaclass":
                found = file.resolver.expression(keyword.value, Scope(base.module))
                if found is not None and found.cls is not None:
                    yield found.cls


def _acts(file: FileContext, node: ast.AST, scope: Scope) -> bool:
    """Whether a node calls a function or method of production code: not a constructor."""
    if not isinstance(node, ast.Call):
        return False
    called = file.infer(node.func, scope)
    return isinstance(called, FunctionValue) and not called.module.is_test


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
