"""SOC103: clones become the rows of one parametrized test, named after the tests they were."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import libcst as cst

from socrates.findings import Finding
from socrates.fix import Edit, Fix, NoFix
from socrates.fixes.tree import Changed, Piece, comments_in, swap
from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase
from socrates.model.suite.setup import SETUP_METHODS, TEARDOWN_METHODS
from socrates_rules.lazy_test.worth import is_case, say_their_case
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout
from socrates_rules.rewriting.annotations import is_annotated, type_of
from socrates_rules.rewriting.clones import Column, columns, statements_of
from socrates_rules.rewriting.functions import (
    block_of,
    requesting,
    without_comments,
    without_docstring,
)

_MAX_COLUMNS = 6
_GROUPS: WeakKeyDictionary[FileContext, dict[tuple[object, ...], list[list[TestCase]]]] = (
    WeakKeyDictionary()
)
_ALIKE: WeakKeyDictionary[FileContext, dict[tuple[object, ...], list[TestCase]]] = (
    WeakKeyDictionary()
)
_MADE: WeakKeyDictionary[FileContext, dict[str, Fix | str]] = WeakKeyDictionary()


def fix(finding: Finding, file: FileContext, least: int) -> Fix | None:
    """Unsafe: the tests get other names. All tests of a group of clones have the same fix."""
    test = _file.test_of(finding, file)
    if not is_case(file, test):
        raise NoFix("a table would read no better")
    clones = [clone for clone in _clones(file, test) if is_case(file, clone)]
    if len(clones) < least:
        raise NoFix("the tests differ in more than values")
    if say_their_case(clones, comments=False):  # comments move to the rows
        raise NoFix("the docstrings that say each case would be lost")
    made = _MADE.setdefault(file, {})
    first = clones[0].nodeid
    if first not in made:
        try:
            merge = _Merge(file, clones, finding)
            made[first] = Fix(merge.message, "unsafe", merge.edits())
        except NoFix as reason:
            made[first] = str(reason)
    answer = made[first]
    if isinstance(answer, str):
        raise NoFix(answer)
    return answer


def _clones(file: FileContext, test: TestCase) -> list[TestCase]:
    """The tests that differ from a test in values only, in the order of the file."""
    if file not in _ALIKE:
        _ALIKE[file] = {}
        for one in file.all_tests:
            _ALIKE[file].setdefault((one.container, *_kind(one)), []).append(one)
    known = _GROUPS.setdefault(file, {})
    key = (test.container, *_kind(test))
    if key not in known:
        known[key] = _grouped(file, _ALIKE[file][key])
    return next(group for group in known[key] if test in group)


def _grouped(file: FileContext, tests: Sequence[TestCase]) -> list[list[TestCase]]:
    groups: list[list[TestCase]] = []
    for test in tests:
        for group in groups:
            try:
                columns(file, [group[0], test])
                columns(file, [*group, test])
            except NoFix:
                continue
            group.append(test)
            break
        else:
            groups.append([test])
    return groups


def _kind(test: TestCase) -> tuple[object, ...]:
    """What clones have in common beside their statements."""
    return (
        type(test.node),
        ast.dump(test.node.args),
        tuple(ast.dump(decorator) for decorator in test.node.decorator_list),
        tuple(type(statement) for statement in statements_of(test.node)),
        test.owner is test.cls,
    )


class _Merge:
    """One merge of clones."""

    def __init__(self, file: FileContext, clones: Sequence[TestCase], finding: Finding) -> None:
        self.file = file
        self.clones = clones
        self.columns = columns(file, clones)
        if not self.columns:
            raise NoFix("nothing differs: they are copies, not cases")
        if len(self.columns) > _MAX_COLUMNS:
            raise NoFix("nobody could read a table that wide")
        self.pieces = [Piece(file.module.source, test.node) for test in clones]
        self.is_unittest = clones[0].is_unittest
        methods = finding.data.get("methods")
        method = str(methods[0]) if isinstance(methods, (list, tuple)) and methods else ""
        self.name, self.ids = _names([test.name for test in clones], method)
        self._require_free()
        self.name = self._free(self.name)

    @property
    def _is_said_by_all(self) -> bool:
        """Whether all clones have the same comments, which stay where they are."""
        return len({tuple(comments_in(piece.node)) for piece in self.pieces}) == 1

    def _notes(self, index: int) -> list[str]:
        """The docstring of a clone, and the comments that only it has, as comments on its row."""
        said = [f"# {line}" for line in _docstring(self.clones[index])]
        return said if self._is_said_by_all else [*said, *comments_in(self.pieces[index].node)]

    @property
    def _column(self) -> int:
        """Where the merged statements stand: those of sub-tests two levels deeper."""
        return len(self.pieces[0].indent) + (2 * len(_layout.INDENT) if self.is_unittest else 0)

    @property
    def message(self) -> str:
        """What the merge does."""
        how = "subTest" if self.is_unittest else "parametrize"
        return f"Merge {len(self.clones)} tests into {self.name} with {how}"

    def edits(self) -> tuple[Edit, ...]:
        """The first test changes, the others go."""
        found: list[Edit] = []
        for piece in self.pieces[1:]:
            found += piece.dropped()
        if self.is_unittest:
            self._require_no_state()
            found += _layout.fitting(self.pieces[0].replaced(self._with_subtests()), self.file)
        else:
            pytest, imports = _file.imported(self.file, "pytest")
            found += imports
            made = self.pieces[0].replaced(self._parametrized(pytest))
            found += _layout.fitting(made, self.file)
        return tuple(sorted(set(found)))

    def _require_free(self) -> None:
        for test, piece in zip(self.clones, self.pieces, strict=True):
            _file.require_plain(test)
            if comments_in(piece.function.params) or comments_in(block_of(piece.function).header):
                raise NoFix("a comment in the head of a test would be lost")
            if _file.is_referred_to(self.file, test):
                raise NoFix(f"{test.name} is mentioned elsewhere")
            if any(_layout.silences_a_tool(comment) for comment in comments_in(piece.node)):
                raise NoFix("a comment for another tool would be about something else")

    def _free(self, name: str) -> str:
        own = {test.name for test in self.clones}
        return name if name in own else _file.free_name(self.file, name)

    def _require_no_state(self) -> None:
        """With subTest the set-up runs once for all rows: nothing of it may be used."""
        cls = self.clones[0].cls
        assert cls is not None
        for method in (*SETUP_METHODS, *TEARDOWN_METHODS):
            if self.file.resolver.method(cls, method)[1] is not None:
                raise NoFix("set-up would run once for all rows")
        for node in ast.walk(self.clones[0].node):
            if isinstance(node, (ast.Return, ast.Yield, ast.Break, ast.Continue)):
                raise NoFix("it leaves the test early")
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                raise NoFix("rows would see each other's state")

    def _body(self) -> list[cst.BaseStatement]:
        """The statements of the first test with names in the place of values."""
        piece = self.pieces[0]
        changes: dict[cst.CSTNode, Changed] = {}
        for column in self.columns:
            if column.assigned is not None:
                line = piece.line_of(piece.find(column.assigned, cst.Assign))
                if line is None or len(line.body) != 1:
                    raise NoFix("it shares its line")
                changes[line] = cst.RemoveFromParent()
            for place in column.places:
                changes[piece.expression(place)] = cst.Name(column.name)
        function = swap(piece.function, changes)
        if not self._is_said_by_all:
            function = without_comments(function)
        function = _layout.joined(function, piece.function, self._column, self.file)
        return without_docstring(block_of(function).body)

    def _parametrized(self, pytest: str) -> cst.FunctionDef:
        room = _layout.style(self.file).width - len(self.pieces[0].indent)
        rows = []
        for index, (piece, name) in enumerate(zip(self.pieces, self.ids, strict=True)):
            rows += [f"        {line}" for line in self._notes(index)]
            values = [_value(piece, column, index, " " * 12) for column in self.columns]
            rows += _row(
                f"{pytest}.param(", [*values, f"id={_layout.quoted(name, self.file)}"], 8, room
            )
        text = "\n".join(
            [
                f"{pytest}.mark.parametrize(",
                f"    {self._argnames()},",
                "    [",
                *rows,
                "    ],",
                ")",
            ]
        )
        function = self.pieces[0].function
        table = cst.parse_expression(_layout.indented(text, self.file))
        function = function.with_changes(
            name=cst.Name(self.name),
            decorators=[cst.Decorator(table), *function.decorators],
            body=block_of(function).with_changes(body=self._body()),
        )
        types = {}
        if is_annotated(self.clones[0].node):
            types = {column.name: type_of(column.values) for column in self.columns}
        function = requesting(function, [column.name for column in self.columns], types)
        return _layout.signed(function, len(self.pieces[0].indent), self.file)

    def _argnames(self) -> str:
        names = [_layout.quoted(column.name, self.file) for column in self.columns]
        return names[0] if len(names) == 1 else f"({', '.join(names)})"

    def _with_subtests(self) -> cst.FunctionDef:
        case = "case"
        used = {column.name for column in self.columns}
        used |= {n.id for n in ast.walk(self.clones[0].node) if isinstance(n, ast.Name)}
        while case in used:
            case = f"{case}_"
        room = _layout.style(self.file).width - 2 * len(self.pieces[0].indent)
        rows = []
        for index, (piece, name) in enumerate(zip(self.pieces, self.ids, strict=True)):
            rows += [f"    {line}" for line in self._notes(index)]
            values = [_value(piece, column, index, " " * 8) for column in self.columns]
            rows += _row("(", [_layout.quoted(name, self.file), *values], 4, room)
        names = ", ".join([case, *(column.name for column in self.columns)])
        self_name = self.clones[0].scope.self_name or "self"
        head = [f"for {names} in [", *rows, "]:", f"    with {self_name}.subTest({case}):"]
        text = "\n".join([*head, "        pass", ""])
        loop = cst.parse_statement(_layout.indented(text, self.file))
        assert isinstance(loop, cst.For)
        manager = loop.body.body[0]
        assert isinstance(manager, cst.With)
        block = cst.IndentedBlock(self._body())
        loop = loop.with_changes(
            body=loop.body.with_changes(body=[manager.with_changes(body=block)])
        )
        function = self.pieces[0].function
        body = block_of(function).with_changes(body=[loop])
        return function.with_changes(name=cst.Name(self.name), body=body)


def _row(head: str, values: Sequence[str], indent: int, room: int) -> list[str]:
    """One row of a table, in one line or one line per value."""
    space = " " * indent
    short = f"{space}{head}{', '.join(values)}),"
    if len(short) <= room and "\n" not in short:
        return [short]
    return [f"{space}{head}", *(f"{space}    {value}," for value in values), f"{space}),"]


def _value(piece: Piece, column: Column, index: int, indent: str) -> str:
    node = piece.expression(column.values[index])
    if comments_in(node):
        raise NoFix("a comment would be lost")
    if isinstance(node, cst.ConcatenatedString):
        return f"\n{indent}".join(_strings(piece, node))
    code = piece.code(node)
    if isinstance(node, cst.Tuple) and not node.lpar:
        return f"({code})"
    return code


def _strings(piece: Piece, node: cst.BaseExpression) -> list[str]:
    """The parts of a text that is written as several literals."""
    if isinstance(node, cst.ConcatenatedString):
        return [*_strings(piece, node.left), *_strings(piece, node.right)]
    return [piece.code(node)]


def _docstring(test: TestCase) -> list[str]:
    text = ast.get_docstring(test.node, clean=False)
    if text is None:
        return []
    return [line for line in inspect.cleandoc(text).splitlines() if line.strip()]


def _names(names: Sequence[str], method: str) -> tuple[str, list[str]]:
    """The common beginning as the name of the merged test, and the rest of each as its id."""
    words = [name.split("_") for name in names]
    common = 0
    while all(len(part) > common + 1 for part in words) and len({p[common] for p in words}) == 1:
        common += 1
    head = "_".join(words[0][:common])
    if not re.search(r"[A-Za-z0-9]", head.removeprefix("test")):
        tail = re.sub(r"\W+", "_", method).strip("_")
        if not tail:
            raise NoFix("no name for the merged test")
        head = f"{head or 'test'}_{tail}"
    ids = ["-".join(part[common:]) or name for part, name in zip(words, names, strict=True)]
    if len(set(ids)) != len(ids):
        raise NoFix("two rows would have the same id")
    return head, ids
