"""The examples of SOC101 about helpers: which calls count as an assertion, and when they explain."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from socrates.rule import Example


def example(
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


HELPERS = (
    example(
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
    example(
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
    example(
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
    example(
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
    example(
        "helper with a message for all its callers",
        """\
        def check(pair):
            assert len(pair) == 2, "not a pair"


        def test_pair():
            check((1, 2))
            check((2, 1))
        """,
        "info",
        note="The calls carry no message, so a red run does not say what each was to prove.",
    ),
    example(
        "helper that words what it is not given",
        """\
        def eq_(one, other, msg=None):
            assert one == other, msg or "%r != %r" % (one, other)


        def test_pair():
            eq_((1, 2)[0], 1)
            eq_((1, 2)[1], 2)
        """,
        "info",
    ),
    example(
        "expectations by name",
        """\
        def expect_pair(calls, pair):
            calls.append(pair)


        def test_pair(calls):
            expect_pair(calls, (1, 2))
            assert calls
        """,
        "info",
        note="The name says that it asserts, whatever it does.",
    ),
    example(
        "short names of nose and SQLAlchemy",
        """\
        from sqlalchemy.testing import eq_, is_true


        def test_pair():
            eq_((1, 2)[0], 1)
            is_true((1, 2))
        """,
        "info",
    ),
    example(
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
    example(
        "helper that is given messages",
        """\
        def assert_same(one, other, msg=None):
            assert one == other, msg


        def test_pair():
            assert_same((1, 2)[0], 1, "the first comes first")
            assert_same((1, 2)[1], 2, msg="the second follows")
        """,
    ),
    example(
        "helper whose assertions name the cause",
        """\
        import pytest


        def check(pair):
            with pytest.raises(IndexError):
                pair[2]


        def test_pair():
            check((1, 2))
            check((2, 1))
        """,
    ),
    example(
        "helper that makes something that can assert",
        """\
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
    example(
        "testing tool that the project ships",
        """\
        from shop import testing


        def test_pair():
            assert testing.request("/pair") == (1, 2)
        """,
        files={
            "shop/__init__.py": "",
            "shop/testing.py": "def request(path):\n    assert path\n    return (1, 2)\n",
        },
        note="It asserts on the way to what it returns, as production code may.",
    ),
    example(
        "production code with an assert",
        """\
        from shop import total


        def test_pair():
            assert total([1, 2]) == 3
        """,
        files={"shop.py": "def total(prices):\n    assert prices\n    return sum(prices)\n"},
        note="Only test code holds helpers.",
    ),
    example(
        "what is expected",
        """\
        def test_pair(expected_pair):
            assert (1, 2) == expected_pair(1)
        """,
        note="`expected_...` makes a value, it expects nothing.",
    ),
    example(
        "functions named assert, check_that and expect",
        """\
        def test_pair(assert_ordered, check_that, expect):
            assert_ordered((1, 2))
            check_that((1, 2))
            expect((1, 2))
        """,
        "info",
    ),
)
