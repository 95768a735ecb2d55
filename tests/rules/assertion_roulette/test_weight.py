"""Which assertions without a message are a warning: those that hide values, and that one run can meet."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.assertion_roulette.rule import AssertionRoulette

OpenModule = Callable[..., FileContext]

ALL = "assert all(name for name in pair)\n"
ANY = "assert not any(name for name in other)\n"


def severities(open_module: OpenModule, body: str, **options: int) -> list[str]:
    head = "import unittest\n\nclass PairTest(unittest.TestCase):\n    def test_pair(self, pair):\n"
    file = open_module({"test_it.py": head + indent(body, " " * 8)})
    rule = AssertionRoulette(options)
    return [finding.severity.value for finding in rule.check(file)]


@pytest.mark.parametrize(
    ("conditions", "severity"),
    [
        pytest.param(("True: a == 1", "True: b == 2"), "warning", id="values that should be"),
        pytest.param(("False: a == 1", "True: b != 2"), "info", id="values that should not be"),
        pytest.param(("False: a == c", "False: b == d"), "warning", id="one of many values"),
        pytest.param(("True: a is not None", "False: a is b"), "info", id="not this object"),
        pytest.param(("True: a is None", "False: a is not b"), "warning", id="this object"),
        pytest.param(("True: not a is b", "False: not a is not b"), "info", id="behind not"),
        pytest.param(("True: a in b", "False: a in c"), "warning", id="members"),
        pytest.param(("True: a == b", "False: a != b"), "info", id="two operators"),
        pytest.param(("False: a == b", "False: b == a"), "info", id="both ways round"),
        pytest.param(("False: a < b", "False: b > a", "True: a == 1"), "info", id="one beside two"),
        pytest.param(("True: a == a", "False: a == b"), "info", id="compared with itself"),
        pytest.param(("True: P(1) < P(2)", "False: P(1) > P(2)"), "info", id="new objects"),
        pytest.param(("True: a.b is not None",) * 10, "info", id="ten that are not None"),
        pytest.param(("True: a.b",) * 10, "warning", id="ten plain booleans"),
        pytest.param(("True: P.A < P.B", "True: P.C >= P.A"), "info", id="members of one class"),
        pytest.param(("True: a.x < a.y", "True: a.z > a.x"), "warning", id="fields of one object"),
        pytest.param(("True: a == 1", "True: b > 1"), "warning", id="two operators, two objects"),
        pytest.param(("True: a == None", "True: b > None"), "warning", id="compared with None"),
        pytest.param(("True: a == f(1)", "True: a > f(1)"), "warning", id="what a call returns"),
    ],
)
def test_conditions(conditions: tuple[str, ...], severity: str, open_module: OpenModule) -> None:
    split = [condition.split(": ") for condition in conditions]
    body = "".join(f"self.assert{truth}({condition})\n" for truth, condition in split)
    assert severities(open_module, body) == [severity]


@pytest.mark.parametrize(
    ("after", "severity"),
    [
        pytest.param("self.assertEqual(row['a'], row['b'])", "info", id="read by their keys"),
        pytest.param("self.assertEqual(row['a'], 1)", "info", id="one of them is read"),
        pytest.param("self.assertEqual(other['a'], 1)", "warning", id="another row is read"),
        pytest.param("self.assertEqual(row['c'], 1)", "warning", id="another key is read"),
    ],
)
def test_keys_that_are_read_below(after: str, severity: str, open_module: OpenModule) -> None:
    body = f"self.assertTrue('a' in row)\nself.assertTrue('b' in row)\n{after}\n"
    assert severities(open_module, body) == [severity]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        pytest.param(f"# Each has a name.\n{ALL}# No other has.\n{ANY}", "info", id="both"),
        pytest.param(f"{ALL}# No other has one.\n{ANY}{ALL}", "warning", id="one of three"),
        pytest.param(f"# names\n{ALL}# others\n{ANY}", "warning", id="headings of one word"),
        pytest.param(
            f"{ALL[:-1]}  # each has a name\n{ANY[:-1]}  # ä, no other has\n",
            "info",
            id="at the end",
        ),
        pytest.param(
            f"{ALL[:-1]}  # noqa: E712\n{ANY[:-1]}  # type: ignore[x]\n", "warning", id="tools"
        ),
        pytest.param(f"# Each has a name.\n\n{ALL}\n{ANY}", "warning", id="apart"),
    ],
)
def test_comments(body: str, severity: str, open_module: OpenModule) -> None:
    assert severities(open_module, body) == [severity]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        pytest.param(f"if pair:\n    {ALL}else:\n    {ANY}", "info", id="if and else"),
        pytest.param(f"if pair:\n    {ALL}elif other:\n    {ANY}", "info", id="elif"),
        pytest.param(f"if pair:\n    {ALL}    return\n{ANY}", "info", id="early return"),
        pytest.param(
            f"if pair:\n    pass\nelse:\n    {ALL}    return\n{ANY}", "info", id="return in else"
        ),
        pytest.param(f"if pair:\n    {ALL}{ANY}", "warning", id="if, and after it"),
        pytest.param(f"if pair:\n    {ALL}if other:\n    {ANY}", "warning", id="two conditions"),
        pytest.param(f"if pair:\n    {ALL}    {ANY}else:\n    {ANY}", "warning", id="one branch"),
        pytest.param(
            f"match pair:\n    case 1:\n        {ALL}    case _:\n        {ANY}", "info", id="match"
        ),
        pytest.param(
            f"for one in pair:\n    if one:\n        {ALL}    else:\n        {ANY}",
            "warning",
            id="in a loop, which may take both",
        ),
        pytest.param(f"try:\n    {ALL}finally:\n    {ANY}", "warning", id="try"),
    ],
)
def test_branches(body: str, severity: str, open_module: OpenModule) -> None:
    assert severities(open_module, body) == [severity]


def test_loop_hides_which_round_failed(open_module: OpenModule) -> None:
    body = (
        "for one in pair:\n    self.assertTrue(one is not pair)\n    self.assertFalse(one == 1)\n"
    )
    assert severities(open_module, body) == ["warning"]


@pytest.mark.parametrize(("option", "severity"), [(2, "info"), (1, "warning")])
@pytest.mark.parametrize("name", ["max-unexplained", "max-booleans"])
def test_every_limit_is_for_one_way(
    name: str, option: int, severity: str, open_module: OpenModule
) -> None:
    lines = "    self.assertTrue(pair.first(1))\n    self.assertTrue(pair.second(1))\n"
    limits = {
        "max-looks": 1,
        "max-booleans": 9,
        "max-opaque": 1,
        "max-unexplained": 9,
        name: option,
    }
    assert severities(open_module, f"if pair:\n{lines}else:\n{lines}", **limits) == [severity]
