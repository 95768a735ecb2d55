"""Small changes of source code that a test should notice. Text is replaced in place.

Positions of all other code stay as they are: a change never adds or removes a line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

_OTHER_COMPARISON = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
_OTHER_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
}
_WORDS_FOR_PEOPLE = frozenset({"help", "metavar", "description", "epilog", "usage", "prog"})
_DECLARATIONS = frozenset({"slots", "frozen", "kw_only", "compare", "repr", "strict"})
"""Keywords that help readers and type checkers; ``strict`` of ``zip`` guards what can't happen."""
_PERFORMANCE = frozenset({"timeout", "maxsize", "daemon", "encoding", "stacklevel"})
"""Keywords that say how long, how many or in which spelling: a little more is no mistake."""
_WAITING = frozenset({"sleep", "wait", "wait_for", "join", "select", "settimeout"})
"""Functions whose numbers are seconds: no test may depend on the clock."""
_KEEPS_PACE = frozenset({"sleep", "move_to_end"})
"""Functions without which all comes out the same, only slower or hotter."""
_KEPT_FOR_SPEED = re.compile(r"memo|cache")
_UNTOUCHED_CALLS = frozenset({"TypeVar", "ParamSpec", "NewType", "cast", "NamedTuple", "overload"})
_LOGGING = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})
_LOGGERS = frozenset({"log", "logger", "logging", "_log", "_logger", "LOG"})
_DATA = re.compile(r"[\w.:/*@<>=-]{1,40}")
"""A text without spaces is a key, a name or a format; sentences are words for people."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """Replace ``before`` by ``after`` at ``start`` (offset in the text), on ``line``."""

    line: int
    start: int
    before: str
    after: str
    operator: str

    def apply(self, text: str) -> str:
        """The changed text, with as many lines as before."""
        end = self.start + len(self.before)
        assert text[self.start : end] == self.before
        lost = self.before.count("\n") - self.after.count("\n")
        # A replaced statement of several lines leaves empty ones, so that line numbers stay.
        return text[: self.start] + self.after + "\n" * lost + text[end:]

    def __str__(self) -> str:
        return f"{self.operator}: {_short(self.before)} -> {_short(self.after)}"


def mutations(text: str) -> list[Mutation]:
    """All changes that could matter, in the order of their places."""
    tree = ast.parse(text)
    found = _Mutator(text).of(tree)
    return sorted(found, key=lambda mutation: (mutation.start, mutation.operator))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


class _Mutator:
    """Walks a module and proposes changes, leaving out what can't matter."""

    def __init__(self, text: str) -> None:
        self._text = text
        lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._lines = lines

    def of(self, node: ast.AST) -> Iterator[Mutation]:
        """The changes of a node and of all in it."""
        if self._is_left_out(node):
            return
        yield from self._here(node)
        if isinstance(node, ast.Raise) or _chosen_size(node) > 1:
            return  # what it says is words for people; how large it is has been changed
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _says_nothing(node, child):
                    yield from self.of(child)

    def _is_left_out(self, node: ast.AST) -> bool:
        if isinstance(node, ast.stmt) and "pragma: no" in self._line_of(node):
            return True
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Global() | ast.Nonlocal():
                return True
            case ast.Expr(value=ast.Constant()):
                return True  # a docstring, or the words under a field
            case ast.If(test=test):
                return _is_typing_only(test)
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in ("__all__", "__slots__", "__version__")
            case ast.Call():
                return _is_untouched(node)
            case ast.keyword(arg=str(name)):
                return name in _WORDS_FOR_PEOPLE | _DECLARATIONS | _PERFORMANCE
            case ast.JoinedStr():
                return True  # words for people
            case ast.Subscript(value=ast.Name(id=("dict" | "list" | "tuple" | "set" | "Callable"))):
                return True  # a type
        return False

    def _here(self, node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Compare():
                yield from self._comparisons(node)
            case ast.BoolOp():
                yield from self._and_or(node)
            case ast.UnaryOp(op=ast.Not()):
                yield self._replaced(node, self._of(node.operand), "removed not")
            case ast.If() | ast.While() | ast.IfExp():
                yield from self._negated(node.test)
            case ast.comprehension():
                for test in node.ifs:
                    yield from self._negated(test)
            case ast.Constant():
                yield from self._constants(node)
            case ast.BinOp():
                yield from self._arithmetic(node)
            case ast.AugAssign():
                yield from self._augmented(node)
            case ast.Return(value=ast.expr() as value):
                if not _is_empty(value):
                    yield self._replaced(node, "return None", "return value")
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if _chosen_size(node) > 1:
                    yield self._replaced(value, "0", "constant")
            case ast.Break():
                yield self._replaced(node, "continue", "loop")
            case ast.Continue():
                yield self._replaced(node, "break", "loop")
        if _is_deletable(node):
            assert isinstance(node, ast.stmt)
            yield self._replaced(node, "pass", "deleted statement")

    def _comparisons(self, node: ast.Compare) -> Iterator[Mutation]:
        left = node.left
        for right in node.comparators:
            start, end = self._end(left), self._start(right)
            found = re.search(
                r"(?<![\w.])(not\s+in|is\s+not|in|is)(?!\w)|[<>=!]=|[<>]", self._text[start:end]
            )
            if found:
                before = found.group()
                after = _OTHER_COMPARISON[" ".join(before.split())]
                yield self._at(start + found.start(), before, after, "comparison")
            left = right

    def _and_or(self, node: ast.BoolOp) -> Iterator[Mutation]:
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for one, two in zip(node.values, node.values[1:], strict=False):
            start, end = self._end(one), self._start(two)
            found = re.search(rf"\b{word}\b", self._text[start:end])
            if found:
                yield self._at(start + found.start(), word, other, "and/or")

    def _negated(self, test: ast.expr) -> Iterator[Mutation]:
        if isinstance(test, (ast.Compare, ast.BoolOp)) or _is_not(test):
            return  # has a change of its own that says the same
        yield self._replaced(test, f"(not ({self._of(test)}))", "negated condition")

    def _constants(self, node: ast.Constant) -> Iterator[Mutation]:
        value = node.value
        if isinstance(value, bool):
            yield self._replaced(node, str(not value), "constant")
        elif isinstance(value, int):
            yield self._replaced(node, str(value + 1), "constant")
            if value > 0:
                yield self._replaced(node, str(value - 1), "constant")
        elif isinstance(value, float):
            yield self._replaced(node, str(value * 2 + 1), "constant")
        elif isinstance(value, str) and _DATA.fullmatch(value):
            yield self._replaced(node, repr(value + "_"), "constant")

    def _arithmetic(self, node: ast.BinOp) -> Iterator[Mutation]:
        if type(node.op) not in _OTHER_ARITHMETIC:
            return
        sign, other = _OTHER_ARITHMETIC[type(node.op)]
        start, end = self._end(node.left), self._start(node.right)
        found = self._text[start:end].find(sign)
        if found >= 0:
            yield self._at(start + found, sign, other, "arithmetic")

    def _augmented(self, node: ast.AugAssign) -> Iterator[Mutation]:
        if type(node.op) in _OTHER_ARITHMETIC:
            sign, other = _OTHER_ARITHMETIC[type(node.op)]
            start, end = self._end(node.target), self._start(node.value)
            found = self._text[start:end].find(f"{sign}=")
            yield self._at(start + found, f"{sign}=", f"{other}=", "arithmetic")

    def _replaced(self, node: ast.stmt | ast.expr, after: str, operator: str) -> Mutation:
        return self._at(self._start(node), self._of(node), after, operator)

    def _at(self, start: int, before: str, after: str, operator: str) -> Mutation:
        line = self._text.count("\n", 0, start) + 1
        return Mutation(line, start, before, after, operator)

    def _of(self, node: ast.stmt | ast.expr) -> str:
        return self._text[self._start(node) : self._end(node)]

    def _start(self, node: ast.stmt | ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.stmt | ast.expr) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        """``ast`` counts bytes; the text is of characters."""
        before = self._lines[line - 1].encode()[:column] if line <= len(self._lines) else b""
        return self._starts[line - 1] + len(before.decode())

    def _line_of(self, node: ast.stmt) -> str:
        return self._lines[node.lineno - 1]


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _is_typing_only(test: ast.expr) -> bool:
    text = ast.unparse(test)
    return text.endswith("TYPE_CHECKING") or text.startswith("__name__ ==")


def _is_untouched(node: ast.Call) -> bool:
    match node.func:
        case ast.Name(id=name):
            return name in _UNTOUCHED_CALLS
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return owner in _LOGGERS and name in _LOGGING
    return False


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _says_nothing(call: ast.AST, part: ast.AST) -> bool:
    """Whether a part of a call says how long to wait, or how a thread is called in a debugger."""
    if not isinstance(call, ast.Call):
        return False
    if isinstance(part, ast.keyword):
        return part.arg == "name" and _called(call) == "Thread"
    if _called(call) in ("encode", "decode"):
        return part in call.args[:1]  # codecs are found by names that are nearly theirs, too
    is_number = isinstance(part, ast.Constant) and isinstance(part.value, (int, float))
    return is_number and _called(call) in _WAITING


def _is_empty(value: ast.expr) -> bool:
    """Whether callers that ask for truth can't tell it from None, and type checkers can."""
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id=("frozenset" | "set" | "dict" | "list" | "tuple")), args=[]):
            return True
    return False


