"""Values traced to where they come from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates_rules.mystery_guest.origin import Known


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        ("'data/a.txt'", Known.FIXED),
        ("os.path.join(os.path.dirname(__file__), 'data')", Known.FIXED),
        ("pathlib.Path(__file__).parent / 'data'", Known.FIXED),
        ("f'{tmp_path}/a.txt'", Known.MANAGED),
        ("str(tmp_path / 'a.txt')", Known.MANAGED),
        ("tempfile.mkdtemp() + '/a'", Known.MANAGED),
        ("':memory:'", Known.MANAGED),
        ("vendor.PATH", Known.UNRESOLVED),
        ("len('abc')", Known.NEUTRAL),
        ("3", Known.NEUTRAL),
        ("os.sep", Known.NEUTRAL),
        ("b'data/a.txt'", Known.FIXED),
        ("'a' if vendor else 'b'", Known.FIXED),
        ("'a' if vendor else tmp_path", Known.MANAGED),
        ("vendor.PATH or 'a'", Known.FIXED),
        ("'a' + vendor.NAME", Known.UNRESOLVED),
        ("'/srv/a' + vendor.NAME", Known.FIXED),
        ("['a', 'b']", Known.FIXED),
        ("('a', tmp_path)", Known.MANAGED),
        ("{'key': 'a'}", Known.FIXED),
        ("{'key': tmp_path}", Known.MANAGED),
        ("(found := 'a')", Known.FIXED),
        ("['a', 'b'][0]", Known.FIXED),
        ("[name for name in ['a']]", Known.FIXED),
        ("[tmp_path / name for name in 'ab']", Known.MANAGED),
        ("list(tmp_path / name for name in 'ab')", Known.MANAGED),
        ("os.path.abspath('a')", Known.FIXED),
        ("not tmp_path", Known.UNKNOWN),
        ("(not vendor).make(tmp_path)", Known.MANAGED),
        ("(not vendor).make('a')", Known.UNKNOWN),
    ],
)
def test_expression(origin_of: Callable[[str], Known], expression: str, known: Known) -> None:
    text = f"""
        import os, pathlib, tempfile, vendor

        def test_it(tmp_path):
            value = {expression}
    """
    assert origin_of(text) is known


@pytest.mark.parametrize(
    ("manager", "known"),
    [
        pytest.param("open('a.txt')", Known.FIXED, id="a file"),
        pytest.param("open(tmp_path / 'a.txt')", Known.MANAGED, id="a file of a fixture"),
        pytest.param("made()", Known.MANAGED, id="a context manager of the project"),
        pytest.param("Made()", Known.MANAGED, id="a class of the project"),
        pytest.param("vendor.made('a.txt')", Known.UNRESOLVED, id="one that cannot be followed"),
    ],
)
def test_what_a_with_statement_gives(
    origin_of: Callable[[str], Known], manager: str, known: Known
) -> None:
    text = f"""
        import contextlib, vendor

        @contextlib.contextmanager
        def made():
            yield "a.txt"

        class Made:
            def __enter__(self):
                return "a.txt"

        def test_it(tmp_path):
            with {manager} as given:
                pass
            value = given
    """
    assert origin_of(text) is known


def test_name_that_builds_on_itself_keeps_its_origin(origin_of: Callable[[str], Known]) -> None:
    text = """
        import os

        def test_it(tmp_path):
            path = tmp_path
            path = os.path.join(path, "a")
            value = path
    """
    assert origin_of(text) is Known.MANAGED


def test_constant_of_another_module(
    origin_of: Callable[[str], Known], write: Callable[[str, str], Path]
) -> None:
    write("paths.py", "DATA = 'data'\n")
    text = """
        from paths import DATA

        def test_it():
            value = DATA + "/a.txt"
    """
    assert origin_of(text) is Known.FIXED


def test_helper_returns_what_it_is_given(origin_of: Callable[[str], Known]) -> None:
    text = """
        def below(folder):
            return folder / "a.txt"

        def test_it(tmp_path):
            value = below(tmp_path)
    """
    assert origin_of(text) is Known.MANAGED


def test_parameter_of_literals(origin_of: Callable[[str], Known]) -> None:
    text = """
        import pytest

        @pytest.mark.parametrize(("count", "name"), [(1, "a.txt"), pytest.param(2, "b.txt")])
        def test_it(count, name):
            value = name
    """
    assert origin_of(text) is Known.FIXED


def test_indirect_parameter_comes_from_a_fixture(origin_of: Callable[[str], Known]) -> None:
    text = """
        import pytest

        @pytest.mark.parametrize("name", ["a.txt"], indirect=True)
        def test_it(name):
            value = name
    """
    assert origin_of(text) is Known.MANAGED


def test_result_of_production_code_is_unknown(
    origin_of: Callable[[str], Known], write: Callable[[str, str], Path]
) -> None:
    write("shop.py", "def where():\n    return 'data'\n")
    text = """
        import shop

        def test_it():
            value = shop.where()
    """
    assert origin_of(text) is Known.UNKNOWN


def test_definitions_in_a_circle_end(origin_of: Callable[[str], Known]) -> None:
    text = """
        def one():
            return two()

        def two():
            return one()

        def test_it():
            value = one()
    """
    assert origin_of(text) is Known.UNKNOWN


def test_set_up_below_the_test_is_found(origin_of) -> None:
    text = (
        "class TestIt:\n    def test_it(self):\n        x = self.path\n\n"
        "    def setup_method(self):\n        self.path = 'a'\n"
    )
    assert origin_of(text) is Known.FIXED


def test_what_another_test_sets_is_not(origin_of) -> None:
    text = (
        "class TestIt:\n    def test_it(self):\n        x = self.path\n\n"
        "    def test_other(self):\n        self.path = 'a'\n"
    )
    assert origin_of(text) is Known.UNKNOWN


@pytest.mark.parametrize(
    ("names", "known"),
    [
        pytest.param("[]\n    names.append(make())", Known.UNKNOWN, id="filled later"),
        pytest.param("['a', 'b']", Known.FIXED, id="written out"),
        pytest.param("range(3)", Known.FIXED, id="numbers"),
    ],
)
def test_text_from_a_loop(origin_of: Callable[[str], Known], names: str, known: Known) -> None:
    text = f"def test_it():\n    names = {names}\n    for name in names: pass\n    path = f'x{{name}}'\n"
    assert origin_of(text) is known
