"""What a test reads of its own object: attributes of ``self``, directly and through its methods."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, parameters
from socrates.model.python.resolve import Resolver
from socrates.model.python.shapes import is_static
from socrates.model.python.walk import children, walk
from socrates.model.suite.collect import TestCase
from socrates.model.suite.helpers import is_helper_module

_LOOKS_AT_TYPE = frozenset({"isinstance", "id", "type", "issubclass", "setattr"})


@dataclass(frozen=True, slots=True)
class Reads:
    """Attributes that code reads. ``whole``: the object itself was handed on, so any of them."""

    names: frozenset[str] = frozenset()
    whole: bool = False

    def __contains__(self, name: str) -> bool:
        return self.whole or name in self.names


@dataclass(slots=True)
class _Direct:
    """What one function does with ``self`` by itself, before its methods are followed."""

    names: set[str] = field(default_factory=set)
    inherited: set[str] = field(default_factory=set)
    """Methods called through ``super()``."""
    explicit: list[tuple[ast.expr, str]] = field(default_factory=list)
    """``Base.method(self)``: the class as written, and the method."""
    of_classes: set[tuple[str, str]] = field(default_factory=set)
    """``ClassName.attribute``."""
    whole: bool = False


class SelfAttributes:
    """Answers what tests and methods read of ``self``. Answers are remembered by function."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self._direct: dict[int, tuple[ast.AST, _Direct]] = {}

    def of(self, test: TestCase) -> Reads:
        """What a test reads, its decorators' wrappers included."""
        if test.cls is None or not test.scope.is_method:
            return Reads()
        reads = self.of_method(test.owner or test.cls, test.node, test.cls)
        names = set(reads.names)
        for wrapper in self._wrappers(test):
            names |= wrapper.names
        return Reads(frozenset(names), reads.whole)

    def of_method(self, owner: ClassInfo, node: FunctionNode, cls: ClassInfo) -> Reads:
        """What a method reads, ``self`` being of class ``cls``, through all methods it mentions."""
        first = first_parameter(node)
        if first is None:
            return Reads()
        return self._follow([(owner, node, self._of_function(node, first))], cls)

    def of_expressions(
        self, expressions: Iterable[ast.AST], first: str, owner: ClassInfo, cls: ClassInfo
    ) -> Reads:
        """What expressions in a method of ``owner`` read, through the methods they mention."""
        direct = _Direct()
        for expression in expressions:
            _Walker(direct).visit(expression, frozenset({first}))
        return self._follow([(owner, None, direct)], cls)

    def _follow(
        self, queue: list[tuple[ClassInfo, FunctionNode | None, _Direct]], cls: ClassInfo
    ) -> Reads:
        mro = self.resolver.mro(cls)
        class_names = {base.name for base in mro}
        names: set[str] = set()
        seen = {id(node) for _, node, _ in queue}
        while queue:
            owner, _, direct = queue.pop()
            if direct.whole:
                return Reads(whole=True)
            names |= direct.names
            names |= {attr for base, attr in direct.of_classes if base in class_names}
            for found_in, node in self._mentioned(direct, owner, mro):
                first = first_parameter(node)
                # What a test framework's own methods do with ``self`` says nothing of the test.
                is_ours = is_helper_module(found_in.module)
                if id(node) not in seen and first is not None and is_ours:
                    seen.add(id(node))
                    queue.append((found_in, node, self._of_function(node, first)))
        return Reads(frozenset(names))

    def _mentioned(
        self, direct: _Direct, owner: ClassInfo, mro: tuple[ClassInfo, ...]
    ) -> Iterator[tuple[ClassInfo, FunctionNode]]:
        for name in direct.names:
            yield from _defined(name, mro)
        for name in direct.inherited:
            yield from _defined(name, after(owner, mro))
        for base, name in direct.explicit:
            found = self.resolver.expression(base, Scope(owner.module))
            if found is not None and found.cls is not None:
                yield from _defined(name, self.resolver.mro(found.cls))

    def _of_function(self, node: FunctionNode, first: str) -> _Direct:
        kept = self._direct.get(id(node))
        if kept is not None and kept[0] is node:
            return kept[1]
        direct = _Direct()
        names = frozenset({first, *_aliases(node, first)})
        walker = _Walker(direct)
        for statement in node.body:
            walker.visit(statement, names)
        self._direct[id(node)] = (node, direct)
        return direct

    def _wrappers(self, test: TestCase) -> Iterator[_Direct]:
        """What the wrappers of the project's own decorators read of the test's object."""
        for dotted, _ in test.decorators:
            definition = self.resolver.name(dotted, test.scope.module.path) if dotted else None
            if definition is None or definition.node is None:
                continue
            for inner in walk(definition.node):
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    first = first_parameter(inner)
                    if first is not None and inner is not definition.node:
                        yield self._of_function(inner, first)


