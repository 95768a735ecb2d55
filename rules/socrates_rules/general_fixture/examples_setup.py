"""The examples of SOC104 for what set-up leaves on `self`: one for each sentence of its definition."""

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
        "attributes that registered clean-up needs under another name",
        {
            _FILE: """\
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.log = log = open_log()
                    self.addCleanup(log.close)
                    self.book = open_book()
                    book = self.book
                    self.addCleanup(book.close)

                def test_sum(self):
                    self.assertEqual(1 + 1, 2)
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
