"""Whose code a frame is of: ours, the tests', a library's, or production code, which is the rest."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from types import CodeType, FrameType, ModuleType

import socrates
import socrates_amplify
from socrates_amplify.model.evidence import Frame, Role, is_wrapper
from socrates_amplify.record.unasked import attributes_of, is_a

_OWN: tuple[Role, ...] = ("production", "test")
"""Roles of the code that is the project's, the likelier sender first."""
_MOST_UP = 3
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files at the top of a project."""
_COMPILED = (".pyx", ".pxi")
"""Files that Cython compiles; tracebacks name them as they lay where they were compiled."""
_INSTALLED = frozenset({"site-packages", "dist-packages", ".eggs", "node_modules"})
_OURS = tuple(str(Path(str(one.__file__)).parent) + os.sep for one in (socrates, socrates_amplify))
_STANDARD = tuple(
    {os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib", "scripts")}  # noqa: PTH118  # a text to compare
)
"""Folders of Python itself, and of the commands that an environment has."""
_FRAMEWORKS = frozenset(
    {
        *("_pytest", "pytest", "pluggy", "unittest", "testtools", "nose", "nose2", "hypothesis"),
        *("pytest_asyncio", "pytest_trio", "anyio", "asyncio", "trio", "concurrent", "threading"),
        *("subtests", "pytest_subtests", "flaky", "pytest_rerunfailures", "fixtures", "contextlib"),
    }
)
_FAKES = frozenset(
    {
        *("responses", "requests_mock", "respx", "aioresponses", "pytest_httpx", "httpretty"),
        *("vcr", "betamax", "pook", "mocket", "fakeredis", "moto", "mock", "pytest_httpserver"),
        *("pytest_localserver", "aresponses", "wiremock", "flexmock", "doublex"),
    }
)
_WEB = (
    *("flask.app", "flask.views", "werkzeug.serving", "werkzeug.test", "django.core.handlers"),
    *("django.views.generic", "rest_framework.views", "rest_framework.viewsets"),
    *("rest_framework.generics", "rest_framework.mixins", "rest_framework.decorators"),
    *("starlette.routing", "starlette.applications", "starlette.middleware", "starlette.endpoints"),
    *("starlette._exception_handler", "starlette.testclient", "fastapi.routing"),
    *("fastapi.applications", "fastapi.dependencies", "fastapi.middleware", "aiohttp.web"),
    *("aiohttp.test_utils", "tornado.web", "tornado.http", "bottle", "falcon.app", "falcon.asgi"),
    *("pyramid.router", "pyramid.tweens", "pyramid.viewderivers", "pyramid.view", "sanic.app"),
    *("sanic.handlers", "cherrypy._cp", "quart.app", "datasette.app", "datasette.views"),
    *("litestar.routes", "litestar.handlers", "litestar.middleware", "litestar._asgi"),
    *("connexion.", "ninja.operation", "wsgiref.", "socketserver", "http.server"),
)
"""Modules that hand a request to a handler."""


class Roles:
    """Tells frames apart, for one test; each file is looked at once.

    Packages whose source lies below ``root`` are production code though they are installed.
    """

    def __init__(self, root: str, test_file: str) -> None:
        self.root = root
        self._test_file = test_file
        self._files: dict[str, Role] = {}
        self._shown: dict[str, str] = {}
        self._has_production: bool | None = None

    def frame(self, code: CodeType, module: str, line: int) -> Frame:
        """What is kept of a frame."""
        role = self.role(code.co_filename, module)
        return Frame(role, module, self.relative(code.co_filename), code.co_qualname, line)

    def relative(self, filename: str) -> str:
        """A file as seen from the project; one that is installed as seen from where it is."""
        known = self._shown.get(filename)
        if known is None:
            known = self._shown[filename] = self._relative(filename)
        return known

    def _relative(self, filename: str) -> str:
        name, root = filename, self.root + os.sep
        if self.root and filename.startswith(root):
            name = filename[len(root) :]
        elif self.root and not is_library(filename) and os.path.isabs(filename):  # noqa: PTH117
            # Beside the root of the tests: the same from wherever the project lies.
            near = os.path.relpath(filename, self.root)
            name = near if near.count("..") <= _MOST_UP else name
        inside = name
        for folder in _INSTALLED:
            inside = inside.rpartition(f"{os.sep}{folder}{os.sep}")[2]
        inside = inside.replace(os.sep, "/")
        if len(inside) == len(name):
            return inside
        # An installed copy of the project's own code is told by its source.
        return self._own_packages().get(inside.partition("/")[0].removesuffix(".py"), "") + inside

    def role(self, filename: str, module: str) -> Role:
        """Whose code a file is. ``module`` names the library, where it is one."""
        if filename.startswith("<") or filename.endswith(_COMPILED):
            # Code that was generated, or compiled by Cython, belongs to the module that it was made for.
            filename = file_of(sys.modules.get(module)) or filename
        elif filename[:1] != os.sep and not os.path.isabs(filename):  # noqa: PTH117  # quicker
            # Cython compiles plain modules, too: their code is named as it lay where it was compiled.
            name = filename.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            filename = file_of(sys.modules.get(name)) or filename
        known = self._files.get(filename)
        if known is None:
            known = self._files[filename] = self._look(filename, module)
        return known

    def is_own(self, filename: str, module: str) -> bool:
        """Whether a file is the project's, of its production code or of its tests."""
        return self.role(filename, module) in _OWN

    def is_own_module(self, name: str) -> bool:
        """Whether a module that is loaded from a file is the project's."""
        file = file_of(sys.modules.get(name))
        return bool(file) and self.is_own(file, name)

    def own_place(self, code: object) -> str:
        """``file:line`` of a function, or of the file of an object's class; empty if it is not the project's."""
        while isinstance(code, functools.partial):
            code = code.func
        name = str(getattr(code, "__module__", "") or "")
        file = file_of(sys.modules.get(name))
        if not file or not self.is_own(file, name):
            return ""
        line = getattr(getattr(code, "__code__", None), "co_firstlineno", 1)
        return f"{self.relative(file)}:{line}"

    def is_own_frame(self, frame: FrameType) -> bool:
        """Whether the code of a frame is the project's."""
        return self.is_own(frame.f_code.co_filename, str(frame.f_globals.get("__name__", "")))

    def is_production(self, code: CodeType) -> bool:
        """Whether code is the project's, and none of its tests'."""
        return self.role(code.co_filename, module_of(code.co_filename)) == "production"

    def sender_among(self, codes: Sequence[CodeType]) -> str:
        """``file:function`` of the innermost code of production, else of the tests, else nothing.

        What a decorator wraps around a function of a library only sends where nothing else does.
        """
        roles = [self.role(code.co_filename, module_of(code.co_filename)) for code in codes]
        for wanted in _OWN:
            own = [code for code, role in zip(codes, roles, strict=True) if role == wanted]
            if own:
                named = (code for code in own if not is_wrapper(code.co_qualname))
                code = next(named, own[0])
                return f"{self.relative(code.co_filename)}:{code.co_qualname}"
        return ""

    def who_asks(self, codes: Sequence[CodeType]) -> Role:
        """Whose the innermost of these is that is the project's, else ``library``.

        So a call that a test makes by a library's client is the test's. Where no production code is
        loaded, the tests are those of an installed package: then libraries count as what they test.
        """
        for code in codes:
            role = self.role(code.co_filename, module_of(code.co_filename))
            if role in _OWN:
                return role
            if not self._knows_production():
                return "production"
        return "library"

    def _knows_production(self) -> bool:
        if self._has_production is None:
            loaded = [(file_of(module), name) for name, module in tuple(sys.modules.items())]
            self._has_production = any(
                file and self.role(file, name) == "production" for file, name in loaded
            )
        return self._has_production

    def _look(self, filename: str, module: str) -> Role:
        if filename.startswith(_OURS):
            return "ours"
        package = module.partition(".")[0]
        if module == "__main__" and filename == file_of(sys.modules.get(module)):
            return "library"  # the command that runs the tests, by whatever path it was called
        installed = _is_installed(filename)
        if installed and package in self._own_packages():
            return "production"
        if installed or filename.startswith((*_STANDARD, "<")):
            return _of_library(package, module)
        return "test" if is_test(filename, self._test_file, self.root) else "production"

    def _own_packages(self) -> Mapping[str, str]:
        """The packages whose sources lie in the project: tests may run against an installed copy."""
        return packages_in(self.root) if self.root else {}


