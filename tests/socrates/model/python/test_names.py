"""What a name is bound to where it is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Part()\nx = Thing()", "a Thing", id="the last binding"),
        pytest.param("y = Part()\nx = y\ny = Thing()", "a Part", id="the binding before the read"),
        pytest.param("x = Thing()\nx = x.part", "a Part", id="the older one on the right"),
        pytest.param("x = Thing()\nx += 2", "a Thing", id="changed in place"),
        pytest.param("x = (y := Thing())", "a Thing", id="walrus"),
        pytest.param("(x := Thing())", "a Thing", id="bound by a walrus"),
        pytest.param("x: Thing", "a Thing", id="declared"),
        pytest.param("x: Part = Thing()", "a Thing", id="annotated and assigned"),
        pytest.param("x, y = pair()", "a Thing", id="first of a pair"),
        pytest.param("y, x = pairs(1)", "a Part", id="the same in all pairs"),
        pytest.param("x, y = pairs(1)", "unknown", id="different in pairs"),
        pytest.param("y, x = single()", "unknown", id="no second"),
        pytest.param("x, y = 3", "unknown", id="no pair"),
        pytest.param("x, y = open('a')", "unknown", id="pair of a library"),
        pytest.param("x, y = Thing(), Part()", "a Thing", id="two at once"),
        pytest.param("[y, x] = Thing(), Part()", "a Part", id="two at once in brackets"),
        pytest.param("*x, y = pair()", "unknown", id="the rest"),
        pytest.param("(x, z), y = pair()", "unknown", id="nested"),
        pytest.param("try: pass\nexcept ValueError as x: pass", "unknown", id="exception"),
        pytest.param("from factory import Part as P\nx = P()", "a Part", id="imported here"),
        pytest.param("import factory as f\nx = f.Thing.Inner()", "a Inner", id="module by alias"),
        pytest.param("x = factory", "module factory", id="module"),
        pytest.param("def x(): pass", "function x", id="function"),
        pytest.param("class x: pass", "class x", id="class"),
        pytest.param("class Own(Thing): pass\nx = Own().part", "a Part", id="base of a class"),
        pytest.param("K = Thing.Inner\nx = K()", "a Inner", id="alias of an attribute"),
        pytest.param("Thing = Thing\nx = Thing()", "unknown", id="a name for itself"),
    ],
)
def test_bound_name(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


def test_a_parameter_hides_a_name_of_the_module(describe: Describe) -> None:
    assert describe("x = Thing()", "Thing") == "unknown"
