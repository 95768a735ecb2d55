"""Examples that SOC104 reports: which unused parts weigh, and which cost a test nothing."""

from __future__ import annotations

from socrates.example import Example, safe

REPORTED_WEIGHT = (
    Example(
        "what no test of the class reads",
        """
        import unittest
        from shop import Cart, Till

        class CartTest(unittest.TestCase):
            def setUp(self):
                self.cart = Cart()
                self.till = Till()

            def test_empty(self):
                self.assertEqual(len(self.cart), 0)

            def test_add(self):
                self.assertEqual(len(self.cart.add("pear")), 1)
        """,
        {
            "CartTest::test_empty": "warning: 1 of 2 fixture objects unused: self.till; no test of the class reads self.till",
            "CartTest::test_add": "warning: 1 of 2 fixture objects unused: self.till; no test of the class reads self.till",
        },
    ),
    Example(
        "what a method stores somewhere, and values that Python itself makes",
        """
        import unittest
        from datetime import date

        from shop import Cart, client, User

        class CartTest(unittest.TestCase):
            def setUp(self):
                self.cart = Cart()
                self.user = User.objects.create_user("ann")
                self.list = client.add_list("pears")
                self.names = sorted(["b", "a"])
                self.day = str(date.fromtimestamp(0))

            def test_empty(self):
                self.assertEqual(len(self.cart), 0)

            def test_others(self):
                self.assertEqual([self.user, self.list, self.names, self.day], self.cart.all())
        """,
        {
            "CartTest::test_empty": "info: 4 of 5 fixture objects unused: self.user, self.list, self.names, self.day",
        },
    ),
    Example(
        "second names for values of a module",
        {
            "test_example.py": """
            import unittest
            import data

            LATIN = "latin"

            class TextTest(unittest.TestCase):
                def setUp(self):
                    import sass

                    self.greek = data.greek
                    self.latin = LATIN
                    self.sass = sass

                def test_it(self):
                    self.assertEqual(1 + 1, 2)
            """,
            "data.py": "greek = 'text'",
        },
        {
            "TextTest::test_it": "info: 3 of 3 fixture objects unused: self.greek, self.latin, self.sass"
        },
    ),
    Example(
        "texts that are put together from literals",
        """
        import unittest

        class ReportTest(unittest.TestCase):
            def setUp(self):
                self.root = "tests/"
                self.data = self.root + "data/"
                self.out = f"{self.root}out"
                self.name = "%s.csv" % self.root

            def test_data(self):
                self.assertTrue(self.data)

            def test_out(self):
                self.assertTrue(self.out)

            def test_name(self):
                self.assertTrue(self.name)
        """,
        {
            "ReportTest::test_data": "info: 2 of 4 fixture objects unused: self.out, self.name",
            "ReportTest::test_out": "info: 2 of 4 fixture objects unused: self.data, self.name",
            "ReportTest::test_name": "info: 2 of 4 fixture objects unused: self.data, self.out",
        },
    ),
    Example(
        "what is made once for the class",
        """
        import unittest
        from shop import Cart, Till

        class CartTest(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.cart = Cart()
                cls.till = Till()

            def test_cart(self):
                self.assertEqual(len(self.cart), 0)

            def test_till(self):
                self.assertEqual(self.till.sum, 0)

            def test_neither(self):
                self.assertEqual(1 + 1, 2)
        """,
        {
            "CartTest::test_cart": "info: 1 of 2 fixture objects unused: self.till",
            "CartTest::test_till": "info: 1 of 2 fixture objects unused: self.cart",
            "CartTest::test_neither": "info: 2 of 2 fixture objects unused: self.cart, self.till",
        },
    ),
    Example(
        "what is made once for the class, and no test of it reads",
        """
        import unittest
        from shop import Cart, Till

        class CartTest(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.cart = Cart()
                cls.till = Till()

            def test_cart(self):
                self.assertEqual(len(self.cart), 0)
        """,
        {"CartTest::test_cart": "warning: 1 of 2 fixture objects unused: self.till"},
    ),
    Example(
        "one literal that nobody reads, among things that others need",
        """
        import unittest
        from shop import Cart, Till

        class CartTest(unittest.TestCase):
            def setUp(self):
                self.names = ["pear", "fig"]
                self.cart = Cart()
                self.till = Till()

            def test_sum(self):
                self.assertEqual(self.till.sell(self.cart), 0)

            def test_sum_of_all(self):
                self.assertEqual(self.till.sell(self.cart, self.cart), 0)

            def test_neither(self):
                self.assertEqual(1 + 1, 2)
        """,
        {
            "CartTest::test_sum": "info: 1 of 3 fixture objects unused: self.names",
            "CartTest::test_sum_of_all": "info: 1 of 3 fixture objects unused: self.names",
            "CartTest::test_neither": "info: 3 of 3 fixture objects unused: self.names, self.cart, self.till",
        },
        fixed=safe(
            """
            import unittest
            from shop import Cart, Till

            class CartTest(unittest.TestCase):
                def setUp(self):
                    self.cart = Cart()
                    self.till = Till()

                def test_sum(self):
                    self.assertEqual(self.till.sell(self.cart), 0)

                def test_sum_of_all(self):
                    self.assertEqual(self.till.sell(self.cart, self.cart), 0)

                def test_neither(self):
                    self.assertEqual(1 + 1, 2)
            """
        ),
    ),
    Example(
        "values that only put names together",
        """
        import os
        import unittest

        class CartTest(unittest.TestCase):
            def setUp(self):
                self.folder = os.path.dirname(os.path.abspath(__file__))
                self.login = {"user": USER, "mode": os.R_OK | os.W_OK}
                self.weight = lambda item: 1

                def price(item):
                    return 2

                self.price = price

            def test_price(self):
                self.assertTrue(self.price)

            def test_folder(self):
                self.assertTrue(self.folder)

            def test_login(self):
                self.assertTrue(self.login)

            def test_weight(self):
                self.assertTrue(self.weight)
        """,
        {
            "CartTest::test_price": "info: 3 of 4 fixture objects unused: self.folder, self.login, self.weight",
            "CartTest::test_folder": "info: 3 of 4 fixture objects unused: self.login, self.weight, self.price",
            "CartTest::test_login": "info: 3 of 4 fixture objects unused: self.folder, self.weight, self.price",
            "CartTest::test_weight": "info: 3 of 4 fixture objects unused: self.folder, self.login, self.price",
        },
    ),
    Example(
        "a record that is made once for all tests",
        """
        from dataclasses import dataclass

        import pytest

        @dataclass
        class Shop:
            till: str
            cart: str
            name: str

        @pytest.fixture(scope="session")
        def shop():
            return Shop(make_till(), make_cart(), make_name())

        def test_till(shop):
            assert shop.till

        def test_cart(shop):
            assert shop.cart

        def test_name(shop):
            assert shop.name
        """,
        {
            "test_till": "info: 2 of 3 fixture objects unused: shop.cart, shop.name",
            "test_cart": "info: 2 of 3 fixture objects unused: shop.till, shop.name",
            "test_name": "info: 2 of 3 fixture objects unused: shop.till, shop.cart",
        },
    ),
    Example(
        "what a parent may keep",
        """
        import unittest
        from shop import Shelf

        class ShelfTest(unittest.TestCase):
            def setUp(self):
                self.root = Shelf("a")
                self.fruit = Shelf("b", parent=self.root)
                self.pears = Shelf("c", self.root)

            def test_it(self):
                self.assertEqual(len(self.root), 2)
        """,
        {"ShelfTest::test_it": "info: 2 of 3 fixture objects unused: self.fruit, self.pears"},
    ),
)
