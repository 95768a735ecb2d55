"""SOC106: an assertion compares an object through its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from socrates.findings import Finding, Severity
from socrates.fixes.data import Fix
from socrates.model.assertions import Assertion, called_name
from socrates.model.collect import TestCase
from socrates.model.context import FileContext
from socrates.model.names import Scope, dotted_name
from socrates.model.values import ClassValue, Instance
from socrates.rule import Example, Option, Rule
from socrates_rules._plain import is_plain
from socrates_rules._text import TextOf, texts_in

_WHOLE = re.compile(
    r"(assert|failUnless|failIf)_?(not_?)?(\w*equals?|is|is_?not)$|eq_$", re.IGNORECASE
)
_PART = re.compile(
    r"assert_?(not_?)?(in|regexp?|regexp_?matches|starts_?with|ends_?with|contains)$", re.IGNORECASE
)
_PART_METHODS = frozenset({"startswith", "endswith", "find", "index", "count"})
_REGEX = frozenset({"re.match", "re.search", "re.fullmatch", "re.findall"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PRODUCES_TEXT = re.compile(
    r"str|strings?|tostring|stringify|stringif\w*|p?format\w*|render\w*|p?print\w*|serializ\w*|serialis\w*|p?reprs?"
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

    def check(self, file: FileContext) -> Iterable[Finding]:
        """One finding a test, at its first comparison."""
        for test in file.tests:
            found = [
                (node, text, whole)
                for node, text, whole in _comparisons(file, test)
                if not is_plain(text.subject, text.scope, file)
            ]
            if not found or self._text_is_the_point(file, test):
                continue
            found = [item for item in found if not _targets_text_method(file, test, item[1])]
            if not found:
                continue
            node, text, whole = next((item for item in found if item[2]), found[0])
            shown = ast.unparse(text.subject)
            how = "is compared as a whole with" if whole else "is searched in"
            yield file.finding(
                self,
                Severity.WARNING if any(w for _, _, w in found) else Severity.INFO,
                f"the text of `{_cut(shown)}` (`{text.method}`) {how} text",
                test,
                node,
                related=[
                    file.related("compared through its text", test.scope.module, other)
                    for other, _, _ in found
                    if other is not node
                ],
                data={"comparisons": len(found), "method": text.method},
            )

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """Compare the objects where both are records of one class."""
        from socrates_rules.fixes.sensitive_equality import fix

        return fix(finding, file)

    def _text_is_the_point(self, file: FileContext, test: TestCase) -> bool:
        """Whether the test's or the unit's name says that text is what is produced."""
        unit = file.unit(test)
        names = [part for part in test.nodeid.split("::")[1:]]
        names.append(unit.name.rpartition(".")[2] if unit else file.module.path.stem)
        extra = {word.lower() for word in self.texts("text-words")}
        words = [word.lower() for name in names for word in _WORD.findall(name)]
        return any(_PRODUCES_TEXT.fullmatch(word) or word in extra for word in words)

    examples = (
        Example(
            "whole text of an object",
            {
                "shop.py": ("class Cart:\n    def add(self, item):\n        return self\n"),
                "test_shop.py": (
                    "from shop import Cart\n\n\n"
                    "def test_add():\n"
                    "    cart = Cart().add('pear')\n"
                    "    assert str(cart) == '<Cart: pear>'\n"
                ),
            },
            {"test_add": "warning"},
        ),
        Example(
            "text of a number",
            {"test_example.py": "def test_total():\n    assert str(sum([1, 2])) == '3'\n"},
        ),
    )


def _comparisons(file: FileContext, test: TestCase) -> Iterator[tuple[ast.AST, TextOf, bool]]:
    """Comparisons of texts of objects: the node, the text, and whether the whole is compared."""
    for assertion in file.assertions(test):
        if assertion.kind in ("assert", "unittest", "named"):
            for sides, whole in _compared(assertion, test.scope):
                for side in sides:
                    for text in texts_in(side, test.scope):
                        yield assertion.node, text, whole


def _compared(assertion: Assertion, scope: Scope) -> Iterator[tuple[list[ast.expr], bool]]:
    """The sides of every comparison in an assertion."""
    node = assertion.node
    if isinstance(node, ast.Call):
        name = (called_name(node) or "").lstrip("_")
        if _WHOLE.fullmatch(name):
            yield node.args[:2], True
        elif _PART.fullmatch(name):
            yield node.args[:2], False
    roots = [node.test] if isinstance(node, ast.Assert) else list(node.args)
    for root in roots:
        for inner in ast.walk(root):
            yield from _compared_inside(inner, scope)


def _compared_inside(node: ast.AST, scope: Scope) -> Iterator[tuple[list[ast.expr], bool]]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            sides = [left, *comparators]
            for index, op in enumerate(ops):
                if isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
                    yield sides[index : index + 2], True
                elif isinstance(op, (ast.In, ast.NotIn)):
                    yield sides[index : index + 2], False
        case ast.Call(func=ast.Attribute(attr=attr, value=base)) if attr in _PART_METHODS:
            yield [base], False
        case ast.Call(args=args) if dotted_name(node.func, scope) in _REGEX:
            yield args[1:2], False


def _targets_text_method(file: FileContext, test: TestCase, text: TextOf) -> bool:
    """Whether the object's class defines the text method and this test does nothing but call it."""
    value = file.infer(text.subject, text.scope)
    if not isinstance(value, Instance):
        return False
    wanted = ("__repr__",) if text.method == "repr" else ("__str__", "__repr__", "__format__")
    if not any(file.resolver.method(value.cls, name)[1] is not None for name in wanted):
        return False
    return not any(_acts(file, node, test.scope) for node in ast.walk(test.node))


def _acts(file: FileContext, node: ast.AST, scope: Scope) -> bool:
    """Whether a node calls something of the project other than a constructor."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        return False
    called = file.infer(node.func, scope)
    if isinstance(called, ClassValue):
        return False
    if isinstance(node.func, ast.Attribute):
        base = file.infer(node.func.value, scope)
        return isinstance(base, Instance) and not node.func.attr.startswith(("__", "assert"))
    return False


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
