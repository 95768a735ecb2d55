"""What a name means inside a function: its bindings, and the dotted name behind an expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.walk import LEAVES, children, walk
from socrates.syntax.nodes import TypeAlias

BindingKind = Literal[
    "value", "item", "unpack", "with", "param", "except", "import", "function", "class", "other"
]


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a local name gets its value.

    ``value`` is the bound expression: for ``item`` one element of it (``is_part``: the part at
    ``index`` of one element), for ``unpack`` the part at ``index``, for ``with`` what entering it
    gives, for ``except`` the exception type. What was written as ``name: annotation = value``
    keeps its annotation.
    """

    kind: BindingKind
    row: int
    value: ast.AST | None = None
    dotted: str = ""
    index: int = 0
    annotation: ast.expr | None = None
    is_part: bool = False


@dataclass(eq=False)
class Scope:
    """A function (or a module's top level) with everything that its names can mean.

    ``cls`` is the class that ``self`` is an instance of: for an inherited method the concrete
    test class, not the one that defines it. ``class_body`` is that of a class inside a function.
    """

    module: ModuleInfo
    function: FunctionNode | ast.Lambda | None = None
    cls: ClassInfo | None = None
    parent: Scope | None = None
    is_method: bool = False
    arguments: dict[str, tuple[ast.expr, Scope]] = field(default_factory=dict, repr=False)
    """What a call passes for the parameters, with the scope of the call, where that is known."""
    memo: dict[object, object] = field(default_factory=dict, repr=False)
    class_body: ast.ClassDef | None = None

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """Local names with their bindings in order of appearance."""
        node = self.class_body or self.function
        if node is None:
            return {}
        key = id(node)
        kept = self.module.bindings.get(key)
        if kept is None or kept[0] is not node:
            kept = self.module.bindings[key] = (node, self._bindings(node))
        return kept[1]  # type: ignore[return-value]

    def _bindings(self, node: FunctionNode | ast.Lambda | ast.ClassDef) -> dict[str, list[Binding]]:
        found: dict[str, list[Binding]] = {}
        if not isinstance(node, ast.ClassDef):
            for argument in parameters(node):
                found.setdefault(argument.arg, []).append(
                    Binding("param", argument.lineno, argument.annotation)
                )
        if not isinstance(node, ast.Lambda):
            for statement in node.body:
                _collect(statement, self.module, found)
        return found

    @property
    def self_name(self) -> str | None:
        """The first parameter of a method, usually ``self`` or ``cls``."""
        if not self.is_method or self.function is None:
            return None
        names = [argument.arg for argument in parameters(self.function)]
        return names[0] if names else None

    def lookup(self, name: str) -> tuple[Scope, list[Binding]] | None:
        """The innermost function scope that binds a name, or None for module-level names."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope, scope.bindings[name]
            scope = scope.parent
        return None

    def inner(self, node: FunctionNode | ast.Lambda | ast.ClassDef) -> Scope:
        """The scope of a function or class nested in this one; methods don't see a class's names."""
        key = ("inner", id(node))
        if key not in self.memo:
            outer = self if self.class_body is None else self.parent
            self.memo[key] = (
                Scope(self.module, self.function, self.cls, outer, class_body=node)
                if isinstance(node, ast.ClassDef)
                else Scope(self.module, node, self.cls, outer)
            )
        scope = self.memo[key]
        assert isinstance(scope, Scope)
        return scope

    def dissolve(self) -> None:
        """Let go of all that was found out, here and in scopes that were reached from here.

        Scopes refer to one another in cycles; without these, reference counts free a file's trees.
        """
        waiting: list[object] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Scope):
                waiting += one.memo.values()
                one.memo.clear()
                one.arguments.clear()
            elif isinstance(one, tuple):
                waiting += [part for part in one if not isinstance(part, ast.AST)]
            elif isinstance(inner := getattr(one, "scope", None), Scope):
                waiting.append(inner)
            elif isinstance(outer := getattr(one, "parent", None), Scope) and outer.memo:
                waiting.append(outer)


def parameters(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    """All parameters in order, ``*args`` and ``**kwargs`` included."""
    arguments = function.args
    found = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        found.append(arguments.vararg)
    found += arguments.kwonlyargs
    if arguments.kwarg:
        found.append(arguments.kwarg)
    return found


def binding_at(bindings: list[Binding], row: int) -> Binding:
    """The binding that holds at a row: the last one before it, else the first."""
    before = [binding for binding in bindings if binding.row <= row]
    return before[-1] if before else bindings[0]


def binding_for(bindings: list[Binding], expr: ast.Name) -> Binding:
    """The binding that a read of a name means: in ``x = f(x)`` the ``x`` on the right is older.

    ``x += y`` leaves ``x`` what it was.
    """
    bindings = [b for b in bindings if b.kind != "other" or b.value is not None] or bindings
    found = binding_at(bindings, expr.lineno)
    if found.value is None or len(bindings) < 2 or not _stands_in(expr, found.value):
        return found
    older = bindings[: bindings.index(found)]
    return binding_at(older, expr.lineno) if older else found


def _stands_in(inner: ast.expr, outer: ast.AST) -> bool:
    if not isinstance(outer, ast.expr) or outer.end_lineno is None:
        return False
    start, end = (outer.lineno, outer.col_offset), (outer.end_lineno, outer.end_col_offset or 0)
    return start <= (inner.lineno, inner.col_offset) < end


def dotted_name(expr: ast.AST, scope: Scope) -> str | None:
    """The full dotted name behind ``a.b.c``, imports and aliases resolved; None for locals.

    Names of the module itself come back as ``module.name``, builtins as ``builtins.name``.
    """
    parts: list[str] = []
    while isinstance(expr, ast.Attribute):
        parts.append(expr.attr)
        expr = expr.value
    if not isinstance(expr, ast.Name):
        return None
    base = _root_name(expr, scope)
    return ".".join([base, *reversed(parts)]) if base else None


def _root_name(expr: ast.Name, scope: Scope) -> str | None:
    name = expr.id
    local = scope.lookup(name)
    if local is not None:
        owner, bindings = local
        binding = binding_at(bindings, expr.lineno)
        if binding.kind == "import":
            return binding.dotted
        if binding.kind == "value" and isinstance(binding.value, (ast.Name, ast.Attribute)):
            if binding.value is expr or mentions(binding.value, name):
                return None
            return dotted_name(binding.value, owner)
        return None
    module = scope.module
    if name in module.functions or name in module.classes:
        return f"{module.name}.{name}"
    if name in module.imports:
        return module.imports[name]
    if name in module.assigns:
        return f"{module.name}.{name}"
    if module.is_builtin(name):
        return f"builtins.{name}"
    return f"{module.name}.{name}" if module.star_imports else None


def mentions(expr: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in an expression."""
    return any(isinstance(node, ast.Name) and node.id == name for node in walk(expr))


