"""What is known of classes outside the project: by a table, by their source, or by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.model.python import semantics

LIBRARY = """\
import unittest


class Case(unittest.TestCase):
    def helper(self): ...


class Derived(Case):
    def _private(self): ...


class NamedTestCase:
    def run(self): ...
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed package whose sources can be read, by a name that no other test uses."""
    name = f"library_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize(
    ("dotted", "expected"),
    [
        pytest.param("unittest.TestCase", True, id="unittest"),
        pytest.param("django.test.TestCase", True, id="known by its name"),
        pytest.param("threading.Thread", False, id="another class of the standard library"),
        pytest.param("nowhere.testing.BaseTestCase", True, id="not found, named test case"),
        pytest.param("nowhere.testing.TestBase", True, id="not found, named test base"),
        pytest.param("nowhere.testing.Base", False, id="not found, named otherwise"),
        pytest.param("TestCase", True, id="without a module, named test case"),
    ],
)
def test_base_without_sources_is_judged_by_its_name(dotted: str, expected: bool) -> None:
    assert semantics.is_test_case(dotted) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Case", True, id="inherits"),
        pytest.param("Derived", True, id="inherits from one that does"),
        pytest.param("NamedTestCase", False, id="is only named so"),
    ],
)
def test_installed_base_is_judged_by_its_source(library: str, name: str, expected: bool) -> None:
    assert semantics.is_test_case(f"{library}.{name}") is expected


def test_ancestors_are_the_class_and_its_bases(library: str) -> None:
    found = semantics.ancestors(f"{library}.Derived")
    assert found is not None, "the library can be found"
    assert found[:3] == (f"{library}.Derived", f"{library}.Case", "unittest.case.TestCase")


def test_class_that_cannot_be_found_has_no_ancestors() -> None:
    assert semantics.ancestors("nowhere.testing.Base") is None


def test_public_methods_of_an_installed_class(library: str) -> None:
    assert semantics.public_methods(f"{library}.NamedTestCase") == frozenset({"run"})


def test_public_methods_of_a_class_that_cannot_be_found() -> None:
    assert semantics.public_methods("nowhere.testing.Base") is None
