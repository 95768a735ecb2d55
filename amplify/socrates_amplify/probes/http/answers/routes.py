"""What a service can answer to one request, read off its source: by the view whose route fits.

For services that a test fakes, whose source is at hand. Routes of Flask, FastAPI, Starlette,
Django and aiohttp are known, as decorators and as lists. Where an application is mounted is not:
a route fits the end of a path. Where none fits, all that the source names counts.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.files import reading
from socrates_amplify.probes.http.answers.statuses import statuses_in, statuses_of

_METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
_ANY = frozenset({"route", "api_route", "view", "websocket_route"})
"""Decorators whose ``methods`` say which, ``GET`` alone in Flask."""
_LISTED = frozenset(
    {"path", "re_path", "url", "Route", "add_route", "add_url_rule", "add_api_route", "add_view"}
)
"""Calls that name a route and its view."""
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "test", "tests", "venv"})
_PLACE = re.compile(r"<(?:\w+:)?\w+>|\{\w+(?::[^{}]*)?\}")
_WHOLE = re.compile(r"<path:\w+>|\{\w+:path\}")


@dataclass(frozen=True, slots=True)
class Route:
    """A route and its view: the function or class at ``line``, or any that is called ``view``."""

    methods: frozenset[str]
    pattern: re.Pattern[str]
    weight: tuple[int, int]
    """Parts of the path that it speaks of, and how many of them it names."""
    file: Path
    line: int
    view: str = ""

    def fits(self, method: str, path: str) -> bool:
        """Whether a request may come to this view; no methods are all of them."""
        allowed = not self.methods or method in self.methods
        return allowed and bool(self.pattern.search(path.strip("/")))


@functools.lru_cache(maxsize=50)
def files_of(source: Path) -> tuple[Path, ...]:
    """The Python files of a service: one, or all in a folder but its tests. Looked for once."""
    if source.is_file():
        return (source,)
    found = (file for file in source.rglob("*.py") if _counts(file.relative_to(source)))
    return tuple(sorted(found))


def answers_of(source: Path, method: str, path: str) -> tuple[int, ...]:
    """The statuses from 400 up that the service can answer to this request, in order."""
    files = files_of(source)
    routes = [route for file in files for route in _routes(file, _changed(file))]
    fitting = [
        (route.weight, place)
        for route in routes
        if route.fits(method, path)
        for place in _views(route, files)
    ]
    if not fitting:
        return all_answers_of(source)
    best, _ = max(fitting)
    places = [place for weight, place in fitting if weight == best]
    return tuple(sorted({code for file, line in places for code in statuses_of(file, line)}))


def all_answers_of(source: Path) -> tuple[int, ...]:
    """The statuses from 400 up that any code of the service names, in order."""
    return tuple(sorted({code for file in files_of(source) for code in statuses_in(file)}))


def _views(route: Route, files: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """Where the view of a route is: in its own file, else wherever that name is defined."""
    if not route.view:
        yield route.file, route.line
        return
    for file in (route.file, *files):
        line = _definitions(file, _changed(file)).get(route.view)
        if line is not None:
            yield file, line
            return


@functools.lru_cache(maxsize=500)
def _routes(file: Path, changed: int) -> tuple[Route, ...]:
    return tuple(_found(file, _tree(file, changed)))


def _found(file: Path, tree: ast.Module) -> Iterator[Route]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call):
                    yield from _decorated(file, node.lineno, decorator)
        elif isinstance(node, ast.Call):
            yield from _listed(file, node)


def _decorated(file: Path, line: int, call: ast.Call) -> Iterator[Route]:
    """``@app.get("/reviews/<id>")``, ``@app.route("/reviews", methods=["POST"])``."""
    name = _last(call.func)
    if not isinstance(call.func, ast.Attribute) or name not in _METHODS | _ANY:
        return
    methods = frozenset({name.upper()}) if name in _METHODS else _methods(call) or {"GET"}
    for text in _texts(call.args[:1]):
        yield _route(file, text, frozenset(methods), line)


def _listed(file: Path, call: ast.Call) -> Iterator[Route]:
    """``path("reviews/<int:pk>", views.detail)``, ``Route("/reviews", page)`` and their like."""
    name = _last(call.func)
    method = name.removeprefix("add_")
    known = name in _LISTED or (method in _METHODS and len(call.args) > 1)
    if not known:
        return
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    given = [
        *call.args[1:],
        *(keywords[key] for key in ("view_func", "endpoint") if key in keywords),
    ]
    view = next((found for node in given if (found := _view(node))), "")
    methods = frozenset({method.upper()}) if method in _METHODS else frozenset(_methods(call))
    for text in _texts(call.args[:1]):
        if view:
            yield _route(file, text, methods, call.lineno, view, name in ("re_path", "url"))


def _route(
    file: Path, text: str, methods: frozenset[str], line: int, view: str = "", regex: bool = False
) -> Route:
    if regex:
        inner = text.lstrip("^").rstrip("$").strip("/").replace("/$", "")
        parts = inner.split("/")
        named = [part for part in parts if re.fullmatch(r"[\w.-]+", part)]
    else:
        parts = [part for part in text.strip("/").split("/") if part]
        named = [part for part in parts if not _PLACE.search(part)]
        inner = "/".join(map(_segment, parts))
    try:
        pattern = re.compile(f"(?:^|/)(?:{inner})/?$")
    except re.error:
        # A pattern of another kind: the route is found by nobody.
        pattern = re.compile("(?!)")
    return Route(methods, pattern, (len(parts), len(named)), file, line, view)


def _segment(part: str) -> str:
    """One part of a path as a pattern."""
    if _WHOLE.search(part):
        return ".+"
    return "[^/]+".join(re.escape(piece) for piece in _PLACE.split(part))


def _methods(call: ast.Call) -> set[str]:
    for keyword in call.keywords:
        if keyword.arg == "methods" and isinstance(keyword.value, (ast.List, ast.Tuple, ast.Set)):
            return {text.upper() for text in _texts(keyword.value.elts)}
    return set()


def _texts(nodes: Sequence[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _view(node: ast.expr) -> str:
    """The name of a view: of ``views.detail``, ``Detail.as_view()`` and ``csrf_exempt(detail)``."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "as_view":
            return _last(node.func.value)
        return _view(node.args[0]) if node.args and _last(node.func) != "include" else ""
    return _last(node)


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@functools.lru_cache(maxsize=500)
def _definitions(file: Path, changed: int) -> dict[str, int]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [node for node in ast.walk(_tree(file, changed)) if isinstance(node, kinds)]
    return {node.name: node.lineno for node in reversed(found)}


@functools.lru_cache(maxsize=500)
def _tree(file: Path, changed: int) -> ast.Module:
    """The file as it is now; an empty one for what is no Python."""
    try:
        return ast.parse(reading.read_bytes(file, reading.LARGEST_SOURCE))
    except (reading.Unreadable, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _counts(inside: Path) -> bool:
    return not any(part.startswith(".") or part in _SKIPPED for part in inside.parts[:-1])
