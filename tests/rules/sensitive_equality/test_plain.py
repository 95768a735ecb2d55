"""Whose text is as good as its value, and what SOC106 says when it is not."""

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
import copy, enum, json, os, pickle, sys
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


class Amount(int):
    pass


class Half(float):
    def __str__(self):
        return "half"


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
        "1 + 2",
        "Decimal('1.5')",
        "Path('a').parent.resolve()",
        "thing / 'name'",
        "(11 - thing) % 10",
        "0 if thing else 10 - thing",
        "thing.request.url",
        "thing.base_path",
        "thing.get_url()",
        "os.getpid()",
        "sys.executable",
        "json.dumps(thing)",
        "Code.OK",
        "MoneyError('no')",
        "Amount(3)",
        "Problem('no')",
        "Money().url_for()",
        "Money().amount",
        "copy.copy(Path('a'))",
        "thing.read()",
        "thing.exception",
        "error",
        "[1, 'a', (None,)]",
        "-thing",
        "thing - 1",
        "1 - thing",
        "1 if thing else 2",
        "1 or 2",
        "thing[0] / 2",
        "paths[0]",
        "thing['path']",
        "{'a': 1}['a']",
        "[1, 2][0]",
        "caught_warnings[0].message",
        "thing.next(int)",
        "thing.get('PORT', cast=int)",
        "copy.copy(1)",
        "copy.deepcopy(Path('a'))",
        "thing.strip()",
        "thing.getvalue()",
        "find_path()",
        "thing.find_path()",
        "number_of(thing)",
        "Path('a').with_suffix('.b').parents[0]",
        "sum(thing)",
        "len(thing)",
        "thing.error",
        "thing.value",
        "thing.__cause__",
        "os.environ['A']",
    ],
)
def test_plain(expression: str, compare: Find) -> None:
    assert compare(expression) == ()


@pytest.mark.parametrize(
    "expression",
    [
        "thing",
        "thing.parent",
        "thing.json()",
        "Money()",
        "Money().owner",
        "[thing]",
        "copy.copy(Money())",
        "thing[0]",
        "thing['owner']",
        "1 if thing else Money()",
        "1 or Money()",
        "thing + thing",
        "thing.message",
        "thing.next(Money)",
        "thing.get('PORT', default=int)",
        "thing.parent.parent",
        "find_owner()",
        "thing.find_owner()",
        "owner_of(thing)",
        "[Money()][0]",
        "Money",
        "lambda: 1",
    ],
)
def test_not_plain(expression: str, compare: Find) -> None:
    assert len(compare(expression)) == 1


@pytest.mark.parametrize(
    ("said", "findings"),
    [
        pytest.param("assert isinstance(thing, int)", 0, id="primitive"),
        pytest.param("assert isinstance(thing, Path)", 0, id="path"),
        pytest.param("assert isinstance(thing, Amount)", 0, id="number of the project's own"),
        pytest.param("assert isinstance(thing, Half)", 0, id="number with half a text of its own"),
        pytest.param("assert isinstance(thing, (int, Path))", 0, id="one of two plain types"),
        pytest.param("assert isinstance(thing, int | Path)", 0, id="one or the other plain type"),
        pytest.param("assert type(thing) is int", 0, id="exact type"),
        pytest.param("assert type(thing) == int", 0, id="equal type"),
        pytest.param("assert isinstance(thing, Money)", 1, id="class of the project"),
        pytest.param("assert isinstance(thing, Price)", 1, id="number with a text of its own"),
        pytest.param("assert isinstance(thing, (int, Money))", 1, id="plain or not"),
        pytest.param("assert isinstance(thing, int | Money)", 1, id="plain or the other"),
        pytest.param("assert isinstance(other, int)", 1, id="another object"),
        pytest.param("assert thing", 1, id="nothing about its type"),
    ],
)
def test_type_that_the_test_asserts(compare: Find, said: str, findings: int) -> None:
    assert len(compare("thing", said, "thing, other")) == findings


@pytest.mark.parametrize("expression", ["log_path", "thing.log_path", "exc_value"])
def test_asserted_type_outweighs_the_name(compare: Find, expression: str) -> None:
    said = f"assert isinstance({expression}, Money)"
    parameters = "thing, log_path, exc_value"
    found = [len(compare(expression, before, parameters)) for before in ("pass", said)]
    assert found == [0, 1]


def test_older_value_of_a_name(compare: Find) -> None:
    assert compare("target", "target = Path('a')\ntarget = target.resolve()") == ()


def test_numbers_of_a_range(find: Find) -> None:
    text = """
        def test_it(seen):
            assert seen == list(map(str, range(3)))
    """
    assert find(text) == ()


def test_parameters_that_are_not_all_primitive(find: Find) -> None:
    text = """
        @pytest.mark.parametrize("value", [1, Money()])
        def test_it(value, shown):
            assert shown == repr(value)
    """
    assert len(find(text)) == 1


def test_text_against_the_text_of_a_path(find: Find) -> None:
    text = """
        def test_it(thing):
            assert str(thing.place) == str(Path("a"))
    """
    assert find(text) == ()


def test_exception_caught_in_a_nested_function(find: Find) -> None:
    text = """
        def test_it(thing):
            def run():
                with pytest.raises(ValueError) as caught:
                    thing()
                assert "no" in str(caught.value.args[0])

            run()
    """
    assert find(text) == ()


def test_message_names_the_object_and_the_method(compare: Find) -> None:
    finding = compare("Money()")[0]
    assert finding.message == "the text of `Money()` (`str`) is compared as a whole with text"


def test_first_whole_comparison_is_shown(find: Find) -> None:
    text = """
        def test_it(thing):
            assert "a" in str(thing)
            assert str(thing) == "abc"
    """
    finding = find(text)[0]
    shown = [finding.span.row, *(place.span.row for place in finding.related)]
    assert shown == [HEAD.count("\n") + 4, HEAD.count("\n") + 3]
