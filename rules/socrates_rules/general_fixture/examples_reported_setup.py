"""Examples that SOC104 reports: what set-up leaves on ``self``."""

from __future__ import annotations

from socrates.example import Example, safe

REPORTED_SETUP = (
    Example(
        "half of setUp is unused",
        """
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.empty = []
                self.cookies = ["flour", "sugar"]

            def test_empty(self):
                self.assertEqual(self.empty, [])
        """,
        {"TestRecipe::test_empty": "warning: 1 of 2 fixture objects unused: self.cookies"},
        fixed=safe(
            """
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.empty = []

                def test_empty(self):
                    self.assertEqual(self.empty, [])
            """
        ),
        page=True,
    ),
    Example(
        "less than half of setUp is unused",
        """
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.flour = 1
                self.sugar = 2
                self.milk = 3

            def test_sum(self):
                self.assertEqual(self.flour + self.sugar, 3)
        """,
        {"TestRecipe::test_sum": "info: 1 of 3 fixture objects unused: self.milk"},
        fixed=safe(
            """
            import unittest

            class TestRecipe(unittest.TestCase):
                def setUp(self):
                    self.flour = 1
                    self.sugar = 2

                def test_sum(self):
                    self.assertEqual(self.flour + self.sugar, 3)
            """
        ),
    ),
    Example(
        "unused attribute beside one with a comment",
        """
        import unittest


        class TestX(unittest.TestCase):
            def setUp(self):
                self.a = []  # read below
                self.b = {"x": 1}

            def test_a(self):
                self.assertEqual(self.a, [])
        """,
        {"TestX::test_a": "warning: 1 of 2 fixture objects unused: self.b"},
        fixed=safe(
            """
            import unittest


            class TestX(unittest.TestCase):
                def setUp(self):
                    self.a = []  # read below

                def test_a(self):
                    self.assertEqual(self.a, [])
            """
        ),
    ),
    Example(
        "setUp that builds nothing else",
        """
        import unittest


        class TestX(unittest.TestCase):
            def setUp(self):
                self.b = {}

            def test_a(self):
                self.assertEqual([], [])
        """,
        {"TestX::test_a": "warning: 1 of 1 fixture objects unused: self.b"},
        fixed=safe(
            """
            import unittest


            class TestX(unittest.TestCase):
                def test_a(self):
                    self.assertEqual([], [])
            """
        ),
    ),
    Example(
        "unused object without effects",
        """
        import unittest


        class Cart:
            def __init__(self, owner):
                self.owner = owner


        class TestX(unittest.TestCase):
            def setUp(self):
                self.a = []  # read below
                self.b = Cart("me")

            def test_a(self):
                self.assertEqual(self.a, [])
        """,
        {"TestX::test_a": "warning: 1 of 2 fixture objects unused: self.b"},
        fixed=safe(
            """
            import unittest


            class Cart:
                def __init__(self, owner):
                    self.owner = owner


            class TestX(unittest.TestCase):
                def setUp(self):
                    self.a = []  # read below

                def test_a(self):
                    self.assertEqual(self.a, [])
            """
        ),
    ),
    Example(
        "setUpClass, setup_method, setup_class and asyncSetUp",
        """
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
        """,
        {
            "CookieTest::test_cookie": "info: 1 of 2 fixture objects unused: self.oven",
            "CookieTest::test_oven": "info: 1 of 2 fixture objects unused: self.cookie",
            "TestMilk::test_milk": "warning: 1 of 2 fixture objects unused: self.cow",
        },
    ),
    Example(
        "setUp of a base runs only when it is called",
        """
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
        """,
        {"TestBoth::test_recipe": "warning: 1 of 2 fixture objects unused: self.database"},
    ),
    Example(
        "an attribute of an object of the same name is no read",
        """
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
        """,
        {"TestRecipe::test_other": "warning: 1 of 1 fixture objects unused: self.name"},
    ),
    Example(
        "writing is no read",
        """
        class TestRecipe:
            def setup_method(self):
                self.name = "cookies"

            def test_rename(self):
                self.name = "milk"
        """,
        {"TestRecipe::test_rename": "warning: 1 of 1 fixture objects unused: self.name"},
    ),
    Example(
        "an autouse fixture that sets attributes is a setUp",
        """
        import pytest

        class TestRecipe:
            @pytest.fixture(autouse=True)
            def build(self):
                self.empty = []
                self.cookies = ["flour"]

            def test_empty(self):
                assert self.empty == []
        """,
        {"TestRecipe::test_empty": "warning: 1 of 2 fixture objects unused: self.cookies"},
    ),
    Example(
        "a mixin from another module provides more than is read",
        {
            "tests/kitchen.py": """
            class KitchenMixin:
                def setUp(self):
                    super().setUp()
                    self.oven = object()
                    self.table = object()
            """,
            "tests/test_example.py": """
            import unittest

            from kitchen import KitchenMixin

            class TestOven(KitchenMixin, unittest.TestCase):
                def test_oven(self):
                    self.assertTrue(self.oven)
            """,
        },
        {"TestOven::test_oven": "warning: 1 of 2 fixture objects unused: self.table"},
        note="Type III: a mixin or base class provides the attributes.",
    ),
    Example(
        "another share for warnings",
        """
        class TestMilk:
            def setup_method(self):
                self.cow, self.milk = object(), object()

            def test_milk(self):
                assert self.milk
        """,
        {"TestMilk::test_milk": "info: 1 of 2 fixture objects unused: self.cow"},
        options={"warning-percent": 51},
    ),
    Example(
        "what most tests of the class use, and what few of them use",
        """
        import unittest
        from collections import deque

        class RecipeTest(unittest.TestCase):
            def setUp(self):
                self.recipe = ["flour"]

            def test_length(self):
                self.assertEqual(len(self.recipe), 1)

            def test_first(self):
                self.assertEqual(self.recipe[0], "flour")

            def test_nothing(self):
                self.assertEqual([], list())

        class OvenTest(unittest.TestCase):
            def setUp(self):
                self.oven = deque(["hot"])

            def test_length(self):
                self.assertEqual(len(self.oven), 1)

            def test_nothing(self):
                self.assertEqual([], list())

            def test_nothing_else(self):
                self.assertEqual((), tuple())

            def test_nothing_at_all(self):
                self.assertEqual({}, dict())
        """,
        {
            "RecipeTest::test_nothing": "info: 1 of 1 fixture objects unused: self.recipe",
            "OvenTest::test_nothing": "warning: 1 of 1 fixture objects unused: self.oven",
            "OvenTest::test_nothing_else": "warning: 1 of 1 fixture objects unused: self.oven",
            "OvenTest::test_nothing_at_all": "warning: 1 of 1 fixture objects unused: self.oven",
        },
    ),
    Example(
        "placeholders",
        """
        import os
        import unittest

        DATA = "data"

        class Base(unittest.TestCase):
            def setUp(self):
                self.error = None
                self.calls = []
                self.path = os.path.join(DATA, "one.csv")
                self.sizes = [("small", 1), ("large", 2)]
                self.result: object = NotImplemented

        class ErrorTest(Base):
            def test_it(self):
                self.assertEqual(1 + 1, 2)
        """,
        {
            "ErrorTest::test_it": "info: 5 of 5 fixture objects unused: self.error, self.calls, self.path, self.sizes, self.result"
        },
    ),
    Example(
        "what may have been called for its effect",
        {
            "shop.py": """
            known = {}

            def register(name):
                known[name] = True
                return name
            """,
            "test_example.py": """
            import unittest
            from shop import register
            from sites import Site

            class ShopTest(unittest.TestCase):
                def setUp(self):
                    self.name = register("ann")
                    self.site = Site("tests")
                    self.site.build()

                def test_it(self):
                    self.assertEqual(1 + 1, 2)
            """,
        },
        {"ShopTest::test_it": "info: 2 of 2 fixture objects unused: self.name, self.site"},
    ),
)
