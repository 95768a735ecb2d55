"""Where a project's modules are, which of them are tests, and what an answer depends on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.discovery.pytest_config import PytestConfig
from socrates.model.python import project as projects
from socrates.model.python.project import Project, digest, list_folder, production_files, shown_path

Make = Callable[..., Project]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A project of these files, all empty but those whose text is told."""

    def project(*names: str, patterns: tuple[str, ...] = (), **texts: str) -> Project:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts.get(path.stem, ""))
        config = (
            PytestConfig(tmp_path, python_files=patterns) if patterns else PytestConfig(tmp_path)
        )
        return Project(tmp_path, config)

    return project


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("shop/cart.py", "shop.cart", id="module of a package"),
        pytest.param("shop/__init__.py", "shop", id="package"),
        pytest.param("loose/cart.py", "cart", id="no package"),
    ],
)
def test_name_of_a_file(name: str, expected: str, make: Make) -> None:
    project = make("shop/__init__.py", "shop/cart.py", "loose/cart.py")

    assert project.name_of(project.root / name) == expected


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("top", "top.py"),
        ("shop", "shop/__init__.py"),
        ("shop.cart", "shop/cart.py"),
        ("src_only", "src/src_only.py"),
        ("lib_only", "lib/lib_only.py"),
        ("near", "tests/near.py"),
        ("shop.missing", None),
        ("missing.cart", None),
        ("bare.inner", "bare/inner.py"),
        ("bare", None),
        ("both", "both/__init__.py"),
        ("", None),
        ("shop.", None),
    ],
)
def test_file_of_a_module(name: str, found: str | None, make: Make) -> None:
    project = make(
        *("top.py", "shop/__init__.py", "shop/cart.py", "src/src_only.py", "lib/lib_only.py"),
        *("tests/near.py", "tests/test_a.py", "bare/inner.py", "both.py", "both/__init__.py"),
    )
    near = project.root / "tests" / "test_a.py"

    assert project.find(name, near) == (found and project.root / found)


def test_a_module_beside_the_file_comes_before_one_of_the_project(make: Make) -> None:
    project = make("helper.py", "tests/helper.py", "tests/test_a.py")
    near = project.root / "tests" / "test_a.py"

    assert (project.find("helper", near), project.find("helper")) == (
        project.root / "tests" / "helper.py",
        project.root / "helper.py",
    )


@pytest.mark.parametrize(
    ("top", "expected"), [("shop", True), ("top", True), ("cart", False), ("os", False)]
)
def test_top_level_names_of_a_project(top: str, expected: bool, make: Make) -> None:
    assert make("top.py", "shop/cart.py").defines(top) is expected


def test_an_answer_that_is_known_has_the_same_dependencies(make: Make) -> None:
    project = make("shop/__init__.py", "shop/cart.py")
    asked = []
    for _ in range(2):
        project.dependencies = {"kept"}
        project.find("shop.cart")
        project.defines("shop")
        project.exports("shop.cart")
        asked.append(project.dependencies)

    assert asked[0] == asked[1]
    assert asked[0] >= {"kept", f"dir:{project.root}", f"file:{project.root / 'shop/cart.py'}"}


def test_only_so_many_modules_are_kept(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projects, "_KEPT_MODULES", 2)
    project = make("a.py", "b.py", "c.py")
    first = [project.module(name) for name in ("a", "b", "a", "c")]
    again = [project.module(name) for name in ("a", "c", "b")]

    assert [one is again[0] for one in first] == [True, False, True, False], "a was used last"
    assert (again[1] is first[3], again[2] is first[1]) == (True, False), "b was used longest ago"


def test_a_module_that_cannot_be_parsed_has_no_names(make: Make) -> None:
    project = make("bad.py", bad="def (")

    assert (project.module("bad"), project.exports("bad")) == (None, (frozenset(), (), None))


def test_names_that_a_module_exports(make: Make) -> None:
    text = "import os\nfrom a import *\nfrom b import c\nD = 1\nclass E: ...\ndef f(): ...\n"
    project = make("good.py", good=text)

    assert project.exports("good") == (
        frozenset({"os", "c", "D", "E", "f"}),
        ("a",),
        project.root / "good.py",
    )


def test_conftests_from_the_nearest_up_to_the_root(make: Make) -> None:
    project = make("conftest.py", "a/conftest.py", "a/b/test_it.py", "c/conftest.py")
    found = [info.path for info in project.conftests(project.root / "a/b/test_it.py")]

    assert found == [project.root / "a/conftest.py", project.root / "conftest.py"]


def test_a_conftest_is_not_its_own(make: Make) -> None:
    project = make("conftest.py", "a/conftest.py")
    found = [info.path for info in project.conftests(project.root / "a/conftest.py")]

    assert found == [project.root / "conftest.py"]


