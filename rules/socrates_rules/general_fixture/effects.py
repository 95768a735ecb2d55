"""Whether a fixture only builds a value, or may be run for what it does.

Whatever can't be looked into counts as an effect: functions of production code and of libraries,
classes whose construction does more than fill in attributes, imports, calls on what others can see,
fixtures of plugins, awaited calls, assertions.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator

from socrates.model.context import FileContext
from socrates.model.python.local_facts import is_super
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.names import Scope, dotted_name, parameters
from socrates.model.python.shapes import returned, self_assignments
from socrates.model.python.values import (
    Builtin,
    ClassValue,
    ExternalResult,
    FunctionValue,
    Instance,
)
from socrates.model.python.walk import walk
from socrates.model.suite.fixtures import Fixture
from socrates_rules.general_fixture.harmless import (
    APPLIES,
    BASES,
    FIXTURES,
    is_harmless,
    names_effect,
    only_looks,
    only_shapes,
)
from socrates_rules.general_fixture.own_names import changes_others, own_names, root
from socrates_rules.rewriting.bound_once import is_bound_once, is_replaced

_CONFIGURES_PLUGINS = frozenset(
    {"anyio_backend", "anyio_backend_options", "event_loop", "event_loop_policy", "celery_config"}
    | {"celery_parameters", "celery_enable_logging", "celery_includes", "celery_worker_pool"}
    | {"celery_worker_parameters", "django_db_setup", "django_db_modify_db_settings", "vcr_config"}
    | {"live_server", "httpserver_listen_address", "loop", "aiohttp_client_cls", "snapshot"}
    | {"docker_compose_file", "faker_seed", "faker_locale", "faker_session_locale"}
    | {"browser_context_args"}
)
_ALWAYS = (
    ast.Global, ast.Nonlocal, ast.Delete, ast.Await, ast.AsyncWith, ast.AsyncFor, ast.Assert, ast.Raise,
)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_HOOKS = frozenset(
    {
        "__new__",
        "__setattr__",
        "__post_init__",
        "__attrs_post_init__",
        "__attrs_pre_init__",
        "__del__",
    }
)
_ANSWERS = frozenset(
    {"__str__", "__format__", "__iter__", "__bool__", "__len__", "__contains__", "__fspath__"}
    | {"__getattr__", "__getattribute__"}
)
_CALLED = frozenset({"key", "default_factory"})
_MAX_DEPTH = 4


class Effects:
    """Distinguishes fixtures that only build a value from those that may do more."""

    def __init__(self, file: FileContext) -> None:
        self.file = file
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
            if name in FIXTURES or name in anyway:
                continue
            skip = fixture.node if name == fixture.name else None
            requested = self.file.fixtures.find(name, cls, skip)
            if requested is None or not self._builds(requested, cls, anyway, seen):
                return False
        return True

    def _is_pure(self, fixture: Fixture) -> bool:
        kept = self._answers.get(id(fixture.node))
        if kept is None:
            outer = Scope(fixture.module)
            others = [d for d in fixture.node.decorator_list if not _makes_fixture(d, outer)]
            answer = all(_only_shapes(d, outer) for d in others) and not self.has_effect(
                fixture.node, fixture.scope
            )
            kept = self._answers[id(fixture.node)] = (fixture.node, answer)
        return kept[1]

    def has_effect(
        self, node: FunctionNode, scope: Scope, depth: int = 0, given: Collection[str] = ()
    ) -> bool:
        """Whether running a function may do something besides making what it returns.

        ``given``: parameters that nobody else can see, as the ``self`` of a constructor.
        """
        if depth > _MAX_DEPTH:
            return True
        foreign = {argument.arg for argument in parameters(node)} - set(given)
        own = own_names(node, foreign) | set(given)
        return any(self._acts(part, scope, own, depth) for part in _executed(node))

    def _acts(self, part: ast.AST, scope: Scope, own: set[str], depth: int) -> bool:
        if isinstance(part, _ALWAYS):
            return True
        match part:
            case ast.Assign(targets=targets):
                return any(changes_others(target, own) for target in targets)
            case ast.AugAssign(target=ast.Name(id=name)):
                return name not in own  # a list is changed in its place
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                return changes_others(target, own)
            case ast.Import(names=names):
                return any(_is_foreign(alias.name) for alias in names)
            case ast.ImportFrom(module=module, level=level):
                return level > 0 or _is_foreign(module or "")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return not all(_only_shapes(d, scope) for d in part.decorator_list)
            case ast.ClassDef():
                return self.defining_acts(part, scope)
            case ast.With(items=items):
                return not all(self._enters_harmlessly(item.context_expr, scope) for item in items)
            case ast.BinOp(left=operand) | ast.Subscript(value=operand):
                return isinstance(self.file.infer(operand, scope), Instance)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                return self._answers_for_itself(part, scope)
            case ast.Call():
                return not self._call_is_harmless(part, scope, own, depth)
        return False

    def _answers_for_itself(self, part: ast.Name | ast.Attribute, scope: Scope) -> bool:
        """Whether an object runs code of its own when it is looked at: iterated, shown, asked."""
        value = self.file.infer(part, scope)
        return isinstance(value, Instance) and any(
            _ANSWERS & owner.methods.keys() for owner in self.file.resolver.mro(value.cls)
        )

    def _enters_harmlessly(self, manager: ast.expr, scope: Scope) -> bool:
        """Whether entering a context is part of the call that makes it, which is looked into."""
        if not isinstance(manager, ast.Call):
            return False
        known = is_harmless(dotted_name(manager.func, scope) or "")
        return known or isinstance(self.file.infer(manager.func, scope), FunctionValue)

    def defining_acts(self, node: ast.ClassDef, scope: Scope) -> bool:
        """Whether somebody may notice that a class is defined: a base, a metaclass, a decorator."""
        if node.keywords or not all(_only_shapes(d, scope) for d in node.decorator_list):
            return True
        for base in node.bases:
            found = self.file.infer(base, scope)
            if isinstance(found, ClassValue):
                mro = self.file.resolver.mro(found.cls)
                if any(o.node.keywords or "__init_subclass__" in o.methods for o in mro):
                    return True
                if not self._bases_are_harmless(found.cls):
                    return True
            elif not BASES.match(dotted_name(base, scope) or ""):
                return True
        return False

    def _call_is_harmless(self, call: ast.Call, scope: Scope, own: set[str], depth: int) -> bool:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if names_effect(method):
            return False
        dotted = dotted_name(call.func, scope) or ""
        if dotted in APPLIES:
            return bool(call.args) and is_harmless(dotted_name(call.args[0], scope) or "")
        if is_harmless(dotted) or (dotted == "builtins.type" and len(call.args) == 1):
            given = [k.value for k in call.keywords if k.arg in _CALLED]
            return all(self._may_be_called(value, scope, own, depth) for value in given)
        if isinstance(call.func, ast.Attribute) and is_super(call.func.value):
            return method == "__init__"  # all constructors of the class are looked into
        called = self.file.infer(call.func, scope)
        if isinstance(called, ClassValue):
            return self._constructs_only(called.cls, depth)
        if isinstance(called, FunctionValue):
            return self._function_is_harmless(called, call, own, depth)
        if not isinstance(call.func, ast.Attribute):
            return False
        return self._method_is_harmless(method, call.func.value, scope, own)

    def _may_be_called(self, value: ast.expr, scope: Scope, own: set[str], depth: int) -> bool:
        """Whether a function that is handed to a call, to be called there, has no effect."""
        if isinstance(value, ast.Lambda):
            return not any(self._acts(part, scope, own, depth) for part in walk(value.body))
        call = ast.copy_location(ast.Call(value, [], []), value)
        return self._call_is_harmless(call, scope, own, depth)

    def _method_is_harmless(self, method: str, base: ast.expr, scope: Scope, own: set[str]) -> bool:
        start = root(base)
        known = self._is_value(base, scope)
        if start is not None and start.id in own:
            return known or self._is_value(start, scope)
        is_fresh = start is None or (
            isinstance(base, ast.Call) and is_harmless(dotted_name(base.func, scope) or "")
        )
        if known and is_fresh:
            return True
        return only_looks(method) and (known or (start is not None and start.id in FIXTURES))

    def _is_value(self, expr: ast.expr, scope: Scope) -> bool:
        """Whether it is an object of a builtin type, or of a class that is known to be harmless."""
        value = self.file.infer(expr, scope)
        return isinstance(value, Builtin) or (
            isinstance(value, ExternalResult) and is_harmless(value.name)
        )

    def _function_is_harmless(
        self, called: FunctionValue, call: ast.Call, own: set[str], depth: int
    ) -> bool:
        outer = Scope(called.module)
        if not all(_only_shapes(d, outer) for d in called.node.decorator_list):
            return False
        start = root(call.func)
        is_own = start is not None and start.id in own and called.defined_in is not None
        given = {argument.arg for argument in parameters(called.node)[:1]} if is_own else set()
        inner = self.file.inference.scope_of(called)
        if self.has_effect(called.node, inner, depth + 1, given):
            return False
        made = own_names(called.node, set()) | {a.arg for a in parameters(called.node)}
        return not any(_is_shared(value, made) for value in returned(called.node))

    def _constructs_only(self, cls: ClassInfo, depth: int) -> bool:
        """Whether making an object of a class fills in its attributes, and no more."""
        mro = self.file.resolver.mro(cls)
        if not self._bases_are_harmless(cls) or depth > _MAX_DEPTH:
            return False
        if is_replaced(cls.name, self.file):
            return False
        for owner in mro:
            outer = Scope(owner.module)
            if owner.outer is None and not is_bound_once(owner.name, owner.module):
                return False
            if not all(_is_plain_field(value, outer) for value in owner.assigns.values()):
                return False
            if _HOOKS & owner.methods.keys() or any(
                k.arg != "metaclass" for k in owner.node.keywords
            ):
                return False
            if not all(_is_abstract(k.value, outer) for k in owner.node.keywords):
                return False
            if not all(_only_shapes(d, outer) for d in owner.node.decorator_list):
                return False
            init = owner.methods.get("__init__")
            if init is not None and not self._fills_in(owner, init, cls, depth):
                return False
        return True

    def _fills_in(self, owner: ClassInfo, init: FunctionNode, cls: ClassInfo, depth: int) -> bool:
        first = {argument.arg for argument in parameters(init)[:1]}
        scope = self.file.inference.method_scope(owner, init, cls)
        mro = self.file.resolver.mro(cls)
        if any(_is_guarded(name, base) for name in self_assignments(init) for base in mro):
            return False
        return not init.decorator_list and not self.has_effect(init, scope, depth + 1, first)

    def _bases_are_harmless(self, cls: ClassInfo) -> bool:
        return all(BASES.match(base) for base in self.file.resolver.external_bases(cls))


def _executed(node: FunctionNode) -> Iterator[ast.AST]:
    """The nodes that run when the function does: bodies of nested functions don't."""
    stack: list[ast.AST] = [*node.body, *node.args.defaults]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, _FUNCTIONS):
            stack += [*part.decorator_list, *part.args.defaults]
        elif not isinstance(part, ast.Lambda):
            stack.extend(ast.iter_child_nodes(part))


