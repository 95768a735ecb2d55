"""SOC101: a clue for every assertion that has none; ``assert a and b`` becomes two."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from socrates.findings import Finding
from socrates.fix import Fix, NoFix
from socrates.fixes.tree import Changed, Piece, comments_in, swap
from socrates.model.context import FileContext
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import words as _words

_WIDTH = 100


def fix(finding: Finding, file: FileContext, helpers: Sequence[str] = ()) -> Fix | None:
    """Unsafe: a message made from the code says which assertion failed, but not why it matters."""
    test = _file.test_of(finding, file)
    piece = Piece(file.module.source, test.node)
    changes: dict[cst.CSTNode, Changed] = {}
    clues = splits = 0
    for assertion in file.assertions(test, helpers):
        if assertion.explained:
            continue
        if isinstance(assertion.node, ast.Assert):
            parts = _conjuncts(assertion.node.test)
            if len(parts) > 1 and _split(piece, assertion.node, parts, changes):
                splits += 1
            else:
                node = piece.find(assertion.node, cst.Assert)
                text = _words.of_condition(assertion.node.test)
                changes[node] = _explained(node, text, piece.width_of(assertion.node))
            clues += 1
        elif _takes_message(file, test, assertion):
            call = piece.find(assertion.node, cst.Call)
            changes[call] = _with_message(call, assertion.node)
            clues += 1
    if not changes:
        return None
    message = f"Add {clues} clue{'s' if clues != 1 else ''} made from the compared expressions"
    if splits:
        message += f", split {splits} assertion{'s' if splits != 1 else ''} at `and`"
    return Fix(message, "unsafe", piece.replaced(swap(piece.function, changes)))


def _explained(node: cst.Assert, text: str, used: int) -> cst.Assert:
    """The assertion with a message, in parentheses of its own where the line would get long."""
    message = cst.SimpleString(_words.quoted(text))
    if used + len(message.value) + 2 > _WIDTH:
        inner = cst.ParenthesizedWhitespace(
            indent=True, last_line=cst.SimpleWhitespace("    "), empty_lines=[]
        )
        outer = cst.ParenthesizedWhitespace(indent=True, empty_lines=[])
        message = message.with_changes(
            lpar=[cst.LeftParen(whitespace_after=inner)],
            rpar=[cst.RightParen(whitespace_before=outer)],
        )
    return node.with_changes(
        msg=message, comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    )


def _conjuncts(expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.BoolOp) and isinstance(expr.op, ast.And):
        return [part for value in expr.values for part in _conjuncts(value)]
    return [expr]


def _split(
    piece: Piece,
    node: ast.Assert,
    parts: Sequence[ast.expr],
    changes: dict[cst.CSTNode, Changed],
) -> bool:
    """Replace a line that holds only the assertion by one line per part; False if that can't be done."""
    old = piece.find(node, cst.Assert)
    line = piece.line_of(old)
    if line is None or len(line.body) != 1 or comments_in(old):
        return False
    lines: list[cst.SimpleStatementLine] = []
    for part in parts:
        condition = _bare(piece.expression(part))
        if "\n" in piece.code(condition) and not _is_bracketed(condition):
            return False
        assertion = cst.Assert(
            condition,
            whitespace_after_assert=cst.SimpleWhitespace(" "),
        )
        used = len(piece.indent) + len(piece.code(assertion)) + 4
        lines.append(
            cst.SimpleStatementLine([_explained(assertion, _words.of_condition(part), used)])
        )
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    changes[line] = cst.FlattenSentinel(lines)
    return True


def _bare(expr: cst.BaseExpression) -> cst.BaseExpression:
    """An expression without the parentheses that ``and`` needed, unless it spans lines."""
    keep = isinstance(expr, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield))
    if keep or len(expr.lpar) != 1:
        return expr
    if comments_in(expr.lpar[0]) or comments_in(expr.rpar[0]):
        return expr
    plain = expr.with_changes(lpar=[], rpar=[])
    return plain if "\n" not in cst.Module([]).code_for_node(plain) else expr


def _is_bracketed(expr: cst.BaseExpression) -> bool:
    """Whether its line breaks all stand inside brackets."""
    return bool(expr.lpar) or isinstance(expr, (cst.Call, cst.Subscript, cst.List, cst.Dict))


def _takes_message(file: FileContext, test: TestCase, assertion: Assertion) -> bool:
    """Whether it is unittest's own method, with nothing in the way of ``msg=``."""
    call = assertion.node
    if assertion.kind != "unittest" or not isinstance(call, ast.Call) or not test.is_unittest:
        return False
    name = called_name(call) or ""
    if test.cls is None or file.resolver.method(test.cls, name)[1] is not None:
        return False
    if not _words.is_known(name) or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    return all(keyword.arg in ("places", "delta", "cls") for keyword in call.keywords)


def _with_message(call: cst.Call, node: ast.AST) -> cst.Call:
    assert isinstance(node, ast.Call)
    text = _words.of_method(called_name(node) or "", node.args)
    message = cst.Arg(
        keyword=cst.Name("msg"),
        value=cst.SimpleString(_words.quoted(text)),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    if not call.args:
        raise NoFix("nothing to speak of")
    last = call.args[-1]
    if isinstance(last.comma, cst.Comma):  # a trailing comma: one argument per line
        if comments_in(last.comma):
            raise NoFix("a comment would move to another line")
        between = cst.Comma(whitespace_after=call.whitespace_before_args)
        message = message.with_changes(comma=last.comma)
        args = [*call.args[:-1], last.with_changes(comma=between), message]
    else:
        message = message.with_changes(whitespace_after_arg=last.whitespace_after_arg)
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        args = [
            *call.args[:-1],
            last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace("")),
            message,
        ]
    return call.with_changes(args=args)
