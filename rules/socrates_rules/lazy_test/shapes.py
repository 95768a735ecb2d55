"""The statements of a test without its literals and names: tests of one shape are clones."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from socrates.model.suite.helpers import resolve_helper
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal

if TYPE_CHECKING:
    from socrates.model.context import FileContext
    from socrates.model.python.names import Scope
    from socrates.model.suite.collect import TestCase
    from socrates.model.units.production import ProductionCall

_LITERAL = "_"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_CHECK = re.compile(r"_*(assert|fail|raises|warns)")
"""What an assertion checks is an operator, however it is written."""
_BUILTINS = frozenset(name for name in dir(builtins) if name.islower())


def shape(file: FileContext, test: TestCase, patterns: Sequence[str] = ()) -> tuple[str, ...]:
    """The shape of a test, decorator by decorator and statement by statement.

    The methods that are called, the helpers of the tests, keywords, operators and numbers of arguments
    are kept: they say what is done. So are decorators, what a test defines inside and imports, which
    attributes it changes and which it reads of its class: a table has no column for those.
    """
    calls = {id(call.node): call for call in file.production_calls(test, patterns)}
    shaper = _Shaper(file, test.scope, calls)
    return tuple(
        [ast.unparse(decorator) for decorator in test.node.decorator_list]
        + [
            shaper.dump(statement)
            for statement in test.node.body
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        ]
    )


class _Shaper:
    def __init__(
        self, file: FileContext, scope: Scope, calls: Mapping[int, ProductionCall]
    ) -> None:
        self.file = file
        self.scope = scope
        self.calls = calls
        self.receivers: set[int] = set()

    def dump(self, node: ast.AST) -> str:
        """A node without its literals and names."""
        if isinstance(node, ast.expr_context):
            return ""  # where an expression stands tells it
        if is_text_or_literal(node):
            return _LITERAL
        if isinstance(node, _DEFINITIONS):
            return _exact(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return unparse(node)
        name = getattr(node, "attr", getattr(node, "id", ""))
        kept = name if _CHECK.match(name) or self._has_no_column(node) else ""
        if isinstance(node, ast.Name):
            return kept or "x"
        parts = self._called(node) if isinstance(node, ast.Call) else []
        parts += [kept] if kept else []
        for value in (getattr(node, field, None) for field in node._fields):
            if isinstance(value, ast.AST):
                parts.append(self.dump(value))
            elif isinstance(value, list):
                parts += [self.dump(item) for item in value if isinstance(item, ast.AST)]
        return f"{type(node).__name__}({','.join(parts)})"

    def _has_no_column(self, node: ast.AST) -> bool:
        """Whether a node is an attribute that the test changes, or a value that set-up left on ``self``."""
        if not isinstance(node, ast.Attribute) or id(node) in self.receivers:
            return False
        of_class = isinstance(node.value, ast.Name) and node.value.id == self.scope.self_name
        return of_class or isinstance(node.ctx, ast.Store)

    def _called(self, call: ast.Call) -> list[str]:
        """What a call says about what is done: other names may differ."""
        self.receivers |= {id(call.func), id(getattr(call.func, "value", None))}
        name = getattr(call.func, "id", "")
        keywords = [f"{one.arg or '**'}=" for one in call.keywords if name != "dict"]
        if id(call) in self.calls:
            return [self.calls[id(call)].method, *keywords]
        helper = resolve_helper(call, self.scope, self.file.inference)
        if helper is not None:
            return [helper.function.node.name, *keywords]
        is_builtin = name in _BUILTINS and self.scope.lookup(name) is None
        method = getattr(call.func, "attr", "")
        if is_builtin or method.islower():
            return [name or method, *keywords]
        return keywords


def _exact(node: ast.AST) -> str:
    """A definition inside a test with its names: a table has no column for those."""
    if is_text_or_literal(node):
        return _LITERAL
    parts = []
    for field in node._fields:
        value = getattr(node, field, None)
        values = value if isinstance(value, list) else [value]
        dumped = [_exact(one) if isinstance(one, ast.AST) else str(one) for one in values]
        parts.append(f"{field}={dumped}")
    return f"{type(node).__name__}({','.join(parts)})"


def is_text_or_literal(node: ast.AST) -> bool:
    """A literal of any length: text, also with values put into it, a number, and collections of such."""
    return is_literal(node, lambda leaf: isinstance(leaf, ast.JoinedStr))
