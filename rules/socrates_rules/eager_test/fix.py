"""SOC102: splits a test into one test per method, with what they share in fixtures."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Sequence

import libcst as cst

from socrates.findings import Finding
from socrates.fix import Edit, Fix, NoFix
from socrates.fixes.tree import Piece
from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase
from socrates_rules.eager_test.sections import Section, cut, loads, target
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout
from socrates_rules.rewriting.annotations import is_annotated
from socrates_rules.rewriting.functions import block_of, requesting, without_docstring


def fix(finding: Finding, file: FileContext, patterns: Sequence[str] = ()) -> Fix | None:
    """Unsafe: the tests get other names. Only where no section sees what another has done."""
    test = _file.test_of(finding, file)
    _file.require_plain(test)
    if _file.is_referred_to(file, test):
        raise NoFix(f"{test.name} is mentioned elsewhere")
    if test.patched:
        raise NoFix("a patch hands it parameters")
    if not (test.is_unittest or test.parametrized or is_annotated(test.node)):
        with contextlib.suppress(_NoFixture):
            return _Split(file, test, patterns, has_fixtures=True).fix()
    return _Split(file, test, patterns, has_fixtures=False).fix()


class _NoFixture(NoFix):
    """What is shared can't be a fixture: each new test repeats it."""


class _Split:
    """One split of a test."""

    def __init__(
        self, file: FileContext, test: TestCase, patterns: Sequence[str], *, has_fixtures: bool
    ) -> None:
        self.file = file
        self.test = test
        calls = file.production_calls(test, patterns)
        self.cut = cut(file, test, calls, has_fixtures=has_fixtures)
        self.piece = Piece(file.module.source, test.node)
        block = block_of(self.piece.function)
        self.footer = block.footer
        body = without_docstring(block.body)
        self.docstring = list(block.body[: len(block.body) - len(body)])
        statements = [
            *self.cut.values,
            *self.cut.shared,
            *self.cut.repeated,
            *(statement for section in self.cut.sections for statement in section.statements),
        ]
        if len(statements) != len(body):
            raise NoFix("statements share a line")
        statements.sort(key=lambda statement: statement.lineno)
        self.lines = dict(zip(map(id, statements), body, strict=True))
        self.shared = {target(node): node for node in self.cut.shared}

    def fix(self) -> Fix:
        """The fixtures, then the tests, in the place of the test."""
        imports: tuple[Edit, ...] = ()
        functions: list[cst.FunctionDef] = []
        if self.shared:
            pytest, imports = _file.imported(self.file, "pytest")
            functions += [self._fixture(name, pytest) for name in self.shared]
        functions += [self._test(section) for section in self.cut.sections]
        last = block_of(functions[-1]).with_changes(footer=self.footer)
        functions[-1] = functions[-1].with_changes(body=last)
        space = [cst.EmptyLine(indent=False)] * (1 if self.test.cls is not None else 2)
        apart = [
            function.with_changes(leading_lines=space if index else ())
            for index, function in enumerate(functions)
        ]
        edits = (*imports, *_layout.fitting(self.piece.replaced(*apart), self.file))
        names = ", ".join(section.method for section in self.cut.sections)
        return Fix(f"Split into one test per method: {names}", "unsafe", tuple(sorted(edits)))

    def _fixture(self, name: str, pytest: str) -> cst.FunctionDef:
        self._require_new(name)
        node = self.shared[name]
        needed = loads(node.value)
        if needed & {target(value) for value in self.cut.values}:
            raise _NoFixture("a fixture would need a local value")
        line = self.lines[id(node)]
        assert isinstance(line, cst.SimpleStatementLine)
        assign = line.body[0]
        assert isinstance(assign, cst.Assign)
        returned = line.with_changes(
            body=[cst.Return(assign.value, whitespace_after_return=cst.SimpleWhitespace(" "))]
        )
        first = [self.test.scope.self_name] if self.test.scope.self_name else []
        wanted = [n for n in (*self.test.arguments, *self.shared) if n in needed and n != name]
        function = cst.FunctionDef(
            cst.Name(name),
            cst.Parameters(),
            cst.IndentedBlock([_tidy(returned)]),
            decorators=[cst.Decorator(cst.parse_expression(f"{pytest}.fixture"))],
        )
        function = requesting(function, [*first, *wanted])
        return _layout.signed(function, len(self.piece.indent), self.file)

    def _require_new(self, name: str) -> None:
        """_NoFixture if one of this name would shadow something."""
        module = self.file.module
        if self.file.fixture(name, self.test) is not None or name in module.imports:
            raise _NoFixture(f"{name} is taken")
        if name in module.functions or name in module.classes or name in module.assigns:
            raise _NoFixture(f"{name} is taken")
        if any(isinstance(n, ast.arg) and n.arg == name for n in ast.walk(module.source.tree)):
            raise _NoFixture(f"{name} is taken")

    def _test(self, section: Section) -> cst.FunctionDef:
        if not section.needs.issuperset(self.test.parametrized):
            raise NoFix("not every part uses the parameters of its rows")
        method = section.method.rpartition(".")[2].strip("_")
        name = _file.free_name(self.file, f"{self.test.name}_{method}")
        values = [node for node in self.cut.values if target(node) in section.needs]
        arranged = (*values, *self.cut.repeated)
        lines = [self.lines[id(node)] for node in (*arranged, *section.statements)]
        lines[0] = _tidy(lines[0])
        function = self.piece.function
        block = cst.IndentedBlock(
            [*self.docstring, *lines], indent=getattr(function.body, "indent", None)
        )
        changed = function.with_changes(
            name=cst.Name(name), body=block, params=self._kept(function.params, section)
        )
        changed = requesting(changed, [name for name in self.shared if name in section.needs])
        return _layout.signed(changed, len(self.piece.indent), self.file)

    def _kept(self, params: cst.Parameters, section: Section) -> cst.Parameters:
        """The parameters without fixtures that only other sections, or the fixtures, read."""
        read_by_others = set().union(*(other.needs for other in self.cut.sections))
        for node in self.cut.shared:
            read_by_others |= loads(node.value)
        gone = (read_by_others - section.needs) & set(self.test.fixture_names)
        if not gone:
            return params
        kept = [param for param in params.params if param.name.value not in gone]
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return params.with_changes(params=kept)


def _tidy(line: cst.BaseStatement) -> cst.BaseStatement:
    """A statement that starts a body has no blank lines above it."""
    leading = list(getattr(line, "leading_lines", ()))
    while leading and leading[0].comment is None:
        leading.pop(0)
    return line.with_changes(leading_lines=leading)
