"""Parts of a fixture that less than a third of its tests use."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.general_fixture.provision import Provisions
from socrates_rules.general_fixture.shares import Shares

OpenModule = Callable[..., FileContext]


def stray(open_module: OpenModule, text: str) -> list[str]:
    """The parts that the first test does without, and that it need not be handed."""
    file = open_module(text)
    provisions = Provisions(file)
    shares = Shares(file, provisions)
    test = file.tests[0]
    parts = [part for part in provisions.of(test) if not part.used]
    return [part.name for part in parts if shares.is_stray(part, test)]


def case(value: str, *bodies: str) -> str:
    """A class whose set-up leaves ``self.a``, and tests with these bodies."""
    tests = "".join(f"    def test_{n}(self):\n        {body}\n" for n, body in enumerate(bodies))
    return (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n"
        f"    def setUp(self):\n        self.a = {value}\n{tests}"
    )


@pytest.mark.parametrize(
    ("value", "bodies", "expected"),
    [
        pytest.param("Box()", ["pass"], ["self.a"], id="nobody uses it"),
        pytest.param("Box()", ["pass", "self.a"], [], id="half of them use it"),
        pytest.param("Box()", ["pass", "self.a", "pass"], [], id="one of three uses it"),
        pytest.param(
            "Box()", ["pass", "self.a", *["pass"] * 2], ["self.a"], id="one of four uses it"
        ),
        pytest.param("Box()", ["pass", "self.a", "self.a"], [], id="two of three use it"),
        pytest.param("None", ["pass", "self.a", "pass"], [], id="placeholder that one uses"),
        pytest.param("None", ["pass", "pass"], ["self.a"], id="placeholder that nobody uses"),
    ],
)
def test_part_of_a_set_up(
    value: str, bodies: list[str], expected: list[str], open_module: OpenModule
) -> None:
    assert stray(open_module, case(value, *bodies)) == expected


def test_tests_of_another_class_do_not_count(open_module: OpenModule) -> None:
    other = case("Box()", "self.a", "self.a").replace("TestIt", "TestOther")
    assert stray(open_module, f"{case('Box()', 'pass')}\n{other}") == ["self.a"]


def test_fixture_that_is_not_read_is_always_one(open_module: OpenModule) -> None:
    text = (
        "import pytest\n\n@pytest.fixture\ndef box():\n    return 3\n\n"
        "def test_one(box):\n    pass\n\ndef test_two(box):\n    assert box\n"
    )
    assert stray(open_module, text) == ["box"]
