"""What a service is probably called, from its application, its handler or its process."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePath

from socrates_amplify.probes.processes import role

_GENERIC = frozenset(
    "__init__ __main__ api app application asgi flask gunicorn handler handlers main manage python"
    " python3 routes run server service src urls uvicorn views web wsgi".split()
)
_TESTS = re.compile(r"^(tests?|conftest|testing|test_.*|.*_tests?)$")
_SUFFIX = re.compile(r"(HTTP|Http)?(Request)?(Handler|Server|Service|API|Api)$")
_FRAMEWORKS = ("fastapi", "starlette", "http.server", "socketserver", "wsgiref", "werkzeug", "flask", "django")  # fmt: skip


def handler_hint(kind: object) -> str:
    """``reviews`` for a stdlib server with a ``ReviewsHandler``; empty for a stock handler, or a lambda."""
    name, module = getattr(kind, "__name__", ""), getattr(kind, "__module__", "")
    if not name or name.startswith("<") or module.startswith(_FRAMEWORKS):
        return ""
    hint = kebab(_SUFFIX.sub("", name) or name)
    return "" if hint in _GENERIC or len(hint) < 2 else hint


def app_hint(app: object) -> str:
    """The name of an application: what it was told to be called, else the module of its views."""
    if isinstance(app, str):
        return module_hint(app.partition(":")[0])
    if app is None:
        return ""
    with suppress(Exception):
        # Applications are other people's objects; one that can't say its name has none.
        if type(app).__module__.startswith("flask"):
            return module_hint(str(app.name))  # type: ignore[attr-defined]
        title = getattr(app, "title", "")
        if isinstance(title, str) and title and title != "FastAPI":
            return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        for route in getattr(app, "routes", ()):
            module = getattr(getattr(route, "endpoint", None), "__module__", "")
            if module and not module.startswith(_FRAMEWORKS):
                return module_hint(module)
    return ""


def label(hint: str, place: str, served: object) -> str:
    """What people read: the service's own name, else that of where it was started.

    A file of tests is no name of a service, but better than none.
    """
    own = "" if _TESTS.match(hint) else hint
    name = own or place or _plain_hint(served) or hint
    return "test-server" if name == "conftest" else name


def _plain_hint(served: object) -> str:
    """What there is to say of an application or a handler that has no name of its own.

    That is the module of its views, of the tests though it may be, else what it is called in the code.
    """
    if served is None:
        return ""
    with suppress(Exception):
        # As above.
        for module in _modules_of_views(served):
            return module.rpartition(".")[2]
        if isinstance(served, type) and served.__module__.startswith("django"):
            return "django"  # its server for tests, whatever project it serves
        name = getattr(served, "__name__", "") or type(served).__name__
        hint = kebab(re.sub(r"_app$", "", name))
        return "" if hint.startswith(("<", "wsgi-", "none")) else hint
    return ""


def _modules_of_views(app: object) -> Iterator[str]:
    """The modules of an application's views: of Flask, Starlette, FastAPI or aiohttp."""
    views = [*getattr(app, "view_functions", {}).values()]
    views += [getattr(route, "endpoint", None) for route in getattr(app, "routes", ())]
    router = getattr(app, "router", None)
    if callable(getattr(router, "resources", None)):
        views += [route.handler for route in router.routes()]  # type: ignore[union-attr]
    for view in views:
        module = getattr(view, "__module__", "")
        if module and not module.startswith(_FRAMEWORKS):
            yield module


def kebab(name: str) -> str:
    """``FakeVault`` as people write it: ``fake-vault``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name.strip("_"))
    return words.lower().replace("_", "-")


def module_hint(module: str) -> str:
    """The last part of a dotted name that says anything."""
    for part in reversed(module.split(".")):
        if part and part not in _GENERIC:
            return part
    found = sys.modules.get(module)
    return path_hint(getattr(found, "__file__", None) or "")


def process_hint() -> str:
    """What a process that is a service is called after: its script, its module, its application."""
    if not role.child:
        return ""
    forked = _multiprocessing_hint()
    if forked:
        return forked
    for argument in sys.argv[1:] if _is_runner(sys.argv[0]) else ():
        if not argument.startswith("-") and argument not in ("run", "runserver"):
            return module_hint(argument.partition(":")[0].removesuffix(".py"))
    return path_hint(sys.argv[0])


def _multiprocessing_hint() -> str:
    """The name that a ``multiprocessing.Process`` was given, else that of its function."""
    found = sys.modules.get("multiprocessing.process")
    process = found.current_process() if found else None
    if process is None or process.name == "MainProcess":
        return ""
    if not re.search(r"Process-\d", process.name):
        return str(process.name)
    return re.sub(r"^(run|serve|start)_", "", getattr(process._target, "__name__", ""))


def path_hint(path: str) -> str:
    """The last part of a path that says anything, the file's own name first."""
    file = PurePath(path)
    for part in (file.stem, *reversed(file.parts[:-1])):
        if part and part not in _GENERIC and part not in ("-c", "-m", "/"):
            return part
    return ""


def _is_runner(program: str) -> bool:
    path = PurePath(program)
    return path.stem in ("uvicorn", "gunicorn", "flask", "hypercorn") or (
        path.stem == "__main__"
        and path.parent.name in ("uvicorn", "gunicorn", "flask", "hypercorn")
    )
