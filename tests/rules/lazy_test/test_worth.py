"""Which clones a table would improve, and what the message says that they are about."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.lazy_test.rule import LazyTest

OpenModule = Callable[..., FileContext]

HEAD = "import unittest\nimport texts\nfrom texts import Reader, shorten, widen\n\n"
TEXTS = """\
class Reader:
    def feed(self, text):
        self.text = text
        return [text]
    def flush(self):
        return [self.text]
    def leave(self):
        self.text = None
def shorten(text): return text[:5]
def widen(*text): return text
A = B = C = D = E = 1
"""


def severities(open_module: OpenModule, bodies: list[str], *, unittest: bool = False) -> set[str]:
    """How heavy the findings of tests with these bodies are."""
    tests = "".join(
        f"def test_{number}({'self' if unittest else ''}):\n{indent(dedent(body), '    ')}\n\n"
        for number, body in enumerate(bodies)
    )
    if unittest:
        tests = f"class ShortenTest(unittest.TestCase):\n{indent(tests, '    ')}"
    file = open_module({"texts.py": TEXTS, "test_texts.py": HEAD + tests}, "test_texts.py")
    return {finding.severity.value for finding in LazyTest().check(file)}


def one_line(number: int) -> str:
    return f"self.assertEqual(shorten('{number}'), '{number}')\n"


def two_lines(number: int) -> str:
    return f"text = shorten('{number}')\nself.assertEqual(text, '{number}')\n"


def three_lines(number: int) -> str:
    return f"{two_lines(number)}self.assertTrue(text)\n"


@pytest.mark.parametrize(
    ("body", "tests", "severity"),
    [
        pytest.param(one_line, 5, "info", id="five of one line"),
        pytest.param(one_line, 6, "warning", id="six of one line"),
        pytest.param(two_lines, 5, "info", id="five of two lines"),
        pytest.param(two_lines, 6, "warning", id="six of two lines"),
        pytest.param(three_lines, 3, "warning", id="three of three lines"),
    ],
)
def test_short_tests_of_unittest(
    body: Callable[[int], str], tests: int, severity: str, open_module: OpenModule
) -> None:
    bodies = [body(number) for number in range(tests)]
    assert severities(open_module, bodies, unittest=True) == {severity}


@pytest.mark.parametrize(
    ("bodies", "severity"),
    [
        pytest.param(
            [f"found = widen({n}, 1, 2)\nassert found[{n}] == 'x{n}'" for n in range(3)],
            "warning",
            id="two columns",
        ),
        pytest.param(
            [
                f"found = widen({n})\nassert found['a{n}']['b{n}']['c{n}'] == 'x{n}'"
                for n in range(3)
            ],
            "info",
            id="five columns",
        ),
        pytest.param(
            [f"found = widen('{n}')\nassert found['{n}']['{n}']['{n}'] == '{n}'" for n in range(3)],
            "warning",
            id="one value in five places",
        ),
        pytest.param(
            [
                f"found = widen({n}, 'a{n}', 'b{n}')\nassert found\nassert found == 'c{n}'"
                for n in range(3)
            ],
            "warning",
            id="four columns for three statements",
        ),
        pytest.param(
            [f"v{n} = widen(texts.{n})\nassert v{n} == 'x{n}'" for n in "ABC"],
            "warning",
            id="names of the test's own",
        ),
    ],
)
def test_columns_of_a_table(bodies: list[str], severity: str, open_module: OpenModule) -> None:
    assert severities(open_module, bodies) == {severity}


@pytest.mark.parametrize(
    ("bodies", "severity"),
    [
        pytest.param(
            [f"# This is case {n}.\nassert shorten('{n}') == '{n}'" for n in range(3)],
            "info",
            id="comments of their own",
        ),
        pytest.param(
            [f"# This is it.\nassert shorten('{n}') == '{n}'" for n in range(3)],
            "warning",
            id="the same comment",
        ),
        pytest.param(
            [f"# {n}\nassert shorten('{n}') == '{n}'" for n in range(3)],
            "warning",
            id="comments of one word",
        ),
        pytest.param(
            [f"import part_{n} as part\nassert shorten(part.TEXT) == '{n}'" for n in range(3)],
            "info",
            id="imports of their own",
        ),
        pytest.param(
            [f"import part\nassert shorten(part.TEXT) == '{n}'" for n in range(3)],
            "warning",
            id="the same import",
        ),
        pytest.param(
            [f"assert shorten('{n}') == '{n}'\n" * 3 for n in range(3)],
            "info",
            id="tables of three rows",
        ),
        pytest.param(
            [f"assert shorten('{n}') == '{n}'\n" * 2 for n in range(3)],
            "warning",
            id="two rows",
        ),
    ],
)
def test_what_a_table_has_no_column_for(
    bodies: list[str], severity: str, open_module: OpenModule
) -> None:
    assert severities(open_module, bodies) == {severity}


HELPERS = """\
def assert_left(reader, text):
    reader.leave()
    assert text

