"""What a view can really answer, read off its source: Flask, FastAPI, Starlette, Django and others.

A view is found by the place that its turn showed. Its own code counts, and that of functions and
methods of the same file that it calls. Only literal statuses count: what is computed is not known.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from socrates.files import reading

_BY_NAME = {
    "BadRequest": 400, "HttpResponseBadRequest": 400, "SuspiciousOperation": 400,
    "ValidationError": 400, "ParseError": 400, "HTTPBadRequest": 400,
    "Unauthorized": 401, "NotAuthenticated": 401, "HTTPUnauthorized": 401,
    "Forbidden": 403, "HttpResponseForbidden": 403, "PermissionDenied": 403, "HTTPForbidden": 403,
    "NotFound": 404, "Http404": 404, "HttpResponseNotFound": 404, "HTTPNotFound": 404,
    "get_object_or_404": 404, "get_list_or_404": 404, "get_or_404": 404, "first_or_404": 404,
    "one_or_404": 404, "aget_object_or_404": 404,
    "MethodNotAllowed": 405, "HttpResponseNotAllowed": 405, "HTTPMethodNotAllowed": 405,
    "Conflict": 409, "HTTPConflict": 409,
    "Gone": 410, "HttpResponseGone": 410, "HTTPGone": 410,
    "UnprocessableEntity": 422, "HTTPUnprocessableEntity": 422,
    "TooManyRequests": 429, "Throttled": 429, "HTTPTooManyRequests": 429,
    "InternalServerError": 500, "HttpResponseServerError": 500, "HTTPInternalServerError": 500,
    "BadGateway": 502, "HTTPBadGateway": 502,
    "ServiceUnavailable": 503, "HTTPServiceUnavailable": 503,
    "GatewayTimeout": 504, "HTTPGatewayTimeout": 504,
}  # fmt: skip
"""Exceptions, responses and shortcuts of the frameworks that stand for one status."""

_FIRST = frozenset({"abort", "HTTPException", "send_error", "send_response"})
"""Functions whose first argument is a status."""

_SECOND = frozenset({"make_response"})
_KEYWORDS = frozenset({"status", "status_code", "code"})
_STEPS = 30
"""Functions followed from one view at most."""

_CODE = re.compile(r"[45]\d\d")


def statuses_of(path: Path, line: int) -> tuple[int, ...]:
    """The statuses from 400 up that the view at this line can answer with, in order.

    Empty for a file that can't be read or is no Python.
    """
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return ()
    module = _parsed(path, changed)
    return module.statuses(line) if module is not None else ()


def statuses_in(path: Path) -> tuple[int, ...]:
    """The statuses from 400 up that any code of this file names, in order."""
    try:
        module = _parsed(path, path.stat().st_mtime_ns)
    except OSError:
        return ()
    return module.all_statuses if module is not None else ()


class _Module:
    """One parsed file: its functions by name, and where they and its classes are."""

    def __init__(self, source: str) -> None:
        wrapper = MetadataWrapper(cst.parse_module(source))
        positions = wrapper.resolve(PositionProvider)
        self._functions: dict[str, cst.FunctionDef] = {}
        self._constants: dict[str, cst.BaseExpression] = {}
        self._spans: list[tuple[int, int, cst.FunctionDef | cst.ClassDef]] = []
        for node in _walk(wrapper.module):
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                # Python says that a decorated function begins with its first decorator.
                first = positions[node.decorators[0] if node.decorators else node].start.line
                self._spans.append((first, positions[node].end.line, node))
                if isinstance(node, cst.FunctionDef):
                    self._functions.setdefault(node.name.value, node)
            elif isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Name):
                self._constants[node.targets[0].target.value] = node.value

        found = {code for node in _walk(wrapper.module) for code in self._in(node)}
        self.all_statuses = tuple(sorted(found))

    @functools.lru_cache(maxsize=1000)  # noqa: B019 - modules are few, and live as long as the run
    def statuses(self, line: int) -> tuple[int, ...]:
        """See ``statuses_of``."""
        inside = [(end - start, node) for start, end, node in self._spans if start <= line <= end]
        if not inside:
            return ()
        work: list[cst.CSTNode] = [min(inside, key=lambda found: found[0])[1]]
        seen: list[cst.CSTNode] = []
        found: set[int] = set()
        while work and len(seen) < _STEPS:
            node = work.pop()
            if any(node is other for other in seen):
                continue
            seen.append(node)
            for inner in _walk(node):
                found.update(self._in(inner))
                if isinstance(inner, cst.Call) and _last_name(inner.func) in self._functions:
                    work.append(self._functions[_last_name(inner.func)])
        return tuple(sorted(found))

    def _in(self, node: cst.CSTNode) -> Iterator[int]:
        """The statuses that one node names by itself."""
        if isinstance(node, cst.Call):
            yield from self._in_call(node)
        elif isinstance(node, cst.Raise) and node.exc is not None:
            yield from _named(node.exc)
        elif isinstance(node, cst.Return) and isinstance(node.value, cst.Tuple):
            for element in node.value.elements[1:2]:
                yield from self._codes(element.value)
        elif isinstance(node, cst.Assign):
            target = node.targets[0].target
            if isinstance(target, cst.Attribute) and target.attr.value in _KEYWORDS:
                yield from self._codes(node.value)

    def _in_call(self, call: cst.Call) -> Iterator[int]:
        name = _last_name(call.func)
        yield from _named(call.func)
        for number, argument in enumerate(call.args):
            keyword = argument.keyword.value if argument.keyword is not None else ""
            first = number == 0 and name in _FIRST
            second = number == 1 and name in _SECOND
            if keyword in _KEYWORDS or (not keyword and (first or second)):
                yield from self._codes(argument.value)

    def _codes(self, value: cst.BaseExpression, steps: int = 5) -> Iterator[int]:
        """The statuses that an expression may stand for."""
        if isinstance(value, cst.Integer) and _CODE.fullmatch(value.value):
            yield int(value.value)
        elif isinstance(value, cst.IfExp):
            yield from self._codes(value.body, steps)
            yield from self._codes(value.orelse, steps)
        elif isinstance(value, cst.Attribute):
            yield from _spelt(value)
        elif isinstance(value, cst.Name) and value.value in self._constants and steps:
            yield from self._codes(self._constants[value.value], steps - 1)


def _spelt(value: cst.Attribute) -> Iterator[int]:
    """``HTTPStatus.NOT_FOUND``, with or without ``.value``, and ``status.HTTP_404_NOT_FOUND``."""
    name = value.attr.value
    if name == "value" and isinstance(value.value, cst.Attribute):
        yield from _spelt(value.value)
    elif name in HTTPStatus.__members__:
        code = HTTPStatus[name].value
        if code >= 400:
            yield code
    elif name.startswith("HTTP_") and _CODE.fullmatch(name[5:8]):
        yield int(name[5:8])


def _named(node: cst.BaseExpression) -> Iterator[int]:
    """The status that a name of a framework stands for."""
    code = _BY_NAME.get(_last_name(node))
    if code is not None:
        yield code


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        return _last_name(node.func)
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    waiting: list[cst.CSTNode] = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(list(found.children)))


@functools.lru_cache(maxsize=200)
def _parsed(path: Path, changed: int) -> _Module | None:
    """The module as it is now; ``changed`` makes an edited file another one."""
    try:
        return _Module(reading.read_text(path, reading.LARGEST_SOURCE))
    except (reading.Unreadable, UnicodeDecodeError, cst.ParserSyntaxError):
        return None
