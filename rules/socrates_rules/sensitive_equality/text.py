"""Which expressions are the text of an object, and of which object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.classes.lazy import dataclass
from socrates.model.python.names import Scope, binding_for, dotted_name, mentions

_CONVERTERS = frozenset({"builtins.str", "builtins.repr", "builtins.format", "builtins.ascii"})
_CONTAINERS = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.set", "builtins.sorted", "builtins.frozenset"}
)
_DUNDERS = frozenset({"__str__", "__repr__", "__format__"})
_SHAPING = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "replace", "title", "format"}
    | {"capitalize", "removeprefix", "removesuffix", "expandtabs", "encode", "split", "splitlines"}
    | {"partition", "rpartition", "rsplit"}
)
_PLACEHOLDERS = frozenset({"{}", "{0}", "{!r}", "{!s}", "{0!r}", "{0!s}"})
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class TextOf:
    """An object seen through its text: ``subject`` is the object, ``method`` what makes the text.

    ``each``: it is the elements of the subject that are seen so.
    """

    subject: ast.expr
    method: str
    scope: Scope
    each: bool = False


def texts_in(expr: ast.expr, scope: Scope, depth: int = 0) -> Iterator[TextOf]:
    """The texts of objects that an expression consists of, through variables and collections."""
    if depth > _MAX_DEPTH:
        return
    found = text_of(expr, scope)
    if found is not None:
        yield found
        return
    match expr:
        case ast.Name():
            local = scope.lookup(expr.id)
            if local is not None:
                owner, bindings = local
                binding = binding_for(bindings, expr)
                if binding.kind == "value" and isinstance(binding.value, ast.expr):
                    if binding.row <= expr.lineno and not mentions(binding.value, expr.id):
                        yield from texts_in(binding.value, owner, depth + 1)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from texts_in(part, scope, depth + 1)
        case (
            ast.ListComp(elt=part)
            | ast.GeneratorExp(elt=part)
            | ast.SetComp(elt=part)
            | ast.DictComp(value=part)
        ):
            yield from texts_in(part, scope, depth + 1)
        case ast.Call(func=ast.Attribute(attr=name, value=base)) if name in _SHAPING:
            yield from texts_in(base, scope, depth + 1)
        case ast.Subscript(value=base):
            found = text_of(base, scope)
            if found is not None:
                yield found
        case ast.Call(args=[only, *_]) if dotted_name(expr.func, scope) in _CONTAINERS:
            yield from texts_in(only, scope, depth + 1)
        case ast.Call(args=[ast.Name(id="str" | "repr" as name), many]) if (
            dotted_name(expr.func, scope) == "builtins.map"
        ):
            yield TextOf(many, name, scope, each=True)


def text_of(expr: ast.expr, scope: Scope) -> TextOf | None:
    """The object whose whole text an expression is, as written."""
    match expr:
        case ast.Call(func=ast.Attribute(attr=name, value=base)) if name in _DUNDERS:
            if isinstance(base, ast.Call) and dotted_name(base.func, scope) == "builtins.super":
                return None
            return TextOf(base, name.strip("_"), scope)
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant(value=str(text)))):
            if text in _PLACEHOLDERS and len(expr.args) == 1:
                return TextOf(expr.args[0], "repr" if "!r" in text else "str", scope)
        case ast.Call(args=[subject], keywords=[]) if not isinstance(subject, ast.Starred):
            dotted = dotted_name(expr.func, scope)
            if dotted in _CONVERTERS and dotted is not None:
                return TextOf(subject, dotted.rpartition(".")[2], scope)
        case ast.JoinedStr(
            values=[ast.FormattedValue(value=subject, conversion=conversion, format_spec=None)]
        ):  # with a format of its own it is a number or a date
            return TextOf(subject, "repr" if conversion == ord("r") else "str", scope)
        case ast.BinOp(left=ast.Constant(value="%s" | "%r" as text), op=ast.Mod(), right=right):
            if isinstance(right, ast.Tuple):
                if len(right.elts) != 1:
                    return None
                right = right.elts[0]
            return TextOf(right, "repr" if text == "%r" else "str", scope)
    return None
