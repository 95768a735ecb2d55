"""The examples of SOC104: one for each sentence of its definition."""

from __future__ import annotations

from socrates.rule import Example

_FILE = "test_example.py"

GLOBAL = (
    Example(
        "half of setUp is unused",
        {
            _FILE: """\
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.empty = []
                    self.cookies = ["flour", "sugar"]

                def test_empty(self):
                    self.assertEqual(self.empty, [])
            """
        },
        {"TestRecipe::test_empty": "warning"},
    ),
    Example(
        "less than half of setUp is unused",
        {
            _FILE: """\
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.flour = 1
                    self.sugar = 2
                    self.milk = 3

                def test_sum(self):
                    self.assertEqual(self.flour + self.sugar, 3)
            """
        },
        {"TestRecipe::test_sum": "info"},
    ),
    Example(
        "setUpClass, setup_method, setup_class and asyncSetUp",
        {
            _FILE: """\
            import unittest

            class CookieTest(unittest.IsolatedAsyncioTestCase):
                @classmethod
                def setUpClass(cls):
                    cls.oven = object()

                async def asyncSetUp(self):
                    self.cookie = object()

                async def test_cookie(self):
                    self.assertTrue(self.cookie)

                async def test_oven(self):
                    self.assertTrue(CookieTest.oven)

            class TestMilk:
                @classmethod
                def setup_class(cls):
                    cls.cow = object()

                def setup_method(self):
                    self.milk = object()

                def test_milk(self):
                    assert self.milk
            """
        },
        {
            "CookieTest::test_cookie": "warning",
            "CookieTest::test_oven": "warning",
            "TestMilk::test_milk": "warning",
        },
    ),
    Example(
        "read through methods and properties",
        {
            _FILE: """\
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.flour = 1
                    self.sugar = 2

                @property
                def sweet(self):
                    return self.sugar

                def total(self):
                    return self.flour + self.sweet

                def test_total(self):
                    self.assertEqual(self.total(), 3)
            """
        },
    ),
    Example(
        "setUp of a base runs only when it is called",
        {
            _FILE: """\
            import unittest

            class Base(unittest.TestCase):
                def setUp(self):
                    self.database = object()

            class TestAlone(Base):
                def setUp(self):
                    self.recipe = object()

                def test_recipe(self):
                    self.assertTrue(self.recipe)

            class TestBoth(Base):
                def setUp(self):
                    super().setUp()
                    self.recipe = object()

                def test_recipe(self):
                    self.assertTrue(self.recipe)
            """
        },
        {"TestBoth::test_recipe": "warning"},
    ),
    Example(
        "an attribute of an object of the same name is no read",
        {
            _FILE: """\
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.name = "cookies"

                def test_other(self):
                    class Other:
                        name = "milk"

                        def shout(self):
                            return self.name.upper()

                    self.assertEqual(Other().shout(), "MILK")
            """
        },
        {"TestRecipe::test_other": "warning"},
    ),
    Example(
        "writing is no read",
        {
            _FILE: """\
            class TestRecipe:
                def setup_method(self):
                    self.name = "cookies"

                def test_rename(self):
                    self.name = "milk"
            """
        },
        {"TestRecipe::test_rename": "warning"},
    ),
    Example(
        "attributes that tearDown reads don't count",
        {
            _FILE: """\
            import shutil
            import tempfile
            import unittest

            class TestFolder(unittest.TestCase):
                def setUp(self):
                    self.folder = tempfile.mkdtemp()
                    self.other = tempfile.mkdtemp()
                    self.addCleanup(shutil.rmtree, self.other)

                def tearDown(self):
                    shutil.rmtree(self.folder)

                def test_nothing_of_it(self):
                    self.assertEqual(sum([1, 2]), 3)
            """
        },
    ),
    Example(
        "a patch that is started has its effect without being read",
        {
            _FILE: """\
            import unittest
            from unittest import mock

            class TestClock(unittest.TestCase):
                def setUp(self):
                    patcher = mock.patch("time.time", return_value=1)
                    self.clock = patcher.start()
                    self.addCleanup(patcher.stop)

                def test_clock(self):
                    import time
                    self.assertEqual(time.time(), 1)
            """
        },
    ),
    Example(
        "a test that hands itself on uses everything",
        {
            _FILE: """\
            import unittest

            def total(case):
                return case.flour + case.sugar

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.flour = 1
                    self.sugar = 2

                def test_total(self):
                    self.assertEqual(total(self), 3)

                def test_by_name(self):
                    for name in ("flour", "sugar"):
                        self.assertTrue(getattr(self, name))
            """
        },
    ),
    Example(
        "an autouse fixture that sets attributes is a setUp",
        {
            _FILE: """\
            import pytest

            class TestRecipe:
                @pytest.fixture(autouse=True)
                def build(self):
                    self.empty = []
                    self.cookies = ["flour"]

                def test_empty(self):
                    assert self.empty == []
            """
        },
        {"TestRecipe::test_empty": "warning"},
    ),
)

