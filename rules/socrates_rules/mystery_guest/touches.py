"""The places where a test, or a helper of its module, touches an external resource.

Each comes with where the resource's name comes from and what is faked around it. Calls that the
project itself defines are production code, whatever they are called.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode
from socrates.model.python.names import Scope
from socrates.model.python.values import Instance
from socrates.model.python.walk import branches, walk
from socrates.model.suite.collect import TestCase
from socrates.model.suite.fixtures import FixtureGraph
from socrates.model.suite.helpers import HelperCall, resolve_helper
from socrates.syntax.unparse import unparse
from socrates_rules.mystery_guest import commands
from socrates_rules.mystery_guest.fakes import CWD, Surroundings, fakes_of
from socrates_rules.mystery_guest.origin import Known, Origin, beside, join
from socrates_rules.mystery_guest.reach import Reach
from socrates_rules.mystery_guest.resources import (
    CALL_NAMES,
    CLIENT_METHODS,
    FAKED_BY,
    PATH_METHODS,
    PATH_ONLY_METHODS,
    SESSIONS,
    SOCKET_METHODS,
    Access,
    ResourceKind,
    access,
)
from socrates_rules.mystery_guest.tracing import Origins

_MAX_DEPTH = 4
_MAX_HELPERS = 60
_ENVIRON = "os.environ"
HERE = re.compile(
    r"(?:(?:resolve|absolute|abspath|realpath)\()*(?:os\.getcwd\(\)|pathlib\.Path\.cwd\(\))\)*"
)
"""Calls that give the folder in which the test started: going back there is no touch."""
_HOME = re.compile(r"Path\.home\(\)|expanduser")
_MOVES_HOME = frozenset(
    {
        "environment",
        "environment:'HOME'",
        "environment:'USERPROFILE'",
        "call:home",
        "call:expanduser",
    }
)


Managers = tuple[tuple[ast.expr, Scope], ...]


@dataclass(frozen=True, slots=True)
class Touch:
    """One touch: ``via`` is what is called, ``origin`` where the resource's name comes from.

    ``entered`` are the context managers around it, outermost first.
    """

    kind: ResourceKind
    node: ast.AST
    scope: Scope
    via: str
    origin: Origin
    entered: Managers = ()

    @property
    def is_fixed(self) -> bool:
        """Whether the code itself says which resource it is."""
        return self.origin.known is Known.FIXED


class TouchFinder:
    """Finds the touches of one test. ``extra`` are globs of further calls that reach outside."""

    def __init__(
        self,
        test: TestCase,
        inference: Inference,
        fixtures: FixtureGraph,
        extra: Sequence[str] = (),
        reach: Reach | None = None,
    ) -> None:
        self.test = test
        self.reach = reach or Reach(test.module, inference)
        self.inference = inference
        self.resolver = inference.resolver
        self.extra = extra
        self.surroundings = Surroundings(test, inference, fixtures)
        self.origins = Origins(test, inference)
        self._helpers = 0

    def unmanaged(self) -> list[Touch]:
        """Touches of resources that nothing manages or fakes, in the order in which they run."""
        found = self._find() if self._may_touch(self.test.node) else []
        if found and self.surroundings.kept:
            self.origins = Origins(self.test, self.inference, self.surroundings.kept)
            found = self._find()
        return [touch for touch in found if not self._is_faked(touch)]

    def _may_touch(self, function: FunctionNode) -> bool:
        return bool(self.extra) or self.reach.has(function)

    def _find(self) -> list[Touch]:
        self._helpers = 0
        found: list[Touch] = []
        self._in_function(self.test.scope, 0, (), found)
        return [t for t in found if t.origin.known in (Known.FIXED, Known.UNRESOLVED)]

    def is_moved(self, touch: Touch) -> bool:
        """Whether it happens in a temporary folder that the test or a fixture went to."""
        return CWD in self._fakes(touch)

    def _fakes(self, touch: Touch) -> frozenset[str]:
        return self.surroundings.faked.union(
            *(self.surroundings.entered(expr, scope) for expr, scope in touch.entered),
            self._moved(touch.scope),
        )

    def _is_faked(self, touch: Touch) -> bool:
        faked = self._fakes(touch)
        if touch.kind in faked or f"environment:{touch.origin.text}" in faked:
            return True
        if touch.kind == "environment" and self._is_given_back(touch):
            return True
        if any(f"call:{part}" in faked for part in touch.via.split(".")):
            return True
        if CWD in faked and touch.kind in ("file", "database") and not touch.origin.anchored:
            return True
        if _HOME.search(touch.origin.text) and not faked.isdisjoint(_MOVES_HOME):
            return True
        if CWD in faked and touch.kind == "process" and touch.origin.is_python:
            # A module is looked up in the working folder; a script by its path.
            return touch.origin.text == "sys.executable" or not touch.origin.anchored
        if touch.kind == "network" and self.surroundings.got_host_of(touch.origin, touch.entered):
            return True
        local = touch.origin.loopback or not touch.is_fixed
        return touch.kind in ("network", "database") and local and self.surroundings.serves

    def _is_given_back(self, touch: Touch) -> bool:
        """Whether the test restores a variable in the end, which need not be there before."""
        back = self.surroundings.given_back
        row = back.get(f"environment:{touch.origin.text}", back.get("environment"))
        if row is None or not isinstance(touch.node, ast.Subscript):
            return row is not None
        return not isinstance(touch.node.ctx, ast.Load) or touch.node.lineno > row

    def _moved(self, scope: Scope) -> frozenset[str]:
        """Whether the helper that touches something goes to a folder of its own."""
        if scope.function is None or scope.function is self.test.node:
            return frozenset()
        calls = (node for node in walk(scope.function) if isinstance(node, ast.Call))
        found = (fakes_of(call, self.origins, scope, wraps=False) for call in calls)
        return frozenset({CWD}) if any(CWD in kinds for kinds in found) else frozenset()

    # -- walking -------------------------------------------------------------------------------

    def _in_function(self, scope: Scope, depth: int, entered: Managers, found: list[Touch]) -> None:
        assert scope.function is not None
        body = scope.function.body
        for node in body if isinstance(body, list) else [body]:
            self._in_node(node, scope, depth, entered, found)

    def _in_node(
        self, node: ast.AST, scope: Scope, depth: int, entered: Managers, found: list[Touch]
    ) -> None:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._in_node(item.context_expr, scope, depth, entered, found)
                entered = (*entered, (item.context_expr, scope))
            for statement in node.body:
                self._in_node(statement, scope, depth, entered, found)
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            scope = scope.inner(node)
        for child in branches(node):
            self._in_node(child, scope, depth, entered, found)
        if isinstance(node, ast.Call):
            found += [replace(touch, entered=entered) for touch in self._call(node, scope)]
            self._in_helper(node, scope, depth, entered, found)
        elif isinstance(node, (ast.Subscript, ast.Compare)):
            key = self._environment_key(node, scope)
            if key is not None:
                origin = self.origins.of(key, scope)
                found.append(Touch("environment", node, scope, _ENVIRON, origin, entered))

    def _in_helper(
        self, call: ast.Call, scope: Scope, depth: int, entered: Managers, found: list[Touch]
    ) -> None:
        if depth >= _MAX_DEPTH or self._helpers >= _MAX_HELPERS:
            return
        helper = resolve_helper(call, scope, self.inference)
        if helper is None or not self._is_followed(helper) or _is_entered(call.func, scope):
            return
        self._helpers += 1
        self._in_function(helper.scope, depth + 1, entered, found)

    def _is_followed(self, helper: HelperCall) -> bool:
        """Only helpers of the test's module; a context manager looks after what it opens."""
        function = helper.function
        if function.module.path != self.test.module.path or function.node is self.test.node:
            return False
        is_inner = function.defined_in is None and (
            function.module.functions.get(function.node.name) is not function.node
        )
        if is_inner:
            # What a function returned by a fixture touches is managed by that fixture.
            return False
        if not self._may_touch(function.node):
            return False
        return not any("contextmanager" in unparse(d) for d in function.node.decorator_list)

    # -- calls ---------------------------------------------------------------------------------

    def _call(self, call: ast.Call, scope: Scope) -> Iterator[Touch]:
        func = call.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if isinstance(func, ast.Name) or name in CALL_NAMES or self.extra:
            found = self.resolver.expression(func, scope)
            if found is not None:
                how = access(found.name, self.extra) if found.kind == "external" else None
                if how is not None:
                    yield from self._accessed(call, how, found.name, scope)
                    return
        if isinstance(func, ast.Attribute):
            if name in PATH_METHODS:
                yield from self._on_path(call, func, scope)
            if name in CLIENT_METHODS:
                yield from self._on_client(call, func, scope)

    def _accessed(self, call: ast.Call, how: Access, name: str, scope: Scope) -> Iterator[Touch]:
        if how.kind == "process":
            origin = commands.origin(call, how, self.origins, scope)
            yield Touch("process", call, scope, name, origin)
            return
        named = _arguments(call, how)
        inside = [k.value for k in call.keywords if k.arg == "fileobj"]
        if inside and how.kind == "file":
            # An archive in an open file; the name is only written into it.
            named = inside
        origins = [self.origins.of(argument, scope) for argument in named]
        if name == "doctest.testfile" and _is_module_relative(call):
            here = beside(scope.module)
            origins = [join([here, origin]) for origin in origins]
        if not named and how.optional:
            passed = self.origins.arguments(call, scope)
            known = join(passed) if passed else Origin(Known.FIXED, loopback=True)
            origins = [Origin(Known.FIXED) if known.known is Known.NEUTRAL else known]
        if how.kind in ("network", "database"):
            origins = [join(origins)]
        for origin in origins:
            if name != "os.chdir" or not HERE.fullmatch(origin.text):
                yield Touch(how.kind, call, scope, name, origin)

    def _on_path(self, call: ast.Call, func: ast.Attribute, scope: Scope) -> Iterator[Touch]:
        origin = self.origins.of(func.value, scope)
        if origin.known not in (Known.FIXED, Known.UNRESOLVED):
            return
        named = func.attr in PATH_ONLY_METHODS and self.resolver.expression(func.value, scope)
        is_path = origin.is_path or (origin.known is Known.UNRESOLVED and bool(named))
        if is_path and not isinstance(self.inference.infer(func.value, scope), Instance):
            yield Touch("file", call, scope, f"Path.{func.attr}", origin)

    def _on_client(self, call: ast.Call, func: ast.Attribute, scope: Scope) -> Iterator[Touch]:
        """A request on a session, or a connection of a socket, that the test made itself."""
        made = _made(func.value, scope)
        if made is None:
            return
        found = self.resolver.expression(made.func, scope)
        if found is None or found.kind != "external":
            return
        named: list[ast.expr] = []
        if func.attr in SESSIONS.get(found.name, ()):
            if any(keyword.arg in FAKED_BY for keyword in made.keywords) or _mounts(func, scope):
                return
            position = 1 if func.attr in ("request", "stream") else 0
            named = _arguments(call, Access("network", (position,), ("url",)))
            named = [*(k.value for k in made.keywords if k.arg == "base_url"), *named]
        elif found.name == "socket.socket" and func.attr in SOCKET_METHODS:
            named = _arguments(call, Access("network", (0 if func.attr != "sendto" else 1,)))
        if named:
            origin = join([self.origins.of(argument, scope) for argument in named])
            yield Touch("network", call, scope, f"{found.name}.{func.attr}", origin)

    def _environment_key(self, node: ast.AST, scope: Scope) -> ast.expr | None:
        """The name in ``os.environ[NAME]`` and ``NAME in os.environ``."""
        match node:
            case ast.Subscript(value=ast.Attribute() | ast.Name() as value, slice=key):
                pass
            case ast.Compare(
                left=key,
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Attribute() | ast.Name() as value],
            ):
                pass
            case _:
                return None
        if (value.attr if isinstance(value, ast.Attribute) else value.id) != "environ":
            return None
        found = self.resolver.expression(value, scope)
        return key if found is not None and found.name == _ENVIRON else None


