"""Unused parts of a fixture that nobody minds: what costs nothing, and what a test sets aside by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from socrates.model.python.module import FunctionNode, statements
from socrates.model.python.names import walk_function
from socrates.model.python.walk import walk
from socrates.model.suite.collect import fixture_decorator
from socrates.model.suite.fixtures import Fixture
from socrates.model.suite.setup import SetAttribute
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal

_CHEAP = re.compile(
    r"os\.path\.(join|\w*name|\w*path|expanduser|splitext)|(pathlib\.)?Path|"
    r"sorted|str|int|float|bytes|bytearray|list|dict|set|frozenset|tuple|range|"
    r"(datetime\.|dt\.)?(date|datetime|time|timedelta)(\.\w+)?|(decimal\.)?Decimal|(uuid\.)?(UUID|uuid4)"
)
"""Functions and classes of Python itself that only put together what they are given."""
_PARENTS = re.compile(r"(^|_)(parents?|master|owner|root|container)$")
_OF_PYTEST = frozenset(
    {"tmp_path", "tmpdir", "monkeypatch", "caplog", "capsys", "capfd", "recwarn", "request"}
)


def costs_nothing(value: ast.expr, functions: Collection[str] = ()) -> bool:
    """Whether a value is a literal, a path or text, a collection of names, a name for what is there.

    ``functions`` are those that are defined beside it.
    """
    match value:
        case ast.Name(id=name):
            return name == "NotImplemented" or name in _OF_PYTEST or name in functions
        case ast.Attribute() | ast.Lambda():
            return True
        case ast.Call(func=func, args=args, keywords=keywords):
            given = [*args, *(keyword.value for keyword in keywords)]
            return bool(_CHEAP.fullmatch(unparse(func))) and all(map(_is_plain, given))
        case ast.JoinedStr() | ast.BinOp() | ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return _is_plain(value)
    return is_literal(value)


def _is_plain(value: ast.expr) -> bool:
    """Whether an expression only puts names, attributes and literals together."""
    match value:
        case ast.Name():
            return True
        case (
            ast.JoinedStr(values=parts)
            | ast.List(elts=parts)
            | ast.Tuple(elts=parts)
            | ast.Set(elts=parts)
        ):
            return all(map(_is_plain, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _is_plain(key) for key in keys) and all(
                map(_is_plain, values)
            )
        case ast.FormattedValue(value=part, format_spec=None) | ast.Starred(value=part):
            return _is_plain(part)
        case ast.BinOp(left=left, right=right):
            return _is_plain(left) and _is_plain(right)
    return costs_nothing(value)


def is_made_once(fixture: Fixture) -> bool:
    """Whether a fixture runs once for a class, a module or all tests."""
    decorator = fixture_decorator(fixture.node, fixture.module)
    options = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(
        option.arg == "scope" and getattr(option.value, "value", "function") != "function"
        for option in options
    )


def renames(value: ast.expr, attribute: SetAttribute) -> bool:
    """Whether a value is only another name for one of a module: ``data.latin_text``, ``LATIN``."""
    module = attribute.module
    match value:
        case ast.Attribute(value=ast.Name(id=name)):
            return name in module.imports or name in _imported_in(attribute)
        case ast.Name(id=name):
            constant = module.assigns.get(name)
            literal = constant is not None and is_literal(constant)
            return literal or name in module.imports or name in _imported_in(attribute)
    return False


def attaches(value: ast.expr) -> bool:
    """Whether a value is made for a parent, which may keep it: ``Node("b", parent=self.root)``."""
    if not isinstance(value, ast.Call):
        return False
    given = [(argument, "") for argument in value.args]
    given += [(keyword.value, keyword.arg or "") for keyword in value.keywords]
    return any(
        isinstance(part, ast.Attribute) and bool(_PARENTS.search(name or part.attr))
        for argument, name in given
        for part in walk(argument)
    )


def _imported_in(attribute: SetAttribute) -> set[str]:
    """The names that the set-up method of an attribute imports."""
    function = attribute.function
    return {
        name
        for part in statements(function.body if function is not None else [])
        if isinstance(part, (ast.Import, ast.ImportFrom))
        for name in attribute.module.imported(part)
    }


def set_aside(name: str, function: FunctionNode) -> frozenset[int]:
    """The places of ``_`` where a test takes what it knows as ``name`` apart."""
    for node in walk_function(function):
        match node:
            case ast.Assign(targets=[target], value=ast.Name(id=known)) if known == name:
                return underscored(target)
    return frozenset()


def underscored(target: ast.expr) -> frozenset[int]:
    """The places of a target's elements that are called ``_`` or ``_something``."""
    elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    return frozenset(
        i for i, element in enumerate(elements) if getattr(element, "id", "").startswith("_")
    )
