"""What differs between tests that are otherwise the same: the columns of a table."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence

from socrates.classes.lazy import dataclass
from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import parameters
from socrates.model.python.values import FunctionValue
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting.annotations import is_annotated
from socrates_rules.rewriting.named_constants import is_constant, is_member

_EQUALITIES = frozenset({"assertEqual", "assertNotEqual"})
_UNCHANGING = (ast.Constant, ast.Name, ast.Attribute)
_OPAQUE = (ast.JoinedStr, ast.MatchValue, ast.MatchSingleton, ast.Global, ast.Nonlocal)


@dataclass(frozen=True, slots=True)
class Column:
    """One difference: the values in each test, in their order, and where the first test has it.

    ``assigned`` is the local variable that only holds the value, if there is one.
    """

    name: str
    values: tuple[ast.expr, ...]
    places: tuple[ast.expr, ...]
    assigned: ast.Assign | None = None


class _Difference:
    """Values at one place, and the hints for a name."""

    def __init__(self, values: Sequence[ast.expr], hint: str, assigned: ast.Assign | None) -> None:
        self.values = tuple(values)
        self.hint = hint
        self.assigned = assigned

    @property
    def is_constant(self) -> bool:
        return all(isinstance(value, _UNCHANGING) for value in self.values)

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(ast.dump(value) for value in self.values)


def statements_of(node: FunctionNode) -> list[ast.stmt]:
    """The body without its docstring."""
    return node.body[1:] if ast.get_docstring(node, clean=False) is not None else list(node.body)


def columns(file: FileContext, tests: Sequence[TestCase]) -> list[Column]:
    """The differences between tests of one shape. NoFix when one can't be a value in a table."""
    alignment = _Alignment(file, tests)
    bodies = [statements_of(test.node) for test in tests]
    if len({len(body) for body in bodies}) != 1:
        raise NoFix("not the same statements")
    for row in zip(*bodies, strict=True):
        alignment.compare(row)
    return alignment.columns()


