"""Which public method or function of the unit an expression names."""

from __future__ import annotations

import ast
from functools import cached_property

from socrates.classes.lazy import dataclass
from socrates.model.python import semantics
from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.shapes import is_property, returned
from socrates.model.python.values import (
    ClassValue,
    External,
    ExternalResult,
    FunctionValue,
    Instance,
    ModuleValue,
)
from socrates.model.units.publishes import Published
from socrates.model.units.unit import Unit

_TRIVIAL_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple"}
    | {"enum.Enum", "typing_extensions.Protocol", "builtins.Exception"}
)


@dataclass(frozen=True, slots=True)
class Member:
    """A public method or function of the unit; ``node`` is None when an external base has it.

    ``builds``: an alternative constructor, which counts only in a test that is about it.
    """

    name: str
    node: FunctionNode | None = None
    builds: bool = False


class MemberFinder:
    """Recognises the unit's public methods (class unit) or functions (module unit)."""

    def __init__(self, unit: Unit, inference: Inference) -> None:
        self.unit = unit
        self.inference = inference
        self.resolver = inference.resolver

    def find(self, callee: ast.expr, scope: Scope) -> Member | None:
        """The member that calling ``callee`` runs; None for constructors and everything else."""
        if self.unit.cls is None:
            return self._function(callee, scope)
        if isinstance(callee, ast.Attribute):
            return self._method(callee, scope)
        if isinstance(callee, (ast.Name, ast.Call)):
            return self._kept_method(callee, scope)
        return None

    def is_of_unit(self, expr: ast.expr, scope: Scope) -> bool:
        """Whether an expression is an object of a class unit."""
        if self.unit.cls is None:
            return False
        value = self.inference.infer(expr, scope)
        return isinstance(value, Instance) and self._is_unit(value.cls)

    # -- class units -----------------------------------------------------------------------------

    def _method(self, callee: ast.Attribute, scope: Scope) -> Member | None:
        name = callee.attr
        if name.startswith("_"):
            return None
        if self._knows(name):
            base = self.inference.infer(callee.value, scope)
            if isinstance(base, (Instance, ClassValue)):
                if not base.cls.module.is_test or self._is_unit(base.cls):
                    return self._member(base, name)
        elif not isinstance(callee.value, ast.Name) or callee.value.id not in ("self", "cls"):
            return None
        return self._kept_method(callee, scope)

    def _member(self, base: Instance | ClassValue, name: str) -> Member | None:
        """A method of an object of the unit, or of one that is declared as a base of it."""
        assert self.unit.cls is not None
        cls = base.cls
        if not self._is_unit(cls):
            if isinstance(base, ClassValue) or not self._is_base(cls):
                return None  # a base class itself may make other objects than the unit's
            cls = self.unit.cls
        owner, node = self.resolver.method(cls, name)
        if node is None or owner is None:
            found = self._is_wrapped(cls, name) or self._inherits(base, name)
            return Member(name) if found else None
        if owner.module.is_test or is_property(node):
            return None
        return Member(name, node, self._builds_unit(base, node, cls))

    def _kept_method(self, callee: ast.expr, scope: Scope) -> Member | None:
        """A method kept under a name: ``push = stack.push; push(1)``, or given by a fixture or a call."""
        if isinstance(callee, ast.Name) and callee.id in scope.module.imports:
            if scope.lookup(callee.id) is None:
                return None
        value = self.inference.infer(callee, scope)
        if not isinstance(value, FunctionValue) or value.owner is None or value.defined_in is None:
            return None
        if value.defined_in.module.is_test or value.node.name.startswith("_"):
            return None
        return self._member(Instance(value.owner), value.node.name)

    def _knows(self, name: str) -> bool:
        if name in self._methods:
            return True
        known = self._external_methods
        return known is None or name in known

    def _is_wrapped(self, cls: ClassInfo, name: str) -> bool:
        """Whether a class body makes a method of another function: ``remove = marked(list.remove)``."""
        for owner in self.resolver.mro(cls):
            made = owner.assigns.get(name)
            if made is not None:
                if owner.module.is_test or not isinstance(made, (ast.Call, ast.Lambda)):
                    return False
                value = self.inference.infer(made, self.inference.module_scope(owner.module))
                return not isinstance(value, (Instance, ClassValue))
        return False

    def _inherits(self, base: Instance | ClassValue, name: str) -> bool:
        """Whether a method that the project does not define comes from an external base."""
        if not isinstance(base, Instance) or self.inference.member(base, name) is not None:
            return False
        return self._external_methods is None or name in self._external_methods

    @cached_property
    def _methods(self) -> frozenset[str]:
        assert self.unit.cls is not None
        classes = self.resolver.mro(self.unit.cls)
        own = (n for cls in classes for n in (*cls.methods, *cls.aliases))
        made = (
            name
            for cls in classes
            for name, value in cls.assigns.items()
            if isinstance(value, (ast.Call, ast.Lambda))
        )
        return frozenset((*own, *made))

    @cached_property
    def _external_methods(self) -> frozenset[str] | None:
        """Methods that the unit inherits from classes outside the project; None when unknown.

        Neither are those known that it hands out by ``__getattr__``, as a proxy does.
        """
        assert self.unit.cls is not None
        if "__getattr__" in self._methods:
            return None
        found: set[str] = set()
        for base in self.resolver.external_bases(self.unit.cls):
            if base in _TRIVIAL_BASES:
                continue
            names = semantics.public_methods(base)
            if names is None:
                return None
            found |= names
        return frozenset(found)

    def _is_unit(self, cls: ClassInfo) -> bool:
        assert self.unit.cls is not None
        return any(one.node is self.unit.cls.node for one in self.resolver.mro(cls))

    def _is_base(self, cls: ClassInfo) -> bool:
        assert self.unit.cls is not None
        return any(one.node is cls.node for one in self.resolver.mro(self.unit.cls))

    def _builds_unit(self, base: Instance | ClassValue, node: FunctionNode, cls: ClassInfo) -> bool:
        """Whether calling a method on the class makes an object: an alternative constructor."""
        if not isinstance(base, ClassValue):
            return False
        owner, _ = self.resolver.method(cls, node.name)
        assert owner is not None
        result = self.inference.result(FunctionValue(owner.module, node, cls, owner))
        if isinstance(result, Instance) and self._is_unit(result.cls):
            return True
        return any(
            isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "cls"
            for part in returned(node)
        )

    # -- module units ----------------------------------------------------------------------------

    def _function(self, callee: ast.expr, scope: Scope) -> Member | None:
        published = self._published
        if isinstance(callee, ast.Attribute):
            on_self = isinstance(callee.value, ast.Name) and callee.value.id in ("self", "cls")
            if callee.attr[0] == "_" or not (on_self or callee.attr in published.names):
                return None
        elif not isinstance(callee, (ast.Name, ast.Call)):
            return None
        value = self.inference.infer(callee, scope)
        if isinstance(value, FunctionValue) and value.defined_in is None:
            if value.parent is None and published.has_function(value.node):
                return Member(value.node.name, value.node)
        if isinstance(value, (ClassValue, ModuleValue)):
            return None
        return self._bound_name(value, dotted_name(callee, scope))

    def _bound_name(self, value: object, asked: str | None) -> Member | None:
        """A callable that the module publishes under a name of its own, compiled ones too."""
        name = self._published.leads_here(asked) if asked else None
        if name is None:
            return None
        if isinstance(value, Instance):  # ``decode = Decoder()``, an object made to be called
            owner, node = self.resolver.method(value.cls, "__call__")
            return Member(name, node) if owner is not None and not owner.module.is_test else None
        if isinstance(value, FunctionValue):
            return Member(name, value.node)
        if isinstance(value, External):
            return Member(name) if name[0].islower() else None
        bound = self.unit.module.assigns.get(name)
        made = isinstance(value, ExternalResult) and value.name.startswith("functools.")
        return Member(name) if made or isinstance(bound, ast.Lambda) else None

    @cached_property
    def _published(self) -> Published:
        return Published(self.unit.module, self.resolver)