def file_of(module: object) -> str:
    """The file of a module, empty without one. Asked for an attribute, it might load others, or raise."""
    names = attributes_of(module) if is_a(module, ModuleType) else None
    file = names.get("__file__") if names is not None else None
    return file if isinstance(file, str) else ""


def is_library(filename: str) -> bool:
    """Whether a file is of a library, of Python itself or generated: nobody's who wrote the tests."""
    return _is_installed(filename) or filename.startswith((*_STANDARD, "<", *_OURS))


def _is_installed(filename: str) -> bool:
    folders = filename.split(os.sep)  # noqa: PTH206  # quicker, and asked for hundreds of files
    return not _INSTALLED.isdisjoint(folders) or filename.startswith(install_folders())


def module_of(filename: str) -> str:
    """The module that an installed file is, by its path; empty for one that is not installed."""
    for folder in _INSTALLED:
        _, found, inside = filename.rpartition(f"{os.sep}{folder}{os.sep}")
        if found:
            return inside.removesuffix(".py").removesuffix(f"{os.sep}__init__").replace(os.sep, ".")
    return ""


def is_test(filename: str, test_file: str, root: str) -> bool:
    """Whether a file belongs to the tests rather than to what they test."""
    path = PurePath(filename)
    if filename == test_file or path.name == "conftest.py":
        return True
    if path.name.startswith("test_") or path.stem.endswith("_test"):
        return True
    top = PurePath(root or os.sep)
    if not path.is_relative_to(top):
        return False
    return not _TEST_FOLDERS.isdisjoint(path.relative_to(top).parts[:-1]) or _is_of_tests(str(top))