CONTEXT = (
    Example(
        "a mixin from another module provides more than is read",
        {
            "tests/kitchen.py": """\
            class KitchenMixin:
                def setUp(self):
                    super().setUp()
                    self.oven = object()
                    self.table = object()
            """,
            "tests/test_example.py": """\
            import unittest

            from kitchen import KitchenMixin

            class TestOven(KitchenMixin, unittest.TestCase):
                def test_oven(self):
                    self.assertTrue(self.oven)
            """,
        },
        {"TestOven::test_oven": "warning"},
        note="Type III: a mixin or base class provides the attributes.",
    ),
)

LOAN = (
    Example(
        "a fixture lends two objects, the test uses one",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def kitchen():
                return object(), object()

            def test_unpacked(kitchen):
                oven, table = kitchen
                assert oven

            def test_by_index(kitchen):
                assert kitchen[1]

            def test_both(kitchen):
                oven, table = kitchen
                assert oven is not table

            def test_whole(kitchen):
                assert len(kitchen) == 2
            """
        },
        {"test_unpacked": "warning", "test_by_index": "warning"},
    ),
    Example(
        "a dict with literal keys",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def prices():
                return {"milk": 1, "flour": 2, "sugar": 3}

            def test_two_of_three(prices):
                assert prices["milk"] + prices["flour"] == 3
            """
        },
        {"test_two_of_three": "info"},
    ),
    Example(
        "a context manager of the tests",
        {
            _FILE: """\
            from contextlib import contextmanager

            @contextmanager
            def kitchen():
                oven, table = object(), object()
                yield oven, table

            def test_oven():
                with kitchen() as (oven, table):
                    assert oven
            """
        },
        {"test_oven": "warning"},
    ),
    Example(
        "a decorator of the tests",
        {
            _FILE: """\
            def in_kitchen(function):
                def wrapper():
                    return function(object(), object())
                return wrapper

            @in_kitchen
            def test_oven(oven, table):
                assert oven
            """
        },
        {"test_oven": "warning"},
    ),
    Example(
        "what clean-up needs does not count",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def served(make_server):
                server = make_server()
                url = server.url
                yield server, url
                server.stop()

            def test_url(served):
                server, url = served
                assert url
            """
        },
    ),
)

WITH_FIXTURE = (
    Example(
        "a record with more fields than the test reads",
        {
            _FILE: """\
            from collections import namedtuple
            from dataclasses import dataclass
            from types import SimpleNamespace

            import pytest

            Pair = namedtuple("Pair", "left right")

            @dataclass
            class Kitchen:
                oven: object
                table: object
                chair: object

                def places(self):
                    return [self.table, self.chair]

            @pytest.fixture
            def kitchen():
                return Kitchen(object(), object(), object())

            @pytest.fixture
            def pair():
                return Pair(1, 2)

            @pytest.fixture
            def space():
                return SimpleNamespace(floor=1, wall=2)

            def test_oven(kitchen):
                assert kitchen.oven

            def test_through_a_method(kitchen):
                assert len(kitchen.places()) == 2

            def test_left(pair):
                assert pair.left == 1

            def test_floor(space):
                assert space.floor == 1

            def test_whole(kitchen):
                assert repr(kitchen)
            """
        },
        {
            "test_oven": "warning",
            "test_through_a_method": "info",
            "test_left": "warning",
            "test_floor": "warning",
        },
    ),
    Example(
        "an object of production code is one object",
        {
            "kitchen.py": """\
            from dataclasses import dataclass

            @dataclass
            class Kitchen:
                oven: object
                table: object
            """,
            _FILE: """\
            import pytest

            from kitchen import Kitchen

            @pytest.fixture
            def kitchen():
                return Kitchen(object(), object())

            def test_oven(kitchen):
                assert kitchen.oven
            """,
        },
    ),
)

REQUESTED = (
    Example(
        "a fixture that only builds a value and is never read",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def oven():
                return object()

            @pytest.fixture
            def milk():
                return ["milk"]

            def test_milk(milk, oven):
                assert milk == ["milk"]
            """
        },
        {"test_milk": "warning"},
    ),
    Example(
        "fixtures run for their effect",
        {
            _FILE: """\
            import os
            from unittest import mock

            import pytest

            @pytest.fixture
            def cleaned():
                yield object()

            @pytest.fixture
            def patched(monkeypatch):
                monkeypatch.setenv("KITCHEN", "1")
                return "1"

            @pytest.fixture
            def mocked():
                return mock.patch("os.getcwd").start()

            @pytest.fixture
            def folder():
                os.makedirs("kitchen", exist_ok=True)
                return "kitchen"

            @pytest.fixture
            def served(patched):
                return "http://" + patched

            @pytest.fixture
            def started(make_server):
                return make_server()

            @pytest.fixture
            def route(app):
                app.debug = True
                return app

            @pytest.fixture
            def app():
                return mock.Mock()

            @pytest.fixture
            def checked():
                assert os.sep

            def test_effects(cleaned, patched, mocked, folder, started, route, checked):
                assert True

            def test_effect_of_what_it_requests(served):
                assert True
            """
        },
    ),
    Example(
        "underscored parameters, request and fixtures of plugins",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def _kitchen():
                return object()

            def test_nothing(_kitchen, request, tmp_path, mocker):
                assert True
            """
        },
    ),
    Example(
        "a fixture from the nearest conftest",
        {
            "conftest.py": """\
            import pytest

            @pytest.fixture
            def oven(monkeypatch):
                monkeypatch.setenv("OVEN", "1")
                return 1
            """,
            "kitchen/conftest.py": """\
            import pytest

            @pytest.fixture
            def oven():
                return 2
            """,
            "kitchen/test_kitchen.py": "def test_near(oven):\n    assert True\n",
            "test_hall.py": "def test_far(oven):\n    assert True\n",
        },
        {"test_near": "warning"},
    ),
)

SETTINGS = (
    Example(
        "attributes and fixtures that never count",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def oven():
                return object()

            class TestMilk:
                def setup_method(self):
                    self.log = []

                def test_milk(self, oven):
                    assert True
            """
        },
        options={"ignore-attributes": ["log"], "ignore-fixtures": ["ov*"]},
    ),
    Example(
        "another share for warnings",
        {
            _FILE: """\
            class TestMilk:
                def setup_method(self):
                    self.cow, self.milk = object(), object()

                def test_milk(self):
                    assert self.milk
            """
        },
        {"TestMilk::test_milk": "info"},
        options={"warning-percent": 51},
    ),
)

EXAMPLES = (*GLOBAL, *CONTEXT, *LOAN, *WITH_FIXTURE, *REQUESTED, *SETTINGS)
