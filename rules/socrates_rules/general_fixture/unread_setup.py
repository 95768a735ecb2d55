"""Attributes that set-up leaves on ``self`` and that nothing in the project reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

import libcst as cst

from socrates.files.reading import LARGEST_SOURCE, Unreadable, read_bytes
from socrates.fix import Edit, NoFix
from socrates.fixes.tree import Piece, comments_in, swap
from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope
from socrates.model.python.project import EVERYTHING
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase
from socrates.model.suite.setup import SETUP_METHODS
from socrates_rules.rewriting.bases import unknown_base
from socrates_rules.rewriting.pure import is_pure

_BASES = frozenset(
    {"unittest.TestCase", "unittest.case.TestCase", "unittest.IsolatedAsyncioTestCase"}
    | {"builtins.object", "object", "unittest.async_case.IsolatedAsyncioTestCase"}
)
_LOOKS_AT_ALL = re.compile(
    r"__dict__|__getattr|__setattr|\bvars\(|\bgetattr\(|\bsetattr\(|\bdir\(self"
)
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", ".git", ".tox", ".venv"})

_LOOKS: WeakKeyDictionary[FileContext, bool] = WeakKeyDictionary()
_MENTIONED: WeakKeyDictionary[FileContext, tuple[dict[str, set[int]], set[str]]] = (
    WeakKeyDictionary()
)
_HANDED: WeakKeyDictionary[FileContext, dict[int, bool]] = WeakKeyDictionary()
_KNOWN: WeakKeyDictionary[FileContext, dict[str, bool]] = WeakKeyDictionary()


def dead_attributes(file: FileContext, test: TestCase, names: Sequence[str]) -> list[str]:
    """Those of the names that set-up gives a pure value and that no code reads."""
    if test.cls is None or _looks_at_all(file):
        return []
    mro = file.resolver.mro(test.cls)
    if any(cls.module is not file.module or _is_handed_on(file, cls) for cls in mro):
        return []
    if unknown_base(test.cls, file, _BASES):
        return []
    found = []
    for name in names:
        assigned = list(_assignments(test, name))
        if not assigned or any(name in (*cls.methods, *cls.assigns, *cls.inner) for cls in mro):
            continue
        if not all(_can_be_left_out(file, test, method, node) for method, node in assigned):
            continue
        targets = {id(node.targets[0]) for _, node in assigned}
        if not _is_read(file, name, targets):
            found.append(name)
    if found and is_known_elsewhere(file, test.cls.name):
        return []
    return found


def _can_be_left_out(
    file: FileContext, test: TestCase, method: FunctionNode, node: ast.Assign
) -> bool:
    """Whether a value is pure, and no local variable is there for it alone."""
    scope = Scope(file.module, method, test.cls, is_method=True)
    named = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    return not named & scope.bindings.keys() and is_pure(node.value, scope, file)


def _is_handed_on(file: FileContext, cls: ClassInfo) -> bool:
    known = _HANDED.setdefault(file, {})
    if id(cls.node) not in known:
        known[id(cls.node)] = _hands_itself_on(cls)
    return known[id(cls.node)]


def _hands_itself_on(cls: ClassInfo) -> bool:
    """Whether a method uses ``self`` other than for its attributes: others may read all of them."""
    for method in cls.methods.values():
        if not method.args.args:
            continue
        first = method.args.args[0].arg
        owned = {id(part.value) for part in walk(method) if isinstance(part, ast.Attribute)}
        for part in walk(method):
            if isinstance(part, ast.Name) and part.id == first and id(part) not in owned:
                return True
    return False


def _looks_at_all(file: FileContext) -> bool:
    """Whether the file may read attributes without naming them; asked once for each test of it."""
    if file not in _LOOKS:
        _LOOKS[file] = _LOOKS_AT_ALL.search(file.module.source.text) is not None
    return _LOOKS[file]


def drop(file: FileContext, test: TestCase, names: Sequence[str]) -> list[Edit]:
    """The edits that take the assignments away, and a set-up method that is left empty."""
    edits: list[Edit] = []
    methods = {id(method): method for name in names for method, _ in _assignments(test, name)}
    for method in methods.values():
        nodes = [
            node for name in names for owner, node in _assignments(test, name) if owner is method
        ]
        edits += _without(file, method, nodes)
    return edits


def _without(
    file: FileContext, method: FunctionNode, nodes: Sequence[ast.Assign]
) -> Sequence[Edit]:
    piece = Piece(file.module.source, method)
    if len(nodes) == len(method.body):
        if method.decorator_list or comments_in(piece.node):
            raise NoFix("a comment would be lost")
        return piece.dropped()
    body = piece.function.body
    assert isinstance(body, cst.IndentedBlock)
    gone = {piece.find(node, cst.Assign) for node in nodes}
    lines = []
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine) and gone & set(line.body):
            if len(line.body) > 1 or comments_in(line):
                raise NoFix("a comment or a neighbour would be lost")
            continue
        lines.append(line)
    if not any(not _is_docstring(line) for line in lines):
        raise NoFix("only a docstring would be left")
    return piece.replaced(swap(piece.function, {body: body.with_changes(body=lines)}))


def _is_docstring(line: cst.BaseStatement | cst.BaseSmallStatement) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine)
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, cst.SimpleString)
    )


def _assignments(test: TestCase, name: str) -> Iterator[tuple[FunctionNode, ast.Assign]]:
    """``self.NAME = value`` as a statement of its own right in a set-up method of the class."""
    assert test.cls is not None
    for method_name in SETUP_METHODS:
        method = test.cls.methods.get(method_name)
        if method is None or not method.args.args:
            continue
        first = method.args.args[0].arg
        for node in method.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Attribute) and target.attr == name:
                    if isinstance(target.value, ast.Name) and target.value.id == first:
                        yield method, node


def _is_read(file: FileContext, name: str, targets: set[int]) -> bool:
    """Whether the file has the name as an attribute or as text anywhere else."""
    if file not in _MENTIONED:
        _MENTIONED[file] = _mentioned(file)
    attributes, texts = _MENTIONED[file]
    return name in texts or not attributes.get(name, set()) <= targets


def _mentioned(file: FileContext) -> tuple[dict[str, set[int]], set[str]]:
    """Where a file has each attribute, and all of its texts; worked out once for all tests of it."""
    attributes: dict[str, set[int]] = {}
    texts: set[str] = set()
    for node in walk(file.module.source.tree):
        if isinstance(node, ast.Attribute):
            attributes.setdefault(node.attr, set()).add(id(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return attributes, texts


def is_known_elsewhere(file: FileContext, name: str) -> bool:
    """Whether another file of the tests names the class: it may inherit from it."""
    known = _KNOWN.setdefault(file, {})
    if name not in known:
        known[name] = _is_named_elsewhere(file, name)
    return known[name]


def _is_named_elsewhere(file: FileContext, name: str) -> bool:
    word = re.compile(rb"\b%s\b" % name.encode())
    top = _top_folder(file)
    file.project.dependencies.add(EVERYTHING)
    for path in top.rglob("*.py"):
        if path == file.module.path or _SKIPPED & set(path.relative_to(top).parts):
            continue
        try:
            if word.search(read_bytes(path, LARGEST_SOURCE)):
                return True
        except Unreadable:
            return True
    return False


def _top_folder(file: FileContext) -> Path:
    """The outermost folder of the tests below the project's root."""
    root = file.project.root
    try:
        parts = file.module.path.relative_to(root).parts
    except ValueError:
        return file.module.path.parent
    return root / parts[0] if len(parts) > 1 else root
