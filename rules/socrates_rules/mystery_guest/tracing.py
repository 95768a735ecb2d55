"""Traces a value to its origin, for the arguments of calls that touch resources.

Follows names, constants of other modules, attributes of ``self``, helpers' returns and what calls
pass to parameters.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from weakref import WeakKeyDictionary

from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, ModuleInfo
from socrates.model.python.names import (
    Binding,
    Scope,
    binding_at,
    dotted_name,
    is_made,
    mentions,
    starts_empty,
)
from socrates.model.python.resolve import Definition
from socrates.model.python.shapes import (
    default_of,
    is_property,
    keyword_values,
    returned,
    self_assignments,
    yielded,
)
from socrates.model.python.values import ClassValue, FunctionValue, Instance
from socrates.model.suite.collect import TestCase, fixture_decorator
from socrates.model.suite.helpers import bind_arguments, is_helper_module
from socrates.model.suite.parametrize import argument_values, is_indirect, last_name
from socrates.syntax.unparse import unparse
from socrates_rules.mystery_guest.origin import (
    MANAGED,
    NEUTRAL,
    UNKNOWN,
    UNRESOLVED,
    Known,
    Origin,
    any_managed,
    beside,
    either,
    is_below,
    join,
    literal,
    of_library,
)
from socrates_rules.mystery_guest.resources import PATHS
from socrates_rules.mystery_guest.value_names import (
    CARRIERS,
    MAKES_ABSOLUTE,
    MANAGED_CALLS,
    NUMBERS,
    SAME,
    TEMPORARY,
    TEXTS,
    TRANSPARENT,
)

_MAX_DEPTH = 20
_Globals = dict[tuple[int, frozenset[str]], tuple[ast.expr, Origin]]
_GLOBALS: WeakKeyDictionary[Inference, _Globals] = WeakKeyDictionary()
"""Per file: the origins of values at the top level of modules, which all tests of it share."""


class Origins:
    """Answers for one test; ``kept`` are texts of what its set-up creates or removes."""

    def __init__(
        self, test: TestCase, inference: Inference, kept: frozenset[str] = frozenset()
    ) -> None:
        self.test = test
        self.inference = inference
        self.resolver = inference.resolver
        self.kept = kept
        self._depth = 0
        self._earlier: dict[tuple[int, str], list[Binding]] = {}
        self._globals = _GLOBALS.setdefault(inference, {})

    def of(self, expr: ast.AST | None, scope: Scope) -> Origin:
        """Where the value of an expression comes from."""
        if expr is None or self._depth >= _MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            found = self._of(expr, scope)
        finally:
            self._depth -= 1
        in_sight = found.known in (Known.FIXED, Known.UNRESOLVED)
        if in_sight and self.kept and is_below(found.text, self.kept):
            return replace(MANAGED, is_path=found.is_path)
        return found

    def _of(self, expr: ast.AST, scope: Scope) -> Origin:
        match expr:
            case ast.Constant(value=value):
                return literal(value)
            case ast.Name():
                return self._name(expr, scope)
            case ast.Attribute():
                found = self._attribute(expr, scope)
                return replace(found, is_path=found.is_path and expr.attr not in TEXTS)
            case ast.Call():
                return self._call(expr, scope)
            case ast.JoinedStr(values=values):
                return join([self.of(value, scope) for value in values])
            case ast.BinOp(left=left, right=right):
                return join([self.of(left, scope), self.of(right, scope)])
            case ast.IfExp(body=body, orelse=orelse):
                return either([self.of(body, scope), self.of(orelse, scope)])
            case ast.BoolOp(values=values):
                return either([self.of(value, scope) for value in values])
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                return join([self.of(element, scope) for element in elts])
            case ast.Dict(values=values):
                return join([self.of(value, scope) for value in values])
            case (
                ast.FormattedValue(value=inner)
                | ast.Await(value=inner)
                | ast.Starred(value=inner)
                | ast.NamedExpr(value=inner)
                | ast.Subscript(value=inner)
                | ast.ListComp(elt=inner)
                | ast.GeneratorExp(elt=inner)
            ):
                return self.of(inner, scope)
        return UNKNOWN

    def _name(self, expr: ast.Name, scope: Scope) -> Origin:
        local = scope.lookup(expr.id)
        if local is not None:
            owner, bindings = local
            bindings = self._earlier.get((id(owner), expr.id), bindings)
            return self._bound(expr.id, expr.lineno, owner, bindings)
        if expr.id == "__file__":
            return beside(scope.module)
        return self._global(expr, scope)

    def _bound(self, name: str, row: int, scope: Scope, bindings: list[Binding]) -> Origin:
        usable = [b for b in bindings if b.kind != "other"] or bindings
        binding = binding_at(usable, row)
        value = binding.value
        if binding.kind == "value" and value is not None and mentions(value, name):
            # ``path = os.path.join(path, ...)`` builds on the binding before it.
            outer = self._earlier
            earlier = [b for b in usable if b.row < binding.row]
            self._earlier = {**outer, (id(scope), name): earlier}
            try:
                return self.of(value, scope) if earlier else UNKNOWN
            finally:
                self._earlier = outer
        match binding.kind:
            case "value":
                return self.of(value, scope)
            case "item" | "unpack":
                return self._part(value, binding, scope)
            case "with":
                return self._entered(value, scope)
            case "param":
                return self._parameter(name, scope)
            case "import":
                return self._defined(self.resolver.name(binding.dotted, scope.module.path))
        return UNKNOWN

    def _part(self, value: ast.AST | None, binding: Binding, scope: Scope) -> Origin:
        """One element of what is looped over or unpacked."""
        if binding.kind == "item" and isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            rows = [e.elts for e in value.elts if isinstance(e, (ast.Tuple, ast.List))]
            if rows and len(rows) == len(value.elts):
                picked = [row[binding.index] for row in rows if len(row) > binding.index]
                return either([self.of(element, scope) for element in picked])
            return either([self.of(element, scope) for element in value.elts])
        found = self.of(value, scope)
        return UNKNOWN if found == NEUTRAL and starts_empty(value, scope) else found

    def _parameter(self, name: str, scope: Scope) -> Origin:
        if name in scope.arguments:
            return self.of(*scope.arguments[name])
        function = scope.function
        if function is self.test.node:
            return self._test_parameter(name)
        if function is None:
            return UNKNOWN
        default = default_of(function.args, name)
        if default is not None:
            return self.of(default, Scope(scope.module))
        if not isinstance(function, ast.Lambda) and fixture_decorator(function, scope.module):
            return MANAGED
        return UNKNOWN

    def _test_parameter(self, name: str) -> Origin:
        if name not in self.test.parametrized:
            return UNKNOWN if name == self.test.scope.self_name else MANAGED
        if is_indirect(self.test, name):
            return MANAGED
        scope = Scope(self.test.scope.module, cls=self.test.cls)
        values = argument_values(self.test, name)
        return either([self.of(value, scope) for value in values]) if values else MANAGED

    def _global(self, expr: ast.Name, scope: Scope) -> Origin:
        if scope.function is None and scope.cls is not None and expr.id in scope.cls.assigns:
            return self.of(scope.cls.assigns[expr.id], Scope(scope.cls.module))
        dotted = dotted_name(expr, scope)
        if dotted is None:
            return UNKNOWN
        return self._defined(self.resolver.name(dotted, scope.module.path))

    def _defined(self, found: Definition) -> Origin:
        match found:
            case Definition(kind="value", module=ModuleInfo() as module, value=ast.expr() as value):
                origin = self._of_global(value, module)
                if origin.known is Known.UNKNOWN and found.cls is None:
                    return replace(UNRESOLVED, text=found.name)
                return origin
            case Definition(kind="external", name=name):
                return of_library(name)
        return UNKNOWN

    def _of_global(self, value: ast.expr, module: ModuleInfo) -> Origin:
        """The origin of a value at a module's top level, worked out once per file."""
        if self._depth > _MAX_DEPTH // 2:
            # The depth limit is near: this answer may be cut short, so it is not kept for other questions.
            return self.of(value, self.inference.module_scope(module))
        key = (id(value), self.kept)
        known = self._globals.get(key)
        if known is None:
            known = (value, self.of(value, self.inference.module_scope(module)))
            self._globals[key] = known
        return known[1]

    def _attribute(self, expr: ast.Attribute, scope: Scope) -> Origin:
        base = expr.value
        if isinstance(base, ast.Name) and base.id in ("self", "cls") and scope.cls is not None:
            return self._on_self(expr.attr, scope)
        dotted = dotted_name(expr, scope)
        if expr.attr in ("__file__", "__path__"):
            return Origin(Known.FIXED, dotted or unparse(expr), anchored=True)
        if dotted is not None:
            found = self.resolver.name(dotted, scope.module.path)
            if found.kind == "external" or found.value is not None:
                return self._defined(found)
        computed = self._property(expr, scope)
        if computed is not None:
            return computed
        derived = self.of(base, scope)
        if derived.known is Known.UNKNOWN:
            # An object that was made with ``path="/tmp/x"`` most likely has that as its ``path``.
            given = keyword_values(scope.function, expr.attr)
            return either([self.of(value, scope) for value in given]) if given else derived
        if derived.known is Known.UNRESOLVED and not derived.anchored and is_made(base, scope):
            return UNKNOWN
        if derived.known is Known.FIXED:
            return replace(derived, text=f"{derived.text}.{expr.attr}")
        return derived

    def _property(self, expr: ast.Attribute, scope: Scope) -> Origin | None:
        """What a property of an object of the project gives, where that can be followed."""
        of = self.inference.infer(expr.value, scope)
        if not isinstance(of, Instance):
            return None
        owner, node = self.resolver.method(of.cls, expr.attr)
        if owner is None or node is None or not is_property(node):
            return None
        found = self._in_class(owner, expr.attr, of.cls)
        if found is None or found.known not in (Known.FIXED, Known.UNRESOLVED):
            return None
        return found if is_helper_module(owner.module) else replace(UNRESOLVED, text=found.text)

    def _on_self(self, name: str, scope: Scope) -> Origin:
        assert scope.cls is not None
        function = scope.function
        if function is not None and not isinstance(function, ast.Lambda):
            own = self_assignments(function).get(name)
            if own:
                return self.of(own[-1], scope)
        for owner in self.resolver.mro(scope.cls):
            found = self._in_class(owner, name, scope.cls)
            if found is not None:
                return found
        # An attribute that no class of the project sets comes from the framework, which manages it.
        return MANAGED if self.resolver.external_bases(scope.cls) else UNKNOWN

    def _in_class(self, owner: ClassInfo, name: str, concrete: ClassInfo) -> Origin | None:
        node = owner.methods.get(name)
        if node is not None:
            if not is_property(node):
                return UNKNOWN
            inner = self.inference.method_scope(owner, node, concrete)
            return either([self.of(value, inner) for value in returned(node)])
        for method in owner.methods.values():
            if method.name.startswith("test"):
                continue
            values = self_assignments(method).get(name)
            if values:
                inner = self.inference.method_scope(owner, method, concrete)
                found = either([self.of(value, inner) for value in values])
                # Set-up provides it for the test, wherever set-up gets it from.
                return MANAGED if found.known is Known.UNRESOLVED else found
        if name in owner.assigns:
            return self.of(owner.assigns[name], Scope(owner.module, cls=owner))
        return None

    def arguments(self, call: ast.Call, scope: Scope) -> list[Origin]:
        """The origins of everything that a call passes."""
        passed = [*call.args, *(keyword.value for keyword in call.keywords)]
        return [self.of(value, scope) for value in passed]

    def _call(self, expr: ast.Call, scope: Scope) -> Origin:
        func = expr.func
        found = self.resolver.expression(func, scope)
        if found is not None and found.kind == "external":
            return self._external(found.name, expr, scope)
        if TEMPORARY.search(last_name(func)) or self._is_handed_out(func, scope):
            return MANAGED
        value = self.inference.infer(func, scope)
        if isinstance(value, FunctionValue):
            return self._result(expr, value, scope)
        if isinstance(value, ClassValue) or not isinstance(func, ast.Attribute):
            return MANAGED if any_managed(self.arguments(expr, scope)) else UNKNOWN
        return self._method(func, expr, scope)

    def _is_handed_out(self, func: ast.expr, scope: Scope) -> bool:
        """Whether what is called is a fixture, or a method of one."""
        base = func.value if isinstance(func, ast.Attribute) else func
        if not isinstance(base, ast.Name) or base.id == scope.self_name:
            return False
        return scope.lookup(base.id) is not None and self.of(base, scope).known is Known.MANAGED

    def _result(self, call: ast.Call, function: FunctionValue, scope: Scope) -> Origin:
        """What calling a function of the project gives."""
        passed = self.arguments(call, scope)
        if not is_helper_module(function.module):
            return MANAGED if any_managed(passed) else UNKNOWN
        inner = self.inference.scope_of(function)
        inner.arguments.update(bind_arguments(call, function, inner, scope))
        values = returned(function.node) or yielded(function.node)
        found = either([self.of(value, inner) for value in values])
        filled = found == NEUTRAL and any(starts_empty(value, inner) for value in values)
        if found.known is Known.UNKNOWN or filled or not values:
            return MANAGED if any_managed(passed) else UNKNOWN
        return found

    def _external(self, name: str, call: ast.Call, scope: Scope) -> Origin:
        root, _, last = name.rpartition(".")
        if name.startswith(MANAGED_CALLS) or TEMPORARY.search(last):
            return MANAGED
        if name in ("inspect.getsourcefile", "inspect.getfile"):
            return Origin(Known.FIXED, unparse(call), anchored=True)
        if root == "builtins" and last in NUMBERS:
            return NEUTRAL
        given = self.arguments(call, scope)
        passed = join(given, "" if last in SAME and len(given) == 1 else last)
        is_path = name in PATHS or root in PATHS or name.startswith("pathlib.")
        if passed.known is Known.MANAGED:
            return replace(MANAGED, is_path=is_path)
        if is_path or name.startswith(TRANSPARENT) or (root == "builtins" and last in CARRIERS):
            if passed.known is Known.NEUTRAL:
                anchored = last not in ("getcwd", "cwd", "Path")
                return Origin(Known.FIXED, f"{name}()", anchored, is_path)
            if last in MAKES_ABSOLUTE:
                passed = replace(passed, anchored=True)
            keeps = passed.is_path and not name.startswith("os.") and last not in TEXTS
            return replace(passed, is_path=is_path or keeps)
        if root == "builtins" or passed.known is Known.UNKNOWN:
            return UNKNOWN
        return replace(UNRESOLVED, text=name, anchored=passed.anchored)

    def _method(self, func: ast.Attribute, call: ast.Call, scope: Scope) -> Origin:
        passed = self.arguments(call, scope)
        base = func.value
        if isinstance(base, ast.Name) and base.id == scope.self_name and scope.cls is not None:
            known = self.resolver.method(scope.cls, func.attr)[1] is not None
            outside = bool(self.resolver.external_bases(scope.cls)) and not known
            return MANAGED if outside or any_managed(passed) else UNKNOWN
        if func.attr == "join" and isinstance(base, ast.Constant):
            return join(passed, "join")
        origin = self.of(base, scope)
        if origin.known is Known.UNKNOWN:
            return MANAGED if any_managed(passed) else UNKNOWN
        found = join([origin, *passed], func.attr)
        found = replace(found, is_path=found.is_path and func.attr not in TEXTS)
        return replace(found, anchored=True) if func.attr in MAKES_ABSOLUTE else found

    def _entered(self, manager: ast.AST | None, scope: Scope) -> Origin:
        """What ``with manager as x`` binds: a context manager of the project looks after it."""
        if isinstance(manager, ast.Call):
            value = self.inference.infer(manager.func, scope)
            if isinstance(value, (FunctionValue, ClassValue)):
                return MANAGED
        return self.of(manager, scope)
