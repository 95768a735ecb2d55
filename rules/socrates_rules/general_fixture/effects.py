"""Whether a fixture only builds a value, or is run for what it does.

Unknown counts as an effect: fixtures of plugins, awaited calls, calls whose result is not used.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name, parameters, walk_function
from socrates.model.python.values import FunctionValue
from socrates.model.python.walk import walk
from socrates.model.suite.fixtures import Fixture, FixtureGraph

HARMLESS_FIXTURES = frozenset(
    {"request", "tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "pytestconfig"}
)
"""pytest's own fixtures that change nothing which a test could notice."""

_CONFIGURES_PLUGINS = frozenset(
    {"anyio_backend", "anyio_backend_options", "event_loop", "event_loop_policy", "celery_config"}
    | {"celery_parameters", "celery_enable_logging", "celery_includes", "celery_worker_pool"}
    | {"celery_worker_parameters", "django_db_setup", "django_db_modify_db_settings", "vcr_config"}
    | {
        "live_server",
        "httpserver_listen_address",
        "loop",
        "aiohttp_client_cls",
        "docker_compose_file",
    }
    | {"faker_seed", "faker_locale", "faker_session_locale", "snapshot", "browser_context_args"}
)
_EFFECT_MODULES = (
    "os.", "shutil.", "subprocess.", "socket.", "sqlite3.", "signal.", "tempfile.", "threading.",
    "multiprocessing.", "logging.", "warnings.", "requests.", "urllib.request.", "httpx.", "sys.",
    "unittest.mock.patch", "mock.patch", "pytest.", "asyncio.", "locale.", "atexit.", "gc.",
    "builtins.open", "builtins.setattr", "builtins.delattr", "builtins.exec", "builtins.print",
    "builtins.__import__", "importlib.", "random.seed", "io.open", "trio.", "anyio.", "time.",
    "psycopg", "sqlalchemy.create_engine", "redis.", "boto3.", "docker.", "socketserver.",
    "http.server.",
)  # fmt: skip
_PURE_EXCEPTIONS = (
    "os.path.join", "os.path.dirname", "os.path.abspath", "os.path.basename", "os.fspath",
    "os.path.realpath", "os.path.exists", "os.getcwd", "os.environ.get", "os.environ.copy",
    "os.getenv", "os.path.isfile", "os.path.isdir", "os.urandom", "sys.getsizeof", "pytest.param",
    "pytest.approx", "pytest.raises", "pytest.warns", "pytest.deprecated_call", "time.time", "time.monotonic", "sys.version_info", "os.sep", "os.path",
    "threading.Lock", "threading.RLock", "threading.Event", "threading.local", "asyncio.Queue",
    "asyncio.Event", "asyncio.Lock", "logging.getLogger", "socket.AF_INET", "sys.platform",
    "sys.executable", "os.linesep", "os.name", "sys.modules.get", "threading.Condition",
    "importlib.resources.files", "logging.LogRecord", "logging.Formatter",
)  # fmt: skip
_EFFECT_METHODS = frozenset(
    "start run serve listen connect bind login commit save create bulk_create get_or_create "
    "create_all drop_all execute executemany delete mkdir makedirs touch write write_text "
    "write_bytes writelines mktemp unlink rmtree symlink_to rename install uninstall patch "
    "object dict setattr setenv delenv delattr setitem chdir syspath_prepend addfinalizer enable "
    "disable activate deactivate register unregister subscribe init_app push send publish "
    "enter_context enterContext __enter__ __aenter__ submit flush flushall flushdb seed "
    "make_project makepyfile makefile makeconftest makeini insert_one insert_many upload "
    "put_object create_bucket getfixturevalue create_task run_until_complete set_event_loop spawn fork".split()
)
_MAX_DEPTH = 3


