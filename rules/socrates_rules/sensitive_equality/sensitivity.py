"""Which comparisons of texts are sensitive: those that check an object by how it happens to read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from socrates.model.context import FileContext
from socrates.model.python.names import Scope, binding_for
from socrates.model.python.values import Builtin, ClassValue, Instance
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse
from socrates_rules.rewriting.clones import is_literal
from socrates_rules.sensitive_equality.comparisons import Comparison
from socrates_rules.sensitive_equality.neighbours import Neighbours
from socrates_rules.sensitive_equality.objects import Objects
from socrates_rules.sensitive_equality.records import gets_its_text
from socrates_rules.sensitive_equality.text import TextOf

_MAX_DEPTH = 5
_Object = Instance | ClassValue | Builtin


def sensitive(
    file: FileContext, test: TestCase, compared: Sequence[Comparison]
) -> list[tuple[Comparison, TextOf]]:
    """The comparisons that the smell is about, each with the object that is seen by its text."""
    objects = Objects(file, test)
    neighbours = Neighbours(file, test)
    found = []
    for comparison in compared:
        if any(_is_empty(other) for other in comparison.others):
            continue
        known = [(text, objects.behind(text)) for text in comparison.texts]
        alike = comparison.whole and _are_alike(file, [value for _, value in known])
        for text, value in known:
            if value is None or (comparison.whole and _is_round_trip(text, comparison)):
                continue
            about_text = not alike and objects.defines_text(value, text.method)
            if not about_text or neighbours.check_more_of(text):
                found.append((comparison, text))
                break
    return found


def is_written_out(file: FileContext, test: TestCase, comparison: Comparison, text: TextOf) -> bool:
    """Whether the whole text that Python or attrs writes for a record is repeated as a literal.

    A text that the class words itself, or that another object has, may be what the test is about.
    """
    if not comparison.whole or not comparison.others:
        return False
    if not all(_is_literal_text(other, text.scope) for other in comparison.others):
        return False
    objects = Objects(file, test)
    value = objects.behind(text)
    return (
        isinstance(value, Instance)
        and not objects.defines_text(value, text.method)
        and gets_its_text(file, value.cls)
    )


def _is_literal_text(side: ast.expr, scope: Scope) -> bool:
    """A literal, or a name that stands for one."""
    local = scope.lookup(side.id) if isinstance(side, ast.Name) else None
    if local is None or not isinstance(side, ast.Name):
        return is_literal(side)
    value = binding_for(local[1], side).value
    return value is not None and is_literal(value)


def _are_alike(file: FileContext, values: Sequence[_Object | None]) -> bool:
    """Whether two objects of a kind are compared, so that it is not their text that matters."""
    match values:
        case [Instance(cls=one), Instance(cls=other)]:
            mro = file.resolver.mro
            return one in mro(other) or other in mro(one)
        case [Builtin() as one, Builtin() as other]:
            return one == other
    return False


def _is_empty(side: ast.expr) -> bool:
    """No texts at all: ``[]``, ``set()``, ``None``."""
    match side:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id="list" | "set" | "tuple" | "dict"), args=[], keywords=[]):
            return True
    return isinstance(side, ast.Constant) and side.value is None


def _is_round_trip(text: TextOf, comparison: Comparison) -> bool:
    """Whether the text is compared with the very text that the object was made from."""
    expected = {part for other in comparison.others for part in _expected(other, text.scope)}
    return bool(expected) and not expected.isdisjoint(_sources(text.subject, text.scope))


def _expected(side: ast.expr, scope: Scope) -> Iterator[str]:
    """An expected text as written, and the literal that its name stands for."""
    if isinstance(side, (ast.Name, ast.Attribute, ast.Subscript)):
        yield unparse(side)
    local = scope.lookup(side.id) if isinstance(side, ast.Name) else None
    if local is not None and isinstance(side, ast.Name):
        value = binding_for(local[1], side).value
        side = value if isinstance(value, ast.Constant) else side
    if isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value:
        yield repr(side.value)


def _sources(expr: ast.AST, scope: Scope, depth: int = _MAX_DEPTH) -> Iterator[str]:
    """Names, and literal texts, that an expression is made of, through local variables."""
    for node in walk(expr):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield repr(node.value)
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            yield unparse(node)
        elif isinstance(node, ast.Name):
            local = scope.lookup(node.id)
            if local is None:
                continue
            yield node.id
            owner, bindings = local
            binding = binding_for(bindings, node)
            if depth and isinstance(binding.value, ast.expr) and binding.kind != "param":
                if not any(inner is node for inner in walk(binding.value)):
                    yield from _sources(binding.value, owner, depth - 1)
