"""What a test does with the result of a call: acts on it, reads it, compares it as a whole."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import indent
from typing import cast

import pytest

from socrates.model.context import FileContext
from socrates.model.python.names import Scope
from socrates.model.units.members import MemberFinder
from socrates.model.units.phases import Step
from socrates.model.units.results_used import acts_by_operator, acts_on_result, is_compared_whole

OpenModule = Callable[..., FileContext]


class OnlyBox:
    """In the place of the unit's members: ``box`` and ``self.box`` are objects of the unit."""

    def is_of_unit(self, expr: ast.expr, scope: Scope) -> bool:
        return ast.unparse(expr) in ("box", "self.box")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("box[0] = 1", ["unit"], id="item set"),
        pytest.param("self.box[0] = 1", ["unit"], id="item of an attribute"),
        pytest.param("made[0] = 1", ["made"], id="item of a result"),
        pytest.param("other[0] = 1", [], id="item of another"),
        pytest.param("box = 1", [], id="name set"),
        pytest.param("del box[0], made[1]", ["unit", "made"], id="items deleted"),
        pytest.param("box += 1", ["unit"], id="added to"),
        pytest.param("made[0] += 1", ["made"], id="item added to"),
        pytest.param("box[0]", ["unit"], id="item asked for"),
        pytest.param("box + made", ["unit", "made"], id="operator"),
        pytest.param("box < made", ["unit"], id="comparison"),
        pytest.param("len(box)", ["unit"], id="builtin"),
        pytest.param("len(1, box)", [], id="second argument"),
        pytest.param("check(box)", [], id="function"),
        pytest.param("box.run()", [], id="method"),
        pytest.param("get()[0]", [], id="no name"),
    ],
)
def test_statement_acts_by_an_operator(line: str, expected: list[str]) -> None:
    members = cast("MemberFinder", OnlyBox())
    scope = cast("Scope", None)
    found = acts_by_operator(ast.parse(line).body[0], scope, members, {"made"})
    assert [one.name or "unit" for one in found] == expected


@pytest.mark.parametrize(
    ("line", "alone", "asserted", "expected"),
    [
        pytest.param("made.run(1)", False, False, "made", id="acts"),
        pytest.param("made.run()", True, False, "made", id="alone"),
        pytest.param("made.run()", False, False, "", id="hands out"),
        pytest.param("made.run(timeout=1)", False, False, "", id="hands out in time"),
        pytest.param("made.run(force=1)", False, False, "made", id="by keyword"),
        pytest.param("made.run(1, timeout=1)", False, False, "made", id="argument and time"),
        pytest.param("made.get(1)", False, False, "", id="reader"),
        pytest.param("made.get(1)", True, False, "made", id="reader alone"),
        pytest.param("made.assert_it(1)", True, False, "", id="assertion"),
        pytest.param("made.expect(1)", True, False, "", id="expectation"),
        pytest.param("made.run(1)", False, True, "", id="in an assertion"),
        pytest.param("thing.run(1)", False, True, "thing", id="object in an assertion"),
        pytest.param("words.append(1)", False, False, "", id="of a builtin"),
        pytest.param("other.run(1)", False, False, "", id="on another"),
        pytest.param("run(made)", False, False, "", id="function"),
    ],
)
def test_method_acts_on_a_result(
    open_module: OpenModule, line: str, alone: bool, asserted: bool, expected: str
) -> None:
    text = "class Thing: ...\ndef test_it(made):\n    thing = Thing()\n    words = []\n"
    file = open_module(f"{text}    {line}\n")
    call = cast("ast.Expr", file.tests[0].node.body[-1]).value
    assert isinstance(call, ast.Call)
    results = {"made", "thing", "words"}
    scope = file.tests[0].scope
    used = acts_on_result(call, scope, file.inference, {}, results, alone=alone, asserted=asserted)
    assert (used.name if used else "") == expected


def test_method_acts_on_what_a_call_returned(open_module: OpenModule) -> None:
    file = open_module("async def test_it(box):\n    (await box.open()).run(1)\n")
    outer, inner = [n for n in ast.walk(file.tests[0].node) if isinstance(n, ast.Call)]
    made = {id(inner): cast("Step", None)}
    scope = file.tests[0].scope
    used = acts_on_result(outer, scope, file.inference, made, set(), alone=False, asserted=False)
    assert used is not None
    assert used.made_by is inner


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("assert Curve.of(1) == P", True, id="compared"),
        pytest.param("assert P is Curve.of(1)", True, id="identity"),
        pytest.param("assert await Curve.of(1) == P", True, id="awaited"),
        pytest.param("assert Curve.of(1) != P", False, id="different"),
        pytest.param("assert Curve.of(1) == P == Q", False, id="chain"),
        pytest.param("self.assertEqual(Curve.of(1), P)", True, id="assertEqual"),
        pytest.param("self.assertEqual(P, Curve.of(1), 'why')", True, id="with a message"),
        pytest.param("self.assertIs(Curve.of(1), P)", True, id="assertIs"),
        pytest.param("self.assertIn(Curve.of(1), P)", False, id="assertIn"),
        pytest.param("Curve.of(1)", False, id="not compared"),
        pytest.param("made = Curve.of(1)\nassert made == P", True, id="by a name"),
        pytest.param("made = Curve.of(1)\nassert made.order == 7", False, id="only a part"),
        pytest.param(
            "made = Curve.of(1)\nassert made == P\nassert made.order == 7", False, id="a part too"
        ),
        pytest.param("made = Curve.of(1)\nassert made == P\nassert Q == made", True, id="twice"),
        pytest.param("assert Curve.of(1) == Curve.of(2)", False, id="made alike"),
        pytest.param("assert Curve.of(1) == Other.of(2)", True, id="made by another class"),
        pytest.param(
            "made = Curve.of(1)\nsame = Curve.of(2)\nassert made == same", False, id="named alike"
        ),
        pytest.param(
            "made = Curve.of(1)\nsame = Curve.of(2)\nsame.go()\nassert made == same",
            True,
            id="alike, but acted on",
        ),
    ],
)
def test_result_is_compared_as_a_whole(body: str, expected: bool) -> None:
    function = ast.parse(f"async def test_it(self):\n{indent(body, '    ')}\n").body[0]
    call = next(
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and ast.unparse(node) == "Curve.of(1)"
    )
    assert is_compared_whole(call, frozenset({"made"}), function) is expected
