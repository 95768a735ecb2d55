"""What collections hold, for the question whether a text is as good as a value.

Followed as far as it is written: displays, comprehensions, ``append``, the parts of a dict, and
names of the test, of its class and of modules that stand for one of these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from socrates.model.python.names import Scope, binding_for, dotted_name
from socrates.model.python.values import ClassValue, Instance
from socrates.model.python.walk import walk

if TYPE_CHECKING:
    from socrates_rules.sensitive_equality.plain import Plain

_COPIES = frozenset({"list", "sorted", "reversed", "set", "tuple", "iter", "frozenset"})
_ADDS = frozenset({"append", "add", "appendleft"})
_WRITTEN_OUT = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)


def is_constant_display(expr: ast.expr) -> bool:
    """Written out, down to constants: its text is a constant too."""
    if isinstance(expr, ast.Dict):
        return all(k is not None and is_constant_display(k) for k in expr.keys) and holds_literals(
            expr
        )
    return holds_literals(expr)


def holds_literals(expr: ast.expr) -> bool:
    """Whether all that can be taken out of a display, its keys aside, is written out."""
    if isinstance(expr, ast.UnaryOp):
        return holds_literals(expr.operand)
    if not isinstance(expr, _WRITTEN_OUT):
        return False
    if isinstance(expr, ast.Dict):
        return all(holds_literals(value) for value in expr.values)
    return isinstance(expr, ast.Constant) or all(holds_literals(e) for e in expr.elts)


def elements(plain: Plain, values: ast.expr, scope: Scope, index: int = 0) -> bool | None:
    """Whether what iterating over a collection gives is plain: of pairs, the part at ``index``.

    The keys of a mapping are taken for text unless other keys are written.
    """
    match values:
        case ast.Tuple(elts=rows) | ast.List(elts=rows) | ast.Set(elts=rows):
            return _agreed(plain.verdict(part(row, index), scope) for row in rows)
        case ast.ListComp(elt=each) | ast.GeneratorExp(elt=each) | ast.SetComp(elt=each):
            return plain.verdict(part(each, index), scope)
        case ast.Dict(keys=keys):
            return _agreed(plain.verdict(key, scope) for key in keys if key is not None)
        case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values" as what, value=base)):
            wanted = {"keys": 0, "values": 1, "items": index}[what]
            found = _of_dict(plain, base, scope, wanted)
            return True if found is None and wanted == 0 else found
        case ast.Call(func=ast.Name(id=name), args=args):
            return _made(plain, name, args, scope, index)
        case ast.Subscript(value=base):
            return _holds(base, scope, plain) or plain.verdict(values, scope) or None
        case ast.Name() | ast.Attribute():
            behind = source(plain, values, scope)
            found = plain.elements(*behind, index) if behind is not None else None
            if found is None and isinstance(values, ast.Name):
                found = _added(plain, values.id, scope)
            return plain.verdict(values, scope) or None if found is None else found
    return None


def _made(plain: Plain, name: str, args: list[ast.expr], scope: Scope, index: int) -> bool | None:
    """The elements of what a builtin makes of its arguments."""
    if name == "range" or (name == "enumerate" and index == 0):
        return True
    if name == "map" and args:
        return plain.instances(args[0], scope)
    if name == "zip" and len(args) > index:
        return plain.elements(args[index], scope)
    if args and (name in _COPIES or name == "enumerate"):
        return plain.elements(args[0], scope, 0 if name == "enumerate" else index)
    return None


def item(plain: Plain, collection: ast.expr, scope: Scope) -> bool | None:
    """Whether ``collection[...]`` is plain."""
    if _holds(collection, scope, plain):
        return True
    behind = source(plain, collection, scope)
    match behind:
        case (ast.Dict(), owner):
            return _of_dict(plain, behind[0], owner, 1)
        case (ast.List() | ast.Tuple() | ast.ListComp(), owner):
            return plain.elements(behind[0], owner)
    if isinstance(collection, ast.Name):
        return _added(plain, collection.id, scope)
    return None


def _holds(expr: ast.expr, scope: Scope, plain: Plain) -> bool:
    while isinstance(expr, ast.Subscript):
        expr = expr.value
    behind = source(plain, expr, scope)
    return behind is not None and not _is_empty(behind[0]) and holds_literals(behind[0])


def _of_dict(plain: Plain, expr: ast.expr, scope: Scope, index: int) -> bool | None:
    behind = (expr, scope) if isinstance(expr, ast.Dict) else source(plain, expr, scope)
    if behind is None:
        return None
    match behind:
        case (ast.Dict(keys=keys, values=values), owner):
            parts = values if index else [key for key in keys if key is not None]
        case (ast.DictComp(key=key, value=value), owner):
            parts = [value if index else key]
        case _:
            return None
    return _agreed(plain.verdict(value, owner) for value in parts)


def _added(plain: Plain, name: str, scope: Scope) -> bool | None:
    """By what ``name.append(...)`` puts into a list that began empty."""
    local = scope.lookup(name)
    if local is None or local[0].function is None:
        return None
    put = [
        node.args[0]
        for node in walk(local[0].function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _ADDS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == name
        and len(node.args) == 1
    ]
    return _agreed(plain.verdict(value, scope) for value in put)


def source(plain: Plain, expr: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The expression that a name, or an attribute of a class or module, was assigned."""
    if isinstance(expr, ast.Name):
        local = scope.lookup(expr.id)
        if local is not None:
            owner, bindings = local
            binding = binding_for(bindings, expr)
            is_value = binding.kind == "value" and isinstance(binding.value, ast.expr)
            if is_value and isinstance(binding.value, ast.expr) and binding.value is not expr:
                return binding.value, owner
            return None
    elif isinstance(expr, ast.Attribute):
        of = plain.file.infer(expr.value, scope)
        if isinstance(of, (Instance, ClassValue)):
            for cls in plain.file.resolver.mro(of.cls):
                if expr.attr in cls.assigns:
                    outside = plain.file.inference.module_scope(cls.module)
                    return cls.assigns[expr.attr], outside
            return None
    else:
        return None
    dotted = dotted_name(expr, scope)
    found = plain.file.resolver.name(dotted, scope.module.path) if dotted else None
    if found is None or found.kind != "value" or found.value is None or found.module is None:
        return None
    return found.value, plain.file.inference.module_scope(found.module)


def _agreed(answers: Iterator[bool | None]) -> bool | None:
    """The answer that all give; None when they differ, or when there is none."""
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def _is_empty(expr: ast.expr) -> bool:
    return not (expr.keys if isinstance(expr, ast.Dict) else getattr(expr, "elts", True))


def part(row: ast.expr, index: int) -> ast.expr:
    """The part of a row that is written out as a tuple or list; else the row."""
    if isinstance(row, (ast.Tuple, ast.List)) and len(row.elts) > index:
        return row.elts[index]
    return row
