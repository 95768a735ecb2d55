"""What a module publishes: what it defines, and what a package imports from inside itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.resolve import Definition, Resolver


class Published:
    """The public classes and callables of one module."""

    def __init__(self, module: ModuleInfo, resolver: Resolver) -> None:
        self.module = module
        self.resolver = resolver

    @cached_property
    def names(self) -> frozenset[str]:
        """Every public name that may be a class or a callable, unresolved."""
        module = self.module
        own = (*module.classes, *module.functions, *module.assigns, *self._imported)
        return frozenset(name for name in own if name[0] != "_")

    @property
    def may_have_classes(self) -> bool:
        """Whether the module defines classes or shows those of others."""
        return bool(self.module.classes or self._imported)

    @cached_property
    def _imported(self) -> dict[str, str]:
        """What the module shows of others: a package of its inside, a module of its private twin.

        Where a project keeps its code is its own business, compiled or not.
        """
        module = self.module
        found = {name: target for name, target in module.imports.items() if self._is_inside(target)}
        for star in module.star_imports:
            if self._is_inside(f"{star}.x"):
                names, _, _ = self.resolver.project.exports(star, module.path)
                found.update({name: f"{star}.{name}" for name in names if name[0] != "_"})
        return found

    def _is_inside(self, target: str) -> bool:
        module = self.module
        if module.is_package and target.startswith(f"{module.name}."):
            return True
        home = target.rpartition(".")[0]
        last, own = home.rpartition(".")[2], module.name.rpartition(".")[2]
        return last == f"_{own}" and home.partition(".")[0] == module.name.partition(".")[0]

    def find(self, name: str) -> Definition | None:
        """What a public name of the module is, or None when it is no class or callable of it."""
        if name not in self.names:
            return None
        return self.resolver.name(f"{self.module.name}.{name}", self.module.path)

    def cls(self, name: str) -> ClassInfo | None:
        """The class that the module publishes under a name."""
        found = self.find(name)
        return found.cls if found is not None and found.kind == "class" else None

    def has_class(self, cls: ClassInfo) -> bool:
        """Whether a class is one that the module publishes."""
        if cls.outer is not None or cls.name[0] == "_":
            return False
        if cls.module.path == self.module.path:
            return True
        found = self.cls(cls.name)
        return found is not None and found.node is cls.node

    def has_function(self, node: FunctionNode) -> bool:
        """Whether a function is one that the module publishes."""
        if self.module.functions.get(node.name) is node:
            return node.name[0] != "_"
        found = self.find(node.name)
        return found is not None and found.kind == "function" and found.node is node

    def functions(self) -> Iterator[str]:
        """The public names that are functions, or are bound to something that may be one."""
        for name in self.names:
            if name in self.module.functions:
                yield name
            elif name in self._imported:
                found = self.find(name)
                if found is not None and found.kind == "function":
                    yield name

    def leads_here(self, dotted: str) -> str | None:
        """The name under which this module publishes what a dotted name asks another one for."""
        for _ in range(8):
            home, _, name = dotted.rpartition(".")
            if home == self.module.name:
                return name if name in self.names else None
            module = self.resolver.project.module(home, self.module.path) if home else None
            if module is None or name not in module.imports or module.is_test:
                return None
            dotted = module.imports[name]
        return None