def _arguments(call: ast.Call, how: Access) -> list[ast.expr]:
    found = [call.args[index] for index in how.positions if index < len(call.args)]
    return [*found, *(k.value for k in call.keywords if k.arg in how.keywords)]


def _is_module_relative(call: ast.Call) -> bool:
    """Whether ``doctest.testfile`` finds its file beside the module that calls it, as it does unless told."""
    said = [k.value for k in call.keywords if k.arg == "module_relative"] + call.args[1:2]
    return all(isinstance(value, ast.Constant) and value.value is True for value in said)


def _is_entered(func: ast.expr, scope: Scope) -> bool:
    """Whether it is a method of what a ``with`` gave: the context manager looks after that."""
    base = func.value if isinstance(func, ast.Attribute) else None
    local = scope.lookup(base.id) if isinstance(base, ast.Name) else None
    return local is not None and local[1][-1].kind == "with"


def _made(expr: ast.expr, scope: Scope) -> ast.Call | None:
    """The call that made an object, when it stands in the same function."""
    if isinstance(expr, ast.Call):
        return expr
    if not isinstance(expr, ast.Name):
        return None
    local = scope.lookup(expr.id)
    for binding in reversed(local[1] if local else []):
        if binding.kind in ("value", "with") and isinstance(binding.value, ast.Call):
            return binding.value
    return None


def _mounts(func: ast.Attribute, scope: Scope) -> bool:
    """Whether the function gives the session an adapter of its own."""
    return scope.function is not None and any(
        isinstance(node, ast.Attribute) and node.attr == "mount"
        for node in ast.walk(scope.function)
    )
