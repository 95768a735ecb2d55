"""Which calls and statements are assertions, and which of them explain themselves."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates.model.suite.assertion_names import (
    message_position,
    names_expectation,
    names_opaque,
    names_raising,
)
from socrates.model.suite.assertions import Assertion

OpenModule = Callable[..., FileContext]
AssertionsOf = Callable[..., list[Assertion]]


@pytest.fixture
def assertions_of(open_module: OpenModule) -> AssertionsOf:
    """The assertions of a test with this body, in a module that starts with ``head``."""

    def find(body: str, head: str = "", extra: tuple[str, ...] = ()) -> list[Assertion]:
        text = f"{head}\n\ndef test_it(thing, subtests):\n{indent(body, '    ')}\n"
        file = open_module(text)
        return file.assertions(file.tests[0], extra)

    return find


@pytest.fixture
def methods_of(open_module: OpenModule) -> AssertionsOf:
    """The assertions of a unittest method with this body."""

    def find(body: str, bases: str = "unittest.TestCase", rest: str = "") -> list[Assertion]:
        text = (
            f"import unittest\n{rest}\n\nclass ThingTest({bases}):\n"
            f"    def test_it(self):\n{indent(body, '        ')}\n"
        )
        file = open_module(text)
        return file.assertions(file.tests[0])

    return find


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("assert thing", "assert"),
        ("pytest.raises(ValueError)", "raises"),
        ("pytest.deprecated_call()", "raises"),
        ("pytest.fail('no')", "fail"),
        ("thing.assert_called_once_with(1)", "mock"),
        ("assert_that(thing)", "named"),
        ("expect(thing)", "named"),
        ("thing.check_that(1)", "named"),
        ("_assert_sorted(thing)", "named"),
        ("eq_(thing, 1)", "named"),
    ],
)
def test_counts(body: str, kind: str, assertions_of: AssertionsOf) -> None:
    head = "import pytest\nfrom nose.tools import eq_\n"
    assert [found.kind for found in assertions_of(body, head)] == [kind]


@pytest.mark.parametrize(
    "body",
    [
        "thing.verify()",
        "expected(thing)",
        "assertions_of(thing)",
        "raise AssertionError('no')",
        "thing.fail()",
        "x = 1",
    ],
)
def test_is_no_assertion(body: str, assertions_of: AssertionsOf) -> None:
    assert assertions_of(body) == []


@pytest.mark.parametrize(
    ("body", "explained"),
    [
        ("assert thing, 'why'", True),
        ("pytest.fail()", False),
        ("pytest.fail(reason='why')", True),
        ("assert_allclose(thing, 1, err_msg='why')", True),
        ("assert_equal(thing, 1, 'why')", True),
        ("assert_equal(thing, 1, None)", False),
        ("assert_that(thing, 'what it is')", True),
        ("assert_that(thing, equal_to(1))", False),
        ("assert_that(thing, equal_to(1), 'why')", True),
        ("with subtests.test(msg='why'):\n    assert thing", True),
        ("with thing.test():\n    assert thing", False),
    ],
)
def test_explained(body: str, explained: bool, assertions_of: AssertionsOf) -> None:
    assert [a.explained for a in assertions_of(body, "import pytest")] == [explained]


@pytest.mark.parametrize(
    ("body", "explained"),
    [
        ("self.assertEqual(1, 2)", False),
        ("self.assertEqual(1, 2, 'why')", True),
        ("self.assertAlmostEqual(1, 2, 3)", False),
        ("self.assertAlmostEqual(1, 2, 3, 'why')", True),
        ("self.assertIsNone(1, msg='why')", True),
        ("self.assertRaises(ValueError)", True),
        ("self.failureResultOf(1)", True),
        ("self.fail()", False),
        ("self.fail('why')", True),
        ("self.failUnless(1)", False),
        ("self.failUnless(1, 'why')", True),
        ("with self.subTest():\n    self.failUnless(1)", True),
        ("with self.subTest():\n    self.assertEqual(1, 2)", True),
    ],
)
def test_explained_method(body: str, explained: bool, methods_of: AssertionsOf) -> None:
    assert [found.explained for found in methods_of(body)] == [explained]


@pytest.mark.parametrize(
    ("body", "opaque"),
    [
        ("self.assertTrue(1)", True),
        ("self.assertFalse(1)", True),
        ("self.failUnless(1)", True),
        ("self.assertEqual(1, 1)", False),
        ("assert all([1])", True),
        ("assert not any([1])", True),
        ("assert 1 == 1", False),
    ],
)
def test_opaque(body: str, opaque: bool, methods_of: AssertionsOf) -> None:
    assert [found.opaque for found in methods_of(body)] == [opaque]


def test_raises_under_another_name(assertions_of: AssertionsOf) -> None:
    found = assertions_of("with fails(ValueError):\n    pass", "from pytest import raises as fails")
    assert [assertion.kind for assertion in found] == ["raises"]


def test_imported_raises(assertions_of: AssertionsOf) -> None:
    found = assertions_of("with raises(ValueError):\n    pass", "from pytest import raises")
    assert [assertion.kind for assertion in found] == ["raises"]


def test_nested_function_counts_as_written_and_not_as_called(assertions_of: AssertionsOf) -> None:
    body = "def inner():\n    assert thing\n\ninner()\ninner()"
    assert len(assertions_of(body)) == 1


def test_helper_that_calls_an_asserting_helper(assertions_of: AssertionsOf) -> None:
    head = "def one(x):\n    assert x\n\ndef two(x):\n    one(x)\n"
    assert [a.kind for a in assertions_of("two(thing)", head)] == ["helper"]


def test_helpers_that_call_each_other_end(assertions_of: AssertionsOf) -> None:
    head = "def one(x):\n    two(x)\n\ndef two(x):\n    one(x)\n"
    assert assertions_of("two(thing)", head) == []


def test_named_helper_uses_its_definition(assertions_of: AssertionsOf) -> None:
    head = "def assert_three(a, b, c):\n    assert a == b == c\n"
    assert [a.explained for a in assertions_of("assert_three(1, 1, 1)", head)] == [False]


def test_asserting_helper_inside_an_assertion(assertions_of: AssertionsOf) -> None:
    head = "def checked(x):\n    assert x\n    return x\n"
    kinds = [a.kind for a in assertions_of("assert checked(thing) == 1", head)]
    assert kinds == ["assert", "helper"]


def test_method_inside_an_assertion_is_none_of_its_own(assertions_of: AssertionsOf) -> None:
    assert len(assertions_of("assert thing.assert_called() is None")) == 1


def test_expectation_that_asserts_nothing(assertions_of: AssertionsOf) -> None:
    head = "def expects_pair(x):\n    return len(x) == 2\n"
    assert assertions_of("expects_pair(thing)", head) == []


def test_function_of_the_user(assertions_of: AssertionsOf) -> None:
    assert len(assertions_of("thing.shows(1)", extra=("shows",))) == 1


def test_method_of_a_base_class_in_the_module(methods_of: AssertionsOf) -> None:
    base = "class Base(unittest.TestCase):\n    def check(self, x):\n        self.assertTrue(x)\n"
    assert [a.kind for a in methods_of("self.check(1)", "Base", base)] == ["helper"]


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("assertTrue", 1),
        ("assert_equal", 2),
        ("assertAlmostEqual", 3),
        ("assertThat", 2),
        ("assertSomething", None),
    ],
)
def test_position_of_the_message(name: str, position: int | None) -> None:
    assert message_position(name) == position


@pytest.mark.parametrize(
    ("name", "raising"),
    [("assertRaisesRegex", True), ("assertLogs", True), ("assertDialogsEqual", False)],
)
def test_names_of_raising_assertions(name: str, raising: bool) -> None:
    assert names_raising(name) is raising


@pytest.mark.parametrize(
    ("name", "expects"),
    [("expect_call", True), ("check_that", True), ("expected_call", False), ("check", False)],
)
def test_names_of_expectations(name: str, expects: bool) -> None:
    assert names_expectation(name) is expects


NAMES = {
    1: "assertTrue assertFalse assertIsNone assertIsNotNone assert_ assertEmpty assertNotEmpty "
    "failUnless failIf assert_true assert_is_none",
    2: "assertEqual assertNotEqual assertEquals assertIs assertIsNot assertIn assertNotIn "
    "assertGreaterEqual assertLess assertListEqual assertDictContainsSubset assertCountEqual "
    "failUnlessEqual failIfEqual assert_equal assertRegex assertIsInstance assertArrayEqual",
    3: "assertAlmostEqual assertNotAlmostEqual assertAlmostEquals assertNotAlmostEquals "
    "assertApproximates assertBetween failUnlessAlmostEqual assert_almost_equal",
    None: "assertRaises assertEverything assertEqualish check",
}


@pytest.mark.parametrize(
    ("name", "position"),
    [(name, position) for position, names in NAMES.items() for name in names.split()],
)
def test_place_of_the_message(name: str, position: int | None) -> None:
    assert message_position(name) == position


@pytest.mark.parametrize(
    ("name", "raising"),
    [
        *((f"assert_{word}", True) for word in "raise raises raised warn warns warning".split()),
        *((f"assert_{word}", True) for word in "warnings logs throws failure deprecated".split()),
        ("assertRaisesRegex", True),
        ("assertWARNS", True),
        ("assert_praises", False),
        ("assertEqual", False),
    ],
)
def test_name_of_an_assertion_about_an_exception(name: str, raising: bool) -> None:
    assert names_raising(name) is raising


@pytest.mark.parametrize(
    ("name", "opaque"),
    [
        *((name, True) for name in "assertTrue assertFalse assert_ failUnless failIf".split()),
        ("assert_true", True),
        ("assertIsNone", False),
    ],
)
def test_name_of_an_assertion_that_shows_no_values(name: str, opaque: bool) -> None:
    assert names_opaque(name) is opaque


@pytest.mark.parametrize("name", "raises warns deprecated_call RaisesGroup RaisesExc".split())
def test_every_way_to_expect_an_exception(name: str, assertions_of: AssertionsOf) -> None:
    head = f"import pytest\nfrom pytest import {name}"
    found = assertions_of(f"pytest.{name}(E)\n{name}(E)\npytest.other(E)", head)
    assert [one.kind for one in found] == ["raises", "raises"]


@pytest.mark.parametrize(
    "name", "eq_ ne_ ok_ is_ is_not is_not_ in_ not_in not_in_ le_ is_true is_false".split()
)
@pytest.mark.parametrize("module", ["nose.tools", "sqlalchemy.testing"])
def test_short_names_of_assertions(name: str, module: str, assertions_of: AssertionsOf) -> None:
    head = f"from {module} import {name}\nfrom elsewhere import {name} as other"
    found = assertions_of(f"{name}(thing, 1)\nother(thing, 1)", head)
    assert [one.kind for one in found] == ["named"]


@pytest.mark.parametrize(
    ("inside", "explained"),
    [
        pytest.param("self.fail('why')", True, id="a failure that says why"),
        pytest.param("self.fail()", False, id="a failure that does not"),
        pytest.param("self.assertTrue(x, 'why')", False, id="a message that is always the same"),
        pytest.param("self.assertRaises(ValueError, x)", True, id="an expected error"),
    ],
)
def test_helper_that_names_the_cause(inside: str, explained: bool, open_module) -> None:
    text = (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n"
        f"    def check(self, x):\n        {inside}\n\n    def test_it(self):\n        self.check(1)\n"
    )
    file = open_module(text)
    assert [one.explained for one in file.assertions(file.tests[0], ())] == [explained]


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        pytest.param("", "assert_called(thing)", ["named"], id="function called like a mock's"),
        pytest.param("import trio", "trio.testing.RaisesGroup(E)", ["raises"], id="of trio"),
        pytest.param("import trio", "trio.testing.RaisesExc(E)", ["raises"], id="one of trio"),
        pytest.param("import trio", "trio.raises(E)", [], id="raises of another library"),
        pytest.param(
            "", "assert_that(thing.assert_called())", ["named"], id="call inside an assertion"
        ),
        pytest.param(
            "def run(x):\n    def inner():\n        assert x\n    inner()",
            "run(thing)",
            ["helper"],
            id="helper that calls its inner function",
        ),
        pytest.param(
            "def run(x):\n    def inner():\n        assert x\n    x.each(inner)",
            "run(thing)",
            ["helper"],
            id="helper that hands it on",
        ),
        pytest.param(
            "def run(x):\n    def inner():\n        assert x\n    x.each(to=inner)",
            "run(thing)",
            ["helper"],
            id="helper that hands it on by keyword",
        ),
        pytest.param(
            "def run(x):\n    def inner():\n        assert x\n    return inner",
            "run(thing)",
            [],
            id="helper that only defines it",
        ),
        pytest.param(
            "def run(x):\n    class Inner:\n        def one(self):\n            assert x\n    Inner()",
            "run(thing)",
            [],
            id="helper that defines a class",
        ),
        pytest.param(
            "def run(x):\n    def inner():\n        assert x\n    assert x",
            "run(thing)",
            ["helper"],
            id="assertion after what is only defined",
        ),
    ],
)
def test_what_counts(head: str, body: str, found: list[str], assertions_of: AssertionsOf) -> None:
    assert [one.kind for one in assertions_of(body, head)] == found


@pytest.mark.parametrize(
    ("head", "body", "explained"),
    [
        pytest.param(
            "import pytest\ndef assert_equal(a, b):\n    pytest.fail('why')",
            "assert_equal(1, 2)",
            False,
            id="known name is not looked into",
        ),
        pytest.param(
            "import pytest\ndef assert_equal(a, b, c):\n    pytest.fail('why')",
            "assert_equal(1, 2, 3)",
            True,
            id="known name with more arguments is",
        ),
        pytest.param(
            "def assert_odd(x):\n    pass", "assert_odd(thing)", False, id="helper without any"
        ),
        pytest.param(
            "def check(x, msg=None):\n    assert x, msg",
            "check(thing, 'why')",
            True,
            id="message handed to a helper",
        ),
        pytest.param(
            "def check(x, msg=None):\n    assert x, msg or 'no'",
            "check(thing, msg='why')",
            True,
            id="message handed on with a default",
        ),
        pytest.param(
            "def check(x, msg=None):\n    assert x, msg",
            "check(thing)",
            False,
            id="no message handed to a helper",
        ),
        pytest.param(
            "def check(x, y):\n    assert x, y.why", "check(thing, 1)", False, id="made by a helper"
        ),
        pytest.param("", "assert_(thing, 'why')", False, id="unknown function called assert_"),
    ],
)
def test_which_are_explained(
    head: str, body: str, explained: bool, assertions_of: AssertionsOf
) -> None:
    assert [one.explained for one in assertions_of(body, head)] == [explained]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        pytest.param("self.assert_called(1)", "unittest", id="on the test case"),
        pytest.param("self.mock.assert_called(1)", "mock", id="on a mock of the test case"),
        pytest.param("def inner():\n    self.assertEqual(1, 2)", "unittest", id="nested"),
        pytest.param("def inner(self):\n    cls.assertEqual(1, 2)", "unittest", id="of a class"),
        pytest.param("other.assertEqual(1, 2)", "named", id="on another object"),
        pytest.param("self.failUnlessEqual(1, 2)", "unittest", id="old name"),
        pytest.param("self.failUnlessRaises(E)", "raises", id="old name of an error"),
        pytest.param("self.failIf(1)", "unittest", id="old negation"),
    ],
)
def test_kind_of_a_method(body: str, kind: str, methods_of: AssertionsOf) -> None:
    assert [one.kind for one in methods_of(body)] == [kind]
