"""``repr(point) == "Point(x=1, y=2)"``: a text that shows by which fields to compare."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from socrates.classes.lazy import dataclass
from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import dotted_name
from socrates.model.python.values import Instance
from socrates.model.suite.assertions import called_name
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal
from socrates_rules.rewriting.layout import quoted
from socrates_rules.sensitive_equality.records import record_decorator

_TEXTS = frozenset({"builtins.str", "builtins.repr"})
_EQUALITY = frozenset({"assertEqual", "assertEquals"})


@dataclass(frozen=True, slots=True)
class Fields:
    """An equality of a text: the call that makes it, its object, the literal, and what that shows."""

    call: ast.Call
    value: ast.expr
    text: ast.Constant
    names: tuple[str, ...]
    values: tuple[str, ...]

    def read_from(self, value: str) -> str:
        """The attributes of the object as code."""
        return _listed([f"{value}.{name}" for name in self.names])

    @property
    def expected(self) -> str:
        """The values that the text has for them as code."""
        return _listed(self.values)


def shown_fields(file: FileContext, test: TestCase) -> Iterator[Fields]:
    """The equalities whose text is a record with all its fields, as ``dataclass`` writes it."""
    for assertion in file.assertions(test):
        node = assertion.node
        sides: list[ast.expr] = []
        if isinstance(node, ast.Assert):
            match node.test:
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                    sides = [left, right]
        elif called_name(node) in _EQUALITY:
            sides = list(node.args[:2])
        match sides:
            case [ast.Call() as call, ast.Constant() as text] | [
                ast.Constant() as text,
                ast.Call() as call,
            ]:
                found = _fields(file, test, call, text)
                if found is not None:
                    yield found


def _fields(file: FileContext, test: TestCase, call: ast.Call, text: ast.Constant) -> Fields | None:
    if dotted_name(call.func, test.scope) not in _TEXTS or call.keywords or len(call.args) != 1:
        return None
    value = call.args[0]
    if not isinstance(value, (ast.Name, ast.Attribute)) or not isinstance(text.value, str):
        return None
    made = file.infer(value, test.scope)
    if not isinstance(made, Instance) or not _has_plain_text(made.cls, file):
        return None
    try:
        shown = ast.parse(text.value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match shown:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if (
            name == made.cls.name
            and [keyword.arg for keyword in keywords] == list(made.cls.annotations)
            and all(is_literal(keyword.value) for keyword in keywords)
            and keywords
        ):
            return Fields(
                call,
                value,
                text,
                tuple(made.cls.annotations),
                tuple(_literal(keyword.value, file) for keyword in keywords),
            )
    return None


def _literal(node: ast.expr, file: FileContext) -> str:
    """A literal as code, in the quotes of the project."""
    match node:
        case ast.Constant(value=str(text)) if text.isprintable():
            return quoted(text, file)
        case ast.List(elts=parts):
            return f"[{', '.join(_literal(part, file) for part in parts)}]"
        case ast.Tuple(elts=[only]):
            return f"({_literal(only, file)},)"
        case ast.Tuple(elts=parts):
            return f"({', '.join(_literal(part, file) for part in parts)})"
    if any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node)
    ):
        raise NoFix("a value is no plain literal")
    return unparse(node)


def _has_plain_text(cls: ClassInfo, file: FileContext) -> bool:
    """Whether a class is a record whose text its decorator writes, with every field in it."""
    if len(file.resolver.mro(cls)) > 1 or cls.node.bases:
        return False
    if {"__repr__", "__str__", "__format__"} & cls.methods.keys():
        return False
    return record_decorator(cls) is not None


def _listed(parts: tuple[str, ...] | list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
