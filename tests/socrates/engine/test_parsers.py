"""Findings do not depend on the parser that goes first, nor on the Python that runs it.

The project below has what Python 3.12 to 3.14 brought: type parameters and their defaults (PEP 695, 696),
any code in f-strings (701), template strings (750), `except` without parentheses (758), a `finally` that is
left early (765), and annotations that name what is defined below (649).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from socrates import registry
from socrates.config.values import option_values
from socrates.findings import CheckResult, Finding
from socrates.fixes.apply import fix_all
from socrates.rule import Rule
from socrates.session import check, prepare

ROOT = Path(__file__).parents[3]

SHOP = """\
    type Name = str
    type Basket = Cart


    class Cart[T: int = int]:
        def __init__(self) -> None:
            self.items: list[T] = []

        def add(self, item: T) -> None:
            self.items.append(item)

        def total(self) -> int:
            try:
                return sum(self.items)
            except TypeError, ValueError:
                return 0

        def shown(self) -> str:
            return f"{", ".join(map(str, self.items))}"

        def __repr__(self) -> str:
            return f"Cart({self.shown()!r:>{"1"}})"


    def greet(name: Name) -> object:
        return t"hello {name!r}"


    def make() -> Basket:
        return Cart()


    class Till:
        def latest(self, receipt: Receipt | None = None) -> Receipt:
            try:
                return receipt.checked()
            finally:
                return Receipt()


    class Receipt:
        def __init__(self, number: int = 1) -> None:
            self.number = number

        def checked(self) -> Receipt:
            return self
    """

TESTS = """\
    import pytest

    from shop import Cart, Name, Till, greet, make

    type Number = int


    @pytest.fixture
    def cart[T: Cart]() -> T:
        return Cart()


    @pytest.fixture
    def notes() -> list[Number]:
        return [1, 2]


    def test_cart_and_more(cart, notes):
        cart.add(1)
        assert cart.total() == 1
        cart.add(2)
        assert cart.shown() == f"{"1"}, {"2"}"
        try:
            cart.add("x")
        except KeyError, IndexError:
            raise


    def test_made(notes):
        basket = make()
        basket.add(3)
        assert basket.total() == 3
        assert basket.shown() == "3"
        assert repr(basket) == f"Cart({"3"!r})"


    def test_file():
        with open(f"{"/etc"}/hosts") as lines:
            assert greet(lines.read()) is not None


    def test_latest(notes):
        latest = Till().latest()
        assert f"{latest}" == f"{"receipt"}"
        for note in notes:
            try:
                assert note
            finally:
                continue


    def test_greeting():  # socrates: ignore[SOC101] two facts: f"{"it"}"
        assert greet("ann") == t"hello {"ann"}"
        assert greet("bob") != t"hello {"ann"}"
    """

OLDER = {
    "type Name = str": "Name = str",
    "type Basket = Cart": "Basket = 'Cart'",
    "type Number = int": "Number = int",
    "receipt: Receipt | None": "receipt: 'Receipt | None'",
    "-> Receipt:": "-> 'Receipt':",
    '{"receipt"}': "{'receipt'}",
    "[T: int = int]": "",
    "[T: Cart]": "",
    "-> T:": ":",
    "except TypeError, ValueError:": "except (TypeError, ValueError):",
    "except KeyError, IndexError:": "except (KeyError, IndexError):",
    '{", ".join': "{', '.join",
    '{"1"}': "{'1'}",
    '{"2"}': "{'2'}",
    '{"3"!r}': "{'3'!r}",
    '{"/etc"}': "{'/etc'}",
    't"hello {"ann"}"': "f\"hello {'ann'}\"",
    't"hello': 'f"hello',
    '{"it"}': "{'it'}",
}


def older(text: str) -> str:
    """The same code, line by line, in the grammar of Python 3.11."""
    for new, old in OLDER.items():
        text = text.replace(new, old)
    return text


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in {"pyproject.toml": "", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return folder


def findings_in(folder: Path, parser: str = "auto", **flags: object) -> tuple[Finding, ...]:
    return checked(folder, parser, **flags).findings


def checked(folder: Path, parser: str = "auto", **flags: object) -> CheckResult:
    session = prepare(["."], flags={"parser": parser, "jobs": 1, **flags}, cwd=folder)
    return check(session, use_cache=False)


@pytest.fixture
def newer_project(tmp_path: Path) -> Path:
    """Tests and a production module in grammar that no single older Python knows."""
    return written(tmp_path / "newer", {"shop.py": SHOP, "test_shop.py": TESTS})


@pytest.fixture
def older_project(tmp_path: Path) -> Path:
    """The same project in the grammar of Python 3.11."""
    files = {"shop.py": older(SHOP), "test_shop.py": older(TESTS)}
    return written(tmp_path / "older", files)


@pytest.mark.parametrize("parser", ["auto", "libcst"])
def test_newer_code_has_the_findings_of_its_older_twin(newer_project, older_project, parser):
    found = checked(newer_project, parser)
    expected = checked(older_project, "python")
    assert {finding.code for finding in found.findings} >= {"SOC101", "SOC104", "SOC105", "SOC106"}
    assert found.findings == expected.findings
    assert found.suppressed == expected.suppressed == 1


def test_production_module_alone_may_be_newer(newer_project, older_project):
    (newer_project / "test_shop.py").write_text(dedent(older(TESTS)), "utf-8")
    assert findings_in(newer_project) == findings_in(older_project)


def test_python_alone_knows_its_own_grammar_only(tmp_path):
    folder = written(tmp_path, {"test_a.py": "lazy import os\n\ndef test_a(): pass\n"})
    (found,) = findings_in(folder, "python")
    assert (found.code, found.message) == ("SOC000", "syntax error: invalid syntax")
    assert findings_in(folder, "auto") == findings_in(folder, "libcst") == ()


def test_newer_code_is_fixed_as_its_older_twin(
    newer_project, older_project
):  # socrates: ignore[SOC101] one file, read part by part
    fixed = {}
    for folder in (newer_project, older_project):
        session = prepare(["."], flags={"jobs": 1}, cwd=folder)
        (fixed[folder],) = fix_all(session, check(session, use_cache=False), unsafe=True).files
    newer, twin = fixed[newer_project], fixed[older_project]
    assert newer.changed
    assert len(newer.applied) == len(twin.applied)
    assert newer.withdrawn == twin.withdrawn == ()
    assert older(newer.after.decode()) == twin.after.decode()


@pytest.mark.parametrize("folder", sorted(path.name for path in (ROOT / "examples").iterdir()))
def test_examples_have_the_same_findings_with_both_parsers(folder):
    session = prepare([str(ROOT / "examples" / folder)], flags={"jobs": 1}, cwd=ROOT)
    found = check(session, use_cache=False, use_baseline=False).findings
    again = prepare(
        [str(ROOT / "examples" / folder)], flags={"jobs": 1, "parser": "libcst"}, cwd=ROOT
    )
    assert check(again, use_cache=False, use_baseline=False).findings == found


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, id=rule.code) for rule in registry.installed()]
)
def test_examples_of_rules_have_the_same_findings_with_both_parsers(rule: type[Rule], tmp_path):
    total = 0
    for number, example in enumerate(rule.examples):
        folder = written(tmp_path / str(number), example.texts)
        options = option_values(rule.options, example.options, example.name)
        flags = {"select": [rule.code]}
        config = [f'rules."{rule.name}"."{key}" = {_toml(value)}' for key, value in options.items()]
        found = []
        for parser in ("python", "libcst"):
            session = prepare(
                ["."], config=config, flags={**flags, "parser": parser, "jobs": 1}, cwd=folder
            )
            found.append(check(session, use_cache=False).findings)
        assert found[0] == found[1], example.name
        total += len(found[0])
    assert total


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value).lower() if isinstance(value, (bool, int)) else f"'{value}'"
