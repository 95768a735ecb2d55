"""What an expression is, as far as assignments, annotations and returns tell. Never guesses.

The answer is None when it is unknown. Depth is bounded, so circular definitions end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from socrates.model.python.annotations import annotated
from socrates.model.python.attributes import assigned_attributes
from socrates.model.python.elements import (
    common,
    either,
    element,
    field_of,
    item,
    part,
    part_of_element,
)
from socrates.model.python.local_facts import (
    asserted,
    handed_out,
    inherited,
    is_super,
    local_class,
    passed_to,
)
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Binding, Scope, binding_for, dotted_name
from socrates.model.python.resolve import Definition, Resolver
from socrates.model.python.results import Generics, called, entered, item_of, of_function, result
from socrates.model.python.shapes import (
    as_function,
    is_classmethod,
    is_property,
    is_static,
    requested_params,
)
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    ModuleValue,
    OneOf,
    Value,
)

_MAX_DEPTH = 10
_MOST_STEPS = 4000
"""How much is asked for one answer: classes that refer to one another in many ways have no end."""
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__",
    ast.BitAnd: "__and__", ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.Mod: "__mod__",
}  # fmt: skip
_DISPLAYS: dict[type[ast.AST], Value] = {
    ast.JoinedStr: Builtin("str"), ast.Compare: Builtin("bool"), ast.Tuple: Builtin("tuple"),
    ast.List: Builtin("list"), ast.ListComp: Builtin("list"), ast.Dict: Builtin("dict"),
    ast.DictComp: Builtin("dict"), ast.Set: Builtin("set"), ast.SetComp: Builtin("set"),
}  # fmt: skip

FixtureLookup = Callable[[str, Scope], "Value | None"]
FixturePlaces = Callable[[str, Scope], "Iterable[tuple[ast.expr, Scope]]"]
ClassPlaces = Callable[[str, ClassInfo], "Iterable[tuple[ast.expr, Scope]]"]


class Inference:
    """Infers values within one file's view of the project."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.fixture_value: FixtureLookup = lambda name, scope: None
        self.fixture_places: FixturePlaces = lambda name, scope: ()
        self.class_places: ClassPlaces = lambda name, cls: ()
        self._depth = 0
        self._steps = 0
        self._cut_short = False
        self.helper_names: dict[str, frozenset[str]] = {}
        """By module: the functions that test code visible to it defines, filled by ``helpers``."""
        self.generics: dict[int, tuple[FunctionNode, Generics]] = {}
        """By function: which parameters tell what it returns, filled by ``results``."""
        self._results: dict[tuple[int, int], tuple[FunctionValue, Value | None]] = {}
        self._scopes: dict[int, tuple[ModuleInfo, Scope]] = {}
        self._globals: dict[tuple[int, str], tuple[ModuleInfo, Value]] = {}
        self._on_self: dict[tuple[int, str, int], tuple[ClassInfo, Value | None]] = {}

    def infer(self, expr: ast.AST | None, scope: Scope) -> Value | None:
        """The value of an expression, or None."""
        if expr is None:
            return None
        self._steps = self._steps + 1 if self._depth else 0
        if self._depth >= _MAX_DEPTH or self._steps > _MOST_STEPS:
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
        match expr:  # the most frequent first: each case costs those after it
            case ast.Name():
                return self._name(expr, scope)
            case ast.Attribute():
                return self._attribute(expr, scope)
            case ast.Call():
                return called(self, expr, scope)
            case ast.Constant(value=value):
                return Builtin(type(value).__name__)
            case ast.Subscript():
                return self._item(expr, scope)
            case ast.UnaryOp(op=ast.Not()):
                return Builtin("bool")
            case ast.UnaryOp(operand=operand):
                return self.infer(operand, scope)
            case ast.BinOp():
                return self._binary(expr, scope)
            case ast.Await(value=inner) | ast.NamedExpr(value=inner) | ast.Starred(value=inner):
                return self.infer(inner, scope)
            case ast.IfExp(body=body, orelse=orelse):
                return common(self, [self.infer(body, scope), self.infer(orelse, scope)])
            case ast.BoolOp(op=ast.Or()):
                return either(self, expr.values, scope)
            case ast.Lambda():
                parent = scope if scope.function is not None else None
                return FunctionValue(scope.module, as_function(expr), parent=parent)
        return _DISPLAYS.get(type(expr))

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

    def _item(self, expr: ast.Subscript, scope: Scope) -> Value | None:
        value = self.infer(expr.value, scope)
        if isinstance(value, Instance):
            method = self.member(value, "__getitem__")
            if isinstance(method, FunctionValue):
                return item_of(self, method, is_slice=isinstance(expr.slice, ast.Slice))
            return None
        if isinstance(value, ClassValue):
            return value  # ``Stack[int]``
        return item(self, expr, scope)

    # -- names ---------------------------------------------------------------------------------

    def _name(self, expr: ast.Name, scope: Scope) -> Value | None:
        local = scope.lookup(expr.id)
        if local is not None:
            owner, bindings = local
            found = self._bound(expr.id, binding_for(bindings, expr), owner)
            if found is None or isinstance(found, ExternalResult):
                return asserted(self, expr, owner) or found
            return found
        key = (id(scope.module), expr.id)
        kept = self._globals.get(key)
        if kept is None:
            value = self._dotted(expr, scope)
            if not isinstance(value, (ClassValue, FunctionValue, ModuleValue, External)):
                return value  # an object's class may be unknown only because this went too deep
            kept = self._globals[key] = (scope.module, value)
        return kept[1]

    def _bound(self, name: str, binding: Binding, scope: Scope) -> Value | None:
        match binding.kind:
            case "value":
                return self.infer(binding.value, scope)
            case "with":
                return self.entered(binding.value, scope)
            case "import":
                return self.named(binding.dotted, scope)
            case "function":
                assert isinstance(binding.value, (ast.FunctionDef, ast.AsyncFunctionDef))
                return FunctionValue(scope.module, binding.value, parent=scope)
            case "class":
                assert isinstance(binding.value, ast.ClassDef)
                return ClassValue(local_class(self, binding.value, scope))
            case "param":
                return self._parameter(name, binding, scope)
            case "unpack":
                return self._element(part, binding, scope)
            case "item" if binding.value is not None and binding.is_part:
                return self._element(part_of_element, binding, scope)
            case "item" if binding.value is not None:
                return _an_object(element(self, binding.value, scope))
        return None

    def _element(
        self,
        ask: Callable[[Inference, ast.AST, int, Scope], Value | None],
        binding: Binding,
        scope: Scope,
    ) -> Value | None:
        if binding.value is None:
            return None
        return _an_object(ask(self, binding.value, binding.index, scope))

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
        if scope.parent is not None:
            passed = common(self, [self.infer(*one) for one in passed_to(name, scope)])
            if passed is not None:
                return passed
        return self.fixture_value(name, scope)

    def annotated(self, annotation: ast.AST, scope: Scope) -> Value | None:
        """An object of the annotated type."""
        return annotated(self, annotation, scope)

    def _dotted(self, expr: ast.AST, scope: Scope) -> Value | None:
        dotted = dotted_name(expr, scope)
        if dotted is None:
            return None
        return self.named(dotted, scope)

    def named(self, dotted: str, scope: Scope) -> Value | None:
        """What a full dotted name means to the code of a scope."""
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
                answer = self.infer(value, self.module_scope(module))
                for name in found.tail:
                    answer = self._part_of(answer, name)
                return answer
        return None

    def module_scope(self, module: ModuleInfo) -> Scope:
        """The top level of a module, one scope for all questions so that answers are kept."""
        kept = self._scopes.get(id(module))
        if kept is None:
            kept = self._scopes[id(module)] = (module, Scope(module))
        return kept[1]

    # -- attributes and calls --------------------------------------------------------------------

    def _attribute(self, expr: ast.Attribute, scope: Scope) -> Value | None:
        if is_super(expr.value):
            return inherited(self, expr.attr, scope)
        base = self.infer(expr.value, scope)
        if isinstance(base, (Instance, ClassValue)):
            return self.member(base, expr.attr)
        if isinstance(base, (ExternalResult, Builtin)):
            return field_of(self, expr, base, scope)
        params = requested_params(expr, scope.function)
        if params is not None:
            return element(self, params, self.module_scope(scope.module))
        return self._dotted(expr, scope) or self._part_of(base, expr.attr)

    def _part_of(self, value: Value | None, name: str) -> Value | None:
        """What a name is in an object, a class or a module."""
        if isinstance(value, (Instance, ClassValue)):
            return self.member(value, name)
        if isinstance(value, ModuleValue):
            return self.named(f"{value.module.name}.{name}", self.module_scope(value.module))
        return None

    def member(self, base: Instance | ClassValue, name: str) -> Value | None:
        """What an attribute of an object or class is: a method, a property's value, a field."""
        if name == "__class__" and isinstance(base, Instance):
            return ClassValue(base.cls)
        owner, node = self.resolver.method(base.cls, name)
        if node is not None and owner is not None:
            if is_property(node):
                return self.result(FunctionValue(owner.module, node, base.cls, owner))
            return FunctionValue(owner.module, node, base.cls, owner)
        for cls in self.resolver.mro(base.cls):
            if name in cls.inner:
                return ClassValue(cls.inner[name])
            found = self._kept_on_self(cls, name, base.cls)
            if found is not None:
                return found
            if name in cls.assigns:
                return self.infer(cls.assigns[name], self.module_scope(cls.module))
            if name in cls.annotations:
                return self.annotated(cls.annotations[name], self.module_scope(cls.module))
        places = self.class_places(name, base.cls)
        found = common(self, [self.infer(value, scope) for value, scope in places])
        return found or handed_out(self, base, name)

    def _kept_on_self(self, cls: ClassInfo, name: str, concrete: ClassInfo) -> Value | None:
        key = (id(cls), name, id(concrete))
        if key not in self._on_self:
            before, self._cut_short = self._cut_short, False
            answer = self._assigned_on_self(cls, name, concrete)
            if self._cut_short and answer is None:
                return None
            self._cut_short = before
            self._on_self[key] = (concrete, answer)
        return self._on_self[key][1]

    def _assigned_on_self(self, cls: ClassInfo, name: str, concrete: ClassInfo) -> Value | None:
        """What set-up assigns to ``self.NAME``; failing that, what all other methods agree on."""
        assigned = assigned_attributes(cls).get(name)
        if assigned is None:
            return None
        for node, value in assigned.in_setup:
            return self.infer(value, self.method_scope(cls, node, concrete))
        if not assigned.elsewhere:
            return Builtin("NoneType") if assigned.announced else None
        found: list[Value | None] = []
        for node, value in assigned.elsewhere:
            found.append(self.infer(value, self.method_scope(cls, node, concrete)))
            if found[-1] is None:
                return None
        return common(self, found)

    def assigned(self, base: Instance | ClassValue, name: str) -> Iterator[tuple[ast.expr, Scope]]:
        """The expressions that set-up, or else the class, assigns to an attribute."""
        for cls in self.resolver.mro(base.cls):
            found = assigned_attributes(cls).get(name)
            if found is not None:
                for node, value in found.in_setup or found.elsewhere:
                    yield value, self.method_scope(cls, node, base.cls)
                return
            if name in cls.assigns:
                yield cls.assigns[name], self.module_scope(cls.module)
                return
        yield from self.class_places(name, base.cls)

    def method_scope(self, cls: ClassInfo, node: FunctionNode, concrete: ClassInfo) -> Scope:
        """The scope of a method, ``self`` being of the concrete class."""
        return Scope(cls.module, node, concrete, is_method=not is_static(node))

    def scope_of(self, function: FunctionValue) -> Scope:
        """The scope of a function's body."""
        if function.parent is not None:
            outer = function.parent
            return Scope(function.module, function.node, outer.cls, outer)
        is_method = function.defined_in is not None and not is_static(function.node)
        return Scope(function.module, function.node, function.owner, is_method=is_method)

    @property
    def may_go_deeper(self) -> bool:
        """Whether there is room to follow what a call passes."""
        return self._depth < _MAX_DEPTH // 2

    def result(self, function: Value | None) -> Value | None:
        """What calling a value gives, whatever is passed."""
        if not isinstance(function, FunctionValue):
            return result(self, function)
        key = (id(function.node), id(function.owner))
        if key not in self._results:
            before, self._cut_short = self._cut_short, False
            answer = of_function(self, function)
            if self._cut_short and answer is None:
                return None
            self._cut_short = before
            self._results[key] = (function, answer)
        return self._results[key][1]

    def entered(self, manager: ast.AST | None, scope: Scope) -> Value | None:
        """What ``with manager as x`` binds."""
        return entered(self, manager, scope)


def _an_object(value: Value | None) -> Value | None:
    """An object or a class; what else is in collections is not told."""
    return value if isinstance(value, (Instance, ClassValue, FunctionValue, OneOf)) else None
