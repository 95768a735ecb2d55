"""Where an import goes that a fix needs, and which names are free."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from socrates.fix import NoFix, apply_edits
from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting import file as rewriting

OpenModule = Callable[..., FileContext]
TEST = "\n\ndef test_it():\n    pass\n"

PLACES = {
    "a file without imports": ("def test_it(): pass\n", "import pytest\n\n\ndef test_it(): pass\n"),
    "below comments at the top": (
        "#!/usr/bin/env python\n# about\ndef test_it(): pass\n",
        "#!/usr/bin/env python\nimport pytest\n\n\n# about\ndef test_it(): pass\n",
    ),
    "below the docstring": (f'"""Doc."""\n{TEST}', f'"""Doc."""\n\nimport pytest\n{TEST}'),
    "below the future": (
        f"from __future__ import annotations\n{TEST}",
        f"from __future__ import annotations\n\nimport pytest\n{TEST}",
    ),
    "below the standard library": (f"import os\n{TEST}", f"import os\n\nimport pytest\n{TEST}"),
    "above the project's own": (
        f"import os\n\nimport shop\n{TEST}",
        f"import os\n\nimport pytest\n\nimport shop\n{TEST}",
    ),
    "right below the standard library, above the project's own": (
        f"import os\nimport shop\n{TEST}",
        f"import os\n\nimport pytest\n\nimport shop\n{TEST}",
    ),
    "before a third party's that sorts later": (
        f"import attr\nimport requests\n{TEST}",
        f"import attr\nimport pytest\nimport requests\n{TEST}",
    ),
    "before from imports of third parties": (
        f"import attr\nfrom attr import ib\n{TEST}",
        f"import attr\nimport pytest\nfrom attr import ib\n{TEST}",
    ),
    "after third parties that sort earlier": (
        f"import attr\nimport flask\n{TEST}",
        f"import attr\nimport flask\nimport pytest\n{TEST}",
    ),
    "between third parties and the project's own": (
        f"import attr\n\nfrom shop import Cart\n{TEST}",
        f"import attr\nimport pytest\n\nfrom shop import Cart\n{TEST}",
    ),
    "below a part of the standard library": (
        f"from os.path import join\n{TEST}",
        f"from os.path import join\n\nimport pytest\n{TEST}",
    ),
    "above relative imports": (
        f"from . import shop\n{TEST}",
        f"import pytest\n\nfrom . import shop\n{TEST}",
    ),
    "with the file's line ends": (
        "import os\r\n\r\nX = 1\r\n",
        "import os\r\n\r\nimport pytest\r\n\r\nX = 1\r\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), PLACES.values(), ids=list(PLACES))
def test_place_of_an_import(open_module: OpenModule, tmp_path, before: str, after: str) -> None:
    (tmp_path / "shop.py").touch()
    (tmp_path / "test_it.py").write_bytes(before.encode())
    file = open_module({}, "test_it.py")
    name, edits = rewriting.imported(file, "pytest")
    assert (name, apply_edits(before, edits)) == ("pytest", after)


@pytest.mark.parametrize(
    ("line", "name"),
    [("import pytest", "pytest"), ("import pytest as pt", "pt")],
)
def test_import_that_is_there_is_used(open_module: OpenModule, line: str, name: str) -> None:
    assert rewriting.imported(open_module(f"{line}\n{TEST}"), "pytest") == (name, ())


def test_import_in_a_branch_is_not_used(open_module: OpenModule) -> None:
    file = open_module(f"if True:\n    import pytest\n{TEST}")
    assert len(rewriting.imported(file, "pytest")[1]) == 1


def test_name_that_means_something_else(open_module: OpenModule) -> None:
    with pytest.raises(NoFix):
        rewriting.imported(open_module(f"pytest = 3\n{TEST}"), "pytest")


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("def test_it(): pass\n", "test_new"),
        ("def test_new(): pass\n", "test_new_2"),
        ("def test_new(): pass\n# test_new_2 was here\n", "test_new_3"),
        ("def test_newer(): pass\n", "test_new"),
    ],
)
def test_free_name(open_module: OpenModule, text: str, free: str) -> None:
    assert rewriting.free_name(open_module(text), "test_new") == free


def decorated(open_module: OpenModule, decorator: str) -> TestCase:
    head = "import freezegun, functools, mock, pytest, unittest.mock\n\n"
    return open_module(f"{head}{decorator}\ndef test_it(*args): pass\n").tests[0]


@pytest.mark.parametrize(
    "decorator",
    [
        "@pytest.mark.slow",
        "@unittest.mock.patch('os.sep')",
        "@mock.patch('os.sep')",
        "@unittest.skip('later')",
        "@unittest.skipIf(True, 'later')",
        "@unittest.expectedFailure",
        "@freezegun.freeze_time('2024-01-01')",
    ],
)
def test_decorator_that_leaves_a_test_as_it_is(open_module: OpenModule, decorator: str) -> None:
    rewriting.require_plain(decorated(open_module, decorator))


@pytest.mark.parametrize(
    "decorator",
    ["@functools.cache", "@decorated", "@pytest.mark.slow\n@decorated", "@(lambda f: f)"],
)
def test_decorator_that_may_look_at_a_test(open_module: OpenModule, decorator: str) -> None:
    test = decorated(open_module, decorator)
    with pytest.raises(NoFix):
        rewriting.require_plain(test)


def test_finding_of_a_test_that_is_not_in_the_file_is_not_fixed(open_module: OpenModule) -> None:
    file = open_module(TEST)
    finding: Any = SimpleNamespace(test="test_other.py::test_it")
    with pytest.raises(NoFix, match="stands in another file"):
        rewriting.test_of(finding, file)
