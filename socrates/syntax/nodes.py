"""Node types of newer Pythons, under one name on all of them.

Where the running Python's ``ast`` has a type, it is that type; else a stand-in of the same name
and with the same fields, so that walks over ``_fields`` and visitors by name meet what they would
meet there.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class TypeParam(ast.AST):
        """The base of what stands in brackets after a name (PEP 695)."""

        name: str

        def __init__(self, name: str) -> None: ...

    class TypeVar(TypeParam):
        """``T: bound = default``."""

        bound: ast.expr | None
        default_value: ast.expr | None

        def __init__(self, name: str, bound: ast.expr | None) -> None: ...

    class ParamSpec(TypeParam):
        """``**P = default``."""

        default_value: ast.expr | None

    class TypeVarTuple(TypeParam):
        """``*Ts = default``."""

        default_value: ast.expr | None

    class TypeAlias(ast.stmt):
        """``type Name[T] = value``."""

        name: ast.Name
        type_params: list[TypeParam]
        value: ast.expr

        def __init__(
            self, name: ast.Name, type_params: list[TypeParam], value: ast.expr
        ) -> None: ...

    class TemplateStr(ast.expr):
        """``t"..."`` (PEP 750)."""

        values: list[ast.expr]

        def __init__(self, values: list[ast.expr]) -> None: ...

    class Interpolation(ast.expr):
        """``{value!conversion:format_spec}`` of a template; ``str`` is the text of the value."""

        value: ast.expr
        conversion: int
        format_spec: ast.expr | None

        def __init__(
            self, value: ast.expr, text: str, conversion: int, format_spec: ast.expr | None
        ) -> None: ...

else:

    def _node(name: str, base: type[ast.AST], *fields: str) -> type[ast.AST]:
        """The type of ``ast``, or one that stands in for it."""
        own = getattr(ast, name, None)
        if own is not None:
            return own
        attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")
        members = {"_fields": fields, "_attributes": attributes, "__module__": __name__}
        return type(name, (base,), members)

    TypeParam = _node("type_param", ast.AST)
    TypeVar = _node("TypeVar", TypeParam, "name", "bound", "default_value")
    ParamSpec = _node("ParamSpec", TypeParam, "name", "default_value")
    TypeVarTuple = _node("TypeVarTuple", TypeParam, "name", "default_value")
    TypeAlias = _node("TypeAlias", ast.stmt, "name", "type_params", "value")
    TemplateStr = _node("TemplateStr", ast.expr, "values")
    Interpolation = _node("Interpolation", ast.expr, "value", "str", "conversion", "format_spec")


def with_field(node: ast.AST, name: str, value: Any) -> None:
    """Set a field; one that the running Python's type lacks is added to the fields of the node."""
    setattr(node, name, value)
    if name not in node._fields:
        fields: Any = (*node._fields, name)
        node._fields = fields  # type: ignore[misc]  # of this node only