class Effects:
    """Distinguishes fixtures that only build a value from fixtures with side effects."""

    def __init__(self, fixtures: FixtureGraph, inference: Inference) -> None:
        self.fixtures = fixtures
        self.inference = inference
        self._answers: dict[int, tuple[ast.AST, bool]] = {}

    def only_builds(
        self, fixture: Fixture, cls: ClassInfo | None, runs_anyway: Collection[str] = ()
    ) -> bool:
        """Whether a fixture, and all that it requests, does nothing but make its value.

        ``runs_anyway`` are fixtures that the test gets by other ways: requesting them again has
        no effect of its own.
        """
        return self._builds(fixture, cls, runs_anyway, set())

    def _builds(
        self, fixture: Fixture, cls: ClassInfo | None, anyway: Collection[str], seen: set[int]
    ) -> bool:
        if id(fixture.node) in seen:
            return True
        seen.add(id(fixture.node))
        if fixture.is_generator or fixture.autouse or not fixture.values:
            return False
        if fixture.name in _CONFIGURES_PLUGINS or not self._is_pure(fixture):
            return False
        for name in fixture.requests:
            if name in HARMLESS_FIXTURES or name in anyway:
                continue
            skip = fixture.node if name == fixture.name else None
            requested = self.fixtures.find(name, cls, skip)
            if requested is None or not self._builds(requested, cls, anyway, seen):
                return False
        return True

    def _is_pure(self, fixture: Fixture) -> bool:
        kept = self._answers.get(id(fixture.node))
        if kept is None:
            decorated = len(fixture.node.decorator_list) > 1
            answer = not decorated and not self.has_effect(fixture.node, fixture.scope)
            kept = self._answers[id(fixture.node)] = (fixture.node, answer)
        return kept[1]

    def has_effect(self, node: FunctionNode, scope: Scope, depth: int = 0) -> bool:
        """Whether running a function does something besides making what it returns."""
        foreign = {argument.arg for argument in parameters(node)}
        own = _own_names(node, foreign)
        for part in _executed(node):
            if isinstance(part, (ast.Global, ast.Nonlocal, ast.Delete, ast.Await, ast.AsyncWith)):
                return True
            if isinstance(part, ast.Assert) and depth == 0:  # requested for what it checks
                return True
            if isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                targets = part.targets if isinstance(part, ast.Assign) else [part.target]
                if any(_changes_others(target, own) for target in targets):
                    return True
            elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
                if not _is_on_own(part.value, own):
                    return True
            elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if any(not _is_plain_decorator(d, scope) for d in part.decorator_list):
                    return True
            if isinstance(part, ast.Call) and self._call_has_effect(part, scope, depth):
                return True
        return False

    def _call_has_effect(self, call: ast.Call, scope: Scope, depth: int) -> bool:
        dotted = dotted_name(call.func, scope)
        if dotted is not None:
            if dotted.startswith(_EFFECT_MODULES) and dotted not in _PURE_EXCEPTIONS:
                return True
        if isinstance(call.func, ast.Attribute) and call.func.attr in _EFFECT_METHODS:
            return True
        called = self.inference.infer(call.func, scope)
        if isinstance(called, FunctionValue) and called.module.is_test and depth < _MAX_DEPTH:
            inner = self.inference.scope_of(called)
            return self.has_effect(called.node, inner, depth + 1)
        return False


def _executed(node: FunctionNode) -> list[ast.AST]:
    """The nodes that run when the function does: bodies of nested functions don't."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(node.body)
    while stack:
        part = stack.pop()
        found.append(part)
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        stack.extend(ast.iter_child_nodes(part))
    return found


def _own_names(node: FunctionNode, foreign: set[str]) -> set[str]:
    """Local names whose values the function itself made, and not from what it was handed."""
    own: set[str] = set()
    for part in walk_function(node):
        if isinstance(part, ast.Assign):
            names = {t.id for t in part.targets if isinstance(t, ast.Name)}
            mentioned = {n.id for n in walk(part.value) if isinstance(n, ast.Name)}
            aliases = isinstance(part.value, (ast.Name, ast.Attribute, ast.Subscript))
            if _flows(part.value, mentioned & foreign) or (aliases and not mentioned & own):
                foreign |= names
            else:
                own |= names
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            own.add(part.target.id)
        elif isinstance(part, ast.withitem) and isinstance(part.optional_vars, ast.Name):
            own.add(part.optional_vars.id)
        elif isinstance(part, (ast.For, ast.comprehension)) and isinstance(part.target, ast.Name):
            own.add(part.target.id)
    return own - foreign


def _flows(value: ast.expr, foreign: set[str]) -> bool:
    """Whether a value is part of what the function was handed: ``app.db``, ``tmp_path / "x"``."""
    if not foreign:
        return False
    while isinstance(value, (ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.Await)):
        if isinstance(value, ast.BinOp):
            value = value.left
        elif isinstance(value, ast.Call):
            value = value.func
        else:
            value = value.value
    return isinstance(value, ast.Name) and value.id in foreign


def _root(node: ast.AST) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _changes_others(target: ast.expr, own: set[str]) -> bool:
    """Whether an assignment changes something that the function did not make itself."""
    if isinstance(target, (ast.Attribute, ast.Subscript)):
        return _root(target) not in own
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(_changes_others(element, own) for element in target.elts)
    return False


def _is_on_own(call: ast.Call, own: set[str]) -> bool:
    return isinstance(call.func, ast.Attribute) and _root(call.func) in own


def _is_plain_decorator(decorator: ast.expr, scope: Scope) -> bool:
    """Decorators that only shape a definition: dataclass, wraps, staticmethod, property."""
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    dotted = dotted_name(callee, scope) or ""
    return dotted.startswith(
        ("dataclasses.", "functools.", "builtins.", "attr", "contextlib.", "abc.", "typing.")
    )
