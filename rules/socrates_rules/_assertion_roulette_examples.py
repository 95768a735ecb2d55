"""The examples of SOC101: one for each sentence of its definition, and for what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from socrates.rule import Example


def _example(
    name: str,
    text: str,
    severity: str = "",
    *,
    test: str = "test_pair",
    note: str = "",
    files: Mapping[str, str] | None = None,
) -> Example:
    """One test module; ``severity`` is empty where the rule must stay silent."""
    expect = {test: severity} if severity else {}
    return Example(name, {**(files or {}), "test_example.py": dedent(text)}, expect, note)


_SMELLS = (
    _example(
        "two plain asserts",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
        """,
        "info",
    ),
    _example(
        "one of two is explained",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2
        """,
        "info",
    ),
    _example(
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
    _example(
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
    _example(
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
    _example(
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
    _example(
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
    _example(
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
    _example(
        "helper of the module",
        """\
        def check(pair):
            assert pair[0] == 1
            assert pair[1] == 2


        def test_pair():
            check((1, 2))
            assert len((1, 2)) == 2
        """,
        "info",
        note="The call counts as one assertion, whatever the helper holds.",
    ),
    _example(
        "helper of the class",
        """\
        class TestPair:
            def check(self, pair):
                assert pair[0] == 1

            def test_pair(self):
                self.check((1, 2))
                self.check((1, 3))
        """,
        "info",
        test="TestPair::test_pair",
    ),
    _example(
        "helper of another module",
        """\
        from testing import check


        def test_pair():
            check((1, 2))
            check((1, 3))
        """,
        "info",
        files={"testing.py": "def check(pair):\n    assert pair[0] == 1\n"},
    ),
    _example(
        "helper inside an assert",
        """\
        def run(text):
            result = eval(text)
            assert result is not None
            return result


        def test_pair():
            assert run("1 + 1") == 2
        """,
        "info",
        note="The helper asserts, and so does the test.",
    ),
    _example(
        "functions named assert, check_that and expect",
        """\
        def test_pair(assert_ordered, check_that, expect):
            assert_ordered((1, 2))
            check_that((1, 2))
            expect((1, 2))
        """,
        "info",
    ),
    _example(
        "helper that gets no message",
        """\
        def assert_same(one, other, msg=None):
            assert one == other, msg


        def test_pair():
            assert_same((1, 2)[0], 1)
            assert_same((1, 2)[1], 2)
        """,
        "info",
    ),
)

_NO_SMELLS = (
    _example("single assertion", "def test_pair():\n    assert sum((1, 2)) == 3\n"),
    _example(
        "single assertion in a loop",
        """\
        def test_pair():
            for number in (1, 2):
                assert number > 0
        """,
        note="Assertions count as written, not as run.",
    ),
    _example(
        "single opaque assertion",
        """\
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertTrue(1 in (1, 2))
        """,
    ),
    _example(
        "every assert has a message",
        """\
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2, "the second follows"
        """,
    ),
    _example(
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
    _example(
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
    _example(
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
    _example(
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
    _example(
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
    _example(
        "helper that is given messages",
        """\
        def assert_same(one, other, msg=None):
            assert one == other, msg


        def test_pair():
            assert_same((1, 2)[0], 1, "the first comes first")
            assert_same((1, 2)[1], 2, msg="the second follows")
        """,
    ),
    _example(
        "helper whose assertions explain themselves",
        """\
        def check(pair):
            assert len(pair) == 2, "not a pair"


        def test_pair():
            check((1, 2))
            check((2, 1))
        """,
    ),
    _example(
        "production code with an assert",
        """\
        from shop import total


        def test_pair():
            assert total([1, 2]) == 3
        """,
        files={"shop.py": "def total(prices):\n    assert prices\n    return sum(prices)\n"},
        note="Only test code holds helpers.",
    ),
    _example(
        "what is expected",
        """\
        def test_pair(expected_pair):
            assert (1, 2) == expected_pair(1)
        """,
        note="`expected_...` makes a value, it expects nothing.",
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

EXAMPLES: tuple[Example, ...] = (*_SMELLS, *_NO_SMELLS, *_OPTIONS)
