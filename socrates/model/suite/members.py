"""Which public method or function of the unit an expression names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from socrates.model.python import semantics
from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.shapes import is_property, returned
from socrates.model.python.values import ClassValue, External, FunctionValue, Instance
from socrates.model.suite.unit import Unit

_TRIVIAL_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple"}
    | {"enum.Enum", "typing_extensions.Protocol", "builtins.Exception"}
)


@dataclass(frozen=True, slots=True)
class Member:
    """A public method or function of the unit; ``node`` is None when an external base has it.

    ``builds``: an alternative constructor, which counts only in a test that is named after it.
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
        if isinstance(callee, ast.Name):
            return self._bound_method(callee, scope)
        return None

    # -- class units -----------------------------------------------------------------------------

    def _method(self, callee: ast.Attribute, scope: Scope) -> Member | None:
        name = callee.attr
        if name.startswith("_") or not self._knows(name):
            return None
        base = self.inference.infer(callee.value, scope)
        if not isinstance(base, (Instance, ClassValue)) or not self._is_unit(base):
            return None
        owner, node = self.resolver.method(base.cls, name)
        if node is None or owner is None:
            return Member(name) if self._inherits(base, name) else None
        if owner.module.is_test or is_property(node):
            return None
        return Member(name, node, self._builds_unit(base, node))

    def _bound_method(self, callee: ast.Name, scope: Scope) -> Member | None:
        """A method kept in a variable: ``push = stack.push; push(1)``."""
        local = scope.lookup(callee.id)
        if local is None:
            return None
        owner, bindings = local
        values = [b.value for b in bindings if b.kind == "value"]
        if len(values) != len(bindings) or len(values) != 1:
            return None
        value = values[0]
        return self._method(value, owner) if isinstance(value, ast.Attribute) else None

    def _knows(self, name: str) -> bool:
        known = self._external_methods
        return name in self._methods or known is None or name in known

    def _inherits(self, base: Instance | ClassValue, name: str) -> bool:
        """Whether a method that the project does not define comes from an external base."""
        if not isinstance(base, Instance) or self.inference.member(base, name) is not None:
            return False
        return self._external_methods is None or name in self._external_methods

    @cached_property
    def _methods(self) -> frozenset[str]:
        assert self.unit.cls is not None
        classes = self.resolver.mro(self.unit.cls)
        return frozenset(n for cls in classes for n in (*cls.methods, *cls.aliases))

    @cached_property
    def _external_methods(self) -> frozenset[str] | None:
        """Methods that the unit inherits from classes outside the project; None when unknown."""
        assert self.unit.cls is not None
        found: set[str] = set()
        for base in self.resolver.external_bases(self.unit.cls):
            if base in _TRIVIAL_BASES:
                continue
            names = semantics.public_methods(base)
            if names is None:
                return None
            found |= names
        return frozenset(found)

    def _is_unit(self, base: Instance | ClassValue) -> bool:
        assert self.unit.cls is not None
        return any(cls.node is self.unit.cls.node for cls in self.resolver.mro(base.cls))

    def _builds_unit(self, base: Instance | ClassValue, node: FunctionNode) -> bool:
        """Whether calling a method on the class makes an object: an alternative constructor."""
        if not isinstance(base, ClassValue):
            return False
        owner, _ = self.resolver.method(base.cls, node.name)
        assert owner is not None
        result = self.inference.result(FunctionValue(owner.module, node, base.cls, owner))
        if isinstance(result, Instance) and self._is_unit(result):
            return True
        return any(
            isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "cls"
            for part in returned(node)
        )

    # -- module units ----------------------------------------------------------------------------

    def _function(self, callee: ast.expr, scope: Scope) -> Member | None:
        functions = self.unit.module.functions
        if isinstance(callee, ast.Attribute):
            name = callee.attr
            if name.startswith("_") or (name not in functions and name not in self._shown):
                return None
        elif not isinstance(callee, ast.Name):
            return None
        value = self.inference.infer(callee, scope)
        if isinstance(value, FunctionValue) and value.defined_in is None:
            name = value.node.name
            if value.module.path == self.unit.module.path:
                node = functions.get(name)
                return Member(name, node) if node is value.node and name[0] != "_" else None
        elif not isinstance(value, External):
            return None
        return self._shown_function(value, dotted_name(callee, scope) or "")

    def _shown_function(self, value: FunctionValue | External, asked: str) -> Member | None:
        """A function of a private module that the test asks the unit for."""
        module, _, name = asked.rpartition(".")
        if module != self.unit.module.name or name not in self._shown:
            return None
        return Member(name, value.node if isinstance(value, FunctionValue) else None)

    @cached_property
    def _shown(self) -> frozenset[str]:
        """Functions that the unit shows from private modules of its package, compiled ones too."""
        module = self.unit.module
        top = module.name.partition(".")[0]
        return frozenset(
            name
            for name, target in module.imports.items()
            if name[0].islower()
            and target.startswith(f"{top}.")
            and target.split(".")[-2].startswith("_")
        )
