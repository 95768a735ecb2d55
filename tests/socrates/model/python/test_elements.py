"""What iterating over a collection, or indexing it, gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("for x in [Thing()]: pass", "a Thing", id="list"),
        pytest.param("x = (Thing(), Thing())[0]", "a Thing", id="tuple"),
        pytest.param("for x in {Thing()}: pass", "a Thing", id="set"),
        pytest.param("for x in [Thing(), 1]: pass", "unknown", id="mixed"),
        pytest.param("for x in []: pass", "unknown", id="empty"),
        pytest.param("for x in [*many, Thing()]: pass", "unknown", id="with elements of another"),
        pytest.param("for x in sorted([Thing()]): pass", "a Thing", id="sorted"),
        pytest.param("x = list([Thing()])[0]", "a Thing", id="copy"),
        pytest.param("for x in map([Thing()]): pass", "unknown", id="something else"),
        pytest.param("ys = [Thing()]\nfor x in ys: pass", "a Thing", id="by a name"),
        pytest.param("ys = [Thing()]\nys = list(ys)\nx = ys[0]", "unknown", id="of itself"),
        pytest.param("for x in ALL: pass", "a Thing", id="by a name of the module"),
        pytest.param("for x in (y for y in ALL): pass", "a Thing", id="generator"),
        pytest.param("for x in [Thing for y in ALL]: pass", "class Thing", id="comprehension"),
        pytest.param("for x in ['a']: pass", "unknown", id="of builtins"),
    ],
)
def test_element(body: str, expected: str, describe: Describe) -> None:
    assert describe(body, before="ALL = [Thing(), Thing()]") == expected


def test_elements_of_what_is_awaited(describe: Describe) -> None:
    many = "async def many() -> list[Thing]: ..."

    assert describe("for x in await many(): pass", before=many) == "a Thing"
