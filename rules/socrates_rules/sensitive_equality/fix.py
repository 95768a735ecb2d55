"""SOC106: objects of a dataclass or attrs class are compared by their fields, not by their text."""

from __future__ import annotations

import ast

import libcst as cst

from socrates.findings import Finding
from socrates.fix import Fix, NoFix
from socrates.fixes.tree import Changed, Piece, swap
from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.values import Instance
from socrates.model.suite.assertions import called_name
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout
from socrates_rules.sensitive_equality.records import leaves_out, record_decorator
from socrates_rules.sensitive_equality.shown_fields import shown_fields

_TEXTS = frozenset({"builtins.str", "builtins.repr"})
_EQUALITY = frozenset({"assertEqual", "assertEquals", "assertNotEqual", "assertNotEquals"})
_TIGHT = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString)


def fix(finding: Finding, file: FileContext) -> Fix | None:
    """Unsafe: fields that the text leaves out, or that ``==`` leaves out, may change the verdict."""
    test = _file.test_of(finding, file)
    pairs = [pair for pair in _pairs(file, test) if _are_records(file, test, *pair)]
    shown = list(shown_fields(file, test))
    if not pairs and not shown:
        raise NoFix("its class does not show by which attributes to compare")
    piece = Piece(file.module.source, test.node)
    changes: dict[cst.CSTNode, Changed] = {}
    for fields in shown:
        code = piece.code(piece.expression(fields.value))
        changes[piece.find(fields.call, cst.Call)] = cst.parse_expression(fields.read_from(code))
        changes[piece.find(fields.text, cst.SimpleString)] = cst.parse_expression(fields.expected)
    for pair in pairs:
        for side in pair:
            call = piece.find(side, cst.Call)
            value = call.args[0].value
            if not isinstance(value, _TIGHT) and not value.lpar:
                value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
            changes[call] = value
    column = len(piece.indent)
    function = _layout.joined(swap(piece.function, changes), piece.function, column, file)
    edits = _layout.fitting(piece.replaced(function), file)
    what = "the objects" if pairs else "the attributes"
    return Fix(f"Compare {what} instead of their text", "unsafe", edits)


def _pairs(file: FileContext, test: TestCase) -> list[tuple[ast.Call, ast.Call]]:
    """Both sides of every equality whose sides are texts made in the same way."""
    found = []
    for assertion in file.assertions(test):
        node = assertion.node
        sides: list[list[ast.expr]] = []
        if isinstance(node, ast.Assert):
            for part in ast.walk(node.test):
                if isinstance(part, ast.Compare) and len(part.ops) == 1:
                    if isinstance(part.ops[0], (ast.Eq, ast.NotEq)):
                        sides.append([part.left, part.comparators[0]])
        elif called_name(node) in _EQUALITY:
            sides.append(list(node.args[:2]))
        for pair in sides:
            texts = [_text_call(side, test.scope) for side in pair]
            if len(texts) == 2 and texts[0] and texts[1] and texts[0][0] == texts[1][0]:
                found.append((texts[0][1], texts[1][1]))
    return found


def _text_call(expr: ast.expr, scope: Scope) -> tuple[str, ast.Call] | None:
    if isinstance(expr, ast.Call) and len(expr.args) == 1 and not expr.keywords:
        name = dotted_name(expr.func, scope)
        if name in _TEXTS and not isinstance(expr.args[0], ast.Starred):
            return name, expr
    return None


def _are_records(file: FileContext, test: TestCase, one: ast.Call, other: ast.Call) -> bool:
    first = file.infer(one.args[0], test.scope)
    second = file.infer(other.args[0], test.scope)
    return (
        isinstance(first, Instance)
        and isinstance(second, Instance)
        and first.cls is second.cls
        and _compares_by_value(first.cls)
    )


def _compares_by_value(cls: ClassInfo) -> bool:
    """Whether a decorator gives the class an ``==`` over its fields."""
    decorator = record_decorator(cls)
    return decorator is not None and not leaves_out(decorator, "eq", "cmp")
