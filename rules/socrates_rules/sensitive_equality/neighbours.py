"""What the other assertions of a test check of an object whose text one of them compares."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from socrates.model.context import FileContext
from socrates.model.python.names import Scope
from socrates.model.python.walk import children, walk
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse
from socrates_rules.sensitive_equality.text import TextOf, text_of

_WITHS = (ast.With, ast.AsyncWith)


class Neighbours:
    """Answers for one test whether its assertions look at more of an object than its text."""

    def __init__(self, file: FileContext, test: TestCase) -> None:
        self.file = file
        self.test = test

    def check_more_of(self, text: TextOf) -> bool:
        """Whether an assertion mentions the object, or a part of it, other than for its text."""
        if not isinstance(text.subject, (ast.Name, ast.Attribute, ast.Subscript)):
            return False  # made in place: no other assertion can get at it
        written = unparse(text.subject)
        parts = self._parts_of(written)
        return any(_mentions(node, written, parts, scope) for node, scope in self._asserted)

    @cached_property
    def _asserted(self) -> list[tuple[ast.AST, Scope]]:
        """The nodes of all assertions, with what stands inside ``with raises(...)``."""
        found: list[tuple[ast.AST, Scope]] = []
        bodies = self._bodies
        for assertion in self.file.assertions(self.test):
            found.append((assertion.node, assertion.scope))
            found += [(node, assertion.scope) for node in bodies.get(id(assertion.node), ())]
        return found

    @cached_property
    def _bodies(self) -> dict[int, Sequence[ast.AST]]:
        return {
            id(item.context_expr): node.body
            for node in walk(self.test.node)
            if isinstance(node, _WITHS)
            for item in node.items
        }

    def _parts_of(self, written: str) -> frozenset[str]:
        """Local names for attributes, items and results of methods of the object."""
        found = set()
        for node in walk(self.test.node):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if name != written and written in _owners(value):
                        found.add(name)
        return frozenset(found)


def _owners(value: ast.expr) -> Iterator[str]:
    """What an attribute, an item or the result of a method belongs to, from the inside out."""
    while isinstance(value, (ast.Attribute, ast.Subscript, ast.Call, ast.Await)):
        is_part = isinstance(value, (ast.Attribute, ast.Subscript))
        value = value.func if isinstance(value, ast.Call) else value.value
        if is_part:
            yield unparse(value)


def _mentions(node: ast.AST, written: str, parts: frozenset[str], scope: Scope) -> bool:
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)):
            if unparse(part) == written or (isinstance(part, ast.Name) and part.id in parts):
                return True
        text = text_of(part, scope) if isinstance(part, ast.expr) else None
        if text is None or unparse(text.subject) != written:
            stack += children(part)
    return False
