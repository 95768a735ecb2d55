"""The part that a call plays in a test: from its name, its place and what follows it."""

from __future__ import annotations

import ast
from typing import cast

import pytest

from socrates.model.python.names import Scope
from socrates.model.units.members import Member
from socrates.model.units.phases import (
    Boundary,
    Event,
    Further,
    Step,
    assign_roles,
    names_method,
    only_returns_state,
    words_of,
)

HERE, THERE = (cast("Scope", object()) for _ in range(2))
CALL = ast.parse("queue.put(queue.take())", mode="eval").body
ASSERTION, OTHER = ast.Assert(ast.Constant(1)), ast.Assert(ast.Constant(1))
LOOKED = Boundary()


def step(name: str, node: ast.AST | None = None, **more: object) -> Step:
    return Step(Member(name), node or ast.Constant(0), HERE, **more)  # type: ignore[arg-type]


def inner_call() -> ast.AST:
    assert isinstance(CALL, ast.Call)
    return CALL.args[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("TestFooBar.test_spam_eggs", " test foo bar test spam eggs "),
        ("test_http2Get", " test http2 get "),
        ("HTTPServer", " httpserver "),
        ("_private__", " private "),
    ],
)
def test_words_of(name: str, words: str) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("test", "method", "expected"),
    [
        ("test_put_twice", "put", True),
        ("test_puts", "put", True),
        ("test_output", "put", False),
        ("test_pu", "pu", False),
        ("test_register_user", "register", True),
        ("test_registers", "register", True),
        ("test_unregister", "register", False),
        ("test_sorting", "sort", False),
        ("test_sorted_x", "sorted", True),
        ("test_sortedlist", "sorted", True),
        ("test_parted", "parte", False),
        ("test_readline_empty", "read_line", True),
        ("test_read_line_empty", "readline", True),
        ("test_x", "__enter__", False),
        ("test_enter", "__enter__", True),
    ],
)
def test_test_is_named_after_a_method(test: str, method: str, expected: bool) -> None:
    assert names_method(words_of(test), method) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("get_size", True),
        ("is_empty", True),
        ("issue", False),
        ("isolate", False),
        ("has_items", True),
        ("hash", False),
        ("to_dict", True),
        ("as_text", True),
        ("total", False),
        ("assign", False),
        ("put", False),
    ],
)
def test_getter_by_name(name: str, expected: bool) -> None:
    assert only_returns_state(Member(name)) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return self.size", True),
        ("'Its size.'\n    return self.size", True),
        ("self.look()\n    return self.size", False),
        ("return self.size + 1", False),
        ("self.size", False),
        ("'Its size.'", False),
    ],
)
def test_getter_by_body(body: str, expected: bool) -> None:
    node = ast.parse(f"def size(self):\n    {body}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert only_returns_state(Member("size", node)) is expected


ROLES: dict[str, tuple[list[Event], str]] = {
    "asserted after": ([step("put"), LOOKED], "checked"),
    "never asserted": ([step("put")], "sets-up"),
    "the last before the assertion": ([step("put"), step("take"), LOOKED], "sets-up checked"),
    "each asserted": ([step("put"), LOOKED, step("take"), LOOKED], "checked checked"),
    "getter in an assertion": (
        [step("put"), step("get_size", assertion=ASSERTION), LOOKED],
        "checked observes",
    ),
    "getter outside": ([step("put"), step("get_size"), LOOKED], "sets-up checked"),
    "two in one assertion": (
        [step("put", assertion=ASSERTION), step("take", assertion=ASSERTION), LOOKED],
        "checked checked",
    ),
    "in two assertions": (
        [step("put", assertion=ASSERTION), step("take", assertion=OTHER), LOOKED],
        "sets-up checked",
    ),
    "only the other in an assertion": (
        [step("put"), step("take", assertion=ASSERTION), LOOKED],
        "sets-up checked",
    ),
    "around another in one assertion": (
        [
            step("take", inner_call(), assertion=ASSERTION),
            step("put", CALL, assertion=ASSERTION),
            LOOKED,
        ],
        "sets-up checked",
    ),
    "the same call again": (
        [step("put", CALL, assertion=ASSERTION), step("put", CALL, assertion=ASSERTION), LOOKED],
        "checked checked",
    ),
    "closed last": ([step("put"), LOOKED, step("close")], "checked cleans-up"),
    "closed before the assertion": ([step("put"), step("close"), LOOKED], "sets-up checked"),
    "closed and stopped last": ([step("close"), step("stop")], "cleans-up cleans-up"),
    "closed before another call": ([step("close"), step("put")], "sets-up sets-up"),
    "closed with something else after it": ([step("close"), Further("x")], "cleans-up"),
    "closed in a finally": (
        [step("put"), step("close", in_finally=True), LOOKED],
        "checked cleans-up",
    ),
    "put in a finally": ([step("put", in_finally=True), LOOKED], "checked"),
    "expected": ([step("take", bound=frozenset({"_expected", "x"})), LOOKED], "sets-up"),
    "wanted": ([step("take", bound=frozenset({"WANT"})), LOOKED], "sets-up"),
    "bound to another name": ([step("take", bound=frozenset({"unexpected"})), LOOKED], "checked"),
    "second side": (
        [
            step("put", assertion=ASSERTION, side=(1, 0)),
            step("take", assertion=ASSERTION, side=(1, 1)),
            LOOKED,
        ],
        "checked sets-up",
    ),
    "same side": (
        [
            step("put", assertion=ASSERTION, side=(1, 1)),
            step("take", assertion=ASSERTION, side=(1, 1)),
            LOOKED,
        ],
        "checked checked",
    ),
    "sides of two comparisons": (
        [
            step("put", assertion=ASSERTION, side=(1, 0)),
            step("take", assertion=ASSERTION, side=(2, 1)),
            LOOKED,
        ],
        "checked checked",
    ),
    "no comparison": (
        [
            step("put", assertion=ASSERTION, side=(0, 0)),
            step("take", assertion=ASSERTION, side=(0, 1)),
            LOOKED,
        ],
        "checked checked",
    ),
    "more is done with the object": ([step("put"), Further(), LOOKED], "sets-up"),
    "more is done with what it made": (
        [step("put", CALL), Further(made_by=CALL), LOOKED],
        "sets-up",
    ),
    "more is done with what another made": (
        [step("put", CALL), Further(made_by=inner_call()), LOOKED],
        "checked",
    ),
    "more is done with its name": (
        [step("put", bound=frozenset({"x"}), bound_in=HERE), Further("x", HERE), LOOKED],
        "sets-up",
    ),
    "more is done with another name": (
        [step("put", bound=frozenset({"x"}), bound_in=HERE), Further("y", HERE), LOOKED],
        "checked",
    ),
    "more is done with a name elsewhere": (
        [step("put", bound=frozenset({"x"}), bound_in=HERE), Further("x", THERE), LOOKED],
        "checked",
    ),
}


@pytest.mark.parametrize(("events", "expected"), ROLES.values(), ids=ROLES.keys())
def test_roles(events: list[Event], expected: str) -> None:
    assert " ".join(role for _, role in assign_roles(events, "test_it")) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_it", "checked sets-up"),
        ("test_put", "checked sets-up"),
        ("test_take", "sets-up checked"),
        ("test_put_and_take", "checked sets-up"),
    ],
)
def test_side_that_the_test_is_named_after(name: str, expected: str) -> None:
    sides = (
        step(method, assertion=ASSERTION, side=(1, operand))
        for operand, method in enumerate(("put", "take"))
    )
    assert " ".join(role for _, role in assign_roles([*sides, LOOKED], name)) == expected


def test_close_is_checked_where_the_test_is_about_it() -> None:
    events = [step("close", in_finally=True), LOOKED]
    assert [role for _, role in assign_roles(events, "test_close_twice")] == ["checked"]
