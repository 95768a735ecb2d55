"""Whether a table would say more than the clones do.

Not of a test that is a table already, nor of one that is data: a row of twenty lines of text, or
of values for a helper that asserts, reads no better than a test with a name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from socrates.model.python.walk import children, walk
from socrates.model.suite.helpers import resolve_helper
from socrates.syntax.unparse import unparse
from socrates_rules.lazy_test.shapes import is_text_or_literal
from socrates_rules.rewriting.clones import statements_of
from socrates_rules.rewriting.comments import says_something

if TYPE_CHECKING:
    from socrates.model.context import FileContext
    from socrates.model.python.names import Scope
    from socrates.model.suite.collect import TestCase

_TABLES = ("parametrize", "parameterized.expand", "ddt.data", "ddt.file_data")
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_OF_THE_SAME = frozenset({"enumerate", "zip", "sorted", "reversed", "product", "items", "values"})
_LONG = 5
"""Lines of literals from which a row of a table is long."""
_MORE = 3
"""So many more short tests with telling names have to be there."""
_COLUMNS = 3
"""So many values a row may have for a test of one or two statements."""
_COMPARED = 10
"""So many clones are enough to tell the columns of a table."""
_NEAR = 3
"""So many other tests may stand between two clones."""


def is_case(file: FileContext, test: TestCase) -> bool:
    """Whether a test could be a row of a table that reads better."""
    return not _is_table(test) and not _is_data(file, test)


def more_needed(test: TestCase) -> int:
    """How many more clones it takes where a few tests read as well as the rows of a table.

    So do tests of one or two statements, beside what only names a value, unless they are ``test_1``,
    ``test_2``; a loop with ``subTest`` is longer than any of them.
    """
    acting = [one for one in statements_of(test.node) if not _binds_literal(one)]
    telling = test.is_unittest or not test.name[-1].isdigit()
    return _MORE if telling and len(acting) <= 2 else 0


def _binds_literal(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and is_text_or_literal(statement.value)


def is_wide(tests: Sequence[TestCase]) -> bool:
    """Whether a row of a table for tests of one or two statements would say more than the tests do."""
    some = tests[:_COMPARED]
    if len(statements_of(some[0].node)) > 2:
        return False
    places = zip(*(_values(test) for test in some), strict=False)
    return len({values for values in places if len(set(values)) > 1}) > _COLUMNS


def say_their_case(tests: Sequence[TestCase], *, comments: bool = True) -> bool:
    """Whether each test has a docstring of its own, or one of its ``comments``: a row has no docstring."""
    said = [ast.get_docstring(test.node) or (comments and _comment(test)) for test in tests]
    return all(said) and len(set(said)) == len(said)


def _comment(test: TestCase) -> str:
    """The first line of the first comment in a test that says something."""
    lines = test.scope.module.source.lines[test.node.lineno : test.node.end_lineno]
    return next((line.strip() for line in lines if says_something(line)), "")


def run_of(place: int, places: Sequence[int]) -> range:
    """The places of clones that a reader meets together, with few other tests in between."""
    first = last = place
    for other in sorted(one for one in places if one > place):
        last = other if other - last <= _NEAR + 1 else last
    for other in sorted((one for one in places if one < place), reverse=True):
        first = other if first - other <= _NEAR + 1 else first
    return range(first, last + 1)


def _values(test: TestCase) -> Iterator[str]:
    """What may differ between clones, in their order: literals, and names that are not the test's own."""
    stack: list[ast.AST] = [*reversed(statements_of(test.node))]
    while stack:
        node = stack.pop()
        if is_text_or_literal(node):
            yield unparse(node)
            continue
        if isinstance(node, ast.Name):
            yield node.id if node.id not in test.scope.bindings else ""
        elif isinstance(node, ast.Attribute):
            yield node.attr
        stack += children(node)[::-1]


def _is_table(test: TestCase) -> bool:
    """Whether a test runs for each of several values already."""
    own = test.decorators[: len(test.node.decorator_list)]
    if any(dotted.endswith(_TABLES) for dotted, _ in own):
        return True
    for node in walk(test.node):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            if any(_is_subtest(item.context_expr) for item in node.items):
                return True
        elif isinstance(node, ast.For) and _is_written_out(node.iter, test.scope):
            return True
    return False


def _is_data(file: FileContext, test: TestCase) -> bool:
    """Whether literals fill most of a test's lines, or it only hands them to a helper."""
    body = statements_of(test.node)
    lines = test.scope.module.source.lines
    written = {
        line
        for statement in body
        for line in range(statement.lineno, (statement.end_lineno or 0) + 1)
        if lines[line - 1].strip()
    }
    long = written & set(_literal_lines(body))
    return (len(long) >= _LONG and len(long) * 2 > len(written)) or _is_for_helpers(file, test)


def _is_subtest(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Call) and getattr(expr.func, "attr", "") == "subTest"


def _is_written_out(values: ast.expr, scope: Scope) -> bool:
    """Whether a loop goes over values that the test or its module lists."""
    match values:
        case ast.Name(id=name):
            found = scope.bindings.get(name, [])
            if found:
                return any(isinstance(binding.value, _DISPLAYS) for binding in found)
            return isinstance(scope.module.assigns.get(name), _DISPLAYS)
        case ast.Call(func=func, args=arguments):
            name = getattr(func, "attr", getattr(func, "id", ""))
            parts = [func.value, *arguments] if isinstance(func, ast.Attribute) else arguments
            return name in _OF_THE_SAME and any(_is_written_out(part, scope) for part in parts)
    return isinstance(values, _DISPLAYS)


def _literal_lines(body: Sequence[ast.stmt]) -> Iterator[int]:
    """The lines of texts and collections that take more than one."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, (*_DISPLAYS, ast.Constant, ast.JoinedStr)):
                first, last = node.lineno, node.end_lineno or 0
                yield from range(first, last + 1) if last > first else ()


def _is_for_helpers(file: FileContext, test: TestCase) -> bool:
    """Whether a test is literals, and calls of helpers that act and assert."""
    checks = {id(assertion.node) for assertion in file.assertions(test)}
    acts = {id(call.node) for call in file.production_calls(test)}
    called = 0
    for statement in statements_of(test.node):
        if _binds_literal(statement):
            continue
        if not isinstance(statement, ast.Expr):
            return False
        call = statement.value
        call = call.value if isinstance(call, ast.Await) else call
        if not isinstance(call, ast.Call) or id(call) not in checks:
            return False
        if any(id(node) in acts for node in walk(statement)):
            return False
        if resolve_helper(call, test.scope, file.inference) is None:
            return False
        called += 1
    return called > 0
