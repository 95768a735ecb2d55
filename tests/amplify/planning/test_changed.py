"""Which tests a change concerns: by files that they execute, by imports, by what can't be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from socrates_amplify.model.outcomes import EVERYTHING
from socrates_amplify.planning.changed.impact import Impact, impact_of
from socrates_amplify.planning.changed.imports import dependents, importers, outline
from socrates_amplify.planning.changed.repository import Repository

Files = Mapping[str, str]

PROJECT = {
    "shop/__init__.py": "",
    "shop/rates.py": "RATE = 3\n",
    "shop/till.py": "from shop.rates import RATE\ndef pay(x):\n    return x * RATE\n",
    "shop/mail.py": "def send():\n    return 1\n",
    "shop/plugins.py": "NAME = 'a'\n",
    "tests/conftest.py": "",
    "tests/unit/conftest.py": "",
    "tests/unit/test_till.py": "from shop.till import pay\ndef test_pay():\n    assert pay(1)\n",
    "tests/test_mail.py": "from shop import mail\ndef test_mail():\n    assert mail.send()\n",
    "data.json": "{}",
    "README.md": "",
}
TILL = ("tests/unit/test_till.py", {"tests/unit/test_till.py", "shop/till.py"})
MAIL = ("tests/test_mail.py", {"tests/test_mail.py", "shop/mail.py"})
BOTH, NONE = [True, True], [False, False]


def impact(before: Files, now: Files) -> Impact:
    """The impact of a change between two projects, whose contents are their own digests."""
    executed = TILL[1] | MAIL[1]
    ignored = ("*.md", "docs/*")
    return impact_of(
        before, now, lambda path, text: text.encode(), ignored=ignored, executed=executed
    )


def without(name: str) -> dict[str, str]:
    return {path: text for path, text in PROJECT.items() if path != name}


@pytest.mark.parametrize(
    ("now", "concerned"),
    [
        (PROJECT, NONE),
        ({**PROJECT, "shop/till.py": PROJECT["shop/till.py"] + "# a remark\n"}, [True, False]),
        ({**PROJECT, "shop/mail.py": "def send():\n    return 2\n"}, [False, True]),
        ({**PROJECT, "shop/rates.py": "RATE = 4\n"}, [True, False]),
        ({**PROJECT, "shop/__init__.py": "import os\n"}, BOTH),
        ({**PROJECT, "shop/plugins.py": "NAME = 'b'\n"}, BOTH),
        ({**PROJECT, "shop/extra.py": ""}, BOTH),
        ({**PROJECT, "tests/test_new.py": "def test_a(): ...\n"}, NONE),
        ({**PROJECT, "tests/unit/conftest.py": "import os\n"}, [True, False]),
        ({**PROJECT, "tests/conftest.py": "import os\n"}, BOTH),
        ({**PROJECT, "data.json": "[]"}, BOTH),
        ({**PROJECT, "uv.lock": ""}, BOTH),
        ({**PROJECT, "README.md": "more", "docs/conf.py": "x = 1\n"}, NONE),
        (without("shop/mail.py"), [False, True]),
        (without("data.json"), BOTH),
        ({**without("shop/till.py"), "shop/desk.py": PROJECT["shop/till.py"]}, BOTH),
        ({**PROJECT, "shop/mail.py": "def send(:\n"}, [False, True]),
    ],
)
def test_tests_that_a_change_concerns(now: Files, concerned: list[bool]) -> None:
    found = impact(PROJECT, now)
    assert [found.concerns(*test) for test in (TILL, MAIL)] == concerned


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ({**PROJECT, "data.json": "[]"}, "data.json changed, and any test may read it"),
        (
            {**PROJECT, "data.json": "[]", "uv.lock": ""},
            "data.json and 1 more files changed, and any test may read it",
        ),
        (
            {**PROJECT, "shop/plugins.py": "NAME = 'b'\n"},
            "shop/plugins.py changed, and nothing is known to import it: it may be loaded by name",
        ),
    ],
)
def test_why_all_run(now: Files, why: str) -> None:
    assert impact(PROJECT, now).all == why


@pytest.mark.parametrize("executed", [set(), {EVERYTHING, "tests/test_mail.py"}])
@pytest.mark.parametrize(
    ("changed", "concerned"),
    [("shop/till.py", True), ("README.md", False)],
)
def test_where_it_is_not_known_what_a_test_executes(
    executed: set[str], changed: str, concerned: bool
) -> None:
    found = impact(PROJECT, {**PROJECT, changed: PROJECT[changed] + "\n"})
    assert found.concerns("tests/test_mail.py", executed) is concerned


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("def f():\n    return 1\n", "def f():\n    # why\n    return 2\n", True),
        ("def f(x=1): ...\n", "def f(x=2): ...\n", False),
        ("class A:\n    def f(self): return 1\n", "class A:\n    def f(self): return 2\n", True),
        ("class A:\n    x = 1\n", "class A:\n    x = 2\n", False),
        ("@one\ndef f(): ...\n", "@two\ndef f(): ...\n", False),
    ],
)
def test_outlines_leave_out_what_is_in_functions(one: str, other: str, same: bool) -> None:
    assert (outline(one.encode()) == outline(other.encode())) is same


IMPORTS = {
    "src/a/__init__.py": "from . import b\n",
    "src/a/b.py": "def f():\n    from ..c import d\n    import a.e as x\n",
    "src/a/e.py": "",
    "src/c/d.py": "from a.b import f\nimport os\n",
    "src/broken.py": "import (",
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("src/a/e.py", {"src/a/e.py", "src/a/b.py", "src/a/__init__.py", "src/c/d.py"}),
        ("src/broken.py", {"src/broken.py"}),
    ],
)
def test_dependents_are_found_by_imports(path: str, found: set[str]) -> None:
    known = importers(IMPORTS, lambda name: IMPORTS[name].encode())
    assert dependents(path, known) == found


@pytest.fixture
def repository(tmp_path: Path, git: Callable[..., None]) -> Repository:
    """A repository with one commit."""
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "ö b.py").write_text("b = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    found = Repository.around(tmp_path)
    assert found is not None
    return found


def test_the_folder_of_a_clean_repository_is_its_commit(repository: Repository) -> None:
    assert repository.now() == repository.at(str(repository.commit("HEAD")))


def test_what_is_changed_new_removed_and_ignored(repository: Repository) -> None:
    before = repository.now()
    (repository.top / "a.py").write_text("a = 2\n")
    (repository.top / "new.py").write_text("")
    (repository.top / "x.log").write_text("")
    (repository.top / "ö b.py").unlink()
    now = repository.now()
    assert sorted(
        name for name in before.keys() | now.keys() if before.get(name) != now.get(name)
    ) == [
        "a.py",
        "new.py",
        "ö b.py",
    ]


def test_contents_are_found_by_their_digests(repository: Repository) -> None:
    old = repository.now()["a.py"]
    (repository.top / "a.py").write_text("a = 2\n")
    new = repository.now()["a.py"]
    assert [repository.content("a.py", one) for one in (old, new, "0" * 40)] == [
        b"a = 1\n",
        b"a = 2\n",
        None,
    ]


@pytest.mark.parametrize("name", ["nowhere", "--help", "-", "HEAD~5", ""])
def test_a_name_of_no_commit(name: str, repository: Repository) -> None:
    assert repository.commit(name) is None


def test_a_commit_that_shares_no_history(repository: Repository, git: Callable[..., None]) -> None:
    first = str(repository.commit("HEAD"))
    git(repository.top, "checkout", "-q", "--orphan", "other")
    git(repository.top, "commit", "-qm", "apart")
    assert repository.common(first) is None


def test_a_folder_outside_of_any_repository(tmp_path: Path) -> None:
    assert Repository.around(tmp_path) is None
