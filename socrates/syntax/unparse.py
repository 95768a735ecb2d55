"""The text of a tree, the same on every Python."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from socrates.syntax.nodes import Interpolation, TemplateStr

_QUOTES = ("'", '"', '"""', "'''")
_CONVERSIONS = {115: "!s", 114: "!r", 97: "!a"}


def unparse(node: ast.AST) -> str:
    """``ast.unparse``, also for nodes and f-strings that the running Python could not have read.

    Quotes around fields are chosen as before Python 3.12 where that is possible: others than those
    inside.
    """
    if not any(isinstance(one, (ast.JoinedStr, TemplateStr)) for one in ast.walk(node)):
        return ast.unparse(node)
    return ast.unparse(_Written().visit(copy.deepcopy(node)))


class _Written(ast.NodeTransformer):
    """Puts names in the place of strings with fields; the text of such a name is the string's.

    Methods are named after types, as visitors want it.
    """

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return _name("f", node.values)

    def visit_TemplateStr(self, node: ast.AST) -> ast.AST:
        assert isinstance(node, TemplateStr)
        return _name("t", node.values)


def _name(prefix: str, values: Sequence[ast.expr]) -> ast.Name:
    parts = [_part(value) for value in values]
    fields = [part for part, is_text in parts if not is_text]
    quotes = _quotes([part for part, _ in parts]) or _quotes(fields) or _QUOTES[0]
    text = "".join(
        part.replace(quotes, f"\\{quotes}") if is_text else part for part, is_text in parts
    )
    return ast.Name(f"{prefix}{quotes}{text}{quotes}", ast.Load())


def _part(value: ast.expr) -> tuple[str, bool]:
    """A text or a field as it is written, and whether it is text."""
    if isinstance(value, ast.Constant):
        text = str(value.value).replace("{", "{{").replace("}", "}}")
        return "".join(_character(one) for one in text), True
    assert isinstance(value, (ast.FormattedValue, Interpolation))
    inner = unparse(value.value)
    if isinstance(value.value, (ast.IfExp, ast.Lambda)):
        inner = f"({inner})"
    text = "{ " if inner.startswith("{") else "{"
    text += inner + _CONVERSIONS.get(value.conversion, "")
    if isinstance(value.format_spec, ast.JoinedStr):
        text += ":" + "".join(_part(one)[0] for one in value.format_spec.values)
    return text + "}", False


def _character(one: str) -> str:
    return one if one != "\\" and one.isprintable() else one.encode("unicode_escape").decode()


def _quotes(parts: Sequence[str]) -> str:
    """The first kind of quotes that no part has inside of it, rather none that a part ends with."""
    possible = list(_QUOTES)
    for part in parts:
        possible = [quotes for quotes in possible if quotes not in part]
        ending = [quotes for quotes in possible if part.endswith(quotes[0])]
        possible = [quotes for quotes in possible if quotes not in ending] + ending
    return possible[0] if possible else ""
