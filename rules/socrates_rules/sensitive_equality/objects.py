"""What is known of the object behind a text: its class, and whose promise its text is.

Unknown objects are left alone, and so are those whose text is as good as their value or is the
promise of a library: primitives, paths, URLs, UUIDs, dates, exceptions, whatever others made.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property

from socrates.model.context import FileContext
from socrates.model.python import semantics
from socrates.model.python.elements import common, element
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.values import Builtin, ClassValue, Instance, Value
from socrates.model.python.walk import walk
from socrates.model.suite.assertions import called_name
from socrates.model.suite.collect import TestCase
from socrates.syntax.unparse import unparse
from socrates_rules.sensitive_equality.text import TextOf

_COLLECTIONS = frozenset({"list", "dict", "set", "frozenset", "tuple"})
_WRITTEN_OUT = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.expr_context)
_VALUE_CLASSES = re.compile(
    r"\w*(Error|Exception|Warning|ExceptionGroup)|\w*(Path|URL|Url|url|URI|Uri|uri|UUID)|Date|DateTime"
)
"""Classes of the project that are a path, a URL, a UUID, a date or an exception by their name."""
_VALUE_BASES = re.compile(
    r"builtins\.(\w*(Error|Exception|Warning|ExceptionGroup|Exit|Interrupt)|str|bytes)$|"
    r"pathlib\.\w*Path$|datetime\.\w+$|uuid\.UUID$|decimal\.Decimal$|collections\.UserString$|"
    r"enum\.StrEnum$|socket\.(error|timeout)$|(.*\.)?\w+(Error|Exception|Warning)$|markupsafe\.Markup$"
)
_NUMBERS = frozenset(
    {"builtins.int", "builtins.float", "builtins.bool", "enum.IntEnum", "enum.IntFlag"}
)
_HARMLESS_BASES = re.compile(
    r"(builtins|typing|typing_extensions|abc|collections|collections\.abc|enum|dataclasses)\.\w+$"
)
"""Bases whose text every Python prints alike."""
_SAME_KIND = frozenset(
    {"copy.copy", "copy.deepcopy", "pickle.loads", "pickle.dumps", "asyncio.wait_for"}
    | {"asyncio.run", "trio.run", "builtins.next", "builtins.max", "builtins.min", "typing.cast"}
)
"""Calls that give back what they get, or one like it."""
_TEXT_METHODS = {"repr": ("__repr__",), "ascii": ("__repr__",)}
_ANY_TEXT = ("__str__", "__repr__", "__format__")


class Objects:
    """Answers for one test."""

    def __init__(self, file: FileContext, test: TestCase) -> None:
        self.file = file
        self.test = test

    def behind(self, text: TextOf) -> Instance | ClassValue | Builtin | None:
        """The object whose text it is, when it is known and its text is not its value."""
        if text.each:
            value = element(self.file.inference, text.subject, text.scope)
        else:
            value = self.value(text.subject, text.scope)
        match value:
            case Builtin(type=name):
                is_written = not text.each and is_constant_display(text.subject)
                return value if name in _COLLECTIONS and not is_written else None
            case ClassValue():
                return value if self._text_of_class(value.cls) else None
            case Instance():
                return value if self._is_object(value.cls, text.method) else None
        return None

    def value(self, subject: ast.expr, scope: Scope) -> Value | None:
        """What an expression is: by what the test asserts of its type, or by inference."""
        kind = self._asserted.get(unparse(subject)) if self._asserted else None
        said = self._of_type(kind, scope) if kind is not None else None
        if said is not None:
            return said
        if isinstance(subject, ast.Call) and subject.args:
            if dotted_name(subject.func, scope) in _SAME_KIND:
                return self.value(subject.args[-1], scope)
        return self.file.infer(subject, scope)

    def defines_text(self, value: Value, method: str) -> bool:
        """Whether the project says how such an object reads, instead of Python or a library."""
        if isinstance(value, ClassValue):
            return self._text_of_class(value.cls)
        return isinstance(value, Instance) and self._defines(value.cls, method)

    def _of_type(self, kind: ast.expr, scope: Scope) -> Value | None:
        parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
        inference = self.file.inference
        return common(inference, [inference.annotated(part, scope) for part in parts])

    @cached_property
    def _asserted(self) -> dict[str, ast.expr]:
        """Expressions that the test asserts to be of a type, as written, and that type."""
        found: dict[str, ast.expr] = {}
        for node in walk(self.test.node):
            match node:
                case ast.Call(args=[subject, kind, *_]):
                    if called_name(node) in ("isinstance", "assertIsInstance", "assert_isinstance"):
                        found.setdefault(unparse(subject), kind)
                case ast.Compare(
                    left=ast.Call(func=ast.Name(id="type"), args=[subject]),
                    ops=[ast.Eq() | ast.Is()],
                    comparators=[kind],
                ):
                    found.setdefault(unparse(subject), kind)
        return found

    def _is_object(self, cls: ClassInfo, method: str) -> bool:
        if any(_VALUE_CLASSES.fullmatch(base.name) for base in self.file.resolver.mro(cls)):
            return False
        bases = self.file.resolver.external_bases(cls)
        every = {name for base in bases for name in (base, *(semantics.ancestors(base) or ()))}
        if any(_VALUE_BASES.match(name) for name in every):
            return False
        if self._defines(cls, method):
            return True
        return not every & _NUMBERS and all(_HARMLESS_BASES.match(base) for base in bases)

    def _defines(self, cls: ClassInfo, method: str) -> bool:
        wanted = _TEXT_METHODS.get(method, _ANY_TEXT)
        return any(
            name in owner.methods or name in owner.assigns
            for owner in self.file.resolver.mro(cls)
            for name in wanted
        )

    def _text_of_class(self, cls: ClassInfo) -> bool:
        """Whether a metaclass of the project says how the class itself reads."""
        for base in self.file.resolver.mro(cls):
            for keyword in base.node.keywords:
                if keyword.arg == "metaclass":
                    found = self.file.resolver.expression(keyword.value, Scope(base.module))
                    if found is not None and found.cls is not None:
                        return self._defines(found.cls, "str")
        return False


def is_constant_display(expr: ast.expr) -> bool:
    """Written out, down to constants: its text is a constant too."""
    return all(isinstance(node, _WRITTEN_OUT) for node in walk(expr))
