"""Records: classes that get their text, and their equality, from a list of fields."""

from __future__ import annotations

import ast

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, dotted_name

_DECORATORS = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.attrs", "attr.define", "attr.frozen"}
    | {"attr.mutable", "attr.dataclass", "attrs.define", "attrs.frozen", "attrs.mutable"}
)
_NAMED_TUPLES = frozenset(
    {"typing.NamedTuple", "typing_extensions.NamedTuple", "collections.namedtuple"}
)


def gets_its_text(file: FileContext, cls: ClassInfo) -> bool:
    """Whether a decorator or a named tuple writes the text of a class; its own methods aside."""
    if _NAMED_TUPLES.intersection(file.resolver.external_bases(cls)):
        return True
    return any(
        decorator is not None and not leaves_out(decorator, "repr")
        for decorator in map(record_decorator, file.resolver.mro(cls))
    )


def record_decorator(cls: ClassInfo) -> ast.expr | None:
    """The decorator that makes a class a record."""
    for decorator in cls.node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted_name(callee, Scope(cls.module)) in _DECORATORS:
            return decorator
    return None


def leaves_out(decorator: ast.expr, *parts: str) -> bool:
    """Whether a decorator's options say, or may say, that it does not write one of the parts."""
    options = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(
        (option.arg is None or option.arg in parts)
        and not (isinstance(option.value, ast.Constant) and option.value.value is True)
        for option in options
    )