@functools.lru_cache(maxsize=8)
def _is_of_tests(root: str) -> bool:
    """Whether the tests' root (where ``pytest.ini`` lies) is the folder of tests of a project that lies above it."""
    folders = [PurePath(root), *PurePath(root).parents][:_MOST_UP]
    return any(
        folder.name in _TEST_FOLDERS
        and any(os.path.exists(folder.parent / name) for name in _PROJECTS)  # noqa: PTH110  # quicker
        for folder in folders
    )


def _of_library(package: str, module: str) -> Role:
    if package in _FAKES or module.startswith("unittest.mock"):
        return "fake"
    if module.startswith(_WEB):
        return "web"
    return "framework" if package in _FRAMEWORKS else "library"


@functools.cache
def install_folders() -> tuple[str, ...]:
    """Folders that modules are imported from and that hold installed distributions.

    Looked for once per process: a process that is forked for each execution asks before.
    """
    return tuple(os.path.join(path, "") for path in sys.path if path and _has_distributions(path))  # noqa: PTH118  # a text to compare


def _has_distributions(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".dist-info") for entry in entries)
    except OSError:
        return False  # a folder that can't be listed is not where the project's code lies


@functools.lru_cache(maxsize=8)
def packages_in(root: str) -> Mapping[str, str]:
    """The packages and modules at the top of a project, or in its ``src``: where each lies."""
    found: dict[str, str] = {}
    for folder in ("src/", ""):
        try:
            with os.scandir(os.path.join(root, folder)) as entries:  # noqa: PTH118  # as scandir takes it
                found.update((_package_name(entry), folder) for entry in entries)
        except OSError:
            continue  # a project without such a folder has no packages in it
    others = {"", "setup", "conftest", "noxfile", "tasks", *_TEST_FOLDERS}
    return {name: folder for name, folder in found.items() if name not in others}


def _package_name(entry: os.DirEntry[str]) -> str:
    if entry.is_dir():
        init = os.path.join(entry.path, "__init__.py")  # noqa: PTH118  # quicker than a Path
        return entry.name if os.path.exists(init) else ""  # noqa: PTH110
    return entry.name.removesuffix(".py") if entry.name.endswith(".py") else ""
