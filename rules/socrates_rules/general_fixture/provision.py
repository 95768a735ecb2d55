"""Everything that fixtures hand to one test, part by part, and whether the test uses it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.model.context import FileContext
from socrates.model.python.module import FunctionNode, ModuleInfo, statements
from socrates.model.python.names import Scope, dotted_name, parameters, walk_function
from socrates.model.python.shapes import returned, self_assignments, yielded
from socrates.model.python.values import Builtin, FunctionValue, Instance
from socrates.model.suite.collect import TestCase
from socrates.model.suite.fixtures import Fixture
from socrates.model.suite.helpers import is_helper_module
from socrates.model.suite.self_attributes import SelfAttributes
from socrates.model.suite.setup import PER_CLASS, SetAttribute, SetupFinder
from socrates.syntax.unparse import unparse
from socrates_rules.general_fixture.bundles import (
    Bundle,
    BundleFinder,
    is_read,
    parameter_is_read,
    unpacked,
)
from socrates_rules.general_fixture.effects import Effects
from socrates_rules.general_fixture.harmless import names_storing
from socrates_rules.general_fixture.light import (
    attaches,
    costs_nothing,
    is_made_once,
    renames,
    set_aside,
    underscored,
)

_FILLS = frozenset({"append", "extend", "insert", "add", "update", "set", "setdefault"})
FixtureType = Literal["global", "loan", "context", "with-fixture", "pytest"]


@dataclass(frozen=True, slots=True)
class Provided:
    """One object that a fixture hands to a test, and the kind of fixture that does so.

    ``cheap``: it costs the test nothing, such as None, or what is made once for many.
    ``excused``: the test names it ``_``, it may have been made or run for an effect, another
    object may keep it, or it is only another name for a value of a module.
    """

    name: str
    type: FixtureType
    used: bool
    node: ast.AST
    module: ModuleInfo
    origin: str = ""
    excused: bool = False
    cheap: bool = False


class Provisions:
    """Answers what the tests of one module are handed. Fixtures run for effect are left out."""

    def __init__(
        self,
        file: FileContext,
        ignored_attributes: Sequence[str] = (),
        ignored_fixtures: Sequence[str] = (),
    ) -> None:
        self.fixtures = fixtures = file.fixtures
        self.inference = inference = file.inference
        self.ignored_attributes = ignored_attributes
        self.ignored_fixtures = ignored_fixtures
        self.reads = SelfAttributes(inference.resolver)
        self.setup = SetupFinder(fixtures, inference, self.reads)
        self.effects = Effects(file)
        registers = self.effects.defining_acts
        self.bundles = BundleFinder(fixtures, inference, self.reads, registers)
        self._of_test: dict[int, list[Provided]] = {}
        self._weights: dict[int, tuple[bool, bool]] = {}

    def of(self, test: TestCase) -> list[Provided]:
        """All parts, used or not, in a stable order; found once for each test of the file."""
        if id(test) not in self._of_test:
            passed = list(self._decorators(test))
            self._of_test[id(test)] = [
                *self._attributes(test),
                *self._parameters(test, {part.name for part in passed}),
                *self._managers(test),
                *passed,
            ]
        return self._of_test[id(test)]

    def _attributes(self, test: TestCase) -> Iterator[Provided]:
        """Types I and III: what set-up leaves on ``self``."""
        if test.cls is None:
            return
        attributes = self.setup.of(test.cls)
        if not attributes:
            return
        sets = self_assignments(test.node)
        used = self.setup.used(test.cls, self.reads.of(test), sets.keys())
        for attribute in attributes:
            if _matches(attribute.name, self.ignored_attributes):
                continue
            own = attribute.owner is test.cls
            yield Provided(
                f"self.{attribute.name}",
                "global" if own else "context",
                attribute.name in used,
                attribute.node,
                attribute.module,
                f"set in {attribute.owner.name}.{attribute.method}",
                *self._weight(attribute),
            )

    def _weight(self, attribute: SetAttribute) -> tuple[bool, bool]:
        """Whether an attribute is excused, and cheap: the same for all tests that have it."""
        if id(attribute) not in self._weights:
            values = attribute.values
            self._weights[id(attribute)] = (
                any(self._may_act(value, attribute) for value in values)
                or self._is_run(attribute)
                or any(attaches(value) for value in values)
                or (bool(values) and all(renames(value, attribute) for value in values)),
                attribute.method in PER_CLASS
                or all(costs_nothing(value, _functions_in(attribute)) for value in values),
            )
        return self._weights[id(attribute)]

    def _may_act(self, value: ast.expr, attribute: SetAttribute) -> bool:
        """Whether a value comes from a function that may do more than make it."""
        if not isinstance(value, ast.Call):
            return False
        called = self.inference.infer(value.func, attribute.scope)
        if not isinstance(called, FunctionValue):
            return isinstance(value.func, ast.Attribute) and names_storing(value.func.attr)
        return self.effects.has_effect(called.node, self.inference.scope_of(called))

    def _is_run(self, attribute: SetAttribute) -> bool:
        """Whether set-up calls a method of an attribute that may do more than change it."""
        function, scope = attribute.function, attribute.scope
        if function is None:
            return False
        own = f"{scope.self_name}.{attribute.name}."
        called = [
            statement.value.func
            for statement in statements(function.body)
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ]
        return any(
            isinstance(func, ast.Attribute)
            and f"{unparse(func.value)}." == own
            and self._runs(func, scope)
            for func in called
        )

    def _runs(self, func: ast.Attribute, scope: Scope) -> bool:
        """Whether a method may do more than change its object; nobody can say of a library's."""
        called = self.inference.infer(func, scope)
        if isinstance(called, FunctionValue):
            given = [argument.arg for argument in parameters(called.node)[:1]]
            return self.effects.has_effect(
                called.node, self.inference.scope_of(called), given=given
            )
        is_filled = func.attr in _FILLS
        return not is_filled and not isinstance(self.inference.infer(func.value, scope), Builtin)

    def _parameters(self, test: TestCase, passed: set[str]) -> Iterator[Provided]:
        """Types II, IV and V: fixtures that the test requests as parameters."""
        for name in test.fixture_names:
            if name in passed:
                continue
            if name.startswith("_") or name == "request" or _matches(name, self.ignored_fixtures):
                continue
            fixture = self.fixtures.find(name, test.cls)
            argument = _argument(test.node, name)
            if not parameter_is_read(name, test.node):
                if fixture is not None and self._is_idle(fixture, test):
                    yield Provided(
                        name, "pytest", False, fixture.node, fixture.module, "is never read"
                    )
                continue
            bundle = self.bundles.of_fixture(fixture, test.cls) if fixture is not None else None
            if fixture is None or bundle is None:
                yield Provided(name, "pytest", True, argument, test.scope.module)
                continue
            yield from _parts(
                name,
                bundle,
                self.bundles.used(bundle, name, test.node),
                fixture.node,
                fixture.module,
                set_aside(name, test.node),
                is_made_once(fixture),
            )

    def _is_idle(self, fixture: Fixture, test: TestCase) -> bool:
        """Whether an unread fixture only builds a value, so that dropping it changes nothing."""
        others = [name for name in test.fixture_names if name != fixture.name]
        return self.effects.only_builds(fixture, test.cls, self._reached(others, test))

    def _reached(self, names: Sequence[str], test: TestCase) -> set[str]:
        """Fixtures that run for these names, for marks and by autouse, with all that they request."""
        queue = [*names, *self.fixtures.used_by_name(test)]
        queue += [fixture.name for fixture in self.fixtures.autouse(test)]
        found: set[str] = set()
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                fixture = self.fixtures.find(name, test.cls)
                queue += fixture.requests if fixture is not None else ()
        return found

    def _managers(self, test: TestCase) -> Iterator[Provided]:
        """Type II: context managers of the tests that hand out several objects."""
        for node in _withs(test.node.body):
            for item in node.items:
                if item.optional_vars is None:
                    continue
                found = self._bundle_of_manager(item.context_expr, test.scope)
                if found is None:
                    continue
                function, bundle = found
                used = self._used_of_target(item.optional_vars, bundle, test.node)
                if used is not None:
                    name = function.node.name
                    if function.owner is not None and name.startswith("__"):
                        name = function.owner.name
                    aside = underscored(item.optional_vars)
                    yield from _parts(name, bundle, used, function.node, function.module, aside)

    def _bundle_of_manager(
        self, manager: ast.expr, scope: Scope
    ) -> tuple[FunctionValue, Bundle] | None:
        """What a context manager hands out, and the function that does: a generator or ``__enter__``."""
        function = self._entered(manager, scope)
        if function is None or not is_helper_module(function.module):
            return None
        inner = self.inference.scope_of(function)
        values = yielded(function.node) or returned(function.node)
        bundle = self.bundles.of_values(values, function.node, inner)
        return (function, bundle) if bundle is not None else None

    def _entered(self, manager: ast.expr, scope: Scope) -> FunctionValue | None:
        if isinstance(manager, ast.Call):
            function = self.inference.infer(manager.func, scope)
            if isinstance(function, FunctionValue):
                outer = Scope(function.module)
                names = [dotted_name(d, outer) or "" for d in function.node.decorator_list]
                if any(name.endswith("contextmanager") for name in names):
                    return function
        made = self.inference.infer(manager, scope)
        if isinstance(made, Instance):
            for name in ("__enter__", "__aenter__"):
                owner, node = self.inference.resolver.method(made.cls, name)
                if owner is not None and node is not None:
                    return FunctionValue(owner.module, node, made.cls, owner)
        return None

    def _used_of_target(
        self, target: ast.expr, bundle: Bundle, function: FunctionNode
    ) -> set[Hashable] | None:
        if isinstance(target, ast.Name):
            return self.bundles.used(bundle, target.id, function)
        if isinstance(target, (ast.Tuple, ast.List)) and (
            bundle.shape == "items" or bundle.ordered
        ):
            return unpacked(target, bundle, function)
        return None

    def _decorators(self, test: TestCase) -> Iterator[Provided]:
        """Type II: decorators of the tests that pass several objects to the test."""
        for dotted, _ in test.decorators:
            if not dotted:
                continue
            definition = self.inference.resolver.name(dotted, test.scope.module.path)
            if definition.node is None or definition.module is None:
                continue
            if not is_helper_module(definition.module):
                continue
            count = passed_by(definition.node)
            names = test.arguments[:count] if count > 1 else ()
            for name in names:
                used = name.startswith("_") or is_read(name, test.node)
                argument = _argument(test.node, name)
                origin = f"passed by {definition.node.name}"
                yield Provided(name, "loan", used, argument, test.scope.module, origin)


