"""Objects whose text is as good as their value: primitives, paths, URLs, UUIDs, dates, exceptions.

What an object is comes from what is written: literals, assignments, annotations, library calls,
``isinstance`` in the same test, parameters. Names are evidence only where none of these tells, and only few names are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property

from socrates.model.context import FileContext
from socrates.model.python import semantics
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Binding, Scope, binding_for, dotted_name
from socrates.model.python.shapes import returned
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    Value,
)
from socrates.model.python.walk import walk
from socrates.model.suite.assertions import called_name
from socrates.model.suite.collect import TestCase
from socrates.model.suite.parametrize import argument_values, is_indirect, is_written_out
from socrates.syntax.unparse import unparse
from socrates_rules.sensitive_equality.plain_names import (
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
from socrates_rules.sensitive_equality.plain_parts import (
    elements,
    is_constant_display,
    item,
    part,
    source,
)

_MAX_DEPTH = 8
_PRIMITIVE_BASES = frozenset({"builtins.int", "builtins.float", "builtins.bool"})
_TYPE_ARGUMENTS = frozenset({"cast", "type", "type_", "ret_type", "return_type", "as_type"})
_PLAIN_TYPES = frozenset(
    {f"builtins.{name}" for name in ("int", "float", "str", "bytes", "bool")}
    | {"datetime.datetime", "datetime.date", "datetime.time", "decimal.Decimal", "uuid.UUID"}
    | {"pathlib.Path", "fractions.Fraction"}
)
_NUMERIC = (ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.Add)


class Plain:
    """Answers for one test. True: plain; False: known to be another object; None: unknown."""

    def __init__(self, file: FileContext, test: TestCase) -> None:
        self.file = file
        self.test = test
        self._depth = 0

    def verdict(self, subject: ast.expr, scope: Scope) -> bool | None:
        """Whether the text of an object is as good as its value."""
        return self._within(lambda: self._verdict(subject, scope))

    def _verdict(self, subject: ast.expr, scope: Scope) -> bool | None:
        if is_constant_display(subject):
            return True
        known = self._known(subject, scope)
        return self._as_written(subject, scope) if known is None else known

    def _known(self, subject: ast.expr, scope: Scope) -> bool | None:
        """By its type alone, names aside."""
        asserted = self._asserted.get(unparse(subject)) if self._asserted else None
        known = self._types(asserted, scope) if asserted is not None else None
        if known is not None:
            return known
        if self._equal_calls and self._equals_plain(subject, scope):
            return True
        value = self.file.infer(subject, scope)
        is_method = isinstance(value, FunctionValue) and isinstance(subject, ast.Attribute)
        if (
            value is not None and not is_method
        ):  # a method that is not called is most likely a property under an unknown decorator
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
            case Builtin(type="NoneType" | "property"):
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
        if any(base in _PRIMITIVE_BASES for base in bases) and self._has_own_text(cls):
            return False
        return _any_plain(bases) or any(
            _any_plain(semantics.ancestors(base) or ()) for base in bases
        )

    def _has_own_text(self, cls: ClassInfo) -> bool:
        """Whether a class defines both ``__str__`` and ``__repr__``, as few kinds of number do."""
        method = self.file.resolver.method
        return all(method(cls, name)[1] is not None for name in ("__str__", "__repr__"))

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
        """Expressions that the test asserts to be of a type, as written, and that type."""
        found: dict[str, ast.expr] = {}
        for one, other in self._facts:
            match one:
                case ast.Call(func=ast.Name(id="type"), args=[subject]):
                    found.setdefault(unparse(subject), other)
        for node in walk(self.test.node):
            if isinstance(node, ast.Call) and len(node.args) >= 2:
                if called_name(node) in ("isinstance", "assertIsInstance", "assert_isinstance"):
                    found.setdefault(unparse(node.args[0]), node.args[1])
        return found

    @cached_property
    def _facts(self) -> list[tuple[ast.expr, ast.expr]]:
        """What the test asserts to be equal, both ways round."""
        pairs: list[tuple[ast.expr, ast.expr]] = []
        for node in walk(self.test.node):
            match node:
                case ast.Assert(
                    test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])
                ):
                    pairs.append((left, right))
                case ast.Call(args=[left, right, *_]):
                    if called_name(node) in ("assertEqual", "assertEquals", "assertIs"):
                        pairs.append((left, right))
        return pairs + [(right, left) for left, right in pairs]

    def _equals_plain(self, subject: ast.expr, scope: Scope) -> bool:
        """Whether the test says that it equals a number, a date or a path that is built there."""
        return any(
            isinstance(value := self.file.infer(call, scope), ExternalResult)
            and value.name.startswith(tuple(_PLAIN_TYPES))
            for call in self._equal_calls.get(unparse(subject), ())
        )

    @cached_property
    def _equal_calls(self) -> dict[str, list[ast.Call]]:
        """Expressions, as written, and the calls whose result the test asserts them to equal."""
        found: dict[str, list[ast.Call]] = {}
        for one, other in self._facts:
            if isinstance(other, ast.Call):
                found.setdefault(unparse(one), []).append(other)
        return found

    # -- what is written -----------------------------------------------------------------------

    def _as_written(self, subject: ast.expr, scope: Scope) -> bool | None:
        match subject:
            case ast.Name():
                return self._name(subject, scope)
            case ast.Attribute(attr=attr, value=base):
                return self._attribute(attr, base, scope)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return True
            case ast.Subscript(value=ast.Name(id=name)) if suggests_plain(name):
                return True
            case ast.Subscript(slice=ast.Constant(value=str(key))) if suggests_plain(key):
                return True
            case ast.Subscript(value=base):
                found = item(self, base, scope)
                return self.verdict(base, scope) or None if found is None else found
            case ast.Await(value=base) | ast.Starred(value=base):
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
        if attr == "message" and suggests_warnings(unparse(base)):
            return True
        steps = self.verdict if attr in PATH_STEPS else self._known
        return steps(base, scope) or None

    def _call(self, call: ast.Call, scope: Scope) -> bool | None:
        if dotted_name(call.func, scope) in SAME_KIND:
            return self.verdict(call.args[0], scope) if call.args else None
        if CATCHES.search(called_name(call) or "") or self._asks_for_plain(call, scope):
            return True
        called = self.file.infer(call.func, scope)
        if isinstance(called, FunctionValue) and self._returns_plain(called):
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

    def _asks_for_plain(self, call: ast.Call, scope: Scope) -> bool:
        """``get_next(datetime)``, ``env("PORT", cast=int)``: the type of the result is passed."""
        kinds = [k.value for k in call.keywords if k.arg in _TYPE_ARGUMENTS]
        kinds += call.args if len(call.args) == 1 else []
        return any(
            isinstance(kind, (ast.Name, ast.Attribute))
            and isinstance(self.file.infer(kind, scope), External)
            and (dotted_name(kind, scope) or "") in _PLAIN_TYPES
            for kind in kinds
        )

    def _returns_plain(self, called: FunctionValue, index: int | None = None) -> bool:
        """Whether all that a function of the project returns is plain, or the part at an index."""
        inner = self.file.inference.scope_of(called)
        values = returned(called.node)
        if index is not None:
            values = [part(value, index) for value in values if isinstance(value, ast.Tuple)]
        return {self.verdict(value, inner) for value in values} == {True}

    def _name(self, name: ast.Name, scope: Scope) -> bool | None:
        local = scope.lookup(name.id)
        if local is None:
            behind = source(self, name, scope)
            answer = self.verdict(*behind) if behind is not None else None
            return suggests_plain(name.id) or None if answer is None else answer
        if name.id in self._numbers:
            return True
        owner, bindings = local
        answer = self._binding(name.id, binding_for(bindings, name), owner)
        return suggests_plain(name.id) or None if answer is None else answer

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """Names that the test calculates with: ``x % 2``, ``x - 1``."""
        return frozenset(
            node.left.id
            for node in walk(self.test.node)
            if isinstance(node, ast.BinOp)
            and isinstance(node.op, _NUMERIC)
            and isinstance(node.left, ast.Name)
            and isinstance(node.right, ast.Constant)
            and isinstance(node.right.value, (int, float))
        )

    def _binding(self, name: str, binding: Binding, scope: Scope) -> bool | None:
        value = binding.value
        if binding.kind == "param":
            return self._parameter(name, scope)
        if not isinstance(value, ast.expr):
            return None
        if binding.kind == "value":
            promised = self._types(binding.annotation, scope) if binding.annotation else None
            return promised or self.verdict(value, scope)
        if binding.kind == "item":
            return self.elements(value, scope, binding.index)
        if binding.kind == "unpack" and isinstance(value, ast.Call):
            called = self.file.infer(value.func, scope)
            if isinstance(called, FunctionValue):
                return self._returns_plain(called, binding.index) or None
        return None

    def _parameter(self, name: str, scope: Scope) -> bool | None:
        """What ``parametrize`` passes, when all of it stands in the decorator."""
        if scope.function is not self.test.node:
            return None
        if name not in self.test.parametrized:
            return self._fixture(name)
        if is_indirect(self.test, name):
            return None
        rows = argument_values(self.test, name)
        outside = self.file.inference.module_scope(self.test.scope.module)
        if not is_written_out(self.test, name):
            return self.elements(rows[0], outside) if len(rows) == 1 else None
        answers = {self.verdict(row, outside) for row in rows}
        return None if False in answers else True in answers or None

    def _fixture(self, name: str) -> bool | None:
        """What a fixture of the project hands out."""
        fixture = self.file.fixtures.find(name, self.test.cls)
        if fixture is None or not fixture.values:
            return None
        answers = {self.verdict(value, fixture.scope) for value in fixture.values}
        return answers.pop() if len(answers) == 1 else None

    def elements(self, values: ast.expr, scope: Scope, index: int = 0) -> bool | None:
        """Whether the elements of a collection are plain."""
        return self._within(lambda: elements(self, values, scope, index))

    def instances(self, kind: ast.expr, scope: Scope) -> bool | None:
        """Whether what a class makes is plain: ``Decimal`` in ``map(Decimal, texts)``."""
        return self._types(kind, scope)

    def _within(self, answer: Callable[[], bool | None]) -> bool | None:
        if self._depth > _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return answer()
        finally:
            self._depth -= 1


def _any_plain(bases: tuple[str, ...]) -> bool:
    return any(PLAIN_BASES.match(base) for base in bases)
