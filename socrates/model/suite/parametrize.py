"""What ``pytest.mark.parametrize`` passes for the parameters of a test."""

from __future__ import annotations

import ast

from socrates.model.suite.collect import TestCase, argnames


def argument_values(test: TestCase, name: str) -> list[ast.expr]:
    """The expressions for one parameter: one per row, or the whole table when it is not written out."""
    for decorator in _decorators(test, name):
        table = _argument(decorator, 1, "argvalues")
        if table is None:
            return []
        names = argnames(decorator)
        if not isinstance(table, (ast.List, ast.Tuple, ast.Set)):
            return [table]
        rows = (_cell(row, names.index(name), len(names)) for row in table.elts)
        return [row for row in rows if row is not None]
    return []


def is_written_out(test: TestCase, name: str) -> bool:
    """Whether the rows for a parameter stand in the decorator, so that each is one value."""
    tables = [_argument(decorator, 1, "argvalues") for decorator in _decorators(test, name)]
    return all(isinstance(table, (ast.List, ast.Tuple, ast.Set)) for table in tables)


def column(test: TestCase, name: str) -> int | None:
    """Where a parameter stands in each row of a table; None when it is all of the row."""
    for decorator in _decorators(test, name):
        names = argnames(decorator)
        return names.index(name) if len(names) > 1 else None
    return None


def is_indirect(test: TestCase, name: str) -> bool:
    """Whether a fixture gets the values instead of the test."""
    for decorator in _decorators(test, name):
        value = _argument(decorator, 2, "indirect")
        if isinstance(value, ast.Constant):
            return bool(value.value)
        if isinstance(value, (ast.List, ast.Tuple)):
            return any(isinstance(e, ast.Constant) and e.value == name for e in value.elts)
    return False


def _decorators(test: TestCase, name: str) -> list[ast.Call]:
    return [
        decorator
        for dotted, decorator in test.decorators
        if isinstance(decorator, ast.Call)
        and dotted.endswith("parametrize")
        and name in argnames(decorator)
    ]


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if len(call.args) > position else None


def _cell(row: ast.expr, index: int, width: int) -> ast.expr | None:
    """One column of a row: of a tuple, of ``pytest.param(...)``, or the row itself."""
    if isinstance(row, ast.Call) and last_name(row.func) == "param":
        return row.args[index] if len(row.args) > index else None
    if width == 1:
        return row
    if isinstance(row, (ast.Tuple, ast.List)):
        return row.elts[index] if len(row.elts) > index else None
    return row


def last_name(func: ast.expr) -> str:
    """The last part of what is called: ``param`` of ``pytest.param``."""
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""
