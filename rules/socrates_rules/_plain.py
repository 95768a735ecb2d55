"""Objects whose text is as good as their value: primitives, paths, URLs, UUIDs, dates, exceptions."""

from __future__ import annotations

import ast
import re

from socrates.model import semantics
from socrates.model.context import FileContext
from socrates.model.module import ClassInfo
from socrates.model.names import Binding, Scope, binding_at, dotted_name
from socrates.model.values import Builtin, ExternalResult, Instance, Value

_TYPES = re.compile(
    r"(pathlib\.|uuid\.|datetime\.|decimal\.|fractions\.|ipaddress\.|urllib\.parse\.|yarl\.|furl\.|"
    r"os\.(path\.|getcwd|getpid|fspath)|time\.|builtins\.\w*(Error|Exception|Warning|Exit|Interrupt)\b|"
    r".*\.(URL|Url|Path|UUID|date|datetime|timedelta)$|tempfile\.mk|.*(Error|Exception|Warning)$)"
)
_BASES = re.compile(
    r"builtins\.(\w*(Error|Exception|Warning)|str|int|float|bytes)$|pathlib\.\w*Path$|"
    r"datetime\.\w+$|enum\.(StrEnum|IntEnum)$"
)
_FIXTURES = frozenset({"tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "pytestconfig"})
_NAMES = re.compile(
    r"(.*_)?(path|paths|dir|folder|file|filename|url|uri|urls|href|uuid|guid|date|datetime|"
    r"timestamp|exc|excinfo|exc_info|exception|err|error|errors|warning|ex|e)$"
)
_ATTRIBUTES = re.compile(
    r"(.*_)?(path|dir|file|filename|url|uri|href|uuid|guid|date|datetime|timestamp|id|pk|"
    r"exception|message|error|exc|cause|context|status_code|status|code|count|size|length|name|"
    r"port|stdout|stderr|output|text|content|body|getvalue|__name__|__cause__|__context__|args)$"
)
_RAISES = re.compile(
    r"raises|warns|catch_warnings|assertwarns|deprecated_call|recwarn", re.IGNORECASE
)


def is_plain(subject: ast.expr, scope: Scope, file: FileContext) -> bool:
    """Whether an object is known to be one whose text is as good as its value."""
    value = file.infer(subject, scope)
    if value is not None:
        return _is_plain_value(value, file)
    match subject:
        case ast.Name(id=name):
            local = scope.lookup(name)
            if local is not None:
                owner, bindings = local
                binding = binding_at(bindings, subject.lineno)
                return _is_plain_binding(name, binding, owner, file)
            return bool(_NAMES.fullmatch(name.lower()))
        case ast.Attribute(attr=attr, value=base):
            return bool(_ATTRIBUTES.fullmatch(attr.lower())) or _from_raises(base, scope)
        case ast.Subscript(value=base) | ast.Await(value=base):
            return is_plain(base, scope, file)
        case ast.BinOp(left=left, op=ast.Div()):
            return is_plain(left, scope, file)
        case ast.BinOp(left=left, right=right):
            return is_plain(left, scope, file) and is_plain(right, scope, file)
        case ast.Call(func=ast.Attribute(attr=attr, value=base)):
            known = bool(_ATTRIBUTES.fullmatch(attr.lower())) or attr in ("joinpath", "resolve")
            return known or (attr in ("pop", "join") and is_plain(base, scope, file))
        case ast.Call():
            return bool(_TYPES.match(dotted_name(subject.func, scope) or ""))
    return False


def _is_plain_value(value: Value, file: FileContext) -> bool:
    match value:
        case Builtin():
            return value.is_primitive
        case ExternalResult(name=name):
            return bool(_TYPES.match(name)) or _inherits_plain(name)
        case Instance(cls=cls):
            return _is_plain_class(cls, file)
    return False


def _is_plain_class(cls: ClassInfo, file: FileContext) -> bool:
    return any(
        _BASES.match(base) or _inherits_plain(base) for base in file.resolver.external_bases(cls)
    )


def _inherits_plain(dotted: str) -> bool:
    """Asked of astroid: does a library's class inherit from a plain one?"""
    if dotted.startswith("builtins.") or not dotted.rpartition(".")[2][:1].isupper():
        return bool(_BASES.match(dotted))
    names = semantics.ancestors(dotted) or ()
    return any(_BASES.match(name) for name in names)


def _is_plain_binding(name: str, binding: Binding, scope: Scope, file: FileContext) -> bool:
    match binding.kind:
        case "except":
            return True
        case "with":
            return _is_raises(binding.value, scope)
        case "param":
            return name in _FIXTURES or bool(_NAMES.fullmatch(name.lower()))
        case "value" if isinstance(binding.value, ast.expr):
            return is_plain(binding.value, scope, file) or bool(_NAMES.fullmatch(name.lower()))
        case "item" | "unpack" if isinstance(binding.value, ast.expr):
            return bool(_NAMES.fullmatch(name.lower())) or _all_primitive(binding.value)
    return bool(_NAMES.fullmatch(name.lower()))


def _all_primitive(values: ast.expr) -> bool:
    match values:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.Call(func=ast.Name(id="range" | "enumerate")):
            return True
    return False


def _from_raises(base: ast.expr, scope: Scope) -> bool:
    """``excinfo.value`` and its kin: attributes of what ``raises`` or ``warns`` caught."""
    while isinstance(base, (ast.Attribute, ast.Subscript)):
        base = base.value
    if not isinstance(base, ast.Name):
        return False
    local = scope.lookup(base.id)
    if local is None:
        return False
    owner, bindings = local
    binding = binding_at(bindings, base.lineno)
    return binding.kind == "except" or (
        binding.kind in ("with", "value") and _is_raises(binding.value, owner)
    )


def _is_raises(expr: ast.AST | None, scope: Scope) -> bool:
    if not isinstance(expr, ast.Call):
        return False
    name = dotted_name(expr.func, scope) or ""
    attr = expr.func.attr if isinstance(expr.func, ast.Attribute) else ""
    return bool(_RAISES.search(name) or _RAISES.search(attr))
