"""SOC103: clones become the rows of one test."""

from __future__ import annotations

from textwrap import indent

import pytest

MODULE = {"example.py": "def shorten(text, width):\n    return text[:width]\n"}
CLONES = '''\
from example import shorten


def test_small():
    """Fits in."""
    assert shorten("abc", 5) == "abc"


def test_long():
    assert shorten("abcdefgh", 5) == "abcde"


def test_empty():
    assert shorten("", 5) == ""


def test_other():
    assert True
'''


UNITTEST = """\
import unittest

from example import shorten


class ShortenTest(unittest.TestCase):
    def test_shorten_a(self):
        self.assertEqual(shorten("a", 1), "a")

    def test_shorten_b(self):
        self.assertEqual(shorten("bc", 1), "b")

    def test_shorten_c(self):
        self.assertEqual(shorten("", 1), "")
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('5) == "abc"', '5) == "abc"  # type: ignore', id="a comment for another tool"),
        pytest.param("def test_small():", "def test_small():  # fits", id="a comment in a head"),
        pytest.param("def test_long", "# cut\ndef test_long", id="a comment above a clone"),
        pytest.param("    assert True", "    test_small()", id="a clone that is called"),
        pytest.param("def test_long", "@cached\ndef test_long", id="a decorator"),
    ],
)
def test_left_alone(fix_text, old: str, new: str) -> None:
    text = CLONES.replace(old, new)
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


def test_set_up_that_runs_for_each_test_is_kept(fix_text) -> None:
    text = UNITTEST.replace(
        "    def test_shorten_a",
        "    def setUp(self):\n        self.n = 1\n\n    def test_shorten_a",
    )
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


def three(*bodies: str, unittest: bool = False, above: str = "") -> str:
    """A module of tests with these bodies, which are merged unless something is in the way."""
    names = ("first", "second", "third", "fourth")
    if not unittest:
        tests = (
            f"def test_{name}():\n{indent(body, ' ' * 4)}\n"
            for name, body in zip(names, bodies, strict=False)
        )
        return "from example import shorten\n\n\n" + "\n\n".join(tests)
    head = "import unittest\n\nfrom example import shorten\n\n\nclass ShortenTest(unittest.TestCase):\n"
    methods = (
        f"    def test_{name}(self):\n{indent(body, ' ' * 8)}\n"
        for name, body in zip(names, bodies, strict=False)
    )
    return head + above + "\n".join(methods)


def bodies(pattern: str) -> list[str]:
    return [pattern.replace("N", str(number)) for number in (1, 2, 3)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(three(*bodies("assert shorten('abc', N)")), id="functions"),
        pytest.param(
            three(*bodies("self.assertTrue(shorten('abc', N))"), unittest=True), id="methods"
        ),
        pytest.param(
            three(*bodies("assert shorten('abc', N)"), "assert shorten('x' * 9, 1) == 'x'"),
            id="three of four",
        ),
    ],
)
def test_merged(fix_text, text: str) -> None:
    fixed = fix_text(text, "SOC103", MODULE)
    assert ("test_second" in fixed.text, fixed.applied) == (False, ["lazy-test"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(three(*["assert shorten('abc', 1)"] * 3), id="copies of one test"),
        pytest.param(
            three(*bodies("assert shorten('aN', N) == 'bN' != 'cN' != 'dN' != 'eN' != 'fN'")),
            id="more values than a table can show",
        ),
        pytest.param(
            three(*bodies("width = N; assert shorten('abc', width)")),
            id="a variable for the value on a shared line",
        ),
        pytest.param(
            three(*bodies("self.assertTrue(shorten('abc', N))\nreturn"), unittest=True),
            id="methods that return",
        ),
        pytest.param(
            three(
                *bodies("self.text = shorten('abc', N)\nself.assertTrue(self.text)"), unittest=True
            ),
            id="methods that keep something on self",
        ),
        pytest.param(
            three(
                *bodies("self.assertTrue(shorten('abc', N))"),
                unittest=True,
                above="    def tearDown(self):\n        print(1)\n\n",
            ),
            id="methods with clean-up",
        ),
        pytest.param(
            three(*bodies("assert shorten('abc', N)")[:2]), id="two, where three are asked for"
        ),
        pytest.param(
            three(*bodies("assert shorten('abc', N)"))
            + "\n\nclass Later:\n    name = 'test_second'\n",
            id="one that is named in a text",
        ),
    ],
)
def test_not_merged(fix_text, text: str) -> None:
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


def test_comment_of_one_clone_stands_above_its_row(fix_text) -> None:
    fixed = fix_text(CLONES.replace('5) == "abc"', '5) == "abc"  # why'), "SOC103", MODULE)
    assert '        # why\n        pytest.param("abc", "abc", id="small"),\n' in fixed.text


def test_comment_of_all_clones_stays_where_it_is(fix_text) -> None:
    fixed = fix_text(
        CLONES.replace("    assert short", "    # why\n    assert short"), "SOC103", MODULE
    )
    assert "    # why\n    assert shorten(text, 5) == expected\n" in fixed.text


@pytest.mark.parametrize("clone", ["small", "long", "empty"])
def test_clone_that_is_written_the_other_way_round(fix_text, clone: str) -> None:
    expected = {"small": '"abc"', "long": '"abcde"', "empty": '""'}[clone]
    given = {"small": '"abc"', "long": '"abcdefgh"', "empty": '""'}[clone]
    text = CLONES.replace(
        f"shorten({given}, 5) == {expected}", f"{expected} == shorten({given}, 5)"
    )
    fixed = fix_text(text, "SOC103", MODULE)
    row = f'pytest.param({given}, {expected}, id="{clone}")'
    assert (fixed.applied, row in fixed.text) == (["lazy-test"], True)


def test_new_parameters_of_annotated_tests_have_types(fix_text) -> None:
    fixed = fix_text(CLONES.replace("():", "() -> None:"), "SOC103", MODULE)
    assert "def test_shorten(text: str, expected: str) -> None:\n" in fixed.text


def test_annotated_tests_whose_values_have_no_type_in_common(fix_text) -> None:
    text = CLONES.replace("():", "() -> None:").replace('5) == ""', "5) == None")
    assert fix_text(text, "SOC103", MODULE).text == text


@pytest.mark.parametrize("text", [CLONES, UNITTEST], ids=["pytest", "unittest"])
def test_file_that_is_indented_with_tabs_stays_so(fix_text, text: str) -> None:
    fixed = fix_text(text.replace("    ", "\t"), "SOC103", MODULE)
    assert (fixed.applied, "    " in fixed.text) == (["lazy-test"], False)


LONG = "x" * 70
PARAMETRIZED = f"""\
import pytest

