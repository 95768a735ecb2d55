"""The comparisons that assertions make, and which of them see an object through its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from socrates.classes.lazy import dataclass
from socrates.model.context import FileContext
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.walk import walk
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates_rules.sensitive_equality.text import TextOf, texts_in

_WHOLE = re.compile(
    r"(assert|failUnless|failIf)_?(not_?)?(\w*equals?|is|is_?not|that)$|eq_$", re.IGNORECASE
)
_PART = re.compile(
    r"assert_?(not_?)?(in|regexp?|regexp_?matches|starts_?with|ends_?with|contains)$", re.IGNORECASE
)
_PART_METHODS = frozenset({"startswith", "endswith", "find", "index", "count"})
_EQUALS = frozenset({"eq", "equal", "equals", "is_equal"})
_REGEX = frozenset({"re.match", "re.search", "re.fullmatch", "re.findall"})
_REGEX_METHODS = frozenset({"match", "search", "fullmatch", "findall"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """Texts of objects that one assertion compares.

    ``whole``: for equality, not containment. ``sought``: the text of an object is what is looked
    for, not what is looked into. ``others``: the sides that are no text of an object.
    """

    node: ast.Assert | ast.Call
    texts: tuple[TextOf, ...]
    whole: bool
    sought: bool
    others: tuple[ast.expr, ...]


def comparisons(file: FileContext, test: TestCase) -> Iterator[Comparison]:
    """The comparisons of a test with the text of at least one object in them."""
    for assertion in file.assertions(test):
        if assertion.kind not in ("assert", "unittest", "named"):
            continue
        scope = assertion.scope
        for sides, whole in _compared(assertion, scope):
            texts = [tuple(texts_in(side, scope)) for side in sides]
            if any(texts):
                others = tuple(s for s, found in zip(sides, texts, strict=True) if not found)
                sought = not whole and len(sides) == 2 and bool(texts[0]) and not texts[1]
                every = tuple(text for found in texts for text in found)
                yield Comparison(assertion.node, every, whole, sought, others)


def _compared(assertion: Assertion, scope: Scope) -> Iterator[tuple[list[ast.expr], bool]]:
    """The sides of every comparison in an assertion."""
    node = assertion.node
    if isinstance(node, ast.Call):
        name = (called_name(node) or "").lstrip("_")
        if _WHOLE.fullmatch(name):
            yield node.args[:2], True
        elif _PART.fullmatch(name):
            yield node.args[:2], False
    roots = [node.test] if isinstance(node, ast.Assert) else node.args
    for root in roots:
        for inner in walk(root):
            if isinstance(inner, ast.Compare):
                yield from _sides(inner)
            elif isinstance(inner, ast.Call):
                yield from _searched(inner, scope)


def _sides(node: ast.Compare) -> Iterator[tuple[list[ast.expr], bool]]:
    sides = [node.left, *node.comparators]
    for index, op in enumerate(node.ops):
        if isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            yield sides[index : index + 2], True
        elif isinstance(op, (ast.In, ast.NotIn)):
            yield sides[index : index + 2], False


def _searched(call: ast.Call, scope: Scope) -> Iterator[tuple[list[ast.expr], bool]]:
    """``text.startswith(...)``, ``re.search(pattern, text)``, ``pattern.match(text)``, ``eq(a, b)``."""
    if len(call.args) == 2 and (called_name(call) or "").strip("_") in _EQUALS:
        yield call.args, True
    if not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr in _PART_METHODS:
        yield [call.func.value], False
    elif call.func.attr in _REGEX_METHODS:
        is_module = dotted_name(call.func, scope) in _REGEX
        yield call.args[:2] if is_module else call.args[:1], False
