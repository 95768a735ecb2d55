"""SOC101: assertions that show no values become ones that do; ``assert a and b`` becomes two."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst as cst

from socrates.classes.lazy import dataclass
from socrates.findings import Finding
from socrates.fix import Fix, NoFix
from socrates.fixes.tree import Changed, Piece, comments_in, swap
from socrates.model.context import FileContext
from socrates.model.suite.assertions import Assertion, called_name
from socrates.model.suite.collect import TestCase
from socrates_rules.assertion_roulette.quantified import Loop, loop_of, loop_text
from socrates_rules.assertion_roulette.transparent import TRUTHS, shown, why_unknown
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout


@dataclass(frozen=True, slots=True)
class _Rewrite:
    """The new lines of one assertion. ``exact``: no verdict can change."""

    assertion: ast.Assert | ast.Call
    lines: tuple[tuple[str, ...], ...]
    exact: bool = True


def fix(finding: Finding, file: FileContext, helpers: Sequence[str] = ()) -> Fix | None:
    """Safe where no verdict can change; what may change one is left for a fix of its own.

    Unsafe: ``!=`` for ``not ... ==``, and loops, whose variable stays bound after them.
    """
    test = _file.test_of(finding, file)
    candidates = [a for a in file.assertions(test, helpers) if _may_show_more(a)]
    if not candidates:
        raise NoFix("its assertions show their values already: split it, or say what each proves")
    rewriter = _Rewriter(file, test)
    found: list[_Rewrite] = []
    reasons: list[str] = []
    for assertion in candidates:
        try:
            found.append(rewriter.rewritten(assertion))
        except NoFix as reason:
            reasons.append(str(reason))
    exact = [rewrite for rewrite in found if rewrite.exact]
    chosen = exact or found
    if not chosen:
        raise NoFix(reasons[0])
    return rewriter.fix(chosen, is_safe=bool(exact))


class _Rewriter:
    """Rewrites the assertions of one test."""

    def __init__(self, file: FileContext, test: TestCase) -> None:
        self.file = file
        self.test = test
        self.piece = Piece(file.module.source, test.node)
        self.looped: dict[str, str] = {}
        self.parents = {
            id(child): parent
            for parent in ast.walk(test.node)
            for child in ast.iter_child_nodes(parent)
        }

    def fix(self, rewrites: Sequence[_Rewrite], *, is_safe: bool) -> Fix:
        """All rewrites in one fix."""
        changes: dict[cst.CSTNode, Changed] = {}
        for rewrite in rewrites:
            line = self._line(rewrite.assertion)
            changes[line] = cst.FlattenSentinel(_in_place_of(line, rewrite.lines))
        number = len(rewrites)
        message = f"Let {number} assertion{'s' if number != 1 else ''} show what failed"
        edits = self.piece.replaced(swap(self.piece.function, changes))
        return Fix(message, "safe" if is_safe else "unsafe", edits)

    def rewritten(self, assertion: Assertion) -> _Rewrite:
        """The rewrite of an assertion. NoFix says why it has none."""
        node = assertion.node
        self._line(node)
        if isinstance(node, ast.Call):
            return self._checked(self._method(assertion, node))
        parts = _conjuncts(node.test)
        if len(parts) > 1:
            lines = tuple((self._plain(part, node),) for part in parts)
            return self._checked(_Rewrite(node, lines))
        return self._checked(self._loop(assertion, node.test, holds=True))

    def _checked(self, rewrite: _Rewrite) -> _Rewrite:
        """The rewrite, if the comment of its line still has room where a formatter counts it."""
        comment = self._line(rewrite.assertion).trailing_whitespace.comment
        if comment is not None and _layout.style(self.file).formatted:
            column = self.file.module.source.span(rewrite.assertion).column - 1
            line = f"{rewrite.lines[-1][-1]}  {comment.value}"
            _layout.require_room(line, column, self.file)
        return rewrite

    def _method(self, assertion: Assertion, call: ast.Call) -> _Rewrite:
        holds = TRUTHS.get(called_name(call) or "")
        if holds is None or len(call.args) != 1 or call.keywords:
            raise NoFix("it is not called with one condition")
        self_name = self.test.scope.self_name
        match call.func:
            case ast.Attribute(value=ast.Name(id=name)) if name == self_name:
                pass
            case _:
                raise NoFix("it is no method of the test's own class")
        found = shown(call.args[0], holds, assertion.scope)
        if found is None:
            return self._loop(assertion, call.args[0], holds=holds)
        self._require_known(found.method)
        return _Rewrite(call, (self._called(found.method, found.arguments, call),), found.exact)

    def _called(
        self, method: str, arguments: Sequence[ast.expr], at: ast.AST, deeper: int = 0
    ) -> tuple[str, ...]:
        column = self.file.module.source.span(at).column - 1 + deeper
        codes = [self._code(argument) for argument in arguments]
        head = f"{self.test.scope.self_name}.{method}"
        return tuple(_layout.call(head, codes, column, self.file))

    def _require_known(self, method: str) -> None:
        if reason := why_unknown(self.file, self.test, method):
            raise NoFix(reason)

    def _loop(self, assertion: Assertion, condition: ast.expr, *, holds: bool) -> _Rewrite:
        loop = loop_of(condition, holds, assertion.scope)
        node = assertion.node
        self._require_free(loop)
        column = self.file.module.source.span(node).column - 1
        head = f"for {self._code(loop.target)} in {self._code(loop.values)}:"
        _layout.require_room(head, column, self.file)
        if isinstance(node, ast.Assert):
            parts = [self._code(part, bare=False) for part in loop.parts]
            text = loop_text(self._code(loop.each), loop, parts)
            body = [f"assert {text}"]
            _layout.require_room(body[0], column + len(_layout.INDENT), self.file)
        else:
            found = shown(loop.each, loop.holds, assertion.scope)
            if found is None:
                raise NoFix("no method of unittest shows the values of its condition")
            self._require_known(found.method)
            body = list(self._called(found.method, found.arguments, node, len(_layout.INDENT)))
        lines = (head, *(f"{_layout.INDENT}{line}" for line in body))
        return _Rewrite(node, (lines,), exact=False)

    def _require_free(self, loop: Loop) -> None:
        """NoFix if the variable of the loop would change what the test means, or its type."""
        names = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        own = {id(inner) for made in _binding(self.test.node, names) for inner in ast.walk(made)}
        for node in ast.walk(self.test.node):
            name = node.arg if isinstance(node, ast.arg) else getattr(node, "id", None)
            if name in names and id(node) not in own:
                raise NoFix(f"{name} means something else in the test")
        values = ast.dump(loop.values)
        if any(self.looped.setdefault(name, values) != values for name in names):
            raise NoFix("two loops would have one variable for different values")

    def _plain(self, part: ast.expr, node: ast.Assert) -> str:
        column = self.file.module.source.span(node).column - 1
        return _layout.require_room(f"assert {self._code(part)}", column, self.file)

    def _code(self, expr: ast.expr, *, bare: bool = True) -> str:
        """An expression in one line where that is possible; ``bare`` without parentheses."""
        node = self.piece.expression(expr)
        code = _layout.in_one_line(self.piece.code(_bare(node) if bare else node))
        if code is not None:
            return code
        if not _is_bracketed(node):
            raise NoFix("a condition spans several lines")
        return self.piece.code(node)

    def _line(self, node: ast.Assert | ast.Call) -> cst.SimpleStatementLine:
        """The line that holds the assertion and nothing else, in no place that looks at failures."""
        statement = node if isinstance(node, ast.Assert) else self.parents[id(node)]
        if not isinstance(statement, (ast.Assert, ast.Expr)):
            raise NoFix("it is part of an expression")
        self._require_unwatched(statement)
        kind = cst.Assert if isinstance(statement, ast.Assert) else cst.Expr
        small = self.piece.find(statement, kind)
        line = self.piece.line_of(small)
        if line is None or len(line.body) != 1:
            raise NoFix("it shares its line with another statement")
        if comments_in(small):
            raise NoFix("a comment would be lost")
        comment = line.trailing_whitespace.comment
        if comment is not None and _layout.silences_a_tool(comment.value):
            raise NoFix("its line has a comment for another tool")
        return line

    def _require_unwatched(self, statement: ast.stmt) -> None:
        current: ast.AST = statement
        while id(current) in self.parents:
            current = self.parents[id(current)]
            if isinstance(current, ast.Try) and current.handlers:
                raise NoFix("its failure is caught")
            if isinstance(current, (ast.With, ast.AsyncWith)):
                for item in current.items:
                    if "raises" in ast.dump(item.context_expr).lower():
                        raise NoFix("its failure is expected")


def _may_show_more(assertion: Assertion) -> bool:
    if assertion.explained or assertion.scope.function is None:
        return False
    if isinstance(assertion.node, ast.Assert):
        return len(_conjuncts(assertion.node.test)) > 1 or assertion.opaque
    return assertion.kind == "unittest" and assertion.opaque


def _in_place_of(
    line: cst.SimpleStatementLine, texts: Sequence[Sequence[str]]
) -> list[cst.BaseStatement]:
    """Statements for one: what stood above it stands above the first, its comment on the last."""
    plain = cst.SimpleStatementLine([])
    above = plain.with_changes(leading_lines=line.leading_lines)
    beside = plain.with_changes(trailing_whitespace=line.trailing_whitespace)
    places = [line] if len(texts) == 1 else [above, *[plain] * (len(texts) - 2), beside]
    return [_layout.statement(text, place) for text, place in zip(texts, places, strict=True)]


def _binding(tree: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """The comprehensions that have variables of these names of their own."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            bound = {
                part.id
                for generator in node.generators
                for part in ast.walk(generator.target)
                if isinstance(part, ast.Name)
            }
            if names <= bound:
                yield node


def _conjuncts(expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.BoolOp) and isinstance(expr.op, ast.And):
        return [part for value in expr.values for part in _conjuncts(value)]
    return [expr]


def _bare(expr: cst.BaseExpression) -> cst.BaseExpression:
    """An expression without the parentheses that stood around it."""
    keep = isinstance(expr, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield))
    return expr if keep or not expr.lpar else expr.with_changes(lpar=[], rpar=[])


def _is_bracketed(expr: cst.BaseExpression) -> bool:
    """Whether its line breaks all stand inside brackets."""
    return bool(expr.lpar) or isinstance(expr, (cst.Call, cst.Subscript, cst.List, cst.Dict))
