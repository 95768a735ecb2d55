"""What a module publishes, and what a package shows of its inside."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.units.publishes import Published

OpenModule = Callable[..., FileContext]

FILES = {
    "pkg/__init__.py": (
        "import os\nfrom pkg.inner import Box, fill as pour\nfrom pkg._more import *\n"
        "from other import Far\nfrom pkg.inner import _Hidden\nLIMIT = 3\n_own = 4\n"
        "class Case:\n    class Inside: ...\nclass _Case: ...\ndef close(): ...\ndef _lock(): ...\n"
    ),
    "pkg/inner.py": "class Box: ...\ndef fill(): ...\nclass _Hidden: ...\nclass Unseen: ...\n",
    "pkg/_more.py": "def star(): ...\ndef _dark(): ...\n",
    "pkg/twin.py": "from pkg._twin import Left\nfrom pkg.inner import Box\nfrom _twin import Up\n",
    "pkg/_twin.py": "class Left: ...\n",
    "_twin.py": "class Up: ...\n",
    "other.py": "class Far: ...\n",
    "again.py": "from pkg import pour as again\nfrom other import Far\n",
    "empty.py": "LIMIT = 1\n",
    "test_x.py": "def test_it(): ...\n",
}


def published(open_module: OpenModule, name: str) -> Published:
    file = open_module(FILES, "test_x.py")
    module = file.inference.resolver.project.module(name, file.module.path)
    assert module is not None
    return Published(module, file.inference.resolver)


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("pkg", "Box Case LIMIT close pour star"),
        ("pkg.inner", "Box Unseen fill"),
        ("pkg.twin", "Left"),
        ("empty", "LIMIT"),
    ],
)
def test_names(open_module: OpenModule, module: str, names: str) -> None:
    assert " ".join(sorted(published(open_module, module).names)) == names


@pytest.mark.parametrize(
    ("module", "expected"), [("pkg.inner", True), ("pkg.twin", True), ("empty", False)]
)
def test_may_have_classes(open_module: OpenModule, module: str, expected: bool) -> None:
    assert published(open_module, module).may_have_classes is expected


def test_functions(open_module: OpenModule) -> None:
    assert set(published(open_module, "pkg").functions()) == {"close", "pour", "star"}


@pytest.mark.parametrize(
    ("name", "expected"), [("Box", True), ("Case", True), ("pour", False), ("Far", False)]
)
def test_class_by_name(open_module: OpenModule, name: str, expected: bool) -> None:
    assert (published(open_module, "pkg").cls(name) is not None) is expected


@pytest.mark.parametrize(
    ("home", "name", "expected"),
    [
        ("pkg", "Case", True),
        ("pkg", "_Case", False),
        ("pkg.inner", "Box", True),
        ("pkg.inner", "Unseen", False),
        ("pkg.inner", "_Hidden", False),
        ("other", "Far", False),
    ],
)
def test_has_class(open_module: OpenModule, home: str, name: str, expected: bool) -> None:
    shown = published(open_module, "pkg")
    module = shown.resolver.project.module(home, shown.module.path)
    assert module is not None
    assert shown.has_class(module.classes[name]) is expected


def test_class_inside_another_is_not_published(open_module: OpenModule) -> None:
    shown = published(open_module, "pkg")
    assert not shown.has_class(shown.module.classes["Case"].inner["Inside"])


@pytest.mark.parametrize(
    ("home", "name", "expected"),
    [
        ("pkg", "close", True),
        ("pkg", "_lock", False),
        ("pkg._more", "star", True),
        ("pkg._more", "_dark", False),
        ("pkg.inner", "fill", False),
    ],
)
def test_has_function(open_module: OpenModule, home: str, name: str, expected: bool) -> None:
    shown = published(open_module, "pkg")
    module = shown.resolver.project.module(home, shown.module.path)
    assert module is not None
    assert shown.has_function(module.functions[name]) is expected


@pytest.mark.parametrize(
    ("dotted", "expected"),
    [
        ("pkg.close", "close"),
        ("pkg._lock", None),
        ("pkg.unknown", None),
        ("again.again", "pour"),
        ("again.Far", None),
        ("again.unknown", None),
        ("nowhere.close", None),
        ("close", None),
    ],
)
def test_dotted_name_leads_here(open_module: OpenModule, dotted: str, expected: str | None) -> None:
    assert published(open_module, "pkg").leads_here(dotted) == expected
