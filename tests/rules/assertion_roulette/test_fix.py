"""SOC101: assertions that show no values become ones that do, where the method is known."""

from __future__ import annotations

import pytest

CASE = """\
import unittest


class PairTest(unittest.TestCase):
    def test_pair(self):
        {first}
        {second}
"""
NONE_LEFT = "self.assertEqual(1, 1)"


def case(first: str, second: str = NONE_LEFT) -> str:
    """A test of unittest with two assertions."""
    return CASE.format(first=first, second=second)


SAFE = {
    "assertTrue(a in b)": "assertIn(a, b)",
    "assertTrue(a not in b)": "assertNotIn(a, b)",
    "assertTrue(a is b)": "assertIs(a, b)",
    "assertTrue(a is not b)": "assertIsNot(a, b)",
    "assertTrue(a is None)": "assertIsNone(a)",
    "assertTrue(a is not None)": "assertIsNotNone(a)",
    "assertTrue(a == b)": "assertEqual(a, b)",
    "assertTrue(a != b)": "assertNotEqual(a, b)",
    "assertTrue(a < b)": "assertLess(a, b)",
    "assertTrue(a <= b)": "assertLessEqual(a, b)",
    "assertTrue(a > b)": "assertGreater(a, b)",
    "assertTrue(a >= b)": "assertGreaterEqual(a, b)",
    "assertTrue(isinstance(a, B))": "assertIsInstance(a, B)",
    "assertTrue(not isinstance(a, B))": "assertNotIsInstance(a, B)",
    "assertTrue(not a in b)": "assertNotIn(a, b)",
    "assertFalse(a in b)": "assertNotIn(a, b)",
    "assertFalse(a not in b)": "assertIn(a, b)",
    "assertFalse(a is b)": "assertIsNot(a, b)",
    "assertFalse(a is None)": "assertIsNotNone(a)",
    "assertFalse(isinstance(a, B))": "assertNotIsInstance(a, B)",
    "assertTrue((a or b) in (c, d))": "assertIn(a or b, (c, d))",
    "assertTrue((x := a) in b)": "assertIn((x := a), b)",
    "assertTrue((a.b(c)) == await_)": "assertEqual(a.b(c), await_)",
}
UNSAFE = {
    "assertFalse(a == b)": "assertNotEqual(a, b)",
    "assertFalse(a != b)": "assertEqual(a, b)",
    "assertTrue(not a == b)": "assertNotEqual(a, b)",
}
KEPT = (
    "assertTrue(a)",
    "assertFalse(a < b)",
    "assertTrue(a < b < c)",
    "assertTrue(a or b)",
    "assertTrue(any(a in b for a in c))",
    "assertTrue(all(f(a) for a in c))",
    "assertTrue(all(a in b for a in c if a))",
    "assertTrue(hasattr(a, 'b'))",
    "assertTrue(*a)",
    "assertTrue(expr=a in b)",
    "assertTrue(a in b)  # type: ignore[operator]",
    "assertTrue(a in b)  # noqa: PT009",
    "assertTrue(a in b)  # pragma: no cover",
    "assertTrue(a in b); self.assertTrue(a in c)",
    "assertTrue(  # why\n            a in b\n        )",
    "assertTrue(a in b) or self.assertTrue(a in c)",
    "assertTrue('''a\nb''' in c)",
    "assertTrue(a + f(\n            b,\n        ) in c)",
)


@pytest.mark.parametrize(("old", "new"), SAFE.items())
def test_method_that_compares_alike_is_safe(fix_text, old: str, new: str) -> None:
    fixed = fix_text(case(f"self.{old}  # why"), "SOC101", unsafe=False)
    assert fixed.text == case(f"self.{new}  # why")


@pytest.mark.parametrize(("old", "new"), UNSAFE.items())
@pytest.mark.parametrize("unsafe", [False, True])
def test_equality_that_is_asked_the_other_way_is_unsafe(
    fix_text, old: str, new: str, unsafe: bool
) -> None:
    fixed = fix_text(case(f"self.{old}"), "SOC101", unsafe=unsafe)
    assert fixed.text == case(f"self.{new if unsafe else old}")


BROKEN = "self.assertTrue(a in f(\n            b,\n        ))"


def test_call_that_stays_broken_is_taken_as_it_is(fix_text) -> None:
    fixed = fix_text(case(BROKEN), "SOC101")
    assert fixed.text == case("self.assertIn(a, f(\n            b,\n        ))")


def test_call_that_stays_broken_is_left_to_a_formatter(fix_text) -> None:
    settings = {"ruff.toml": "[format]\n"}
    assert fix_text(case(BROKEN), "SOC101", settings).text == case(BROKEN)


def test_comment_without_room_is_left_to_a_formatter(fix_text) -> None:
    text = case(f"self.assertTrue(a != b)  # {'w' * 56}")
    assert fix_text(text, "SOC101", {"ruff.toml": "[format]\n"}).text == text


def test_comment_with_room_is_kept_beside_a_formatter(fix_text) -> None:
    text = case(f"self.assertTrue(a != b)  # {'w' * 45}")
    fixed = fix_text(text, "SOC101", {"ruff.toml": "[format]\n"})
    assert fixed.text == text.replace("assertTrue(a != b)", "assertNotEqual(a, b)")


def test_assertion_of_another_object(fix_text) -> None:
    text = case("other.assertTrue(a in b)")
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


def test_class_that_is_none_of_unittest(fix_text) -> None:
    text = case("self.assertTrue(a in b)").replace("PairTest(unittest.TestCase)", "TestPair")
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


