"""What a rule sees of one test module: its tests, and answers to questions about them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from socrates.discovery.files import TestFile
from socrates.findings import ACT, Finding, Related, Severity, Span
from socrates.model.python.elements import common, element, part_of_element
from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode, ModuleInfo
from socrates.model.python.names import Scope
from socrates.model.python.project import Project
from socrates.model.python.resolve import Resolver
from socrates.model.python.values import Value
from socrates.model.suite.assertions import Assertion, AssertionFinder
from socrates.model.suite.collect import Collector, TestCase
from socrates.model.suite.fixtures import Fixture, FixtureGraph
from socrates.model.suite.given import given
from socrates.model.suite.parametrize import (
    argument_values,
    column,
    is_indirect,
    is_written_out,
)
from socrates.model.units.members import MemberFinder
from socrates.model.units.production import ProductionCall, production_calls
from socrates.model.units.unit import Unit, UnitFinder
from socrates.settings import Settings


class Reporter(Protocol):
    """What a finding says about the rule that makes it; every ``socrates.rule.Rule`` is one."""

    @property
    def code(self) -> str:
        """Such as ``SOC101``."""

    @property
    def name(self) -> str:
        """Such as ``assertion-roulette``."""

    @property
    def advice(self) -> str:
        """The way out, in one line."""


class FileContext:
    """One test module in its project. Answers are computed on demand and remembered."""

    def __init__(
        self, module: ModuleInfo, file: TestFile, project: Project, settings: Settings
    ) -> None:
        self.module = module
        self.file = file
        self.project = project
        self.settings = settings
        self.filename = project.relative(module.path)
        self.resolver = Resolver(project)
        self.inference = Inference(self.resolver)
        self.inference.fixture_value = self._fixture_value
        self.inference.fixture_places = self._fixture_places
        self.fixtures = FixtureGraph(module, self.resolver)
        self.inference.class_places = lambda name, cls: self.fixtures.set_on(cls).get(name, ())
        self._assertions: dict[tuple[int, Sequence[str]], list[Assertion]] = {}
        self._unit_finders: dict[Sequence[str], UnitFinder] = {}
        self._units: dict[tuple[int, Sequence[str]], Unit | None] = {}
        self._calls: dict[tuple[int, Sequence[str]], list[ProductionCall]] = {}
        self._members: dict[Unit, MemberFinder] = {}
        self._inferring: set[str] = set()

    @cached_property
    def all_tests(self) -> tuple[TestCase, ...]:
        """Every test of the module, whether it was selected or not."""
        collector = Collector(
            self.module,
            self.filename,
            self.resolver,
            self.project.config,
            self.file.unittest_only,
        )
        return tuple(collector.tests())

    @cached_property
    def tests(self) -> tuple[TestCase, ...]:
        """The tests to check: all, or those that the user named by node id."""
        if not self.file.selected:
            return self.all_tests
        wanted = [f"{self.filename}::{part.partition('[')[0]}" for part in self.file.selected]
        return tuple(
            test
            for test in self.all_tests
            if any(test.nodeid == name or test.nodeid.startswith(f"{name}::") for name in wanted)
        )

    def close(self) -> None:
        """Free the file's trees. Neither the context nor its module can be used after this."""
        for test in self.all_tests:
            test.scope.dissolve()
        for part in (self.inference, self.resolver, self.fixtures, self.module, self):
            vars(part).clear()

    # -- questions -----------------------------------------------------------------------------

    def assertions(self, test: TestCase, helpers: Sequence[str] = ()) -> list[Assertion]:
        """The assertions of a test; ``helpers`` are globs of further assertion functions."""
        key = (id(test), tuple(helpers))
        if key not in self._assertions:
            self._assertions[key] = self._finder.of(test, helpers)
        return self._assertions[key]

    def unit(self, test: TestCase, patterns: Sequence[str] = ()) -> Unit | None:
        """The unit under test, or None when it is unknown; ``patterns`` add class-name patterns."""
        key = (id(test), tuple(patterns))
        if key not in self._units:
            finder = self._unit_finders.get(tuple(patterns))
            if finder is None:
                finder = UnitFinder(
                    self.module, self.all_tests, self.inference, self.fixtures, patterns
                )
                self._unit_finders[tuple(patterns)] = finder
            self._units[key] = finder.of(test)
        return self._units[key]

    def production_calls(
        self, test: TestCase, patterns: Sequence[str] = ()
    ) -> list[ProductionCall]:
        """The calls of the unit's public methods that a test makes; none when it is unknown."""
        key = (id(test), tuple(patterns))
        if key not in self._calls:
            unit = self.unit(test, patterns)
            self._calls[key] = (
                []
                if unit is None
                else production_calls(
                    test, self._members_of(unit), self.assertions(test), self.inference
                )
            )
        return self._calls[key]

    def _members_of(self, unit: Unit) -> MemberFinder:
        if unit not in self._members:
            self._members[unit] = MemberFinder(unit, self.inference)
        return self._members[unit]

    def infer(self, expr: ast.AST, scope: Scope) -> Value | None:
        """What an expression is, or None when that is unknown."""
        return self.inference.infer(expr, scope)

    def fixture(self, name: str, test: TestCase) -> Fixture | None:
        """The project fixture that a parameter of a test means; None for opaque ones."""
        return self.fixtures.find(name, test.cls)

    # -- findings ------------------------------------------------------------------------------

    def finding(
        self,
        rule: Reporter,
        severity: Severity,
        message: str,
        test: TestCase,
        node: ast.AST | None = None,
        related: Sequence[Related] = (),
        data: Mapping[str, object] | None = None,
        advice: str | None = None,
        act: Related | None = None,
    ) -> Finding:
        """A finding of a rule about a test, at a node of it or else at the test's name.

        ``act`` is the related place where the trouble is, which reports for people point at.
        """
        filename = self.filename if test.scope.module is self.module else self._name_of(test)
        place = {ACT: list(act.span)} if act is not None and act.filename == filename else {}
        return Finding(
            rule.code,
            rule.name,
            severity,
            message,
            filename,
            self.span(node or test.node, test),
            test.nodeid,
            tuple(related),
            rule.advice if advice is None else advice,
            {**(data or {}), **place},
        )

    def span(self, node: ast.AST, test: TestCase) -> Span:
        """Where a node of a test stands; a definition is pointed at by its name."""
        source = test.scope.module.source
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return source.name_span(node)
        return source.span(node)

    def related(self, message: str, module: ModuleInfo, node: ast.AST) -> Related:
        """A place to show beside a finding."""
        source = module.source
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            span = source.name_span(node)
        else:
            span = source.span(node)
        return Related(message, self.project.relative(module.path), span)

    # -- inside --------------------------------------------------------------------------------

    @cached_property
    def _finder(self) -> AssertionFinder:
        docstring = ast.get_docstring(self.module.source.tree, clean=False) or ""
        rewritten = not self.file.unittest_only and "PYTEST_DONT_REWRITE" not in docstring
        # A file that pytest's patterns don't name is only checked when it is named itself; pytest
        # rewrites such a file, too.
        return AssertionFinder(self.inference, rewritten=rewritten and self.project.config.rewrites)

    def _name_of(self, test: TestCase) -> str:
        return self.project.relative(test.scope.module.path)

    def _fixture_value(self, name: str, scope: Scope) -> Value | None:
        """What a fixture gives, for parameters of tests and fixtures."""
        if isinstance(scope.function, ast.Lambda) or scope.function is None:
            return None
        if name in self._inferring:
            return None
        test = self._by_node.get(id(scope.function))
        if test is not None and name in test.parametrized and not is_indirect(test, name):
            return self._parametrized_value(name, test)
        fixture = self._fixture_for(name, scope)
        if fixture is None and test is None:
            return None
        self._inferring.add(name)
        try:
            if fixture is None:
                assert test is not None
                places = given(test, name, self.inference)
                return common(self.inference, [self.inference.infer(*one) for one in places])
            if fixture.node.returns is not None:
                annotated = self.inference.annotated(fixture.node.returns, fixture.scope)
                if annotated is not None:
                    return annotated
            found = [self.inference.infer(value, fixture.scope) for value in fixture.values]
        finally:
            self._inferring.discard(name)
        return common(self.inference, found)

    def _fixture_for(self, name: str, scope: Scope) -> Fixture | None:
        function = scope.function
        if isinstance(function, ast.Lambda) or function is None:
            return None
        skip: FunctionNode | None = function if function.name == name else None
        return self.fixtures.find(name, scope.cls, skip)

    def _fixture_places(self, name: str, scope: Scope) -> list[tuple[ast.expr, Scope]]:
        """Where what a fixture or a table hands to a parameter is written."""
        test = self._by_node.get(id(scope.function))
        if test is not None and name in test.parametrized and not is_indirect(test, name):
            if not is_written_out(test, name):
                return []
            there = self.inference.module_scope(test.scope.module)
            return [(value, there) for value in argument_values(test, name)]
        fixture = self._fixture_for(name, scope)
        return [(value, fixture.scope) for value in fixture.values] if fixture else []

    @cached_property
    def _by_node(self) -> dict[int, TestCase]:
        return {id(test.node): test for test in self.all_tests}

    def _parametrized_value(self, name: str, test: TestCase) -> Value | None:
        """What all rows of ``parametrize`` have in common for one parameter."""
        scope = self.inference.module_scope(test.scope.module)
        values = argument_values(test, name)
        if not is_written_out(test, name):
            index = column(test, name)
            if index is None:
                return common(self.inference, [element(self.inference, v, scope) for v in values])
            parts = [part_of_element(self.inference, value, index, scope) for value in values]
            return common(self.inference, parts)
        return common(self.inference, [self.inference.infer(value, scope) for value in values])
