"""Where a resource's name comes from: what set-up looks after, and what lies beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates_rules.mystery_guest.origin import is_below, join, literal
from socrates_rules.mystery_guest.touches import Touch

TouchesOf = Callable[[str], list[Touch]]


@pytest.mark.parametrize(
    ("created", "read", "touched"),
    [
        pytest.param("'/srv/shop'", "'/srv/shop'", False, id="the file itself"),
        pytest.param("'/srv/shop'", "'/srv/shop/a'", False, id="below a folder"),
        pytest.param("'/srv/shop/a'", "'/srv/shop/b'", True, id="another file of the folder"),
        pytest.param("'/srv/shop'", "'/srv/shop-2/a'", True, id="a folder whose name goes on"),
        pytest.param("'/srv/shop/a'", "'/srv/shop'", True, id="the folder around it"),
        pytest.param(
            "os.path.join(HERE, 'a')", "os.path.join(HERE, 'a', 'b')", False, id="below, joined"
        ),
        pytest.param(
            "os.path.join(HERE, 'a')",
            "os.path.join(os.path.join(HERE, 'a'), 'b')",
            False,
            id="below, joined twice",
        ),
        pytest.param(
            "os.path.join(HERE, 'a')",
            "os.path.join(HERE, 'b')",
            True,
            id="another file of the folder, joined",
        ),
        pytest.param(
            "os.path.join(HERE, 'a')", "os.path.join(HERE, 'ab')", True, id="a name that goes on"
        ),
        pytest.param(
            "os.path.join(HERE, 'a')", "HERE", True, id="the folder around it, as a constant"
        ),
    ],
)
def test_set_up_manages_what_it_creates_and_what_is_below(
    touches_of: TouchesOf, created: str, read: str, touched: bool
) -> None:
    text = f"""
        import os, unittest

        HERE = os.path.dirname(__file__)

        class TestShop(unittest.TestCase):
            def setUp(self):
                os.makedirs({created})

            def test_it(self):
                os.listdir({read})
    """
    assert bool(touches_of(text)) is touched


def test_two_folders_are_both_looked_at() -> None:
    kept = ["'/srv/other'", "'/srv/shop'"]
    assert [is_below(text, kept) for text in ("'/srv/shop/a'", "'/srv/x'")] == [True, False]


def test_folder_of_the_test_file_manages_nothing_below() -> None:
    assert not is_below("(dirname(test_it.__file__), 'a')", ["dirname(test_it.__file__)"])


@pytest.mark.parametrize(
    ("text", "expected"), [("shop.ROOT.parent", True), ("shop.ROOTS", False), ("shop", False)]
)
def test_constant_of_which_only_the_name_is_known(text: str, expected: bool) -> None:
    assert is_below(text, ["shop.ROOT"]) is expected


def test_path_in_a_call_around_it() -> None:
    assert is_below("abspath('/srv/shop/a')", ["'/srv/shop'"])


def test_joins_in_steps_and_at_once_are_the_same() -> None:
    a, b, c = (literal(text) for text in "abc")
    assert join([join([a, b], "join"), c], "joinpath") == join([a, b, c], "join")
