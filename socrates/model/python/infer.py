"""What an expression is, as far as assignments, annotations and returns tell. Never guesses.

The answer is None when it is unknown. Depth is bounded, so circular definitions end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from socrates.model.python.annotations import annotated
from socrates.model.python.attributes import Assigned, assigned_attributes
from socrates.model.python.elements import common, element
from socrates.model.python.local_facts import asserted, local_class
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Binding, Scope, binding_for, dotted_name
from socrates.model.python.resolve import Definition, Resolver
from socrates.model.python.shapes import (
    generic_argument,
    is_classmethod,
    is_context_manager,
    is_property,
    is_static,
    requested_params,
    returned,
    yielded,
)
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    ModuleValue,
    Value,
)

_MAX_DEPTH = 10
_BUILTIN_RESULTS = {
    "len": "int", "id": "int", "hash": "int", "ord": "int", "sum": "int", "round": "int",
    "int": "int", "float": "float", "bool": "bool", "str": "str", "repr": "str", "bytes": "bytes",
    "format": "str", "chr": "str", "hex": "str", "bin": "str", "isinstance": "bool",
    "issubclass": "bool", "callable": "bool", "hasattr": "bool", "any": "bool", "all": "bool",
    "list": "list", "dict": "dict", "set": "set", "tuple": "tuple", "sorted": "list",
    "frozenset": "frozenset", "range": "range", "ascii": "str", "input": "str",
}  # fmt: skip
_TEXT_METHODS = frozenset(
    "capitalize casefold center expandtabs format format_map join ljust lower lstrip replace "
    "rjust rstrip strip swapcase title translate upper zfill decode removeprefix removesuffix".split()
)

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__",
    ast.BitAnd: "__and__", ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.Mod: "__mod__",
}  # fmt: skip

FixtureLookup = Callable[[str, Scope], "Value | None"]


class Inference:
    """Infers values within one file's view of the project."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.fixture_value: FixtureLookup = lambda name, scope: None
        self._depth = 0
        self._cut_short = False
        self.helper_names: dict[str, frozenset[str]] = {}
        """By module: the functions that test code visible to it defines, filled by ``helpers``."""
        self._results: dict[tuple[int, int], tuple[FunctionValue, Value | None]] = {}
        self._scopes: dict[int, tuple[ModuleInfo, Scope]] = {}
        self._attributes: dict[int, tuple[ClassInfo, dict[str, Assigned]]] = {}

    def infer(self, expr: ast.AST | None, scope: Scope) -> Value | None:
        """The value of an expression, or None."""
        if expr is None:
            return None
        if self._depth >= _MAX_DEPTH:
            self._cut_short = True
            return None
        key = ("value", id(expr))
        if key in scope.memo:
            kept = scope.memo[key]
            assert isinstance(kept, tuple)
            return kept[1]  # type: ignore[no-any-return]
        before, self._cut_short = self._cut_short, False
        self._depth += 1
        try:
            answer = self._infer(expr, scope)
        finally:
            self._depth -= 1
            complete = not self._cut_short
            self._cut_short = self._cut_short or before
        if self._depth == 0 or answer is not None or complete:
            # The expression is kept too: an id is only unique while its object lives.
            scope.memo[key] = (expr, answer)
        return answer

    def _infer(self, expr: ast.AST, scope: Scope) -> Value | None:
        match expr:
            case ast.Constant(value=value):
                return Builtin(type(value).__name__)
            case ast.JoinedStr():
                return Builtin("str")
            case ast.List() | ast.ListComp():
                return Builtin("list")
            case ast.Dict() | ast.DictComp():
                return Builtin("dict")
            case ast.Set() | ast.SetComp():
                return Builtin("set")
            case ast.Tuple():
                return Builtin("tuple")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return Builtin("bool")
            case ast.UnaryOp(operand=operand):
                return self.infer(operand, scope)
            case ast.BinOp():
                return self._binary(expr, scope)
            case ast.Await(value=inner) | ast.NamedExpr(value=inner) | ast.Starred(value=inner):
                return self.infer(inner, scope)
            case ast.IfExp(body=body, orelse=orelse):
                return common(self, [self.infer(body, scope), self.infer(orelse, scope)])
            case ast.Subscript(value=value):
                return self._item(value, scope)
            case ast.Name():
                return self._name(expr, scope)
            case ast.Attribute():
                return self._attribute(expr, scope)
            case ast.Call():
                return self._call(expr, scope)
        return None

    def _binary(self, expr: ast.BinOp, scope: Scope) -> Value | None:
        left, right = self.infer(expr.left, scope), self.infer(expr.right, scope)
        if isinstance(expr.op, ast.Div) and isinstance(left, ExternalResult):
            return left
        if isinstance(left, Builtin) and (left.type == "str" or left == right):
            return left
        operator = _OPERATORS.get(type(expr.op))
        if isinstance(left, Instance) and operator is not None:
            return self.result(self.member(left, operator))
        return None

    def _item(self, collection: ast.expr, scope: Scope) -> Value | None:
        value = self.infer(collection, scope)
        if isinstance(value, Instance):
            return self.result(self.member(value, "__getitem__"))
        return element(self, collection, scope)

    # -- names ---------------------------------------------------------------------------------

    def _name(self, expr: ast.Name, scope: Scope) -> Value | None:
        local = scope.lookup(expr.id)
        if local is not None:
            owner, bindings = local
            found = self._bound(expr.id, binding_for(bindings, expr), owner)
            if found is None or isinstance(found, ExternalResult):
                return asserted(self, expr, owner) or found
            return found
        return self._dotted(expr, scope)

    def _bound(self, name: str, binding: Binding, scope: Scope) -> Value | None:
        match binding.kind:
            case "value":
                return self.infer(binding.value, scope)
            case "with":
                return self.entered(binding.value, scope)
            case "import":
                return self._of(self.resolver.name(binding.dotted, scope.module.path))
            case "function":
                assert isinstance(binding.value, (ast.FunctionDef, ast.AsyncFunctionDef))
                return FunctionValue(scope.module, binding.value)
            case "class":
                assert isinstance(binding.value, ast.ClassDef)
                return ClassValue(local_class(self, binding.value, scope))
            case "param":
                return self._parameter(name, binding, scope)
            case "unpack":
                return self._unpacked(binding, scope)
            case "item" if binding.value is not None:
                found = element(self, binding.value, scope)
                return found if isinstance(found, (Instance, ClassValue)) else None
        return None

    def _unpacked(self, binding: Binding, scope: Scope) -> Value | None:
        """One part of ``a, b = make()`` where ``make`` returns a tuple as written."""
        if not isinstance(binding.value, ast.Call):
            return None
        called = self.infer(binding.value.func, scope)
        if not isinstance(called, FunctionValue):
            return None
        inner = self.scope_of(called)
        found = [
            self.infer(value.elts[binding.index], inner)
            for value in returned(called.node)
            if isinstance(value, ast.Tuple) and len(value.elts) > binding.index
        ]
        return found[0] if found and all(value == found[0] for value in found) else None

    def _parameter(self, name: str, binding: Binding, scope: Scope) -> Value | None:
        if name == scope.self_name and scope.cls is not None:
            gets_class = is_classmethod(scope.function)
            return ClassValue(scope.cls) if gets_class else Instance(scope.cls)
        if name in scope.arguments:
            return self.infer(*scope.arguments[name])
        if binding.value is not None:
            promised = self.annotated(binding.value, scope)
            if promised is not None:
                return promised
        return self.fixture_value(name, scope)

    def annotated(self, annotation: ast.AST, scope: Scope) -> Value | None:
        """An object of the annotated type."""
        return annotated(self, annotation, scope)

    def _dotted(self, expr: ast.AST, scope: Scope) -> Value | None:
        dotted = dotted_name(expr, scope)
        if dotted is None:
            return None
        return self._of(self.resolver.name(dotted, scope.module.path))

    def _of(self, found: Definition) -> Value | None:
        match found:
            case Definition(kind="class", cls=ClassInfo() as cls):
                return ClassValue(cls)
            case Definition(kind="function", module=ModuleInfo() as module, node=node) if node:
                return FunctionValue(module, node, found.cls, found.cls)
            case Definition(kind="module", module=ModuleInfo() as module):
                return ModuleValue(module)
            case Definition(kind="external", name=name):
                return External(name)
            case Definition(kind="value", module=ModuleInfo() as module, value=value) if value:
                return self.infer(value, self.module_scope(module))
        return None

    def module_scope(self, module: ModuleInfo) -> Scope:
        """The top level of a module, one scope for all questions so that answers are kept."""
        kept = self._scopes.get(id(module))
        if kept is None:
            kept = self._scopes[id(module)] = (module, Scope(module))
        return kept[1]

    # -- attributes and calls --------------------------------------------------------------------

    def _attribute(self, expr: ast.Attribute, scope: Scope) -> Value | None:
        base = self.infer(expr.value, scope)
        if isinstance(base, (Instance, ClassValue)):
            return self.member(base, expr.attr)
        if isinstance(base, (ExternalResult, Builtin)):
            return None
        params = requested_params(expr, scope.function)
        if params is not None:
            return element(self, params, self.module_scope(scope.module))
        return self._dotted(expr, scope)

    def member(self, base: Instance | ClassValue, name: str) -> Value | None:
        """What an attribute of an object or class is: a method, a property's value, a field."""
        owner, node = self.resolver.method(base.cls, name)
        if node is not None and owner is not None:
            if is_property(node):
                return self.result(FunctionValue(owner.module, node, base.cls, owner))
            return FunctionValue(owner.module, node, base.cls, owner)
        for cls in self.resolver.mro(base.cls):
            if name in cls.inner:
                return ClassValue(cls.inner[name])
            found = self._assigned_on_self(cls, name, base.cls)
            if found is not None:
                return found
            if name in cls.assigns:
                return self.infer(cls.assigns[name], self.module_scope(cls.module))
            if name in cls.annotations:
                return self.annotated(cls.annotations[name], self.module_scope(cls.module))
        return None

    def _assigned_on_self(self, cls: ClassInfo, name: str, concrete: ClassInfo) -> Value | None:
        """What set-up assigns to ``self.NAME``; failing that, what all other methods agree on."""
        if id(cls) not in self._attributes:
            self._attributes[id(cls)] = (cls, assigned_attributes(cls))
        assigned = self._attributes[id(cls)][1].get(name)
        if assigned is None:
            return None
        for node, value in assigned.in_setup:
            return self.infer(value, self.method_scope(cls, node, concrete))
        if not assigned.elsewhere:
            return Builtin("NoneType") if assigned.announced else None
        found = [
            self.infer(value, self.method_scope(cls, node, concrete))
            for node, value in assigned.elsewhere
        ]
        return common(self, found)

    def method_scope(self, cls: ClassInfo, node: FunctionNode, concrete: ClassInfo) -> Scope:
        """The scope of a method, ``self`` being of the concrete class."""
        return Scope(cls.module, node, concrete, is_method=not is_static(node))

    def scope_of(self, function: FunctionValue) -> Scope:
        """The scope of a function's body."""
        is_method = function.defined_in is not None and not is_static(function.node)
        return Scope(function.module, function.node, function.owner, is_method=is_method)

    def _call(self, expr: ast.Call, scope: Scope) -> Value | None:
        called = self.infer(expr.func, scope)
        if called is None and isinstance(expr.func, ast.Attribute):
            base = self.infer(expr.func.value, scope)
            if base == Builtin("str") and expr.func.attr in _TEXT_METHODS:
                return Builtin("str")
        if isinstance(called, FunctionValue):
            given = generic_argument(called.node, expr, is_bound=called.defined_in is not None)
            if given is not None:
                value = self.infer(given, scope)
                return self.result(value) if isinstance(value, ClassValue) else None
        return self.result(called, expr, scope)

    def result(
        self, called: Value | None, call: ast.Call | None = None, scope: Scope | None = None
    ) -> Value | None:
        """What calling a value gives."""
        match called:
            case ClassValue(cls=cls):
                return Instance(cls)
            case External(name=name):
                root, _, last = name.rpartition(".")
                if root == "builtins":
                    kind = _BUILTIN_RESULTS.get(last)
                    return Builtin(kind) if kind else ExternalResult(name)
                if name == "functools.partial" and call is not None and call.args and scope:
                    return self.infer(call.args[0], scope)
                return ExternalResult(name)
            case FunctionValue(node=node, owner=owner):
                key = (id(node), id(owner))
                if key not in self._results:
                    before, self._cut_short = self._cut_short, False
                    answer = self._returned(called, node, owner)
                    if self._cut_short and answer is None:
                        return None
                    self._cut_short = before
                    self._results[key] = (called, answer)
                return self._results[key][1]
        return None

    def _returned(
        self, function: FunctionValue, node: FunctionNode, owner: ClassInfo | None
    ) -> Value | None:
        if is_context_manager(node):
            return None
        scope = self.scope_of(function)
        if node.returns is not None:
            name = node.returns
            if isinstance(name, ast.Name) and name.id == "Self" and owner is not None:
                return Instance(owner)
            promised = self.annotated(name, scope)
            if promised is not None:
                return promised
        return common(self, [self.infer(value, scope) for value in returned(node)])

    def entered(self, manager: ast.AST | None, scope: Scope) -> Value | None:
        """What ``with manager as x`` binds: its ``__enter__``'s result, or what a generator yields."""
        value = self.infer(manager, scope)
        if isinstance(value, Instance):
            for name in ("__enter__", "__aenter__"):
                owner, node = self.resolver.method(value.cls, name)
                if node is not None and owner is not None:
                    entered = FunctionValue(owner.module, node, value.cls, owner)
                    return self.result(entered) or value
            return value
        if value is None and isinstance(manager, ast.Call):
            function = self.infer(manager.func, scope)
            if isinstance(function, FunctionValue):
                return self._yielded(function)
        return value

    def _yielded(self, function: FunctionValue) -> Value | None:
        inner = self.scope_of(function)
        if function.node.returns is not None:
            promised = self.annotated(function.node.returns, inner)
            if promised is not None:
                return promised
        return common(self, [self.infer(part, inner) for part in yielded(function.node)])
