"""What a module binds: imports, assignments in branches, names of classes, names of Python itself."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.python.module import ModuleInfo, statements
from socrates.model.python.names import Scope
from socrates.model.python.resolve import Resolver

OpenModule = Callable[..., FileContext]


def module_of(open_module: OpenModule, text: str, name: str = "pkg/sub/test_it.py") -> ModuleInfo:
    files = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", name: text}
    return open_module(files, name).module


@pytest.mark.parametrize(
    ("statement", "imports"),
    [
        ("import os", {"os": "os"}),
        ("import os.path", {"os": "os"}),
        ("import os.path as p", {"p": "os.path"}),
        ("import os, sys as s", {"os": "os", "s": "sys"}),
        ("from os import path", {"path": "os.path"}),
        ("from os import path as p, sep", {"p": "os.path", "sep": "os.sep"}),
        ("from os import *", {}),
        ("from . import a", {"a": "pkg.sub.a"}),
        ("from .b import a", {"a": "pkg.sub.b.a"}),
        ("from .. import a", {"a": "pkg.a"}),
        ("from ..b import a as c", {"c": "pkg.b.a"}),
        ("from ... import a", {"a": "a"}),
    ],
)
def test_imports(statement: str, imports: dict[str, str], open_module: OpenModule) -> None:
    assert dict(module_of(open_module, statement).imports) == imports


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "x: int = 1",
        "y = x = 1",
        "if y:\n    x = 1",
        "if y:\n    pass\nelse:\n    x = 1",
        "try:\n    x = 1\nexcept E:\n    pass",
        "try:\n    pass\nexcept E:\n    x = 1",
        "try:\n    pass\nfinally:\n    x = 1",
        "for y in z:\n    x = 1",
        "while y:\n    pass\nelse:\n    x = 1",
        "with y:\n    x = 1",
        "match y:\n    case 1:\n        x = 1",
    ],
)
def test_assignment(text: str, open_module: OpenModule) -> None:
    assert ast.unparse(module_of(open_module, text).assigns["x"]) == "1"


@pytest.mark.parametrize(
    "text",
    ["x: int", "y.x = 1", "y[x] = 1", "y.x: int = 1", "def f():\n    x = 1", "class A:\n    x = 1"],
)
def test_no_assignment(text: str, open_module: OpenModule) -> None:
    assert "x" not in module_of(open_module, text).assigns


def test_last_assignment_counts(open_module: OpenModule) -> None:
    assert ast.unparse(module_of(open_module, "x = 1\nx = 2\n").assigns["x"]) == "2"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("x = None\ndef f():\n    global x\n    x = Box()\n", "Box()", id="function"),
        pytest.param("def f():\n    global x\n    x = Box()\n", "Box()", id="not set above"),
        pytest.param(
            "x = None\nclass T:\n    y = 1\n    def f(self):\n        global x\n        x = Box()\n",
            "Box()",
            id="method",
        ),
        pytest.param("x = old()\ndef f():\n    global x\n    x = Box()\n", "old()", id="an object"),
        pytest.param("x = None\ndef f():\n    global x\n    x = 3\n", "None", id="no object"),
        pytest.param("x = None\ndef f():\n    x = Box()  # global \n", "None", id="not global"),
    ],
)
def test_object_for_a_global_name(text: str, value: str, open_module: OpenModule) -> None:
    assert ast.unparse(module_of(open_module, text).assigns["x"]) == value


def test_objects_for_global_names_count_in_tests_only(open_module: OpenModule) -> None:
    text = "x = None\ndef f():\n    global x\n    x = Box()\n"
    module = module_of(open_module, text, "pkg/shop.py")
    assert ast.unparse(module.assigns["x"]) == "None"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("def len(): ...", False),
        ("class len: ...", False),
        ("import len", False),
        ("len = 1", False),
    ],
)
def test_name_of_python_itself(text: str, expected: bool, open_module: OpenModule) -> None:
    module = module_of(open_module, text)
    assert (module.is_builtin("len"), module.is_builtin("nothing")) == (expected, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("isinstance(x, int)", True), ("self.assertIsInstance(x, int)", True), ("x", False)],
)
def test_module_that_asserts_types(text: str, expected: bool, open_module: OpenModule) -> None:
    assert module_of(open_module, text).asserts_types is expected


def test_full_name_of_a_class(open_module: OpenModule) -> None:
    module = module_of(open_module, "class A:\n    class B: ...\n")
    inner = module.classes["A"].inner["B"]
    assert (module.classes["A"].full_name, inner.full_name) == (
        "pkg.sub.test_it.A",
        "pkg.sub.test_it.A.B",
    )


def test_statements_of_definitions_are_theirs() -> None:
    tree = ast.parse("if x:\n    a\n    def f():\n        b\nelse:\n    c\nd\n")
    told = [ast.unparse(node).splitlines()[0] for node in statements(tree.body)]
    assert told == ["if x:", "a", "def f():", "c", "d"]


FILES = {
    "shop.py": (
        "class Cart:\n    limit = 3\n    size = Size()\n    class Item:\n        def weigh(self): ...\n"
        "    def total(self): ...\nclass Big(Cart): ...\nBag = Cart\n"
    ),
    "test_it.py": "def test_it(): ...\n",
}


@pytest.mark.parametrize(
    ("dotted", "kind", "name"),
    [
        ("shop", "module", "shop"),
        ("shop.Cart", "class", "shop.Cart"),
        ("shop.Cart.Item", "class", "shop.Cart.Item"),
        ("shop.Cart.total", "function", "shop.Cart.total"),
        ("shop.Big.total", "function", "shop.Cart.total"),
        ("shop.Cart.Item.weigh", "function", "shop.Cart.Item.weigh"),
        ("shop.Cart.limit", "value", "shop.Cart.limit"),
        ("shop.Cart.size.width", "value", "shop.Cart.size.width"),
        ("shop.Cart.total.x", "value", "shop.Cart.total.x"),
        ("shop.Bag", "class", "shop.Cart"),
        ("shop.Bag.total", "function", "shop.Cart.total"),
        ("shop.nothing", "external", "shop.nothing"),
        ("nowhere.x", "external", "nowhere.x"),
    ],
)
def test_definition_of_a_dotted_name(
    dotted: str, kind: str, name: str, open_module: OpenModule
) -> None:
    file = open_module(FILES)
    found = Resolver(file.inference.resolver.project).name(dotted, file.module.path)
    assert (found.kind, found.name) == (kind, name)


@pytest.mark.parametrize(
    ("dotted", "tail"), [("shop.Cart.size.a.b", ("a", "b")), ("shop.Cart.size", ())]
)
def test_rest_of_a_dotted_name(dotted: str, tail: tuple[str, ...], open_module: OpenModule) -> None:
    file = open_module(FILES)
    assert file.inference.resolver.name(dotted, file.module.path).tail == tail


def test_expression_of_a_local_name_has_no_definition(open_module: OpenModule) -> None:
    file = open_module(
        {**FILES, "test_it.py": "import shop\ndef test_it(x):\n    x\n    shop.Cart\n"}
    )
    local, cart = (node.value for node in file.tests[0].node.body)  # type: ignore[attr-defined]
    scope: Scope = file.tests[0].scope
    resolver = file.inference.resolver
    found = resolver.expression(cart, scope)
    assert (resolver.expression(local, scope), found and found.name) == (None, "shop.Cart")