from example import shorten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Fits in.
        pytest.param(
            "{LONG}",
            "{LONG}",
            id="small-case",
        ),
        pytest.param("abcdefgh", "abcde", id="long"),
        pytest.param("", "", id="empty"),
    ],
)
def test_shorten(text, expected):
    assert shorten(text, 5) == expected


def test_other():
    assert True
"""
SUBTESTS = f"""\
import unittest

from example import shorten


class ShortenTest(unittest.TestCase):
    def test_shorten(self):
        for case_, text, expected in [
            # First.
            ("a", "a", "a"),
            (
                "b",
                "{LONG}",
                "b",
            ),
            ("c", "", ""),
        ]:
            with self.subTest(case_):
                case = 1
                self.assertEqual(shorten(text, 1), expected)
"""


def test_whole_table_of_a_parametrized_test(fix_text) -> None:
    text = CLONES.replace('"abc"', f'"{LONG}"').replace("test_small", "test_small_case")
    assert fix_text(text, "SOC103", MODULE).text == PARAMETRIZED


def test_whole_loop_over_subtests(fix_text) -> None:
    text = UNITTEST.replace('"bc"', f'"{LONG}"').replace("(self):\n", "(self):\n        case = 1\n")
    text = text.replace("_a(self):\n", '_a(self):\n        """First."""\n')
    assert fix_text(text, "SOC103", MODULE).text == SUBTESTS


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("shorten('a' 'bN', 1)", "            'a'\n            'b2',", id="texts"),
        pytest.param("shorten((N, 2), 1)", "pytest.param((2, 2), id=", id="tuple"),
        pytest.param("shorten('abc', N)", "pytest.param(2, id=", id="number"),
        pytest.param("shorten([\n    N\n], 1)", "2\n", id="list over several lines"),
    ],
)
def test_values_of_a_row(fix_text, pattern: str, expected: str) -> None:
    fixed = fix_text(three(*bodies(f"assert {pattern}")), "SOC103", MODULE)
    assert expected in fixed.text


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("assert shorten([  # why\n    N], 1)", id="a comment in a value"),
        pytest.param("assert shorten('abc', N) == 'x' * 90 + 'y' * 90", id="lines too long"),
    ],
)
def test_value_that_can_not_stand_in_a_table(fix_text, pattern: str) -> None:
    text = three(*bodies(pattern.replace("'x' * 90", f"'{'x' * 90}'")))
    fixed = fix_text(text, "SOC103", MODULE)
    assert (fixed.text == text) is bool(fixed.reasons)