def test_conftests_above_a_foreign_file_are_not_read(make: Make, tmp_path: Path) -> None:
    make("conftest.py", "a/test_it.py", "inside/x.py")
    project = Project(tmp_path / "inside", PytestConfig(tmp_path))

    assert list(project.conftests(tmp_path / "a/test_it.py")) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_a.py", True),
        ("a_test.py", True),
        ("a.py", False),
        ("conftest.py", True),
        ("tests.py", True),
        ("test.py", True),
        ("pkg/test.py", False),
        ("tests/a.py", True),
        ("deep/test/a.py", True),
        ("_tests_/a.py", True),
        ("unit_tests/a.py", True),
        ("tests_unit/a.py", True),
        ("testing/a.py", True),
        ("t/a.py", True),
        ("deep/testing/a.py", False),
        ("contests/a.py", False),
    ],
)
def test_file_that_is_test_code(name: str, expected: bool, make: Make) -> None:
    project = make("pkg/__init__.py", name)

    assert project.is_test_path(project.root / name) is expected


@pytest.mark.parametrize(("name", "expected"), [("a.py", False), ("tests/a.py", True)])
def test_a_file_outside_is_judged_by_its_whole_path(
    name: str, expected: bool, make: Make, tmp_path: Path
) -> None:
    make(name)
    project = Project(tmp_path / "elsewhere", PytestConfig(tmp_path))

    assert project.is_test_path(tmp_path / name) is expected


@pytest.mark.parametrize(
    ("patterns", "name", "expected"),
    [
        (("check_*.py",), "check_a.py", True),
        (("check_*.py",), "test_a.py", False),
        (("*.py",), "test_a.py", True),
        (("*.py",), "a_test.py", True),
        (("*.py",), "a.py", False),
    ],
)
def test_patterns_of_pytest_tell_tests(
    patterns: tuple[str, ...], name: str, expected: bool, make: Make
) -> None:
    project = make(name, patterns=patterns)

    assert project.is_test_path(project.root / name) is expected


def test_production_modules_are_all_but_tests(make: Make) -> None:
    project = make(
        *("top.py", "shop/__init__.py", "shop/cart.py", "shop/tests/test_a.py", "src/inner/a.py"),
        *("test_b.py", "docs/conf.py", "shop/docs/b.py", "node_modules/c.py", "env/pyvenv.cfg"),
        *("env/d.py", "not-a-package/e.py", "__init__.py"),
    )

    assert project.production_modules() == [
        "inner.a",
        "shop",
        "shop.cart",
        "shop.docs.b",
        "top",
    ]


def test_production_modules_depend_on_the_whole_tree(make: Make) -> None:
    project = make("top.py")
    project.production_modules()

    assert project.dependencies == {f"tree:{project.root}"}


def test_links_to_folders_are_not_followed(make: Make) -> None:
    root = make("a/b.py").root
    (root / "link").symlink_to(root / "a")

    assert list(production_files(root)) == [root / "a" / "b.py"]


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    missing = tmp_path / "missing"

    assert (list(production_files(missing)), list_folder(missing)) == ([], frozenset())


def test_listing_has_what_could_be_imported(make: Make) -> None:
    root = make("a.py", "b/c.py", "d-e/f.py", "g.txt", "h.i/j.py").root

    assert list_folder(root) == {"a.py", "b"}


@pytest.mark.parametrize(
    ("kind", "name", "changes"),
    [
        pytest.param("file", "a.py", {"text": True, "beside": False}, id="file"),
        pytest.param("dir", "", {"text": False, "beside": True}, id="folder"),
        pytest.param("tree", "", {"text": False, "beside": True}, id="tree"),
    ],
)
def test_digest_changes_with_what_it_is_of(
    kind: str, name: str, changes: dict[str, bool], make: Make
) -> None:
    root = make("a.py").root
    dependency = f"{kind}:{root / name}"
    digests = [digest(dependency)]
    (root / "a.py").write_text("a = 1\n")
    digests.append(digest(dependency))
    (root / "b.py").touch()
    digests.append(digest(dependency))

    assert (digests[0] != digests[1], digests[1] != digests[2]) == tuple(changes.values())


def test_a_tree_sees_deeper_than_a_folder(make: Make) -> None:
    root = make("a/b.py").root
    before = (digest(f"dir:{root}"), digest(f"tree:{root}"))
    (root / "a" / "c.py").touch()

    assert (digest(f"dir:{root}") == before[0], digest(f"tree:{root}") == before[1]) == (
        True,
        False,
    )


def test_path_outside_is_shown_whole() -> None:
    shown = [shown_path(Path(path), Path("/a")) for path in ("/a/b/c.py", "/d/e.py")]

    assert shown == ["b/c.py", "/d/e.py"]


def test_module_that_is_named_like_a_folder_of_sources(make: Make) -> None:
    project = make("src.py", "src/shop.py", "lib.py")
    assert sorted(project.production_modules()) == ["lib", "shop", "src"]