def after(owner: ClassInfo, mro: tuple[ClassInfo, ...]) -> tuple[ClassInfo, ...]:
    """The classes that ``super()`` in a method of ``owner`` looks in."""
    for position, cls in enumerate(mro):
        if cls is owner or cls.node is owner.node:
            return mro[position + 1 :]
    return ()


def _defined(name: str, classes: tuple[ClassInfo, ...]) -> Iterator[tuple[ClassInfo, FunctionNode]]:
    for cls in classes:
        if name in cls.methods:
            yield cls, cls.methods[name]
            return


def first_parameter(node: FunctionNode) -> str | None:
    """What a method calls its object: ``self`` or ``cls``; None when it gets none."""
    if is_static(node):
        return None
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments else None


def _aliases(node: FunctionNode, first: str) -> Iterator[str]:
    """Local names for the object: ``case = self``."""
    for part in walk(node):
        if isinstance(part, ast.Assign) and _is_name(part.value, {first}):
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))


def _is_name(node: ast.AST | None, names: Iterable[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


class _Walker:
    """Walks a function's body and notes each use of ``self`` and its aliases."""

    def __init__(self, direct: _Direct) -> None:
        self.direct = direct

    def visit(self, node: ast.AST, names: frozenset[str]) -> None:
        match node:
            case ast.Name():
                if node.id in names:
                    self.direct.whole = True
            case ast.Attribute():
                self._attribute(node, names)
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id=base), attr=attr)):
                if base in names:
                    self.direct.names.add(attr)
                self.visit(node.value, names)
            case ast.Assign(value=ast.Name(id=base)) if base in names:
                self._all((t for t in node.targets if not isinstance(t, ast.Name)), names)
            case ast.Call():
                self._call(node, names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._nested(node, names)
            case _:
                self._all(children(node), names)

    def _all(self, nodes: Iterable[ast.AST], names: frozenset[str]) -> None:
        for node in nodes:
            self.visit(node, names)

    def _nested(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: frozenset[str]
    ) -> None:
        if not isinstance(node, ast.Lambda):
            self._all(node.decorator_list, names)
        self._all([*node.args.defaults, *(d for d in node.args.kw_defaults if d)], names)
        inner = names - {argument.arg for argument in parameters(node)}
        if inner:
            self._all(node.body if isinstance(node.body, list) else [node.body], inner)

    def _attribute(self, node: ast.Attribute, names: frozenset[str]) -> None:
        base = node.value
        if self._is_object(base, names):
            if node.attr == "__dict__":
                self.direct.whole = True
            elif not isinstance(node.ctx, ast.Store):
                self.direct.names.add(node.attr)
        elif isinstance(base, ast.Call) and _is_name(base.func, {"super"}):
            self.direct.inherited.add(node.attr)
        elif isinstance(base, ast.Name):
            self.direct.of_classes.add((base.id, node.attr))
        else:
            self.visit(base, names)

    def _is_object(self, node: ast.AST, names: frozenset[str]) -> bool:
        """``self``, ``self.__class__`` or ``type(self)``."""
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            node = node.value
        elif isinstance(node, ast.Call) and _is_name(node.func, {"type"}) and len(node.args) == 1:
            node = node.args[0]
        return _is_name(node, names)

    def _call(self, node: ast.Call, names: frozenset[str]) -> None:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        first_is_self = bool(node.args) and _is_name(node.args[0], names)
        match node.func:
            case ast.Name(id="getattr" | "hasattr") if first_is_self and len(node.args) > 1:
                name = node.args[1]
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    self.direct.names.add(name.value)
                else:
                    self.direct.whole = True
                arguments = arguments[1:]
            case ast.Name(id="super"):
                return
            case ast.Name(id=function) if first_is_self and function in _LOOKS_AT_TYPE:
                arguments = arguments[1:]
            case ast.Attribute(value=base, attr=attr) if first_is_self and _is_class_name(base):
                self.direct.explicit.append((base, attr))
                arguments = arguments[1:]
            case _:
                self.visit(node.func, names)
        self._all(arguments, names)


def _is_class_name(node: ast.expr) -> bool:
    """``Base`` or ``module.Base``, by the custom that classes begin with a capital."""
    last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return last.lstrip("_")[:1].isupper()
