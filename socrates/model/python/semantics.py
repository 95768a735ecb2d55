"""Questions about third-party classes that only astroid can answer, asked as rarely as possible.

astroid is imported on the first question. When the library is not installed beside Socrates (in a
pre-commit environment, say), the answer is None and the caller falls back on names.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache

from socrates.model.python.stdlib import method_names

_KNOWN_TEST_CASES = frozenset(
    {
        "unittest.TestCase",
        "unittest.case.TestCase",
        "unittest.IsolatedAsyncioTestCase",
        "unittest.async_case.IsolatedAsyncioTestCase",
        "unittest2.TestCase",
        "django.test.TestCase",
        "django.test.SimpleTestCase",
        "django.test.TransactionTestCase",
        "django.test.LiveServerTestCase",
        "django.test.testcases.TestCase",
        "django.test.testcases.SimpleTestCase",
        "rest_framework.test.APITestCase",
        "twisted.trial.unittest.TestCase",
        "twisted.trial.unittest.SynchronousTestCase",
        "tornado.testing.AsyncTestCase",
        "tornado.testing.AsyncHTTPTestCase",
        "aiohttp.test_utils.AioHTTPTestCase",
        "asynctest.TestCase",
        "aiounittest.AsyncTestCase",
        "testtools.TestCase",
        "absl.testing.absltest.TestCase",
        "flask_testing.TestCase",
    }
)


@lru_cache(maxsize=1024)
def is_test_case(dotted: str) -> bool:
    """Whether an external class is ``unittest.TestCase`` or inherits from it."""
    if dotted in _KNOWN_TEST_CASES:
        return True
    if dotted.partition(".")[0] in sys.stdlib_module_names:
        return False
    answer = _inherits(dotted, "unittest.case.TestCase")
    if answer is not None:
        return answer
    return dotted.rpartition(".")[2].endswith(("TestCase", "TestBase"))


@lru_cache(maxsize=1024)
def ancestors(dotted: str) -> tuple[str, ...] | None:
    """Dotted names of an external class and all its bases, or None when it can't be found."""
    module_name, _, class_name = dotted.rpartition(".")
    if not module_name:
        return None
    loaded = _loaded(dotted)
    if loaded is not None:
        names = (f"{base.__module__}.{base.__qualname__}" for base in loaded.__mro__)
        return tuple(dict.fromkeys((dotted, *names)))
    import astroid

    try:
        module = astroid.MANAGER.ast_from_module_name(module_name)
        inferred = next(module.igetattr(class_name), None)
        if not isinstance(inferred, astroid.nodes.ClassDef):
            return None
        return (inferred.qname(), *(base.qname() for base in inferred.ancestors()))
    except (astroid.AstroidError, StopIteration, RecursionError, ImportError, SyntaxError):
        return None


@lru_cache(maxsize=1024)
def public_methods(dotted: str) -> frozenset[str] | None:
    """Names of the public methods of an external class, or None when it can't be found."""
    module_name, _, class_name = dotted.rpartition(".")
    loaded = sys.modules.get(module_name)
    if loaded is not None and module_name.partition(".")[0] in sys.stdlib_module_names:
        found = getattr(loaded, class_name, None)
        return frozenset(n for n in dir(found) if n[0] != "_") if found is not None else None
    known = method_names(dotted)
    if known is not None:
        return frozenset(name for name in known if name[0] != "_")
    if not module_name or not _is_installed(module_name.partition(".")[0]):
        return None
    import astroid

    try:
        module = astroid.MANAGER.ast_from_module_name(module_name)
        inferred = next(module.igetattr(class_name), None)
        if not isinstance(inferred, astroid.nodes.ClassDef):
            return None
        return frozenset(method.name for method in inferred.methods() if method.name[0] != "_")
    except (astroid.AstroidError, StopIteration, RecursionError, ImportError, SyntaxError):
        return None


def _loaded(dotted: str) -> type | None:
    """A class of the standard library that this process has anyway: astroid would parse its module."""
    module_name, _, class_name = dotted.rpartition(".")
    if module_name.partition(".")[0] not in sys.stdlib_module_names:
        return None
    found = getattr(sys.modules.get(module_name), class_name, None)
    return found if isinstance(found, type) else None


def _is_installed(package: str) -> bool:
    """Whether a package can be found without importing it: astroid is slow to find out that it is not there."""
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _inherits(dotted: str, base: str) -> bool | None:
    names = ancestors(dotted)
    return None if names is None else base in names
