"""Examples that SOC101 reports: assertions whose failure shows no values."""

from __future__ import annotations

from socrates.example import Example, safe, unsafe

REPORTED_OPAQUE = (
    Example(
        "two assertTrue",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(1 in (1, 2))
                self.assertFalse(3 in (1, 2))
        """,
        {
            "PairTest::test_pair": "warning: 2 assertions, 2 without an explanation, 2 of which show no values when they fail"
        },
        fixed=safe(
            """
            import unittest


            class PairTest(unittest.TestCase):
                def test_pair(self):
                    self.assertIn(1, (1, 2))
                    self.assertNotIn(3, (1, 2))
            """
        ),
        page=True,
    ),
    Example(
        "two or three plain booleans",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(self.pair.is_open)
                self.assertFalse(not self.pair)
                self.assertTrue(self.pair.has(1))
        """,
        {
            "PairTest::test_pair": "info: 3 assertions, 3 without an explanation, 3 of which show no values when they fail"
        },
        note="Each line says what is false: there are no values to show.",
    ),
    Example(
        "four plain booleans",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(self.pair.is_open)
                self.assertTrue(self.pair.is_new)
                self.assertTrue(self.pair.is_set)
                self.assertTrue(self.pair)
        """,
        {
            "PairTest::test_pair": "warning: 4 assertions, 4 without an explanation, 4 of which show no values when they fail"
        },
        options={"max-booleans": 3},
    ),
    Example(
        "one plain boolean beside one comparison",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(self.pair.is_open)
                self.assertTrue(self.pair.first == self.one())
        """,
        {
            "PairTest::test_pair": "info: 2 assertions, 2 without an explanation, 2 of which show no values when they fail"
        },
        fixed=safe(
            """
            import unittest


            class PairTest(unittest.TestCase):
                def test_pair(self):
                    self.assertTrue(self.pair.is_open)
                    self.assertEqual(self.pair.first, self.one())
            """
        ),
    ),
    Example(
        "comparisons by functions, and behind other words",
        """
        import unittest


        class PairTest(unittest.TestCase):
            async def test_pair(self):
                self.assertTrue(bool(self.pair.name.startswith("p")))
                self.assertTrue(await self.first() and self.second())
        """,
        {
            "PairTest::test_pair": "warning: 2 assertions, 2 without an explanation, 2 of which show no values when they fail"
        },
    ),
    Example(
        "plain booleans in a file that pytest does not rewrite",
        '''
        """PYTEST_DONT_REWRITE"""


        def test_pair(pair):
            assert pair.is_open
            assert not pair.is_new
        ''',
        {
            "test_pair": "info: 2 assertions, 2 without an explanation, 2 of which show no values when they fail, as pytest does not rewrite this file"
        },
    ),
    Example(
        "two quantifiers",
        """
        def test_pair():
            pair = (1, 2)
            assert all(number > 0 for number in pair)
            assert not any(number > 2 for number in pair)
        """,
        {
            "test_pair": "warning: 2 assertions, 2 without an explanation, 2 of which show no values when they fail"
        },
        fixed=unsafe(
            """
            def test_pair():
                pair = (1, 2)
                for number in pair:
                    assert number > 0
                for number in pair:
                    assert not number > 2
            """
        ),
    ),
    Example(
        "bare asserts that pytest does not rewrite",
        '''
        """PYTEST_DONT_REWRITE"""


        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
        ''',
        {
            "test_pair": "warning: 2 assertions, 2 without an explanation, 2 of which show no values when they fail, as pytest does not rewrite this file"
        },
    ),
    Example(
        "assert False in a file that pytest does not rewrite",
        '''
        """PYTEST_DONT_REWRITE"""


        def test_pair():
            match (1, 2):
                case (1, 2):
                    pass
                case (2, 1):
                    assert False
                case _:
                    assert False
        ''',
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "a helper that asserts inside an assertion",
        """
        def run(number):
            assert number >= 0
            return number

        def test_run():
            assert run(1) == 1
            assert run(2) + 1 == 3
            assert run(3) - 1 == 2
            assert run(4) * 1 == 4
            assert run(5) // 1 == 5
        """,
        {"test_run": "info: 10 assertions, 10 without an explanation"},
        options={"max-unexplained": 9},
    ),
)
