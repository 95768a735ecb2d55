"""What the names of test classes and test files stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

CLASS_PATTERNS = (
    "Test{}", "{}Test", "{}Tests", "{}TestCase", "{}Spec", "{}Suite", "test_{}",
)  # fmt: skip
_STEM = re.compile(r"tests?_(?P<after>\w+)|(?P<before>\w+?)_tests?")


def unit_stem(stem: str) -> str:
    """``test_foo`` and ``foo_test`` name the module ``foo``."""
    match = _STEM.fullmatch(stem)
    if match is None:
        return ""
    return match["after"] or match["before"] or ""


def class_names(test_class: str, patterns: Sequence[str]) -> Iterator[str]:
    """The production class names that a test class's name can stand for."""
    for pattern in patterns:
        before, _, after = pattern.partition("{}")
        if test_class.startswith(before) and test_class.endswith(after):
            name = test_class[len(before) : len(test_class) - len(after) or None]
            if name:
                yield name.strip("_")


def folded(name: str) -> str:
    """A name without case and underscores: ``TZICal`` and ``tzical`` are one."""
    return name.replace("_", "").lower()


def joined(name: str) -> str:
    """A dotted or joined name without dots, underscores and a trailing ``s``."""
    return folded(name.replace(".", "_")).rstrip("s")


def may_join(module: str, stem: str) -> bool:
    """Whether a file name joins the last parts of a module's name: ``utils_url`` is ``utils.url``.

    A module of one part may differ by its trailing ``s`` alone.
    """
    parts = module.split(".")
    wanted = joined(stem)
    return any(joined(".".join(parts[start:])) == wanted for start in range(len(parts)))
