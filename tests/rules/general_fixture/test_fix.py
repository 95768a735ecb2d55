"""SOC104: what nobody uses is dropped, as long as nothing can notice."""

from __future__ import annotations

from textwrap import dedent

import pytest

HEAD = """\
import pytest


@pytest.fixture
def number():
    return 3


@pytest.fixture
def effect(monkeypatch):
    monkeypatch.setenv("A", "1")
    yield


"""


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(
            "@pytest.fixture(params=[1, 2])\ndef many(request):\n    return request.param\n\n\n"
            "def test_it(many):\n    assert True\n",
            id="a fixture that runs the test twice",
        ),
        pytest.param(
            "def test_it(\n    number,  # for later\n):\n    assert True\n", id="a comment on it"
        ),
        pytest.param(
            "def test_it(number):\n    assert True\n\n\ndef test_all():\n    test_it(3)\n",
            id="somebody calls the test",
        ),
        pytest.param(
            "def pytest_generate_tests(metafunc):\n    assert 'number' in metafunc.fixturenames\n\n\n"
            "def test_it(number):\n    assert True\n",
            id="a hook that looks at it",
        ),
        pytest.param(
            "import functools\n\n\ndef twice(f):\n    @functools.wraps(f)\n"
            "    def run(number):\n        f(number)\n    return run\n\n\n"
            "@twice\ndef test_it(number):\n    assert True\n",
            id="a decorator that passes it on",
        ),
    ],
)
def test_left_alone(fix_text, test: str) -> None:
    fixed = fix_text(HEAD + test, "SOC104")
    assert (fixed.text, bool(fixed.before)) == (HEAD + test, True)


SETUP = """\
import unittest


class TestX(unittest.TestCase):
    def setUp(self):
        self.a = []  # read below
        self.b = {}

    def test_a(self):
        self.assertEqual(self.a, [])
"""


class TestSetUp:
    @pytest.mark.parametrize(
        ("value", "files"),
        [
            pytest.param("open('x')", {}, id="a call with an effect"),
            pytest.param("{}  # why", {}, id="a comment on it"),
            pytest.param("Shop()", {}, id="an unknown class"),
            pytest.param("enumerate(self)", {}, id="something handed the test itself"),
            pytest.param("local", {}, id="a local name that would be left unused"),
            pytest.param("unittest.mock", {}, id="an attribute that may be computed"),
            pytest.param(
                "{}",
                {
                    "test_more.py": "from test_example import TestX\n\n\nclass TestY(TestX):\n    pass\n"
                },
                id="somebody inherits",
            ),
        ],
    )
    def test_left_alone(self, fix_text, value: str, files: dict[str, str]) -> None:
        text = SETUP.replace("{}", value)
        fixed = fix_text(text, "SOC104", files)
        assert (fixed.text, bool(fixed.before)) == (text, True)

    def test_attribute_that_others_read_by_name_stays(self, fix_text) -> None:
        text = SETUP + dedent("""\

            def helper(test):
                return getattr(test, "b")
            """)
        fixed = fix_text(text, "SOC104")
        assert (fixed.text, bool(fixed.before)) == (text, True)

    @pytest.mark.parametrize(
        "more",
        [
            pytest.param("b = property(print, print)", id="a property takes it"),
            pytest.param(
                "def __setattr__(self, name, value):\n        print(name)", id="every store is seen"
            ),
            pytest.param(
                "def look(self):\n        return helper(self)", id="the test is handed on whole"
            ),
        ],
    )
    def test_class_that_may_look_at_it(self, fix_text, more: str) -> None:
        text = f"{SETUP}\n    {more}\n"
        fixed = fix_text(text, "SOC104", unsafe=False)
        assert fixed.text == text

    def test_import_that_nothing_else_uses_keeps_it(self, fix_text) -> None:
        text = SETUP.replace("import unittest", "import datetime\nimport unittest")
        text = text.replace("{}", "datetime.date(2020, 1, 1)")
        fixed = fix_text(text, "SOC104")
        assert (fixed.text, bool(fixed.before)) == (text, True)
