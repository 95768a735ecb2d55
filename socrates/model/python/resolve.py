"""From a dotted name to the definition behind it, through imports and re-exports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Scope, dotted_name
from socrates.model.python.project import Project, folder_of

_MAX_HOPS = 16


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined in the project, or ``external`` for other people's code.

    ``name`` is the canonical dotted name: re-exports are followed to the place of definition.
    ``tail`` are the attributes that were asked of a ``value``.
    """

    kind: Literal["module", "class", "function", "value", "external"]
    name: str
    module: ModuleInfo | None = None
    cls: ClassInfo | None = None
    node: FunctionNode | None = None
    value: ast.expr | None = None
    tail: tuple[str, ...] = ()

    @property
    def in_production(self) -> bool:
        """Whether it is the project's own code, and not a test's."""
        return self.module is not None and not self.module.is_test


class Resolver:
    """Resolves dotted names within one project. Answers are remembered."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._answers: dict[tuple[str, str], Definition] = {}
        self._mro: dict[int, tuple[ClassInfo, tuple[ClassInfo, ...], tuple[str, ...]]] = {}

    def expression(self, expr: ast.AST, scope: Scope) -> Definition | None:
        """The definition behind ``a.b.c`` as written in a scope, or None for locals."""
        dotted = dotted_name(expr, scope)
        return self.name(dotted, scope.module.path) if dotted else None

    def name(self, dotted: str, near: Path | None = None) -> Definition:
        """The definition of a dotted name as seen from the file ``near``."""
        key = (dotted, folder_of(near))
        if key not in self._answers:
            self._answers[key] = self._resolve(dotted, near, 0)
        return self._answers[key]

    def _resolve(self, dotted: str, near: Path | None, hops: int) -> Definition:
        if hops > _MAX_HOPS:
            return Definition("external", dotted)
        parts = dotted.split(".")
        if not self.project.defines(parts[0], near):
            return Definition("external", dotted)
        for length in range(len(parts), 0, -1):
            info = self.project.module(".".join(parts[:length]), near)
            if info is not None:
                hidden = length > 1 and length == len(parts)
                shown = self._hiding(parts, near, hops) if hidden else None
                return shown or self._in_module(info, parts[length:], dotted, hops)
        return Definition("external", dotted)

    def _hiding(self, parts: list[str], near: Path | None, hops: int) -> Definition | None:
        """What a package binds to the name of one of its modules.

        ``from .furl import furl`` in ``furl/__init__.py`` makes ``furl.furl`` the class.
        """
        package = self.project.module(".".join(parts[:-1]), near)
        name, dotted = parts[-1], ".".join(parts)
        if package is None or not package.is_package:
            return None
        if name not in package.functions and name not in package.classes:
            by_name = package.imports.get(name, dotted) != dotted
            if not by_name and not any(
                self._exports(star, name, package.path, set()) for star in package.star_imports
            ):
                return None
        found = self._in_module(package, [name], dotted, hops)
        return found if found.kind in ("class", "function", "value") else None

    def _in_module(self, info: ModuleInfo, rest: list[str], dotted: str, hops: int) -> Definition:
        if not rest:
            return Definition("module", info.name, info)
        name, tail = rest[0], rest[1:]
        if name in info.classes:
            return self._in_class(info.classes[name], tail)
        if name in info.functions and not tail:
            full = f"{info.name}.{name}"
            return Definition("function", full, info, node=info.functions[name])
        if name in info.imports:
            target = info.imports[name]
            if target != dotted:
                found = self._resolve(".".join([target, *tail]), info.path, hops + 1)
                return self._otherwise(found, info, name, tail, hops)
        if name in info.assigns:
            return self._assigned(info, name, tail, hops)
        for star in info.star_imports:
            asked = ".".join([star, *rest])
            if not self._exports(star, name, info.path, set()):
                continue
            found = self._resolve(asked, info.path, hops + 1)
            if found.kind != "external" or found.name != asked:
                return found
        return Definition("external", dotted)

    def _otherwise(
        self, found: Definition, info: ModuleInfo, name: str, tail: list[str], hops: int
    ) -> Definition:
        """Where another branch imports a name from, when the last one is a compiled module."""
        if found.kind == "external":
            for target in info.other_imports.get(name, ()):
                other = self._resolve(".".join([target, *tail]), info.path, hops + 1)
                if other.kind != "external":
                    return other
        return found

    def _exports(self, module: str, name: str, near: Path, seen: set[str]) -> bool:
        """Whether ``from module import *`` may bind a name, without keeping the module's tree."""
        if module in seen:
            return False
        seen.add(module)
        names, stars, path = self.project.exports(module, near)
        if path is None or name in names:
            return path is not None
        return any(self._exports(star, name, path, seen) for star in stars)

    def _assigned(self, info: ModuleInfo, name: str, tail: list[str], hops: int) -> Definition:
        value = info.assigns[name]
        if isinstance(value, (ast.Name, ast.Attribute)):
            target = dotted_name(value, Scope(info))
            if target and target != f"{info.name}.{name}":
                return self._resolve(".".join([target, *tail]), info.path, hops + 1)
        full = ".".join([info.name, name, *tail])
        return Definition("value", full, info, value=value, tail=tuple(tail))

    def _in_class(self, cls: ClassInfo, tail: list[str]) -> Definition:
        if not tail:
            return Definition("class", cls.full_name, cls.module, cls)
        name = tail[0]
        if name in cls.inner:
            return self._in_class(cls.inner[name], tail[1:])
        owner, node = self.method(cls, name)
        if node is not None and owner is not None and not tail[1:]:
            return Definition("function", f"{owner.full_name}.{name}", owner.module, owner, node)
        value = cls.assigns.get(name)
        full = ".".join([cls.full_name, *tail])
        rest = tuple(tail[1:])
        return Definition("value", full, cls.module, cls, value=value, tail=rest)

    # -- classes -----------------------------------------------------------------------------

    def bases(self, cls: ClassInfo) -> Iterator[Definition]:
        """The definitions of a class's direct bases."""
        if cls.bases is not None:
            for known in cls.bases:
                if isinstance(known, str):
                    yield Definition("external", known)
                else:
                    yield Definition("class", known.full_name, known.module, known)
            return
        scope = Scope(cls.module)
        for base in cls.node.bases:
            expr = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(expr, ast.Name) and cls.outer and expr.id in cls.outer.inner:
                inner = cls.outer.inner[expr.id]
                yield Definition("class", inner.full_name, cls.module, inner)
                continue
            found = self.expression(expr, scope)
            if found is not None:
                yield found

    def mro(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        """The class and its project bases, nearest first; circular bases end the walk."""
        return self._linearise(cls)[0]

    def external_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        """Dotted names of bases, at any height, that the project does not define."""
        return self._linearise(cls)[1]

    def _linearise(self, cls: ClassInfo) -> tuple[tuple[ClassInfo, ...], tuple[str, ...]]:
        cached = self._mro.get(id(cls))
        if cached is not None:
            return cached[1], cached[2]
        order: list[ClassInfo] = []
        external: list[str] = []
        project_bases: dict[int, list[ClassInfo]] = {}
        stack = [cls]
        while stack:
            current = stack.pop(0)
            if any(current is seen or current.node is seen.node for seen in order):
                continue
            order.append(current)
            found = project_bases.setdefault(id(current.node), [])
            for base in self.bases(current):
                if base.kind == "class" and base.cls is not None:
                    found.append(base.cls)
                elif base.kind == "external":
                    external.append(base.name)
            stack += found
        merged = _merged(cls, project_bases, frozenset()) if len(order) > 2 else None
        answer = (cls, tuple(merged or order), tuple(external))
        self._mro[id(cls)] = answer
        return answer[1], answer[2]

    def method(self, cls: ClassInfo, name: str) -> tuple[ClassInfo | None, FunctionNode | None]:
        """The method of this name and the class that defines it, through project bases."""
        for owner in self.mro(cls):
            node = owner.methods.get(name) or owner.aliases.get(name)
            if node is not None:
                return owner, node
        return None, None


def _merged(
    cls: ClassInfo, bases: dict[int, list[ClassInfo]], above: frozenset[int]
) -> list[ClassInfo] | None:
    """Python's own order of a class and its bases; None when there is none or they are circular."""
    if id(cls.node) in above:
        return None
    own = bases.get(id(cls.node), [])
    orders: list[list[ClassInfo]] = []
    for base in own:
        order = _merged(base, bases, above | {id(cls.node)})
        if order is None:
            return None
        orders.append(order)
    queues = [*orders, list(own)]
    merged = [cls]
    while queues := [queue for queue in queues if queue]:
        tails = {id(later.node) for queue in queues for later in queue[1:]}
        head = next((queue[0] for queue in queues if id(queue[0].node) not in tails), None)
        if head is None:
            return None
        merged.append(head)
        queues = [queue[1:] if queue[0].node is head.node else queue for queue in queues]
    return merged