def is_made(expr: ast.expr, scope: Scope) -> bool:
    """Whether an object is made where it is used, rather than imported or defined elsewhere."""
    if not isinstance(expr, ast.Name):
        return not isinstance(expr, ast.Attribute)
    local = scope.lookup(expr.id)
    return local is not None and any(binding.kind != "import" for binding in local[1])


def root_of(node: ast.AST) -> str | None:
    """The name that ``a.b[c]`` begins with; None where it begins with something else."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def starts_empty(expr: ast.AST | None, scope: Scope) -> bool:
    """Whether a name stands for a list that is filled later: nobody knows with what."""
    local = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    lists = [b.value for b in local[1] if isinstance(b.value, ast.List)] if local else []
    return any(not one.elts for one in lists)


def walk_function(function: ast.AST) -> Iterator[ast.AST]:
    """Every node of a function's body in source order, nested functions included."""
    body = getattr(function, "body", [])
    stack: list[ast.AST] = list(reversed(body)) if isinstance(body, list) else [body]
    while stack:
        node = stack.pop()
        yield node
        if node.__class__ not in LEAVES:
            stack += children(node)[::-1]


def _collect(node: ast.AST, module: ModuleInfo, found: dict[str, list[Binding]]) -> None:
    """Bindings of one statement and what is inside it, nested functions and classes aside."""
    stack = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind in LEAVES:
            continue
        if kind in _BINDING:
            _bind(current, module, found)
        if kind in _OWN_SCOPE:
            continue
        stack += children(current)[::-1]


_OWN_SCOPE = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda})
_BINDING: frozenset[type[ast.AST]] = frozenset(
    {ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.For, ast.AsyncFor, ast.With}
    | {ast.comprehension, ast.AsyncWith, ast.ExceptHandler, ast.Import, ast.ImportFrom}
    | {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, TypeAlias}
)


def _bind(node: ast.AST, module: ModuleInfo, found: dict[str, list[Binding]]) -> None:
    row = getattr(node, "lineno", 0)
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _bind_target(target, "value", value, row, found)
        case ast.AnnAssign(target=ast.Name() as target, value=value, annotation=annotation):
            if value is not None:
                binding = Binding("value", row, value, annotation=annotation)
                _add(found, target.id, binding)
            else:
                _add(found, target.id, Binding("param", row, annotation))
        case ast.NamedExpr(target=target, value=value):
            _bind_target(target, "value", value, row, found)
        case ast.AugAssign(target=ast.Name() as target):
            _add(found, target.id, Binding("other", row))
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            _bind_target(target, "item", value, row, found)
        case ast.comprehension(target=target, iter=value):
            _bind_target(target, "item", value, getattr(target, "lineno", 0), found)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if item.optional_vars is not None:
                    _bind_target(item.optional_vars, "with", item.context_expr, row, found)
        case ast.ExceptHandler(name=str(name), type=kind):
            _add(found, name, Binding("except", row, kind))
        case ast.Import() | ast.ImportFrom():
            for name, dotted in module.imported(node).items():
                _add(found, name, Binding("import", row, dotted=dotted))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            _add(found, name, Binding("function", row, node))
        case ast.ClassDef(name=name):
            _add(found, name, Binding("class", row, node))
        case TypeAlias(name=target, value=value):
            _bind_target(target, "value", value, row, found)


def _bind_target(
    target: ast.AST,
    kind: BindingKind,
    value: ast.expr,
    row: int,
    found: dict[str, list[Binding]],
) -> None:
    if isinstance(target, ast.Name):
        _add(found, target.id, Binding(kind, row, value))
    elif isinstance(target, ast.Starred):
        _bind_target(target.value, "other", value, row, found)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Name):
                part = _part(value, target, index)
                if kind == "value" and part is not None:
                    _add(found, element.id, Binding("value", row, part))
                else:
                    inner: BindingKind = "unpack" if kind in ("value", "with") else "item"
                    part_of_item = inner == "item"
                    binding = Binding(inner, row, value, index=index, is_part=part_of_item)
                    _add(found, element.id, binding)
            else:
                _bind_target(element, "other", value, row, found)


def _part(value: ast.expr, target: ast.Tuple | ast.List, index: int) -> ast.expr | None:
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        return value.elts[index]
    return None


def _add(found: dict[str, list[Binding]], name: str, binding: Binding) -> None:
    found.setdefault(name, []).append(binding)
