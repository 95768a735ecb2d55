"""The examples of SOC101: one for each sentence of its definition, and for what it leaves open."""

from __future__ import annotations

from textwrap import dedent

from socrates.rule import Example
from socrates_rules.assertion_roulette.examples_helpers import HELPERS, example

_SMELLS = (
    example(
        "two plain asserts",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
        """,
        "info",
    ),
    example(
        "one of two is explained",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2
        """,
        "info",
    ),
    example(
        "an assert after raises",
        """\
        import pytest


        def test_pair():
            with pytest.raises(IndexError) as excinfo:
                (1, 2)[3]
            assert "range" in str(excinfo.value)
        """,
        "info",
        note="`raises` is explained, the assert is not.",
    ),
    example(
        "more than three unexplained",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
            assert len(pair) == 2
            assert pair != (2, 1)
        """,
        "warning",
    ),
    example(
        "two assertTrue",
        """\
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(1 in (1, 2))
                self.assertFalse(3 in (1, 2))
        """,
        "warning",
        test="PairTest::test_pair",
    ),
    example(
        "two quantifiers",
        """\
        def test_pair():
            pair = (1, 2)
            assert all(number > 0 for number in pair)
            assert not any(number > 2 for number in pair)
        """,
        "warning",
    ),
    Example(
        "bare asserts that pytest does not rewrite",
        {
            "test_example.py": dedent(
                '''\
                """PYTEST_DONT_REWRITE"""


                def test_pair():
                    pair = (1, 2)
                    assert pair[0] == 1
                    assert pair[1] == 2
                '''
            )
        },
        {"test_pair": "warning"},
    ),
    example(
        "assertions in a nested function",
        """\
        def test_pair():
            def check(pair):
                assert pair[0] == 1
                assert pair[1] == 2

            check((1, 2))
        """,
        "info",
    ),
    example(
        "narrowing a type",
        """\
        def test_pair(find):
            found = find("pair")
            assert found is not None
            assert found.size == 2
        """,
        "info",
        note="An assert that narrows a type is still an assertion.",
    ),
)

_NO_SMELLS = (
    example("single assertion", "def test_pair():\n    assert sum((1, 2)) == 3\n"),
    example(
        "single assertion in a loop",
        """\
        def test_pair():
            for number in (1, 2):
                assert number > 0
        """,
        note="Assertions count as written, not as run.",
    ),
    example(
        "single opaque assertion",
        """\
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(1 in (1, 2))
        """,
    ),
    example(
        "every assert has a message",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2, "the second follows"
        """,
    ),
    example(
        "messages of unittest methods",
        """\
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertEqual((1, 2)[0], 1, "the first comes first")
                self.assertTrue(2 in (1, 2), msg="the second is there")
                self.assertAlmostEqual(1.0, 1.0, 7, "near enough")
        """,
    ),
    example(
        "raises and warns",
        """\
        import pytest


        def test_pair():
            with pytest.raises(IndexError, match="range"):
                (1, 2)[3]
            with pytest.raises(TypeError):
                (1, 2)["a"]
        """,
        note="They name the cause themselves.",
    ),
    example(
        "methods of mocks",
        """\
        from unittest.mock import Mock


        def test_pair():
            call = Mock()
            call(1, 2)
            call.assert_called_once_with(1, 2)
            call.assert_called()
        """,
    ),
    example(
        "reasons of fail",
        """\
        import pytest


        def test_pair():
            if len((1, 2)) != 2:
                pytest.fail("not a pair")
            if (1, 2)[0] != 1:
                pytest.fail(reason="the wrong pair")
        """,
    ),
    example(
        "inside subTest",
        """\
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                for number in (1, 2):
                    with self.subTest(number=number):
                        self.assertIn(number, (1, 2))
                        self.assertGreater(number, 0)
        """,
    ),
)

_OPTIONS = (
    Example(
        "more allowed",
        {"test_example.py": "def test_pair(pair):\n" + "    assert pair.ok\n" * 4},
        {"test_pair": "info"},
        options={"max-unexplained": 4},
    ),
    Example(
        "an assertion function of one's own",
        {"test_example.py": "def test_pair(page):\n    page.shows(1)\n    page.shows(2)\n"},
        {"test_pair": "info"},
        options={"assertion-helpers": ["*.shows", "shows"]},
    ),
)

EXAMPLES: tuple[Example, ...] = (*_SMELLS, *HELPERS, *_NO_SMELLS, *_OPTIONS)
