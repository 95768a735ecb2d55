"""What we collect is what pytest collects: the real one is asked about the same suites."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from socrates.discovery import pytest_config
from socrates.discovery.files import Target, find_test_files
from socrates.model.context import FileContext
from socrates.model.python import source
from socrates.model.python.project import Project
from socrates.settings import Settings

PLAIN = {
    "functions": """\
        import asyncio

        def test_plain(): pass
        async def test_coroutine(): pass
        def helper(): pass
        def testing_is_a_prefix_too(): pass

        if True:
            def test_in_a_branch(): pass

        try:
            import nowhere
        except ImportError:
            def test_in_a_handler(): pass

        def outer():
            def test_nested(): pass
        """,
    "parametrized": """\
        import pytest

        @pytest.mark.parametrize("number", [1, 2, 3])
        def test_number(number): pass

        @pytest.fixture
        def test_data(): return 1
        """,
    "classes": """\
        class TestPlain:
            def test_method(self): pass

            @staticmethod
            def test_static(): pass

            @classmethod
            def test_of_class(cls): pass

            @property
            def test_property(self): return 1

            class TestInner:
                def test_inside(self): pass

            class Helper:
                def test_not_me(self): pass

        class Plain:
            def test_wrong_name(self): pass

        class TestWithInit:
            def __init__(self): pass
            def test_never(self): pass

        class TestInheritsInit(TestWithInit):
            def test_never_either(self): pass
        """,
    "inherited": """\
        class Mixin:
            def test_of_mixin(self): pass

        class TestBase(Mixin):
            def test_of_base(self): pass
            def test_taken_away(self): pass

            class TestInner:
                def test_inside(self): pass

        class TestDerived(TestBase):
            test_taken_away = None
            def test_own(self): pass

        class Left(Mixin):
            def test_of_mixin(self): pass

        class Right(Mixin):
            test_of_mixin = None

        class TestLeftFirst(Left, Right): pass
        class TestRightFirst(Right, Left): pass
        """,
    "switched": """\
        class TestOff:
            __test__ = False
            def test_off(self): pass

        class TestOffByInheritance(TestOff):
            def test_off_too(self): pass

        class TestOnAgain(TestOff):
            __test__ = True
            def test_on(self): pass

        class OnByAttribute:
            __test__ = True
            def test_on(self): pass
        """,
    "aliases": """\
        class TestAliases:
            def test_one(self): pass
            test_other = test_one
        """,
    "unittests": """\
        import unittest
        from unittest import IsolatedAsyncioTestCase as Base

        class AnyName(unittest.TestCase):
            def test_one(self): pass
            def testTwo(self): pass
            def helper(self): pass

            class TestInnerOfUnittest:
                def test_not_collected(self): pass

        class Asynchronous(Base):
            async def test_coroutine(self): pass

        class Through(AnyName): pass

        class OnlyRunTest(unittest.TestCase):
            def runTest(self): pass

        class BothRunTest(unittest.TestCase):
            def runTest(self): pass
            def test_wins(self): pass

        class SharedTests:
            def test_shared(self): pass

        class First(SharedTests, unittest.TestCase): pass
        class Second(SharedTests, unittest.TestCase): pass
        """,
    "imported": """\
        from shared import SharedCase, TestShared, TestShared as TestRenamed, test_shared, Hidden

        class TestDerived(Hidden):
            def test_own(self): pass
        """,
    "module_off": """\
        __test__ = False
        def test_never(): pass
        """,
}
SHARED = """\
    import unittest

    def test_shared(): pass

    class TestShared:
        def test_in_class(self): pass

    class Hidden:
        def test_hidden(self): pass

    class SharedCase(unittest.TestCase):
        def test_case(self): pass
    """
CONFIGURED = {
    "check_names.py": """\
        def check_one(): pass
        def test_not_by_this_name(): pass
        def it_works(): pass

        class SuiteOne:
            def check_two(self): pass

        class OneSuite:
            def it_works_too(self): pass

        class TestNot:
            def check_three(self): pass
        """,
    "test_by_file.py": "def check_never(): pass\n",
}
INI = """\
    [pytest]
    python_files = check_*.py
    python_classes = Suite *Suite
    python_functions = check_ it_*
    """


def write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    return folder


def ask_pytest(folder: Path) -> set[str]:
    """Node ids without parameters, as a real pytest without plugins reports them."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "-W", "ignore"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return {line.partition("[")[0] for line in run.stdout.splitlines() if "::" in line}


def ask_socrates(folder: Path) -> set[str]:
    project = Project(folder, pytest_config.load(folder))
    found: set[str] = set()
    for file in find_test_files([Target(folder)], Settings(folder)):
        if file.unittest_only:
            continue
        module = project.make_module(file.path, source.parse(source.read(file.path)))
        context = FileContext(module, file, project, Settings(folder))
        found |= {test.nodeid for test in context.all_tests}
    return found


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """What pytest and what Socrates collects of all plain suites."""
    files = {f"test_{name}.py": text for name, text in PLAIN.items()}
    folder = tmp_path_factory.mktemp("suites")
    write(folder, {"pytest.ini": "[pytest]\n"})
    write(folder / "tests", {"shared.py": SHARED, **files})
    return ask_pytest(folder), ask_socrates(folder)


@pytest.mark.parametrize("name", PLAIN)
def test_same_as_pytest(suites: tuple[set[str], set[str]], name: str) -> None:
    theirs, ours = (
        {t for t in found if t.startswith(f"tests/test_{name}.py::")} for found in suites
    )
    assert sorted(ours) == sorted(theirs)


def test_pytest_found_something_to_compare_with(suites: tuple[set[str], set[str]]) -> None:
    theirs, ours = suites
    assert len(theirs & ours) > 35


def test_names_come_from_the_configuration(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pytest.ini": INI, **CONFIGURED})
    assert ask_socrates(folder) == ask_pytest(folder) != set()


@pytest.mark.parametrize(
    ("definition", "tests"),
    [
        pytest.param("class Shop(nowhere.BaseTestCase)", ["Shop::test_it"], id="named test case"),
        pytest.param("class Shop(nowhere.Base)", [], id="named otherwise"),
        pytest.param("class TestShop(nowhere.Base)", ["TestShop::test_it"], id="in a test class"),
    ],
)
def test_class_whose_base_cannot_be_found(open_module, definition: str, tests: list[str]) -> None:
    file = open_module(f"import nowhere\n\n{definition}:\n    def test_it(self): pass\n")
    assert [test.nodeid.partition("::")[2] for test in file.tests] == tests


@pytest.mark.parametrize(
    ("base", "expected"), [("nowhere.BaseTestCase", True), ("nowhere.Base", False)]
)
def test_base_that_cannot_be_found_decides_whether_it_is_unittest(
    open_module, base: str, expected: bool
) -> None:
    text = f"import nowhere\n\nclass TestShop({base}):\n    def test_it(self): pass\n"
    assert [test.is_unittest for test in open_module(text).tests] == [expected]


def test_tests_stand_in_the_order_of_the_file(open_module) -> None:
    file = open_module(
        """
        class Base:
            def test_shared(self): pass

        def test_first(): pass

        class TestIt(Base):
            def test_own(self): pass

        def test_last(): pass
        """
    )
    names = [test.nodeid.partition("::")[2] for test in file.tests]
    assert names == ["test_first", "TestIt::test_shared", "TestIt::test_own", "test_last"]


def test_imported_tests_stand_first(open_module) -> None:
    shared = "class TestShared:\n    def test_in_class(self): pass\n\ndef test_shared(): pass\n"
    text = "from shared_tests import TestShared, test_shared\n\ndef test_own(): pass\n"
    file = open_module({"shared_tests.py": shared, "test_it.py": text})
    names = [test.nodeid.partition("::")[2] for test in file.tests]
    assert names == ["test_shared", "TestShared::test_in_class", "test_own"]


def test_only_run_test_is_a_unittest(open_module) -> None:
    text = "import unittest\n\nclass It(unittest.TestCase):\n    def runTest(self): pass\n"
    [test] = open_module(text).tests
    assert (test.nodeid, test.is_unittest) == ("test_it.py::It::runTest", True)


MARKED = "import pytest\nfrom unittest import mock\n\n"


@pytest.mark.parametrize(
    ("text", "fixtures"),
    [
        pytest.param(
            "@mock.patch('os.sep')\nclass TestIt:\n    def test_it(self, a, b): pass\n",
            ("b",),
            id="decorator of the class counts once",
        ),
        pytest.param(
            "@pytest.mark.parametrize('a', [1])\nclass Base:\n    def test_it(self, a, b): pass\n\n"
            "class TestIt(Base): pass\n",
            ("b",),
            id="decorator of the class that defines it",
        ),
        pytest.param(
            "class Base:\n    def test_it(self, a, b): pass\n\n"
            "@pytest.mark.parametrize('b', [1])\nclass TestIt(Base): pass\n",
            ("a",),
            id="decorator of the class that inherits it",
        ),
        pytest.param(
            "@pytest.mark.parametrize('a', [1])\nclass TestOuter:\n    class TestInner:\n"
            "        def test_it(self, a, b): pass\n",
            ("b",),
            id="decorator of the class around it",
        ),
        pytest.param(
            "class TestIt:\n    pytestmark = pytest.mark.parametrize('a', [1])\n"
            "    def test_it(self, a, b): pass\n",
            ("b",),
            id="mark of the class",
        ),
        pytest.param(
            "pytestmark = (pytest.mark.parametrize('b', [1]),)\ndef test_it(a, b): pass\n",
            ("a",),
            id="marks of the module",
        ),
        pytest.param(
            "class TestIt:\n    @staticmethod\n    def test_it(a, b): pass\n",
            ("a", "b"),
            id="static method",
        ),
    ],
)
def test_decorators_of_classes_fill_parameters(
    text: str, fixtures: tuple[str, ...], open_module
) -> None:
    [test] = open_module(MARKED + text).tests
    assert test.fixture_names == fixtures


@pytest.mark.parametrize(
    ("text", "row"),
    [("def test_it(): pass", 1), ("@one\n@two\ndef test_it(): pass", 1)],
)
def test_first_row_of_a_test(text: str, row: int, open_module) -> None:
    assert open_module(text).tests[0].first_row == row


def test_container_of_a_test(open_module) -> None:
    file = open_module("class TestIt:\n    def test_one(self): pass\n")
    assert file.tests[0].container == "test_it.py::TestIt"
