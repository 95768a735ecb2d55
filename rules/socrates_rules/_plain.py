"""Objects whose text is as good as their value: primitives, paths, URLs, UUIDs, dates, exceptions.

What an object is comes from what is written: literals, assignments, annotations, library calls,
``isinstance`` in the same test, parameters. Only then names are believed, and few of them.
"""

from __future__ import annotations

import ast
from functools import cached_property

from socrates.model import semantics
from socrates.model.assertions import called_name
from socrates.model.collect import TestCase
from socrates.model.context import FileContext
from socrates.model.module import ClassInfo
from socrates.model.names import Binding, Scope, binding_for, dotted_name
from socrates.model.parametrize import argument_values, is_indirect, is_written_out
from socrates.model.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    Value,
)
from socrates.model.walk import walk
from socrates_rules._plain_names import (
    CATCHES,
    EXCEPTIONS,
    LIBRARY,
    PATH_STEPS,
    PLAIN_BASES,
    PLAIN_CLASSES,
    SAME_KIND,
    TEXT_METHODS,
    gives_value,
    suggests_plain,
    suggests_warnings,
)

_MAX_DEPTH = 8
_WRITTEN_OUT = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)
_NUMERIC = (ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.Add)


class Plain:
    """Answers for one test. True: plain; False: known to be another object; None: unknown."""

    def __init__(self, file: FileContext, test: TestCase) -> None:
        self.file = file
        self.test = test
        self._depth = 0

    def verdict(self, subject: ast.expr, scope: Scope) -> bool | None:
        """Whether the text of an object is as good as its value."""
        if self._depth > _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return self._verdict(subject, scope)
        finally:
            self._depth -= 1

    def _verdict(self, subject: ast.expr, scope: Scope) -> bool | None:
        if _is_literal(subject):
            return True
        known = self._known(subject, scope)
        return self._as_written(subject, scope) if known is None else known

    def _known(self, subject: ast.expr, scope: Scope) -> bool | None:
        """By its type alone, names aside."""
        asserted = self._asserted.get(ast.unparse(subject)) if self._asserted else None
        known = self._types(asserted, scope) if asserted is not None else None
        if known is not None:
            return known
        value = self.file.infer(subject, scope)
        is_method = isinstance(value, FunctionValue) and isinstance(subject, ast.Attribute)
        if value is not None and not is_method:  # rather a property under a decorator of its own
            known = self._of_value(value)
        if value is None:
            known = self._by_annotation(subject, scope)
        return known or self._is_caught(subject, scope) or known

    def _by_annotation(self, subject: ast.expr, scope: Scope) -> bool | None:
        """A parameter that may be several types, such as ``path: Path | str``."""
        local = scope.lookup(subject.id) if isinstance(subject, ast.Name) else None
        if local is None or not isinstance(subject, ast.Name):
            return None
        owner, bindings = local
        binding = binding_for(bindings, subject)
        if binding.kind != "param" or not isinstance(binding.value, ast.BinOp):
            return None
        return self._types(binding.value, owner)

    def _is_caught(self, subject: ast.expr, scope: Scope) -> bool | None:
        """``excinfo.value.args[0]``: a part of what ``raises`` or ``except`` caught."""
        while isinstance(subject, (ast.Attribute, ast.Subscript)):
            subject = subject.value
        local = scope.lookup(subject.id) if isinstance(subject, ast.Name) else None
        if local is None or not isinstance(subject, ast.Name):
            return None
        owner, bindings = local
        binding = binding_for(bindings, subject)
        if binding.kind == "except":
            return True
        value = binding.value
        if binding.kind == "item" and isinstance(value, ast.Name) and value.id != subject.id:
            return self._is_caught(value, owner)
        if binding.kind not in ("with", "value") or not isinstance(value, ast.Call):
            return None
        name = dotted_name(value.func, owner) or called_name(value) or ""
        return bool(CATCHES.search(name)) or None

    # -- what is inferred ----------------------------------------------------------------------

    def _of_value(self, value: Value) -> bool | None:
        match value:
            case Builtin(type="NoneType"):
                return None  # most often a field that is filled in later
            case Builtin(type=name):
                return value.is_primitive or bool(EXCEPTIONS.search(name))
            case Instance(cls=cls):
                return self._of_class(cls)
            case External(name=name) | ExternalResult(name=name):
                if LIBRARY.match(name) or CATCHES.search(name):
                    return True
                last = name.rpartition(".")[2]
                if not last[:1].isupper():
                    return None
                bases = semantics.ancestors(name) or ()
                return bool(PLAIN_CLASSES.fullmatch(last)) or _any_plain(bases)
        return False

    def _of_class(self, cls: ClassInfo) -> bool:
        if any(PLAIN_CLASSES.fullmatch(base.name) for base in self.file.resolver.mro(cls)):
            return True
        bases = self.file.resolver.external_bases(cls)
        return _any_plain(bases) or any(
            _any_plain(semantics.ancestors(base) or ()) for base in bases
        )

    def _types(self, kind: ast.expr, scope: Scope) -> bool | None:
        """What ``isinstance(x, kind)`` says about ``x``."""
        if isinstance(kind, ast.Tuple):
            answers = [self._types(part, scope) for part in kind.elts]
            return answers[0] if len(set(answers)) == 1 else None
        if isinstance(kind, ast.BinOp) and isinstance(kind.op, ast.BitOr):
            left, right = self._types(kind.left, scope), self._types(kind.right, scope)
            return left if left == right else None
        value = self.file.inference.annotated(kind, scope)
        return None if value is None else self._of_value(value)

    @cached_property
    def _asserted(self) -> dict[str, ast.expr]:
        """Expressions that the test asserts to be of a type, as written."""
        found: dict[str, ast.expr] = {}
        for node in walk(self.test.node):
            if isinstance(node, ast.Call) and len(node.args) >= 2:
                if called_name(node) in ("isinstance", "assertIsInstance", "assert_isinstance"):
                    found.setdefault(ast.unparse(node.args[0]), node.args[1])
        return found

    # -- what is written -----------------------------------------------------------------------

    def _as_written(self, subject: ast.expr, scope: Scope) -> bool | None:
        match subject:
            case ast.Name():
                return self._name(subject, scope)
            case ast.Attribute(attr=attr, value=base):
                return self._attribute(attr, base, scope)
            case ast.Subscript(value=ast.Name(id=name)) if suggests_plain(name):
                return True
            case ast.Subscript(value=base) | ast.Await(value=base) | ast.Starred(value=base):
                return self.verdict(base, scope) or None
            case ast.BinOp(op=ast.Div()):
                return True
            case ast.BinOp(left=left, right=right, op=op) if isinstance(op, _NUMERIC):
                return any(self.verdict(side, scope) is True for side in (left, right)) or None
            case ast.IfExp(body=body, orelse=orelse):
                both = self.verdict(body, scope), self.verdict(orelse, scope)
                return both[0] if both[0] == both[1] else None
            case ast.BoolOp(values=values):
                return all(self.verdict(value, scope) is True for value in values) or None
            case ast.Call():
                return self._call(subject, scope)
        return None

    def _attribute(self, attr: str, base: ast.expr, scope: Scope) -> bool | None:
        owner = self.file.infer(base, scope)
        if isinstance(owner, ClassValue) and self._of_class(owner.cls):
            return True
        if suggests_plain(attr) or gives_value(attr):
            return True
        if attr == "message" and suggests_warnings(ast.unparse(base)):
            return True
        steps = self.verdict if attr in PATH_STEPS else self._known
        return steps(base, scope) or None

    def _call(self, call: ast.Call, scope: Scope) -> bool | None:
        if dotted_name(call.func, scope) in SAME_KIND:
            return self.verdict(call.args[0], scope) if call.args else None
        if CATCHES.search(called_name(call) or ""):
            return True
        match call.func:
            case ast.Attribute(attr=attr) if attr in TEXT_METHODS:
                return True
            case ast.Attribute(attr=attr, value=base):
                steps = self.verdict if attr in PATH_STEPS else self._known
                return suggests_plain(attr) or steps(base, scope) or None
            case ast.Name(id=name):
                return suggests_plain(name) or None
        return None

    def _name(self, name: ast.Name, scope: Scope) -> bool | None:
        local = scope.lookup(name.id)
        if local is None:
            return suggests_plain(name.id) or None
        owner, bindings = local
        answer = self._binding(name.id, binding_for(bindings, name), owner)
        return suggests_plain(name.id) or None if answer is None else answer

    def _binding(self, name: str, binding: Binding, scope: Scope) -> bool | None:
        value = binding.value
        if binding.kind == "param":
            return self._parameter(name, scope)
        if not isinstance(value, ast.expr):
            return None
        if binding.kind == "value":
            return self.verdict(value, scope)
        if binding.kind == "item":
            return self.elements(value, scope, binding.index)
        return None

    def _parameter(self, name: str, scope: Scope) -> bool | None:
        """What ``parametrize`` passes, when all of it stands in the decorator."""
        if scope.function is not self.test.node or name not in self.test.parametrized:
            return None
        if is_indirect(self.test, name):
            return None
        rows = argument_values(self.test, name)
        outside = self.file.inference.module_scope(self.test.scope.module)
        if not is_written_out(self.test, name):
            return self.elements(rows[0], outside) if len(rows) == 1 else None
        answers = {self.verdict(row, outside) for row in rows}
        return None if False in answers else True in answers or None

    def elements(self, values: ast.expr, scope: Scope, index: int = 0) -> bool | None:
        """Whether the elements of a collection are plain."""
        match values:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                answers = {self.verdict(_part(part, index), scope) for part in parts}
                return answers.pop() if len(answers) == 1 else None
            case ast.Call(func=ast.Name(id="range")):
                return True
            case ast.Call(func=ast.Name(id="enumerate"), args=[_, *_]) if index == 0:
                return True
            case ast.Call(func=ast.Name(id="enumerate" | "list" | "sorted" | "reversed" | "set")):
                return self.elements(values.args[0], scope) if values.args else None
            case ast.Name() | ast.Attribute():
                return self.verdict(values, scope) or None
        return None


def _any_plain(bases: tuple[str, ...]) -> bool:
    return any(PLAIN_BASES.match(base) for base in bases)


def _is_literal(expr: ast.expr) -> bool:
    """Written out, down to constants: its text is a constant too."""
    if isinstance(expr, ast.UnaryOp):
        return _is_literal(expr.operand)
    if not isinstance(expr, _WRITTEN_OUT):
        return False
    if isinstance(expr, ast.Dict):
        return all(k is not None and _is_literal(k) for k in expr.keys) and all(
            _is_literal(value) for value in expr.values
        )
    return isinstance(expr, ast.Constant) or all(_is_literal(part) for part in expr.elts)


def _part(row: ast.expr, index: int) -> ast.expr:
    if isinstance(row, (ast.Tuple, ast.List)) and len(row.elts) > index:
        return row.elts[index]
    return row