def feed_all(chunks):
    reader = Reader()
    lines = [line for chunk in chunks for line in reader.feed(chunk)]
    return [*lines, *reader.flush()]

def check_left(reader):
    reader.leave()
    assert reader.text is None

"""
LEFT = "reader = Reader()\nlines = reader.feed('{n}')\nassert_left(reader, lines)\n"
FED = "lines = feed_all('{n}')\nassert lines == ['{n}']\n"
UNKNOWN = "reader = Reader()\nlines = [*reader.made_up('{n}')]\ncheck_left(reader)\n"
SHOWN = "reader = Reader()\nreader.feed('{n}')\nassert reader.flush() == ['{n}']\n"


@pytest.mark.parametrize(
    ("name", "body", "about"),
    [
        pytest.param("it", LEFT, "feed() of Reader", id="act before the helper"),
        pytest.param("it", FED, "feed() of Reader", id="act that names the helper"),
        pytest.param("it", UNKNOWN, "Reader", id="no act that is known"),
        pytest.param("feed", SHOWN, "feed() of Reader", id="act that names the test"),
        pytest.param("it", SHOWN, "flush() of Reader", id="act that was looked at"),
    ],
)
def test_method_that_is_named(name: str, body: str, about: str, open_module: OpenModule) -> None:
    tests = "".join(
        f"def test_{name}_{n}():\n{indent(body.replace('{n}', str(n)), '    ')}\n" for n in range(3)
    )
    files = {"texts.py": TEXTS, "test_reader.py": HEAD + HELPERS + tests}
    found = list(LazyTest().check(open_module(files, "test_reader.py")))
    told = {finding.message.partition(" test_")[0] for finding in found}
    assert told == {f"tests {about} as a clone of"}


def named(*names: str) -> str:
    return "\n\n".join(
        f"def test_{name}():\n    assert shorten('{name}') == '{name}'" for name in names
    )


@pytest.mark.parametrize(
    ("tests", "severity"),
    [
        pytest.param(named(*"abcde"), "info", id="five with telling names"),
        pytest.param(named(*"abcdef"), "warning", id="six of them"),
        pytest.param(named("1", "2", "3"), "warning", id="three with numbers"),
    ],
)
def test_short_tests_of_pytest(tests: str, severity: str, open_module: OpenModule) -> None:
    file = open_module({"texts.py": TEXTS, "test_texts.py": HEAD + tests}, "test_texts.py")
    assert {finding.severity.value for finding in LazyTest().check(file)} == {severity}


def test_tests_that_call_other_methods_are_no_clones(open_module: OpenModule) -> None:
    bodies = [
        f"found = shorten('x')\nassert found\nassert box.{name}(found)"
        for name in ("opened", "closed", "locked")
    ]
    assert severities(open_module, bodies) == {"info"}
