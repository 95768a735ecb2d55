"""Which objects SOC106 knows, whose text it is, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import dedent, indent

import pytest

from socrates.engine.run import check
from socrates.findings import Finding
from socrates.settings import Settings
from socrates_rules.sensitive_equality.rule import SensitiveEquality

Find = Callable[..., Sequence[Finding]]
HEAD = """\
import copy, enum, json, os
from decimal import Decimal
from pathlib import Path

import nowhere
import pytest


class Problem(nowhere.BaseError):
    pass


class Code(enum.IntEnum):
    OK = 200


class MoneyError(Exception):
    pass


class Plugin(nowhere.Base):
    pass


class Amount(int):
    pass


class Price(int):
    def __str__(self):
        return "price"

    __repr__ = __str__

    def __repr__(self):
        return "<price>"


def number_of(thing):
    return len(thing)


def owner_of(thing):
    return Money()


class Money:
    amount: int = 0
    owner: "Money"

    def url_for(self) -> str:
        return ""


"""


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """The findings in a test module."""

    def run(text: str) -> Sequence[Finding]:
        (tmp_path / "test_money.py").write_text(HEAD + dedent(text))
        settings = Settings(tmp_path)
        rules = [SensitiveEquality()]
        return check(["."], settings, rules=rules, use_cache=False, jobs=1, cwd=tmp_path).findings

    return run


@pytest.fixture
def compare(find: Find) -> Find:
    """The findings in a test that compares the text of an expression after some statements."""

    def run(expression: str, before: str = "pass", parameters: str = "thing") -> Sequence[Finding]:
        body = indent(f"{before}\nassert str({expression}) == 'x'\n", "    ")
        return find(f"def test_it({parameters}):\n{body}")

    return run


@pytest.mark.parametrize(
    "expression",
    [
        "thing",
        "thing.json()",
        "thing[0]",
        "1 + 2",
        "Decimal('1.5')",
        "Path('a').parent.resolve()",
        "Code.OK",
        "MoneyError('no')",
        "Amount(3)",
        "Problem('no')",
        "Plugin()",
        "Money().url_for()",
        "Money().amount",
        "copy.copy(Path('a'))",
        "[1, 'a', (None,)]",
        "{'a': -1}",
        "len(thing)",
        "number_of(thing)",
        "1 if thing else Money()",
        "os.environ['A']",
        "Money",
        "lambda: 1",
        "number_of",
        "json",
    ],
)
def test_unknown_or_as_good_as_its_value(expression: str, compare: Find) -> None:
    assert compare(expression) == ()


@pytest.mark.parametrize(
    "expression",
    [
        "Money()",
        "Money().owner",
        "[thing]",
        "list(thing)",
        "{'a': thing}",
        "copy.copy(Money())",
        "copy.deepcopy([thing])",
        "owner_of(thing)",
        "[Money()][0]",
        "Money() if thing else Money()",
    ],
)
def test_object_of_the_project(expression: str, compare: Find) -> None:
    assert len(compare(expression)) == 1


@pytest.mark.parametrize(
    ("said", "findings"),
    [
        pytest.param("assert isinstance(thing, int)", 0, id="primitive"),
        pytest.param("assert isinstance(thing, Path)", 0, id="path"),
        pytest.param("assert isinstance(thing, Amount)", 0, id="number of the project's own"),
        pytest.param("assert isinstance(thing, Money)", 1, id="class of the project"),
        pytest.param("assert type(thing) is Money", 1, id="exact type"),
        pytest.param("assert type(thing) == Money", 1, id="equal type"),
        pytest.param("assert isinstance(thing, Price)", 1, id="number with a text of its own"),
        pytest.param("assert isinstance(thing, (int, Money))", 0, id="one of two types"),
        pytest.param("assert isinstance(other, Money)", 0, id="another object"),
    ],
)
def test_type_that_the_test_asserts(compare: Find, said: str, findings: int) -> None:
    assert len(compare("thing", said, "thing, other")) == findings


def test_elements_of_a_list(find: Find) -> None:
    text = """
        def test_it(seen):
            assert seen == list(map(str, [Money(), Money()]))
    """
    assert len(find(text)) == 1


def test_parameters_of_one_class(find: Find) -> None:
    text = """
        @pytest.mark.parametrize("value", [Money(), Money()])
        def test_it(value, shown):
            assert shown == repr(value)
    """
    assert len(find(text)) == 1


@pytest.mark.parametrize(
    "neighbour",
    [
        "assert price > 3",
        "assert price.real",
        "assert [price]",
        "self.assertEqual(price, 3)",
        "with pytest.raises(TypeError): price()",
        "digits = price.real\nassert digits",
        "first = price[0]\nassert first",
    ],
)
def test_neighbour_that_checks_more_of_the_object(compare: Find, neighbour: str) -> None:
    assert len(compare("price", f"price = Price(3)\n{neighbour}", "self")) == 1


@pytest.mark.parametrize(
    "neighbour",
    [
        "pass",
        "assert thing > 3",
        "assert f'{price}' != 'y'",
        "assert len(str(price)) == 3",
        "other = str(price)\nassert other",
        "price.real",
    ],
)
def test_neighbour_that_checks_nothing_else_of_the_object(compare: Find, neighbour: str) -> None:
    assert compare("price", f"price = Price(3)\n{neighbour}", "thing") == ()


@pytest.mark.parametrize(
    ("made", "expected", "findings"),
    [
        ("Money(text)", "text", 0),
        ("Money('x')", "'x'", 0),
        ("Money(*thing.split(text))", "text", 0),
        ("Money(thing.text)", "thing.text", 0),
        ("Money('x')", "text", 0),
        ("Money('y')", "'x'", 1),
        ("Money(thing.text)", "thing.other", 1),
        ("Money(text)", "thing", 1),
    ],
)
def test_text_that_the_object_was_made_from(
    find: Find, made: str, expected: str, findings: int
) -> None:
    text = f"""
        def test_it(thing):
            text = 'x'
            money = {made}
            assert str(money) == {expected}
    """
    assert len(find(text)) == findings


def test_message_names_the_object_and_the_method(compare: Find) -> None:
    finding = compare("Money()")[0]
    assert finding.message == "the text of `Money()` (`str`) is compared as a whole with text"


def test_first_whole_comparison_is_shown(find: Find) -> None:
    text = """
        def test_it():
            thing = Money()
            assert "a" in str(thing)
            assert str(thing) == "abc"
    """
    finding = find(text)[0]
    shown = [finding.span.row, *(place.span.row for place in finding.related)]
    assert shown == [HEAD.count("\n") + 5, HEAD.count("\n") + 4]
