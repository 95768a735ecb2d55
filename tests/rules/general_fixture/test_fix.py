"""SOC104: what nobody uses is dropped, as long as nothing can notice."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from socrates.fixes.apply import fix_all
from tests.rules.conftest import look

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
        pytest.param(
            "@pytest.fixture\ndef sum(number):\n    return 3\n\n\n"
            "def test_it(sum):\n    assert True\n",
            id="a fixture that requests another of the tests",
        ),
        pytest.param(
            "pytestmark = pytest.mark.parametrize('n', [1])\n\n\n"
            "def test_it(n, number):\n    assert n\n",
            id="parameters that a mark of the module fills in",
        ),
        pytest.param(
            "class TestIt:\n    pytestmark = pytest.mark.parametrize('n', [1])\n\n"
            "    def test_it(self, n, number):\n        assert n\n",
            id="parameters that a mark of the class fills in",
        ),
    ],
)
def test_left_alone(fix_text, test: str) -> None:
    fixed = fix_text(HEAD + test, "SOC104")
    assert (fixed.text, bool(fixed.reasons)) == (HEAD + test, True)


HOOK = "def pytest_generate_tests(metafunc): ...\n"
UNREAD = HEAD + "def test_it(number):\n    assert True\n"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param("conftest.py", 1, id="in the folder of the test"),
        pytest.param("tests/conftest.py", 1, id="beside it"),
        pytest.param("other/conftest.py", 0, id="in another folder"),
    ],
)
def test_hook_of_a_conftest(fix_text, place: str, expected: int) -> None:
    fixed = fix_text("", "SOC104", {"tests/test_more.py": UNREAD, place: HOOK})
    text = (fixed.folder / "tests" / "test_more.py").read_text()
    assert text.count("def test_it(number)") == expected


def test_hook_above_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "conftest.py").write_text(HOOK)
    (project / "pyproject.toml").touch()
    (project / "test_it.py").write_text(UNREAD)
    session, result = look(project, "SOC104")
    fix_all(session, result, unsafe=True)
    assert "def test_it()" in (project / "test_it.py").read_text()


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("def test_it(number, tmp_path):", "def test_it(tmp_path):", id="the first"),
        pytest.param("def test_it(tmp_path, number):", "def test_it(tmp_path):", id="the last"),
        pytest.param(
            "def test_it(*, number, tmp_path):", "def test_it(*, tmp_path):", id="by name"
        ),
        pytest.param("def test_it(tmp_path, *, number):", "def test_it(tmp_path):", id="alone"),
        pytest.param("def test_it(number, /, tmp_path):", "def test_it(tmp_path):", id="by place"),
        pytest.param("def test_it(tmp_path, number, *a):", "def test_it(tmp_path, *a):", id="any"),
        pytest.param(
            "def test_it(number, effect, tmp_path):",
            '@pytest.mark.usefixtures("effect")\ndef test_it(tmp_path):',
            id="an effect right behind it",
        ),
        pytest.param(
            "def test_it(tmp_path, effect):", "def test_it(tmp_path, effect):", id="an effect later"
        ),
        pytest.param(
            "def test_it(_quiet, effect, tmp_path):",
            "def test_it(_quiet, effect, tmp_path):",
            id="behind one that is nobody's business",
        ),
    ],
)
def test_parameters(fix_text, head: str, expected: str) -> None:
    quiet = '@pytest.fixture\ndef _quiet(monkeypatch):\n    monkeypatch.setenv("B", "1")\n\n\n'
    fixed = fix_text(f"{HEAD}{quiet}{head}\n    assert tmp_path\n", "SOC104")
    assert fixed.text == f"{HEAD}{quiet}{expected}\n    assert tmp_path\n"


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
        assert (fixed.text, bool(fixed.reasons)) == (text, True)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            pytest.param("self.a = []  # read below\n        ", '"""Doc."""\n        ', id="doc"),
            pytest.param("self.b = {}", "self.a = 1; self.b = {}", id="a neighbour"),
            pytest.param("self.b = {}", "self.b = {}\n        if 1: self.b = 2", id="in a block"),
            pytest.param("self.b = {}", "self.b, x = {}, 1", id="several targets"),
        ],
    )
    def test_line_that_can_not_go(self, fix_text, old: str, new: str) -> None:
        text = SETUP.replace(old, new).replace("self.a, []", "1, 1")
        fixed = fix_text(text, "SOC104")
        assert fixed.text == text

    def test_set_up_that_is_left_empty_goes(self, fix_text) -> None:
        text = SETUP.replace("        self.a = []  # read below\n", "")
        fixed = fix_text(text.replace("self.a, []", "1, 1"), "SOC104")
        assert "setUp" not in fixed.text

    @pytest.mark.parametrize(
        "above",
        [
            pytest.param("    @print\n", id="a decorator"),
            pytest.param("    # why\n", id="a comment"),
        ],
    )
    def test_set_up_with_more_around_it_stays(self, fix_text, above: str) -> None:
        text = SETUP.replace("        self.a = []  # read below\n", "        # why\n")
        text = text.replace("    def setUp", f"{above}    def setUp").replace("self.a, []", "1, 1")
        assert fix_text(text, "SOC104").text == text

    def test_line_of_a_used_value_stays(self, fix_text) -> None:
        fixed = fix_text(SETUP, "SOC104")
        assert fixed.text == SETUP.replace("        self.b = {}\n", "")

    def test_method_without_self_hands_nothing_on(self, fix_text) -> None:
        text = f"{SETUP}\n    @staticmethod\n    def look():\n        return 1\n"
        fixed = fix_text(text, "SOC104")
        assert fixed.text == text.replace("        self.b = {}\n", "")

    def test_name_in_a_text_is_read(self, fix_text) -> None:
        text = f"{SETUP}\n\nNAMES = ['b']\n"
        assert fix_text(text, "SOC104").text == text

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            pytest.param("test_more.py", True, id="beside it"),
            pytest.param("node_modules/a.py", False, id="in a folder of others"),
            pytest.param("notes.txt", False, id="in a file that is no code"),
        ],
    )
    def test_class_that_is_named_elsewhere(self, fix_text, name: str, expected: bool) -> None:
        fixed = fix_text(SETUP, "SOC104", {name: "TestX\n"})
        assert ("self.b" in fixed.text) is expected

    @pytest.mark.parametrize(
        "others", ["", "    @staticmethod\n    def helper():\n        pass\n\n"]
    )
    def test_class_that_hands_itself_on_stays(self, fix_text, others: str) -> None:
        text = f"{SETUP}\n{others}    def test_b(self):\n        print(self)\n"
        assert fix_text(text, "SOC104").text == text

    def test_class_may_be_named_in_a_file_that_can_not_be_read(self, fix_text) -> None:
        fixed = fix_text(SETUP, "SOC104", {"test_large.py/more.txt": "no file"})
        assert "self.b" in fixed.text

    def test_attribute_that_others_read_by_name_stays(self, fix_text) -> None:
        text = SETUP + dedent("""\

            def helper(test):
                return getattr(test, "b")
            """)
        fixed = fix_text(text, "SOC104")
        assert (fixed.text, bool(fixed.reasons)) == (text, True)

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
