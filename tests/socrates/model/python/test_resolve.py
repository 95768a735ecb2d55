"""What a dotted name leads to, across the modules of a project."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]

FILES = {
    "shop/__init__.py": "from .cart import Cart\nfrom .till import *\nfrom shop.quick import fast\n",
    "shop/cart.py": "class Cart:\n    class Item: ...\n    def total(self): ...\n    limit = 3\n",
    "shop/till.py": "from .coins import *\nclass Till: ...\ndef count(): ...\n",
    "shop/coins.py": "from .till import *\nclass Coin: ...\n",
    "shop/quick.py": "try:\n    from _quick import fast\nexcept ImportError:\n    from .slow import fast\n",
    "shop/turned.py": "try:\n    from .slow import fast\nexcept ImportError:\n    from _quick import fast\n",
    "shop/both.py": "try:\n    from _a import fast\nexcept ImportError:\n    from _b import fast\n",
    "shop/slow.py": "def fast(): ...\n",
    "furl/__init__.py": "from .furl import furl\n",
    "furl/furl.py": "class furl: ...\n",
    "stars/__init__.py": "from .inside import *\n",
    "stars/inside.py": "def inside(): ...\n",
    "kept/__init__.py": "",
    "kept/kept.py": "class kept: ...\n",
    "left.py": "from right import Lost\nfrom shop.cart import Cart as Basket\nBag = Basket\n",
    "right.py": "from left import Lost\n",
    "circle.py": "A = B\nB = A\nSame = Same\n",
}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param("from shop import Cart as x", "class Cart", id="from a package"),
        pytest.param("from shop.cart import Cart as x", "class Cart", id="from its module"),
        pytest.param("import shop.cart\nx = shop.cart.Cart", "class Cart", id="dotted"),
        pytest.param("import shop\nx = shop.Cart.Item", "class Item", id="class in a class"),
        pytest.param("import shop\nx = shop.Cart.total", "function total", id="method"),
        pytest.param("import shop\nx = shop.Cart.limit", "int", id="field of a class"),
        pytest.param("import shop\nx = shop", "module shop", id="package"),
        pytest.param("from shop import cart as x", "module shop.cart", id="module of a package"),
        pytest.param("from shop import Till as x", "class Till", id="star import"),
        pytest.param("from shop import count as x", "function count", id="function by a star"),
        pytest.param("from shop import Coin as x", "class Coin", id="star imports in a circle"),
        pytest.param("from shop import fast as x", "function fast", id="other branch of a try"),
        pytest.param(
            "from shop.turned import fast as x", "function fast", id="first branch of one"
        ),
        pytest.param("from shop.both import fast as x", "_b.fast", id="branches that are unknown"),
        pytest.param("from shop import nothing as x", "shop.nothing", id="not there"),
        pytest.param("from left import Bag as x", "class Cart", id="alias of an import"),
        pytest.param("from circle import Same as x", "unknown", id="alias of itself"),
        pytest.param("from elsewhere import A as x", "elsewhere.A", id="not of the project"),
        pytest.param("import furl\nx = furl.furl", "class furl", id="class that hides its module"),
        pytest.param("import stars\nx = stars.inside", "function inside", id="hidden by a star"),
        pytest.param("import kept.kept\nx = kept.kept", "module kept.kept", id="nothing hides it"),
    ],
)
def test_imported_name(statement: str, expected: str, describe: Describe) -> None:
    assert describe(statement, files=FILES) == expected


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        pytest.param("from left import Lost as x", ("left.Lost", "right.Lost"), id="imports"),
        pytest.param("from circle import A as x", ("circle.A", "circle.B"), id="aliases"),
    ],
)
def test_a_circle_ends_somewhere(
    statement: str, names: tuple[str, ...], describe: Describe
) -> None:
    assert describe(statement, files=FILES) in names


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        pytest.param("class A(Part): ...", "int", id="inherited"),
        pytest.param("class A(factory.Part): ...", "int", id="dotted"),
        pytest.param("class A(Generic[T], Part): ...", "int", id="generic"),
        pytest.param("class A(List[Part]): ...", "unknown", id="of a library"),
        pytest.param(
            "class O:\n    class B(Part): ...\n    class A(B): ...\nA = O.A", "int", id="inner"
        ),
        pytest.param("class A: ...", "unknown", id="without a base"),
        pytest.param("class A(B): ...\nclass B(A): ...", "unknown", id="in a circle"),
    ],
)
def test_base_of_a_class(classes: str, expected: str, describe: Describe) -> None:
    assert describe("x = A().shared", before=classes) == expected
