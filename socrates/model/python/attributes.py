"""What the methods of a class assign to ``self``: set-up first, other methods apart."""

from __future__ import annotations

import ast
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode
from socrates.model.python.shapes import is_fixture_like, self_assignments

_SETUP_METHODS = (
    "setUp", "asyncSetUp", "setUpClass", "setUpTestData", "setup_method", "setup_class", "setup",
    "__init__", "__attrs_post_init__", "__post_init__",
)  # fmt: skip


@dataclass(slots=True)
class Assigned:
    """The values that one attribute gets, each with its method.

    ``announced``: set-up assigns ``None``, a placeholder that is no value.
    """

    in_setup: list[tuple[FunctionNode, ast.expr]] = field(default_factory=list)
    elsewhere: list[tuple[FunctionNode, ast.expr]] = field(default_factory=list)
    announced: bool = False


def assigned_attributes(cls: ClassInfo) -> dict[str, Assigned]:
    """The attributes that a class's own methods assign on ``self`` or ``cls``."""
    if "attributes" not in cls.kept:
        cls.kept["attributes"] = _assigned_attributes(cls)
    return cls.kept["attributes"]  # type: ignore[return-value]


def _assigned_attributes(cls: ClassInfo) -> dict[str, Assigned]:
    found: dict[str, Assigned] = {}
    set_up = [name for name in _SETUP_METHODS if name in cls.methods]
    set_up += [n for n, node in cls.methods.items() if n not in set_up and is_fixture_like(node)]
    for method in [*set_up, *(name for name in cls.methods if name not in set_up)]:
        node = cls.methods[method]
        for name, values in self_assignments(node).items():
            entry = found.setdefault(name, Assigned())
            kept = entry.in_setup if method in set_up else entry.elsewhere
            for value in values:
                if isinstance(value, ast.Constant) and value.value is None:
                    entry.announced = entry.announced or method in set_up
                else:
                    kept.append((node, value))
    return found
