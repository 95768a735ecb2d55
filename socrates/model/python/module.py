"""One module as an index: what it imports, defines and assigns at its top level."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.model.python.source import Source
from socrates.syntax.nodes import TypeAlias

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_BUILTINS = frozenset(dir(builtins))


@dataclass(eq=False)
class ClassInfo:
    """A class as written: its body's functions, assignments and inner classes."""

    name: str
    node: ast.ClassDef
    module: ModuleInfo
    outer: ClassInfo | None = None
    bases: tuple[ClassInfo | str, ...] | None = None
    """Of a class inside a function: what its bases are there, names for those of others."""
    kept: dict[str, object] = field(default_factory=dict, repr=False)
    """What was found out about the class, for every file that asks."""

    @property
    def qualname(self) -> str:
        """``Outer.Inner`` inside the module."""
        return f"{self.outer.qualname}.{self.name}" if self.outer else self.name

    @property
    def full_name(self) -> str:
        """``package.module.Outer.Inner``."""
        return f"{self.module.name}.{self.qualname}"

    @cached_property
    def methods(self) -> dict[str, FunctionNode]:
        """Functions in the body; a later definition of the same name wins, as at run time.

        Those that the module attaches behind the body count, too.
        """
        own = {
            node.name: node
            for node in statements(self.node.body)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        functions = self.module.functions if self._attached else {}
        attached = {
            name: functions[value.id]
            for name, value in self._attached.items()
            if isinstance(value, ast.Name) and value.id in functions
        }
        return own | attached

    @cached_property
    def overloads(self) -> dict[str, list[FunctionNode]]:
        """The signatures that ``typing.overload`` gives to methods."""
        return _overloads(self.node.body)

    @cached_property
    def assigns(self) -> dict[str, ast.expr]:
        """Class attributes that are assigned a value, in the body or behind it."""
        return dict(_assignments(self.node.body)) | self._attached

    @property
    def _attached(self) -> dict[str, ast.expr]:
        return {} if self.outer is not None else self.module.attached.get(self.name, {})

    @cached_property
    def aliases(self) -> dict[str, FunctionNode]:
        """Methods under a second name: ``write = send``; functions of the module, too."""
        known = self.methods if self.module.is_test else self.module.functions | self.methods
        return {
            name: known[value.id]
            for name, value in self.assigns.items()
            if isinstance(value, ast.Name) and value.id in known and name not in self.methods
        }

    @cached_property
    def annotations(self) -> dict[str, ast.expr]:
        """Annotated names of the body: the fields of dataclasses and their kin."""
        return {
            node.target.id: node.annotation
            for node in statements(self.node.body)
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }

    @cached_property
    def inner(self) -> dict[str, ClassInfo]:
        """Classes defined in the body."""
        return {
            node.name: ClassInfo(node.name, node, self.module, self)
            for node in statements(self.node.body)
            if isinstance(node, ast.ClassDef)
        }


@dataclass(eq=False)
class ModuleInfo:
    """A parsed module of the project. ``is_test`` tells test code from production code."""

    name: str
    path: Path
    source: Source
    is_package: bool = False
    is_test: bool = False
    star_imports: list[str] = field(default_factory=list)
    submodules: list[str] = field(default_factory=list)
    """Modules that are imported by their full name, ``import shop.testing``, which binds ``shop``."""
    other_imports: dict[str, list[str]] = field(default_factory=dict)
    """Where a name comes from in the branches that were written before the last one."""
    bindings: dict[int, tuple[ast.AST, object]] = field(default_factory=dict, repr=False)
    """What the functions' local names are bound to, by function: computed once for all scopes."""

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @cached_property
    def imports(self) -> dict[str, str]:
        """Local name to full dotted name, for the imports at the top level of the module."""
        found: dict[str, str] = {}
        for node in statements(self.source.tree.body):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name, target in self.imported(node).items():
                    if found.get(name, target) != target:
                        self.other_imports.setdefault(name, []).append(found[name])
                    found[name] = target
                if isinstance(node, ast.Import):
                    self.submodules += [a.name for a in node.names if "." in a.name]
                elif any(a.name == "*" for a in node.names):
                    self.star_imports.append(self.absolute(node))
        return found

    @cached_property
    def functions(self) -> dict[str, FunctionNode]:
        """Top-level functions."""
        return {
            node.name: node
            for node in statements(self.source.tree.body)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }

    @cached_property
    def overloads(self) -> dict[str, list[FunctionNode]]:
        """The signatures that ``typing.overload`` gives to top-level functions."""
        return _overloads(self.source.tree.body)

    @cached_property
    def classes(self) -> dict[str, ClassInfo]:
        """Top-level classes."""
        return {
            node.name: ClassInfo(node.name, node, self)
            for node in statements(self.source.tree.body)
            if isinstance(node, ast.ClassDef)
        }

    @cached_property
    def attached(self) -> dict[str, dict[str, ast.expr]]:
        """By class: what production code gives it behind its body, ``Stack.peek = peek``."""
        found: dict[str, dict[str, ast.expr]] = {}
        for node in () if self.is_test else statements(self.source.tree.body):
            for cls, name, value in _attached(node):
                if cls in self.classes:
                    found.setdefault(cls, {})[name] = value
        return found

    @cached_property
    def every_function(self) -> tuple[FunctionNode, ...]:
        """Its top-level functions and the methods of its classes, inner classes included."""
        found = [*self.functions.values()]
        classes = [*self.classes.values()]
        while classes:
            cls = classes.pop()
            found += cls.methods.values()
            classes += cls.inner.values()
        return tuple(found)

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """The names of all parameters of its functions and of the methods of its classes."""
        functions = [*self.functions.values()]
        for cls in self.classes.values():
            functions += cls.methods.values()
        return frozenset(
            argument.arg
            for function in functions
            for argument in (*function.args.args, *function.args.kwonlyargs)
        )

    @cached_property
    def assigns(self) -> dict[str, ast.expr]:
        """Top-level assignments, the last one of each name.

        Objects that a function of the tests makes for a ``global`` name count, too.
        """
        found = dict(_assignments(self.source.tree.body))
        if self.is_test and "global " in self.source.text:
            for name, value in _made_global(self.source.tree):
                if name not in found or isinstance(found[name], ast.Constant):
                    found[name] = value
        return found

    @cached_property
    def asserts_types(self) -> bool:
        """Whether ``isinstance`` or ``assertIsInstance`` stands anywhere in its text."""
        return "isinstance" in self.source.text or "assertIsInstance" in self.source.text

    def is_builtin(self, name: str) -> bool:
        """Whether a name that no function binds means Python's own, as nothing here hides it."""
        return (
            name in _BUILTINS
            and name not in self.functions
            and name not in self.classes
            and name not in self.imports
            and name not in self.assigns
        )

    def imported(self, node: ast.Import | ast.ImportFrom) -> dict[str, str]:
        """The names that one import statement binds."""
        if isinstance(node, ast.Import):
            return {
                alias.asname or alias.name.partition(".")[0]: (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
                for alias in node.names
            }
        base = self.absolute(node)
        return {
            alias.asname or alias.name: f"{base}.{alias.name}" if base else alias.name
            for alias in node.names
            if alias.name != "*"
        }

    def absolute(self, node: ast.ImportFrom) -> str:
        """The module that a ``from`` import names, relative dots resolved."""
        if not node.level:
            return node.module or ""
        parts = self.package.split(".") if self.package else []
        kept = parts[: len(parts) - (node.level - 1)] if node.level > 1 else parts
        return ".".join([*kept, *([node.module] if node.module else [])])


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, and those inside its ``if``, ``try``, ``with``, ``for``."""
    for node in body:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if inner:
                yield from statements(inner)
        for handler in getattr(node, "handlers", ()):
            yield from statements(handler.body)
        for case in getattr(node, "cases", ()):
            yield from statements(case.body)


def _attached(node: ast.stmt) -> Iterator[tuple[str, str, ast.expr]]:
    """Name of a class, of an attribute, and what a statement behind the class's body gives it."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                match target:
                    case ast.Attribute(value=ast.Name(id=cls), attr=name):
                        yield cls, name, value
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="setattr"),
                args=[ast.Name(id=cls), ast.Constant(value=str(name)), value],
            )
        ):
            yield cls, name, value
        case ast.For(
            target=ast.Name(id=variable), iter=ast.List(elts=names) | ast.Tuple(elts=names)
        ):
            for inner in node.body:
                match inner:
                    case ast.Expr(
                        value=ast.Call(
                            func=ast.Name(id="setattr"),
                            args=[ast.Name(id=cls), ast.Name(id=asked), value],
                        )
                    ) if asked == variable:
                        for one in names:
                            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                                yield cls, one.value, value


def _overloads(body: Iterable[ast.stmt]) -> dict[str, list[FunctionNode]]:
    found: dict[str, list[FunctionNode]] = {}
    for node in statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = (getattr(d, "id", getattr(d, "attr", "")) for d in node.decorator_list)
            if "overload" in names:
                found.setdefault(node.name, []).append(node)
    return found


def _made_global(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """What functions and methods assign to names that they declare ``global``."""
    for outer in statements(tree.body):
        for node in outer.body if isinstance(outer, ast.ClassDef) else (outer,):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            declared = {n for s in node.body if isinstance(s, ast.Global) for n in s.names}
            for name, value in _assignments(node.body) if declared else ():
                if name in declared and isinstance(value, ast.Call):
                    yield name, value


def _assignments(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in statements(body):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            if isinstance(node.target, ast.Name):
                yield node.target.id, node.value
        elif isinstance(node, TypeAlias):
            yield node.name.id, node.value
