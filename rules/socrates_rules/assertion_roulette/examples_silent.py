"""Examples in which SOC101 stays silent."""

from __future__ import annotations

from socrates.example import Example

SILENT = (
    Example(
        "single assertion",
        """
        def test_pair():
            assert sum((1, 2)) == 3
        """,
    ),
    Example(
        "single assertion in a loop",
        """
        def test_pair():
            for number in (1, 2):
                assert number > 0
        """,
        note="Assertions count as written, not as run.",
    ),
    Example(
        "single opaque assertion",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(1 in (1, 2))
        """,
    ),
    Example(
        "every assert has a message",
        """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2, "the second follows"
        """,
        page=True,
    ),
    Example(
        "messages of unittest methods",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertEqual((1, 2)[0], 1, "the first comes first")
                self.assertTrue(2 in (1, 2), msg="the second is there")
                self.assertAlmostEqual(1.0, 1.0, 7, "near enough")
        """,
    ),
    Example(
        "raises and warns",
        """
        import pytest


        def test_pair():
            with pytest.raises(IndexError, match="range"):
                (1, 2)[3]
            with pytest.raises(TypeError):
                (1, 2)["a"]
        """,
        note="They name the cause themselves.",
        page=True,
    ),
    Example(
        "methods of mocks",
        """
        from unittest.mock import Mock


        def test_pair():
            call = Mock()
            call(1, 2)
            call.assert_called_once_with(1, 2)
            call.assert_called()
        """,
    ),
    Example(
        "reasons of fail",
        """
        import pytest


        def test_pair():
            if len((1, 2)) != 2:
                pytest.fail("not a pair")
            if (1, 2)[0] != 1:
                pytest.fail(reason="the wrong pair")
        """,
    ),
    Example(
        "inside subTest",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                for number in (1, 2):
                    with self.subTest(number=number):
                        self.assertIn(number, (1, 2))
                        self.assertGreater(number, 0)
        """,
    ),
    Example(
        "helper that is given messages",
        """
        def assert_same(one, other, msg=None):
            assert one == other, msg


        def test_pair():
            assert_same((1, 2)[0], 1, "the first comes first")
            assert_same((1, 2)[1], 2, msg="the second follows")
        """,
    ),
    Example(
        "helper whose assertions name the cause",
        """
        import pytest


        def check(pair):
            with pytest.raises(IndexError):
                pair[2]


        def test_pair():
            check((1, 2))
            check((2, 1))
        """,
    ),
    Example(
        "helper that makes something that can assert",
        """
        def make(pair):
            class Checked:
                def check(self):
                    assert len(pair) == 2

            def check_later():
                assert pair

            return Checked(), check_later


        def test_pair():
            checked, later = make((1, 2))
            checked.assert_ordered()
        """,
    ),
    Example(
        "testing tool that the project ships",
        {
            "shop/__init__.py": "",
            "shop/testing.py": """
            def request(path):
                assert path
                return (1, 2)
            """,
            "test_example.py": """
            from shop import testing


            def test_pair():
                assert testing.request("/pair") == (1, 2)
            """,
        },
        note="It asserts on the way to what it returns, as production code may.",
    ),
    Example(
        "production code with an assert",
        {
            "shop.py": """
            def total(prices):
                assert prices
                return sum(prices)
            """,
            "test_example.py": """
            from shop import total


            def test_pair():
                assert total([1, 2]) == 3
            """,
        },
        note="Only test code holds helpers.",
    ),
    Example(
        "what is expected",
        """
        def test_pair(expected_pair):
            assert (1, 2) == expected_pair(1)
        """,
        note="`expected_...` makes a value, it expects nothing.",
    ),
)
