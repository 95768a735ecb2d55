"""Trees with newer nodes as trees that the running Python can compile, to see whether it would."""

from __future__ import annotations

import ast

from socrates.syntax.nodes import Interpolation, TemplateStr, TypeAlias


def compiles(tree: ast.Module) -> bool:
    """Whether the tree is a program: names, scopes, jumps. Changes the tree on its way.

    Types that this Python lacks are replaced by what binds and reads the same names; type
    parameters that it lacks are left out.
    """
    try:
        compile(_Older().visit(tree), "<tree>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True


class _Older(ast.NodeTransformer):
    """Methods are named after types, as visitors want it."""

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if hasattr(ast, "TypeAlias"):
            return node
        assert isinstance(node, TypeAlias)
        return ast.copy_location(ast.Assign([node.name], node.value, None), node)

    def visit_TemplateStr(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if hasattr(ast, "TemplateStr"):
            return node
        assert isinstance(node, TemplateStr)
        return ast.copy_location(ast.JoinedStr(node.values), node)

    def visit_Interpolation(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if hasattr(ast, "Interpolation"):
            return node
        assert isinstance(node, Interpolation)
        field = ast.FormattedValue(node.value, node.conversion, node.format_spec)
        return ast.copy_location(field, node)
