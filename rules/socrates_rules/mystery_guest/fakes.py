"""What stands in for real resources while a test runs: patches, fakes, servers, set-up and clean-up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import FunctionNode, ModuleInfo
from socrates.model.python.names import Scope, dotted_name, parameters
from socrates.model.python.values import ClassValue, FunctionValue
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase
from socrates.model.suite.fixtures import FixtureGraph
from socrates.model.suite.helpers import resolve_helper
from socrates.model.suite.setup import SETUP_METHODS, TEARDOWN_METHODS
from socrates_rules.mystery_guest.environment import variables, variables_set
from socrates_rules.mystery_guest.origin import Known, Origin
from socrates_rules.mystery_guest.resources import (
    CREATES,
    PATH_METHODS,
    access,
    chain_of,
    is_text,
    replaced,
    target_text,
)
from socrates_rules.mystery_guest.tracing import Origins

CWD = "cwd"
"""The fake of a working folder: relative paths lead into a temporary one."""

_NETWORK = frozenset({"network", "database"})
_LIBRARIES = re.compile(
    r"(responses|respx|requests_mock|aioresponses|aresponses|httpretty|pook|vcr|betamax|moto|mocket|flexmock|mongomock|fakeredis|"
    r"pytest_httpserver|pytest_localserver|aiohttp\.test_utils)(\.|$)"
)
_FIXTURES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (
        re.compile(
            r"requests_mock|responses|respx_mock|httpx_mock|aioresponses|aresponses|httpretty|vcr\w*|betamax\w*|"
            r"httpserver|moto\w*|mock_aws|socket_disabled"
        ),
        _NETWORK,
    ),
    (re.compile(r"fs|fake_filesystem|fs_\w+"), frozenset({"file", CWD})),
    (re.compile(r"pytester|testdir"), frozenset({CWD})),
)
_MOVES = re.compile(r"isolated_filesystem|as_cwd|change_dir|working_dir|temp_cwd|cleancwd|_cwd$|^cwd$|chdir|^cd$")  # fmt: skip
_ENVIRON = re.compile(r"environ|_env$|^env_|setenv|EnvironmentVar")
_CHDIR = re.compile(r"isolated_filesystem|chdir|change_dir|^cd$")
_SETS_ENVIRON = re.compile(r"^_?(set|del|unset|patch|mock|stub|fake|save|preserve|override|restore|clear|reset|clean)\w*env", re.I)  # fmt: skip
_SERVES = re.compile(r"serve|listen|^bind$|run_app|daemon|start_http|^start$", re.IGNORECASE)
_HOST = re.compile(r"host|domain|netloc|server_?name|^addr(ess)?$|^(base_?)?ur[il]$", re.IGNORECASE)
"""Arguments of a context manager or server that say for which address it stands in."""
_STANDS_IN = re.compile(r"server|intercept|mock|fake|stub", re.IGNORECASE)
_CLIENTS = re.compile(r"client|connect|session|raises|warns", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'")
_MAX_DEPTH = 2
_COPIES = frozenset({"copy", "copy2", "copyfile", "copytree", "symlink"})
_STUBS = ("when.", "expect.", "spy2.")
"""How mockito stubs: ``when(os.path).exists("x").thenReturn(True)``."""
_SETTERS = ("setattr", "delattr", "setitem", "delitem")
_MODULE_SETUP = (
    "setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function",
    "teardown_function", "setup", "teardown",
)  # fmt: skip


def fakes_of(
    expr: ast.expr, origins: Origins, scope: Scope, *, wraps: bool = True
) -> frozenset[str]:
    """The kinds of resource that a decorator, a ``with`` item or a call puts a fake in front of.

    Of something that ``wraps`` code, the name decides; a plain call may only read the folder or the
    environment that its name mentions.
    """
    call = expr if isinstance(expr, ast.Call) else None
    func = call.func if call else expr
    dotted = dotted_name(func, scope) or ""
    chain = dotted or chain_of(func)
    if _LIBRARIES.match(chain):
        return _NETWORK
    if chain.startswith("pyfakefs."):
        return frozenset({"file", CWD})
    if call is None:
        return frozenset()
    parts = chain.split(".")
    last = parts[-1]
    if last == "start" and isinstance(func, ast.Attribute):
        return fakes_of(func.value, origins, scope)
    if "patch" in parts or last in _SETTERS:
        return _patched(call, last)
    if isinstance(func, ast.Attribute) and chain_of(func).startswith(_STUBS):
        stubbed = func.value.args if isinstance(func.value, ast.Call) else []
        return frozenset(replaced(f"{target_text(stubbed[0])}.{last}")) if stubbed else frozenset()
    if last in ("enter_context", "enterContext", "enterClassContext", "useFixture") and call.args:
        return fakes_of(call.args[0], origins, scope)
    if last == "invoke" and any(keyword.arg == "env" for keyword in call.keywords):
        return frozenset({"environment"})
    if last in ("setenv", "delenv"):
        return variables(call.args[0] if call.args else None, origins, scope)
    if (_MOVES if wraps else _CHDIR).search(last):
        target = origins.of(call.args[0], scope) if call.args else None
        fixed = target is not None and target.known is Known.FIXED and last != "isolated_filesystem"
        fixed = fixed and not _is_given(call.args[0], scope)
        return frozenset() if fixed else frozenset({CWD})
    if (_ENVIRON if wraps else _SETS_ENVIRON).search(last) and dotted not in (
        "os.getenv",
        "os.environ",
    ):
        return frozenset() if dotted.startswith("os.") else frozenset({"environment"})
    return frozenset()


def _is_given(expr: ast.expr, scope: Scope) -> bool:
    """Whether a value begins with a parameter, though a branch may put something else in its place."""
    given = {argument.arg for argument in parameters(scope.function)} if scope.function else set()
    return any(isinstance(part, ast.Name) and part.id in given for part in walk(expr))


def _patched(call: ast.Call, last: str) -> frozenset[str]:
    texts = [target_text(argument) for argument in call.args[:2]]
    if not texts:
        return frozenset()
    names_object = not is_text(call.args[0])
    if last in ("object", "multiple") or (names_object and last != "dict"):
        return frozenset(replaced(".".join(texts)))
    return frozenset(replaced(texts[0]))


@dataclass(frozen=True, slots=True)
class _OuterFunction:
    """A function that runs around the test: a fixture, a ``setUp``, a helper of theirs."""

    node: FunctionNode
    scope: Scope


class Surroundings:
    """What a test's decorators, fixtures, set-up and clean-up provide, computed on demand."""

    def __init__(self, test: TestCase, inference: Inference, fixtures: FixtureGraph) -> None:
        self.test = test
        self.inference = inference
        self.fixtures = fixtures
        self._origins = Origins(test, inference)

    @cached_property
    def outer_functions(self) -> list[_OuterFunction]:
        """Every function of the project that runs before or after the test."""
        fixtures = self.fixtures.closure(self.test).values()
        found = [_OuterFunction(f.node, f.scope) for f in fixtures if f is not None]
        if self.test.cls is not None:
            for owner in self.inference.resolver.mro(self.test.cls):
                for name in (*SETUP_METHODS, *TEARDOWN_METHODS):
                    node = owner.methods.get(name)
                    if node is not None:
                        scope = self.inference.method_scope(owner, node, self.test.cls)
                        found.append(_OuterFunction(node, scope))
        module = self.test.module
        found += [
            _OuterFunction(module.functions[name], Scope(module, module.functions[name]))
            for name in _MODULE_SETUP
            if name in module.functions
        ]
        return self._with_helpers([*found, *self._decorating()])

    def _decorating(self) -> Iterator[_OuterFunction]:
        """The functions of the project that decorate the test, or its class."""
        scope = Scope(self.test.scope.module)
        for _, decorator in self.test.decorators:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            value = self.inference.infer(func, scope)
            if isinstance(value, FunctionValue):
                yield _OuterFunction(value.node, Scope(value.module, value.node))

    def _with_helpers(self, functions: list[_OuterFunction]) -> list[_OuterFunction]:
        """The functions, and the helpers that they call: ``setUp`` often only lists steps."""
        seen = {id(function.node) for function in functions} | {id(self.test.node)}
        found, fresh = list(functions), functions
        for _ in range(_MAX_DEPTH):
            called = [
                resolve_helper(call, scope, self.inference) for call, scope in self._calls(fresh)
            ]
            fresh = []
            for helper in called:
                if helper is not None and id(helper.function.node) not in seen:
                    seen.add(id(helper.function.node))
                    fresh.append(_OuterFunction(helper.function.node, helper.scope))
            found += fresh
        return found

    @cached_property
    def faked(self) -> frozenset[str]:
        """Kinds of resource that are faked for the whole test."""
        found: set[str] = set()
        module_scope = Scope(self.test.scope.module)
        for _, decorator in self.test.decorators:
            found |= fakes_of(decorator, self._origins, module_scope)
            found |= _marked(decorator)
        for name, fixture in self.fixtures.closure(self.test).items():
            for pattern, kinds in _FIXTURES:
                # Of a project's own fixture, the body shows what it does to the working folder.
                if pattern.fullmatch(name) and (fixture is None or CWD not in kinds):
                    found |= kinds
        entered = _entered(self.test.node)
        for call, scope in self._calls(
            [_OuterFunction(self.test.node, self.test.scope), *self.outer_functions]
        ):
            if id(call) in entered:
                continue
            kinds = fakes_of(call, self._origins, scope, wraps=False)
            if scope is self.test.scope and any(k.startswith("environment") for k in kinds):
                # A test that patches one variable itself is taken to control its whole environment.
                kinds |= {"environment"}
            found |= kinds
        for function in self.outer_functions:
            found |= variables_set([function.node], self._origins, function.scope)
        for manager, scope in self._entered_before:
            found |= self.entered(manager, scope)
        return frozenset(found)

    @cached_property
    def _entered_before(self) -> list[tuple[ast.expr, Scope]]:
        """The context managers that fixtures and decorators hold open while the test runs."""
        return [
            (item.context_expr, function.scope)
            for function in self.outer_functions
            for node in walk(function.node)
            if isinstance(node, (ast.With, ast.AsyncWith))
            and any(isinstance(part, ast.Yield) or _hands_on(part) for part in walk(node))
            for item in node.items
        ]

    @cached_property
    def given_back(self) -> dict[str, int]:
        """Environment variables that a ``finally`` of the test gives back, with the row of its ``try``."""
        found: dict[str, int] = {}
        for node in walk(self.test.node):
            if isinstance(node, (ast.Try, ast.TryStar)):
                scope, last = self.test.scope, node.finalbody
                for kind in variables_set(last, self._origins, scope, removed=False):
                    found.setdefault(kind, node.lineno)
        return found

    @cached_property
    def kept(self) -> frozenset[str]:
        """Canonical texts of the resources that set-up creates or clean-up removes."""
        found: set[str] = set()
        for call, scope in self._calls(self.outer_functions):
            last = chain_of(call.func).rpartition(".")[2]
            dotted = dotted_name(call.func, scope)
            how = access(dotted) if dotted else None
            connects = how is not None and how.kind in ("database", "network")
            if connects or last in CREATES or last in ("addCleanup", "addfinalizer", "callback"):
                args = call.args[1:] if last in _COPIES else call.args
                exprs: list[ast.expr] = [*args, *(k.value for k in call.keywords)]
                if isinstance(call.func, ast.Attribute) and last in PATH_METHODS:
                    exprs.append(call.func.value)
                if last == "open" and not _writes(call):
                    continue
                each = [one for expr in exprs for one in _each(expr, scope)]
                found |= {self._origins.of(expr, scope).text for expr in each}
        return frozenset((found | {leaf for text in found for leaf in _only_leaf(text)}) - {""})

    @cached_property
    def serves(self) -> bool:
        """Whether the test, or what runs before it, starts a server, in this process or another."""
        for call, scope in self._calls(
            [_OuterFunction(self.test.node, self.test.scope), *self.outer_functions]
        ):
            if _SERVES.search(chain_of(call.func).rpartition(".")[2]):
                return True
            how = access(dotted_name(call.func, scope) or "")
            if scope is not self.test.scope and how is not None and how.kind == "process":
                return True
        return False

    def entered(self, expr: ast.expr, scope: Scope) -> frozenset[str]:
        """What a ``with`` item fakes for its body; context managers of the project are looked into."""
        found = fakes_of(expr, self._origins, scope)
        if not isinstance(expr, ast.Call):
            return found
        value = self.inference.infer(expr.func, scope)
        nodes: list[tuple[ModuleInfo, FunctionNode]] = []
        if isinstance(value, FunctionValue):
            nodes = [(value.module, value.node)]
        elif isinstance(value, ClassValue):
            members = value.cls.methods
            nodes = [
                (value.cls.module, members[name])
                for name in ("__init__", "__enter__", "__aenter__")
                if name in members
            ]
        for module, node in nodes:
            functions = [_OuterFunction(node, Scope(module, node))]
            for call, inner in self._calls(functions):
                found |= fakes_of(call, self._origins, inner, wraps=False)
                if dotted_name(call.func, inner) == "os.chdir":
                    found |= {CWD}
            found |= variables_set([node], self._origins, functions[0].scope)
        return found

    def got_host_of(self, address: Origin, entered: Iterable[tuple[ast.expr, Scope]]) -> bool:
        """Whether a context manager around the call, or a server of a fixture, got the same host."""
        servers = (
            (call, scope)
            for call, scope in self._calls(self.outer_functions)
            if _STANDS_IN.search(chain_of(call.func).rpartition(".")[2])
        )
        return any(
            self._names_host(expr, scope, address.text)
            for expr, scope in (*entered, *self._entered_before, *servers)
            if isinstance(expr, ast.Call)
        )

    def _names_host(self, manager: ast.Call, scope: Scope, address: str) -> bool:
        """Whether a call that reaches nothing itself is handed the host of an address."""
        dotted = dotted_name(manager.func, scope) or ""
        if access(dotted) is not None or _CLIENTS.search(chain_of(manager.func)):
            return False
        for keyword in manager.keywords:
            if keyword.arg is not None and _HOST.search(keyword.arg):
                host = self._origins.of(keyword.value, scope)
                text = host.text[1:-1] if host.known is Known.FIXED else ""
                if text and re.search(rf"(?<![\w.-]){re.escape(text)}(?![\w.-])", address):
                    return True
        return False

    def _calls(self, functions: Iterable[_OuterFunction]) -> Iterator[tuple[ast.Call, Scope]]:
        for function in functions:
            for node in walk(function.node):
                if isinstance(node, ast.Call):
                    yield node, function.scope