def _is_plain_field(value: ast.expr, scope: Scope) -> bool:
    """Whether no unknown factory fills a field of a record."""
    if not isinstance(value, ast.Call):
        return True
    made = [k.value for k in value.keywords if k.arg in ("default_factory", "factory")]
    return all(is_harmless(dotted_name(factory, scope) or "") for factory in made)


def _is_guarded(name: str, cls: ClassInfo) -> bool:
    """Whether setting an attribute may run code: a property or another descriptor."""
    return name in cls.methods or isinstance(cls.assigns.get(name), ast.Call)


def _is_shared(value: ast.expr, made: set[str]) -> bool:
    """Whether a function hands out what it did not make: somebody else may see it change."""
    start = root(value) if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)) else None
    return start is not None and start.id not in made


def _makes_fixture(decorator: ast.expr, scope: Scope) -> bool:
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (dotted_name(callee, scope) or "").endswith("fixture")


def _only_shapes(decorator: ast.expr, scope: Scope) -> bool:
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    return only_shapes(dotted_name(callee, scope) or "")


def _is_abstract(metaclass: ast.expr, scope: Scope) -> bool:
    return (dotted_name(metaclass, scope) or "") in ("abc.ABCMeta", "enum.EnumMeta")


def _is_foreign(module: str) -> bool:
    """Whether importing a module may run code that the test would notice: not Python's own."""
    return module.partition(".")[0] not in sys.stdlib_module_names