class _Alignment:
    def __init__(self, file: FileContext, tests: Sequence[TestCase]) -> None:
        self.file = file
        self.tests = tests
        self._found: list[_Difference] = []
        self._renamed: list[dict[str, str]] = [{} for _ in tests]

    def compare(self, nodes: Sequence[ast.AST], hint: str = "") -> None:
        """Walk the same node of each test in parallel."""
        first = nodes[0]
        nodes = [_turned_like(first, node) for node in nodes]
        if isinstance(first, ast.Assign) and self._whole_assignment(nodes):
            return
        if all(isinstance(node, ast.expr) and self._is_value(node) for node in nodes):
            self._literal([node for node in nodes if isinstance(node, ast.expr)], hint, None)
            return
        if any(type(node) is not type(first) for node in nodes):
            raise NoFix("not the same statements")
        if isinstance(first, _OPAQUE):
            if len({ast.dump(node) for node in nodes}) != 1:
                raise NoFix("differs where no parameter can stand")
            return
        if isinstance(first, ast.Name):
            self._name([node for node in nodes if isinstance(node, ast.Name)], hint)
            return
        if isinstance(first, ast.Call) and isinstance(first.func, ast.Name):
            if len({getattr(getattr(node, "func", None), "id", "") for node in nodes}) != 1:
                raise NoFix("other functions are called")
        hints = self._hints(first)
        for field in first._fields:
            values = [getattr(node, field, None) for node in nodes]
            lists = [value for value in values if isinstance(value, list)]
            if len(lists) == len(values):
                if len({len(value) for value in lists}) != 1:
                    raise NoFix("not the same statements")
                for row in zip(*lists, strict=True):
                    self._field(row, hints.get(id(row[0]), ""))
            else:
                self._field(values, hints.get(id(values[0]), ""))

    def columns(self) -> list[Column]:
        """Equal differences are one column; names are told apart."""
        node = self.tests[0].node
        taken = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        taken |= {argument.arg for argument in parameters(node)}
        merged: dict[tuple[str, ...], list[_Difference]] = {}
        for number, difference in enumerate(self._found):
            # Two lists that are equal stay two: the code under test may change one of them.
            key = difference.key if difference.is_constant else (*difference.key, str(number))
            merged.setdefault(key, []).append(difference)
        found = []
        for same in merged.values():
            assigned = next((d.assigned for d in same if d.assigned is not None), None)
            if assigned is not None:
                name = str(getattr(assigned.targets[0], "id", ""))
            else:
                name = next((d.hint for d in same if d.hint), "value")
                number, base = 1, name
                while name in taken or not name.isidentifier():
                    number += 1
                    name = f"{base}_{number}" if base.isidentifier() else f"value_{number}"
            taken.add(name)
            places = tuple(d.values[0] for d in same if d.assigned is not assigned or not assigned)
            found.append(Column(name, same[0].values, places, assigned))
        return found

    def _field(self, values: Sequence[object], hint: str) -> None:
        nodes = [value for value in values if isinstance(value, ast.AST)]
        if len(nodes) == len(values):
            self.compare(nodes, hint)
        elif len({repr(value) for value in values}) != 1:
            raise NoFix("differs where no parameter can stand")

    def _whole_assignment(self, nodes: Sequence[ast.AST]) -> bool:
        """``text = "abc"`` at the top of each test, assigned once: the variable is the column."""
        assigns = [node for node in nodes if isinstance(node, ast.Assign)]
        if len(assigns) != len(nodes):
            return False
        for test, assign in zip(self.tests, assigns, strict=True):
            target = assign.targets[0]
            if len(assign.targets) != 1 or not isinstance(target, ast.Name):
                return False
            if not self._is_value(assign.value) or assign not in test.node.body:
                return False
            stores = [
                n
                for n in ast.walk(test.node)
                if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Store)
            ]
            if len(stores) != 1:
                return False
        self._name([assign.targets[0] for assign in assigns], "")  # type: ignore[misc]
        self._literal([assign.value for assign in assigns], "", assigns[0])
        return True

    def _literal(self, nodes: list[ast.expr], hint: str, assigned: ast.Assign | None) -> None:
        if len({ast.dump(node) for node in nodes}) != 1:
            self._found.append(_Difference(nodes, hint, assigned))

    def _name(self, nodes: list[ast.Name], hint: str) -> None:
        """The same global everywhere, one local under several names, or globals as values."""
        local = [
            node.id in test.scope.bindings for test, node in zip(self.tests, nodes, strict=True)
        ]
        if all(local):
            for renamed, node in zip(self._renamed, nodes, strict=True):
                if renamed.setdefault(nodes[0].id, node.id) != node.id:
                    raise NoFix("names are used in another way")
            return
        if any(local):
            raise NoFix("names are used in another way")
        if len({node.id for node in nodes}) == 1:
            return
        if not all(self._is_global(node.id) for node in nodes):
            raise NoFix("a name is not known where the table stands")
        self._found.append(_Difference(nodes, hint, None))

    def _is_value(self, node: ast.AST) -> bool:
        """A literal, or what has the same value wherever it is read: ``Status.OPEN``."""
        return is_literal(node, self._is_named)

    def _is_named(self, node: ast.AST) -> bool:
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or not self._is_global(root.id):
            return False
        first = self.tests[0]
        if any(root.id in test.scope.bindings for test in self.tests):
            return False
        if is_member(node, first.scope, self.file):
            return True
        return not is_annotated(first.node) and is_constant(node, first.scope, self.file)

    def _is_global(self, name: str) -> bool:
        module = self.file.module
        return name in module.imports or hasattr(builtins, name) or self._is_above(name)

    def _is_above(self, name: str) -> bool:
        """Whether a definition at the top of the module stands before the first test."""
        row = min(test.first_row for test in self.tests)
        module = self.file.module
        node: ast.AST | None = module.functions.get(name) or module.assigns.get(name)
        if node is None and name in module.classes:
            node = module.classes[name].node
        return node is not None and int(getattr(node, "lineno", row)) < row

    def _hints(self, node: ast.AST) -> dict[int, str]:
        """Names for the values below a node."""
        match node:
            case ast.Compare(left=left, comparators=[right]) if not is_literal(left):
                return {id(right): "expected"}
            case ast.Compare(left=left, comparators=[right]) if not is_literal(right):
                return {id(left): "expected"}
            case ast.keyword(arg=str(name), value=value):
                return {id(value): name}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return {id(value): name}
            case ast.Call(func=ast.Attribute(attr=attr), args=[first, second, *_]) if (
                attr.startswith("assert") and "Equal" in attr
            ):
                return {id(first if is_literal(first) else second): "expected"}
            case ast.Call(func=func, args=args):
                return self._parameter_names(func, args)
        return {}

    def _parameter_names(self, func: ast.expr, args: list[ast.expr]) -> dict[int, str]:
        called = self.file.infer(func, self.tests[0].scope)
        if not isinstance(called, FunctionValue):
            return {}
        names = [a.arg for a in (*called.node.args.posonlyargs, *called.node.args.args)]
        if called.owner is not None and names[:1] in (["self"], ["cls"]):
            names = names[1:]
        return {id(arg): name for arg, name in zip(args, names, strict=False)}


def _turned_like(first: ast.AST, node: ast.AST) -> ast.AST:
    """``3 == f(x)`` as ``f(x) == 3`` where the first test has the literal on that side."""
    match first, node:
        case (
            ast.Compare(left=one, ops=[ast.Eq() | ast.NotEq() as op], comparators=[other]),
            ast.Compare(left=left, ops=[own], comparators=[right]),
        ) if type(op) is type(own) and _is_other_way(one, other, left, right):
            return ast.copy_location(ast.Compare(right, [own], [left]), node)
        case (
            ast.Call(func=ast.Attribute(attr=attr), args=[one, other]),
            ast.Call(func=ast.Attribute(attr=same) as func, args=[left, right]),
        ) if attr == same and attr in _EQUALITIES and _is_other_way(one, other, left, right):
            return ast.copy_location(ast.Call(func, [right, left], node.keywords), node)
    return node


def _is_other_way(one: ast.expr, other: ast.expr, left: ast.expr, right: ast.expr) -> bool:
    sides = (is_literal(one), is_literal(other))
    return sides[0] != sides[1] and sides == (is_literal(right), is_literal(left))


def is_literal(node: ast.AST, is_leaf: Callable[[ast.AST], bool] = lambda node: False) -> bool:
    """Constants, and collections and negatives of them; ``is_leaf`` tells what else is one."""
    match node:
        case ast.Constant():
            return True
        case ast.Attribute() | ast.JoinedStr():
            return is_leaf(node)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return is_literal(operand)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            loaded = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            return loaded and all(is_literal(part, is_leaf) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_literal(key, is_leaf) for key in keys) and all(
                is_literal(value, is_leaf) for value in values
            )
    return False