def _functions_in(attribute: SetAttribute) -> set[str]:
    """The functions that the set-up method of an attribute defines."""
    body = attribute.function.body if attribute.function is not None else []
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def passed_by(decorator: FunctionNode) -> int:
    """How many objects of its own a decorator passes to the function that it wraps."""
    nested = [
        node
        for node in walk_function(decorator)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    wrapped = {argument.arg for outer in (decorator, *nested) for argument in parameters(outer)}
    most = 0
    for wrapper in nested:
        own = {argument.arg for argument in parameters(wrapper)}
        for call in walk_function(wrapper):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                continue
            if call.func.id not in wrapped - own:
                continue
            made = [
                argument
                for argument in call.args
                if not isinstance(argument, ast.Starred) and getattr(argument, "id", "") not in own
            ]
            most = max(most, len(made))
    return most


def _withs(body: list[ast.stmt]) -> Iterator[ast.With | ast.AsyncWith]:
    """The ``with`` statements of a body, those in nested functions too."""
    for statement in statements(body):
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield statement
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _withs(statement.body)


def _parts(
    name: str,
    bundle: Bundle,
    used: set[Hashable],
    node: ast.AST,
    module: ModuleInfo,
    aside: Collection[int] = (),
    cheap: bool = False,
) -> Iterator[Provided]:
    for index, part in enumerate(bundle.parts):
        if part.kept and part.key not in used:
            continue
        shown = f"{name}.{part.key}" if bundle.shape == "fields" else f"{name}[{part.key!r}]"
        kind: FixtureType = "with-fixture" if bundle.shape == "fields" else "loan"
        known = part.key in used
        yield Provided(
            shown, kind, known, node, module, "is handed out here", index in aside, cheap
        )


def _argument(node: FunctionNode, name: str) -> ast.AST:
    return next((a for a in parameters(node) if a.arg == name), node)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