def _hands_on(node: ast.AST) -> bool:
    """Whether a decorator calls what it decorates here, with all that it was given."""
    return isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords)


def _each(expr: ast.expr, scope: Scope) -> list[ast.expr]:
    """What a loop variable stands for in turn, when the loop runs over a list as written."""
    local = scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
    looped = [b.value for b in local[1] if b.kind == "item"] if local is not None else []
    lists = [value.elts for value in looped if isinstance(value, (ast.List, ast.Tuple))]
    return [element for elements in lists for element in elements] or [expr]


def _only_leaf(text: str) -> list[str]:
    """``dirname('/tmp/x')`` is made from the one literal ``'/tmp/x'``."""
    leaves = _QUOTED.findall(text)
    return leaves if len(leaves) == 1 and "__file__" not in text else []


def _marked(decorator: ast.expr) -> frozenset[str]:
    """What a mark such as ``pytest.mark.vcr`` or ``pytest.mark.respx`` fakes."""
    chain = chain_of(decorator)
    if ".mark." not in chain:
        return frozenset()
    mark = chain.partition(".mark.")[2]
    return (
        _NETWORK
        if re.match(r"(vcr|respx|responses|httpretty|default_cassette)", mark)
        else frozenset()
    )


def _writes(call: ast.Call) -> bool:
    mode = call.args[1] if len(call.args) > 1 else None
    for keyword in call.keywords:
        if keyword.arg == "mode":
            mode = keyword.value
    text = mode.value if isinstance(mode, ast.Constant) else ""
    return isinstance(text, str) and any(letter in text for letter in "wax+")


def _entered(function: FunctionNode) -> set[int]:
    """The items of the ``with`` statements of a function: they hold for their bodies only."""
    return {
        id(item.context_expr)
        for node in walk(function)
        if isinstance(node, (ast.With, ast.AsyncWith))
        for item in node.items
    }
