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


def test_unused_parameter_goes(fix_text) -> None:
    fixed = fix_text(
        f"{HEAD}def test_it(number):  # why\n    assert True\n", "SOC104", unsafe=False
    )
    assert fixed.text == f"{HEAD}def test_it():  # why\n    assert True\n"


def test_finding_goes_with_it(fix_text) -> None:
    fixed = fix_text(f"{HEAD}def test_it(number):\n    assert True\n", "SOC104", unsafe=False)
    assert ([f.code for f in fixed.before], fixed.after) == (["SOC104"], ())


def test_effect_is_requested_by_mark(fix_text) -> None:
    fixed = fix_text(f"{HEAD}def test_it(effect, number):\n    assert True\n", "SOC104")
    expected = '@pytest.mark.usefixtures("effect")\ndef test_it():\n    assert True\n'
    assert fixed.text == HEAD + expected


def test_parameters_on_lines_of_their_own(fix_text) -> None:
    text = f"{HEAD}def test_it(\n    tmp_path,\n    number,\n):\n    assert tmp_path\n"
    fixed = fix_text(text, "SOC104")
    assert fixed.text == f"{HEAD}def test_it(\n    tmp_path,\n):\n    assert tmp_path\n"


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
    def test_unread_attribute_goes(self, fix_text) -> None:
        fixed = fix_text(SETUP.replace("{}", '{"x": 1}'), "SOC104", unsafe=False)
        assert fixed.text == SETUP.replace("        self.b = {}\n", "")

    def test_set_up_goes_when_nothing_is_left(self, fix_text) -> None:
        text = SETUP.replace("        self.a = []  # read below\n", "").replace("self.a,", "[],")
        fixed = fix_text(text, "SOC104", unsafe=False)
        start = "import unittest\n\n\nclass TestX(unittest.TestCase):\n"
        assert fixed.text == f"{start}    def test_a(self):\n        self.assertEqual([], [])\n"

    def test_record_without_effects_goes(self, fix_text) -> None:
        shop = "class Cart:\n    def __init__(self, owner):\n        self.owner = owner\n"
        text = SETUP.replace("{}", 'Cart("me")').replace(
            "unittest\n\n", "unittest\nfrom shop import Cart\n\n", 1
        )
        fixed = fix_text(text, "SOC104", {"shop.py": shop}, unsafe=False)
        assert "self.b" not in fixed.text

    @pytest.mark.parametrize(
        ("value", "files"),
        [
            pytest.param("open('x')", {}, id="a call with an effect"),
            pytest.param("{}  # why", {}, id="a comment on it"),
            pytest.param("Shop()", {}, id="an unknown class"),
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