def _chosen_size(node: ast.AST) -> float:
    """The number that a constant is a name for: a size that somebody chose, so one off is as good.

    0 for what is no such constant.
    """
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            pass
        case _:
            return 0
    parts = (ast.Constant, ast.BinOp, ast.operator)
    if not name.isupper() or not all(isinstance(part, parts) for part in ast.walk(value)):
        return 0
    if not all(
        isinstance(c.value, (int, float)) for c in ast.walk(value) if isinstance(c, ast.Constant)
    ):
        return 0
    return float(eval(ast.unparse(value), {"__builtins__": {}}))


def _is_deletable(node: ast.AST) -> bool:
    """A statement whose effect is elsewhere: without it the names below are still bound."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            return not _is_untouched(call) and _called(call) not in _KEEPS_PACE
        case ast.Expr(value=ast.Await(value=ast.Call())):
            return True
        case ast.Assign(targets=[ast.Subscript(value=kept)]) if _KEPT_FOR_SPEED.search(
            ast.unparse(kept)
        ):
            return False
        case ast.Assign(targets=targets):
            return all(isinstance(one, (ast.Attribute, ast.Subscript)) for one in targets)
        case ast.AugAssign() | ast.Delete():
            return True
        case ast.Raise(exc=exc):
            return exc is None or not _is_never_reached(exc)
    return False


def _is_never_reached(exc: ast.expr) -> bool:
    return ast.unparse(exc).startswith(("NotImplementedError", "AssertionError"))