@pytest.mark.parametrize("call", KEPT)
def test_kept(fix_text, call: str) -> None:
    text = case(f"self.{call}")
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


HEADS = {
    "a base of others": "from testtools import TestCase\n\n\nclass PairTest(TestCase):",
    "a base that can't be found": "import unittest\n\n\nclass PairTest(Mixin, unittest.TestCase):",
    "a method of the tests' own": (
        "import unittest\n\n\nclass Own(unittest.TestCase):\n"
        "    def assertIn(self, one, other):\n        raise ValueError\n\n\nclass PairTest(Own):"
    ),
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_class_whose_methods_are_not_known(fix_text, head: str) -> None:
    body = "\n    def test_pair(self):\n        self.assertTrue(1 in [1])\n        self.assertIs(1, 1)\n"
    fixed = fix_text(head + body, "SOC101")
    assert fixed.text == head + body


def test_known_base_in_another_module(fix_text) -> None:
    base = "import unittest\n\n\nclass Base(unittest.TestCase):\n    pass\n"
    text = case("self.assertTrue(1 in a)").replace("import unittest", "from base import Base")
    text = text.replace("unittest.TestCase", "Base")
    fixed = fix_text(text, "SOC101", {"base.py": base})
    assert fixed.text == text.replace("assertTrue(1 in a)", "assertIn(1, a)")


def test_type_that_the_tests_compare_in_their_way(fix_text) -> None:
    text = case(
        "self.assertTrue(a == b)", "self.addTypeEqualityFunc(int, print) or self.assertIs(1, 1)"
    )
    fixed = fix_text(text, "SOC101")
    assert fixed.text == text


WATCHED = {
    "expected": "with self.assertRaises(AssertionError):\n            self.assertTrue(a in b)",
    "caught": "try:\n            self.assertTrue(a in b)\n        except AssertionError:\n            pass",
}


@pytest.mark.parametrize("block", WATCHED.values(), ids=WATCHED)
def test_failure_that_the_test_looks_at(fix_text, block: str) -> None:
    text = case(block)
    fixed = fix_text(text, "SOC101")
    assert fixed.text == text


def test_long_call_is_broken_as_a_formatter_does(fix_text) -> None:
    name = "a_rather_long_name_of_some_thing"
    fixed = fix_text(case(f"self.assertTrue({name}.b\n            in {name})"), "SOC101")
    lines = ["self.assertIn(", f"            {name}.b, {name}", "        )"]
    assert fixed.text == case("\n".join(lines))


PYTEST = """\
def test_pair():
    pair = [1, 2]
    {first}
    assert pair[0] == 1
"""
ASSERTS = {
    "assert pair and pair[0]": "assert pair\n    assert pair[0]",
    "assert pair and (pair[0] or pair[1]) and 1  # why": (
        "assert pair\n    assert pair[0] or pair[1]\n    assert 1  # why"
    ),
    "assert (\n        pair\n        and pair[0]\n    )": "assert pair\n    assert pair[0]",
}
LOOPS = {
    "assert all(x > 0 for x in pair)": "for x in pair:\n        assert x > 0",
    "assert all([f(x) for x in pair])": "for x in pair:\n        assert f(x)",
    "assert not any(x in pair for x in pair)": "for x in pair:\n        assert x not in pair",
    "assert not any((x or 1) == 3 for x in pair)": "for x in pair:\n        assert (x or 1) != 3",
    "assert not any(x or y for x, y in pair)": "for x, y in pair:\n        assert not (x or y)",
    "assert all(x for x in pair)  # why": "for x in pair:  # why\n        assert x",
}
PLAIN_KEPT = (
    "assert pair and pair[0]  # noqa: PT018",
    "assert any(x for x in pair)",
    "assert not all(x for x in pair)",
    "assert all(x for x in pair if x)",
    "assert all(x for y in pair for x in y)",
    "assert all(pair for pair in pair)",
    "x = 1\n    assert all(x for x in pair)",
    "assert all((y := x) for x in pair)",
    "assert all(\n        x  # why\n        for x in pair\n    )",
    f"assert all({'x' * 40} > {'y' * 36} for {'x' * 40} in pair)",
)


@pytest.mark.parametrize(("old", "new"), ASSERTS.items())
def test_facts_joined_by_and_are_two_assertions(fix_text, old: str, new: str) -> None:
    fixed = fix_text(PYTEST.format(first=old), "SOC101", unsafe=False)
    assert fixed.text == PYTEST.format(first=new)


@pytest.mark.parametrize(("old", "new"), LOOPS.items())
@pytest.mark.parametrize("unsafe", [False, True])
def test_quantifier_is_a_loop(fix_text, old: str, new: str, unsafe: bool) -> None:
    fixed = fix_text(PYTEST.format(first=old), "SOC101", unsafe=unsafe)
    assert fixed.text == PYTEST.format(first=new if unsafe else old)


@pytest.mark.parametrize("old", PLAIN_KEPT)
def test_plain_assertion_that_is_kept(fix_text, old: str) -> None:
    text = PYTEST.format(first=old)
    fixed = fix_text(text, "SOC101")
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


def test_two_loops_have_one_variable_for_the_same_values(fix_text) -> None:
    text = PYTEST.format(
        first="assert all(x for x in pair)\n    assert not any(x < 0 for x in pair)"
    )
    fixed = fix_text(text, "SOC101")
    assert fixed.text.count("for x in pair:") == 2


def test_second_loop_over_other_values_stays(fix_text) -> None:
    text = PYTEST.format(first="assert all(x for x in pair)\n    assert all(x for x in 'ab')")
    fixed = fix_text(text, "SOC101")
    assert fixed.text.count("for x in pair:\n") == 1
