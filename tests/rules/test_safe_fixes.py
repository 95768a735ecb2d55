"""Safe fixes keep every outcome: generated projects are run by pytest before and after them."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from socrates.engine.analyse import Analyser
from socrates.fixes.apply import fix_all
from socrates.session import check, prepare
from socrates.settings import Settings

SHOP = """\
from dataclasses import dataclass, field
from functools import wraps

LOG = []
KINDS = {}


def log(value=None):
    LOG.append(value)
    return value


class Plain:
    def __init__(self, name):
        self.name = name


@dataclass
class Record:
    name: str
    tags: list = field(default_factory=list)


class Registered:
    def __init__(self, name):
        self.name = name
        LOG.append(self)


class New:
    def __new__(cls, *args):
        LOG.append(cls)
        return object.__new__(cls)


class Guarded:
    def __init__(self, name):
        self.name = name

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        LOG.append(name)
        self._name = name


class Noticed:
    def __init__(self, name):
        self.name = name

    def __setattr__(self, name, value):
        LOG.append(value)
        object.__setattr__(self, name, value)


class Told:
    def __set_name__(self, owner, name):
        self.kept = name

    def __set__(self, thing, value):
        LOG.append(value)


class Described:
    name = Told()

    def __init__(self, name):
        self.name = name


class Counting(type):
    def __call__(cls, *args):
        LOG.append(cls)
        return super().__call__(*args)


class Counted(metaclass=Counting):
    pass


class Heir(Counted):
    pass


class Kind:
    def __init_subclass__(cls):
        LOG.append(cls)


@dataclass
class Numbered:
    name: str
    number: int = field(default_factory=log)


@dataclass
class Late:
    name: str

    def __post_init__(self):
        LOG.append(self.name)


def keeping(cls):
    @wraps(cls)
    def make(*args):
        LOG.append(args)
        return cls(*args)

    return make


@keeping
class Kept:
    pass


class Rebound:
    pass


Rebound = keeping(Rebound)


class Factory:
    model = Registered

    @classmethod
    def create(cls, name):
        return cls.model(name)

    def __new__(cls, name):
        return cls.create(name)


class UserFactory(Factory):
    pass


class Loud:
    def __str__(self):
        LOG.append("str")
        return "loud"

    def __iter__(self):
        LOG.append("iter")
        return iter(())

    def __fspath__(self):
        LOG.append("path")
        return "loud"

    def __add__(self, other):
        LOG.append("add")
        return self

    def __bool__(self):
        LOG.append("bool")
        return True

    def __getattr__(self, name):
        LOG.append(name)
        return 1


LOUD = Loud()


def create_user(name):
    LOG.append(name)
    return name


def quiet(name):
    return name


def decorated(function):
    @wraps(function)
    def run(*args):
        LOG.append(args)
        return function(*args)

    return run


@decorated
def loud(name):
    return name
"""

EFFECTS = (
    'return shop.create_user("ann")',
    'return create_user("ann")',
    "return make()",
    'return shop.UserFactory("ann")',
    'return shop.UserFactory.create("ann")',
    'return shop.Registered("ann")',
    'return shop.New("ann")',
    'return shop.Guarded("ann")',
    'return shop.Noticed("ann")',
    'return shop.Described("ann")',
    "return shop.Heir()",
    'return shop.Numbered("ann")',
    'return shop.Late("ann")',
    "return shop.Kept()",
    "return shop.Rebound()",
    "return [shop.Kept() for _ in range(2)]",
    'return shop.loud("ann")',
    "return str(shop.LOUD)",
    "return list(LOUD)",
    "return Path(shop.LOUD)",
    "return shop.LOUD + 1",
    "return shop.LOUD.name",
    'return f"{shop.LOUD}"',
    "return [*LOUD]",
    "return {**{1: shop.log()}}",
    "return not LOUD",
    "return 1 if LOUD else 2",
    "return shop.LOG.append",
    "return shop.LOG.append(1) or 3",
    "return {}.setdefault(1, shop.log())",
    "value = shop.log()\nreturn value",
    "if LOUD:\n    return 1\nreturn 2",
    "for _ in LOUD:\n    pass\nreturn 2",
    "value = [3]\nshop.LOG += value\nreturn value",
    "value = shop.LOG\nvalue.append(3)\nreturn value",
    "value = shop.LOG\nvalue[:] = [3]\nreturn value",
    "class Mine(shop.Kind):\n    pass\n\nreturn Mine",
    "class Mine:\n    shop.log()\n\nreturn Mine",
    "def mine(value=shop.log()):\n    return value\n\nreturn mine",
    "@shop.decorated\ndef mine():\n    return 1\n\nreturn mine()",
    "import {noisy}\n\nreturn 3",
    "from {noisy} import VALUE\n\nreturn VALUE",
    "with shop_open() as value:\n    return value",
    "monkeypatch.setattr(shop, 'LOG', [1])\nreturn 3",
    "return mock.patch.object(shop, 'LOG', [1]).start()",
    "return (lambda: shop.log())()",
    "return max([1], key=shop.log)",
    "return sorted([1, 2], key=shop.log)",
    "return list(map(shop.log, [1]))",
    "return Patched('ann')",
    'return int("no number")',
    "return missing",
)
FAILING = ('return int("no number")', "return missing")
"""Fixtures whose removal is noticed because they fail."""
PURE = (
    "return 3",
    'return {"a": [1, 2]}',
    'return shop.Plain("ann")',
    'return Record("ann")',
    'value = Record("ann")\nreturn value',
    'return quiet("ann")',
    'return tmp_path / "file.txt"',
)
HEAD = """\
import contextlib
import sys
from pathlib import Path
from unittest import mock

import pytest

import {shop} as shop
from {shop} import LOUD, Record, create_user, quiet


class Patched:
    def __init__(self, name):
        self.name = name


def make():
    return create_user("bob")


@contextlib.contextmanager
def shop_open():
    shop.log()
    yield 1


@pytest.fixture(autouse=True)
def clean():
    shop.LOG.clear()
    sys.modules.pop("{noisy}", None)
    with mock.patch(__name__ + ".Patched", shop.create_user):
        yield
"""
NOISY = """\
import {shop}

{shop}.LOG.append("imported")
VALUE = 3
"""
_NUMBERS = itertools.count()


class _Outcomes:
    """Collects the outcome of every phase of every test."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.found[report.nodeid, report.when or ""] = report.outcome


def outcomes(folder: Path) -> dict[str, str]:
    """How each test of a folder ended, run by pytest in this process."""
    watcher = _Outcomes()
    known, path = set(sys.modules), list(sys.path)
    sys.path.insert(0, str(folder))
    try:
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:terminal", "--import-mode=importlib"]
        pytest.main(
            [*options, "-c", str(folder / "pytest.ini"), "--rootdir", str(folder), str(folder)],
            plugins=[watcher],
        )
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
    ended: dict[str, str] = {}
    for (nodeid, _), outcome in watcher.found.items():
        if ended.get(nodeid, "passed") == "passed":
            ended[nodeid] = outcome
    return ended


def fixture(number: int, body: str) -> str:
    """A fixture, a test that counts on it having no effect, and one that counts on its effect."""
    wanted = [name for name in ("tmp_path", "monkeypatch") if name in body]
    text = f"\n\n@pytest.fixture\ndef made_{number}({', '.join(wanted)}):\n"
    text += indent(body, "    ") + "\n"
    for name, condition in (("silent", "not shop.LOG"), ("heard", "shop.LOG")):
        text += f"\n\ndef test_{name}_{number}(made_{number}):\n    assert {condition}\n"
    return text


def written(folder: Path, bodies: Sequence[str]) -> Path:
    """A project of its own, under names that no other has."""
    number = next(_NUMBERS)
    names = {"shop": f"generated_shop_{number}", "noisy": f"generated_noisy_{number}"}
    folder = folder / str(number)
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / f"{names['shop']}.py").write_text(SHOP)
    (folder / f"{names['noisy']}.py").write_text(NOISY.format(**names))
    text = HEAD.format(**names) + "".join(
        fixture(index, body.replace("{noisy}", names["noisy"])) for index, body in enumerate(bodies)
    )
    (folder / f"test_generated_{number}.py").write_text(text)
    return folder


def fixed(folder: Path) -> list[str]:
    """Apply the safe fixes; what they did."""
    session = prepare([], isolated=True, cwd=folder, flags={"jobs": 1})
    result = fix_all(session, check(session, use_cache=False))
    return [change.fix.message for file in result.files for change in file.applied]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for projects. The engine raises Python's recursion limit once, before hypothesis
    starts to watch it."""
    folder = tmp_path_factory.mktemp("generated")
    Analyser(Settings(folder), [])
    return folder


@given(bodies=st.permutations(EFFECTS + PURE).map(lambda bodies: bodies[:30]))
@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
def test_dropped_fixtures_change_no_outcome(root: Path, bodies: Sequence[str]) -> None:
    folder = written(root, bodies)
    before = outcomes(folder)
    fixed(folder)
    assert outcomes(folder) == before


def reported(folder: Path) -> list[str]:
    """The tests whose fixture is reported as one that they don't use."""
    session = prepare([], isolated=True, cwd=folder, flags={"jobs": 1, "select": ["SOC104"]})
    return [str(finding.test) for finding in check(session, use_cache=False).findings]


@given(bodies=st.permutations((*EFFECTS, *PURE)).map(lambda bodies: bodies[:30]))
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
def test_reported_fixtures_are_not_missed(root: Path, bodies: Sequence[str]) -> None:
    folder = written(root, [body for body in bodies if body not in FAILING])
    before = outcomes(folder)
    [module] = folder.glob("test_*.py")
    text = module.read_text()
    for nodeid in reported(folder):
        name = nodeid.rpartition("::")[2]
        text = text.replace(f"def {name}(made_{name.rpartition('_')[2]}):", f"def {name}():")
    module.write_text(text)
    assert outcomes(folder) == before


@pytest.mark.parametrize("body", [*PURE, "return shop.LOG.append"])
def test_fixture_that_only_builds_is_reported(tmp_path: Path, body: str) -> None:
    assert len(reported(written(tmp_path, [body]))) == 2


@pytest.mark.parametrize("body", EFFECTS)
def test_fixture_with_an_effect_stays(tmp_path: Path, body: str) -> None:
    assert fixed(written(tmp_path, [body])) == []


@pytest.mark.parametrize("body", PURE)
def test_fixture_that_only_builds_is_dropped(tmp_path: Path, body: str) -> None:
    assert len(fixed(written(tmp_path, [body]))) == 2


@pytest.mark.parametrize("body", PURE)
def test_fixtures_count_where_a_hook_reads_their_names(tmp_path: Path, body: str) -> None:
    folder = written(tmp_path, [body])
    (folder / "conftest.py").write_text(
        dedent("""\
            import pytest


            @pytest.fixture(autouse=True)
            def look(request):
                if "made_0" in request.fixturenames:
                    pytest.skip("it is requested")
            """)
    )
    assert fixed(folder) == []


CASE = """\
import math
import unittest


class Odd:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return True

    def __lt__(self, other):
        return []

    def __contains__(self, other):
        return other != 1

    def __hash__(self):
        return 1


NAN = math.nan
ODD = Odd()


class TestShown(unittest.TestCase):
    pass
"""
OPERANDS = ("1", "2.0", "NAN", "[1]", "[NAN]", "(1,)", "{1}", "{1: [2]}", '"a\\nb"', "None", "ODD")
OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not")
CONDITIONS = st.one_of(
    st.tuples(st.sampled_from(OPERANDS), st.sampled_from(OPERATORS), st.sampled_from(OPERANDS)).map(
        " ".join
    ),
    st.sampled_from(OPERANDS).map(lambda value: f"isinstance({value}, (int, Odd))"),
    st.sampled_from(OPERANDS).map(lambda value: f"not {value} in [1]"),
)
METHODS = st.tuples(st.sampled_from(["assertTrue", "assertFalse"]), CONDITIONS).map(
    lambda pair: f"self.{pair[0]}({pair[1]})"
)
ASSERTS = st.tuples(CONDITIONS, CONDITIONS).map(lambda pair: f"assert {' and '.join(pair)}")


@given(assertions=st.lists(st.one_of(METHODS, METHODS, ASSERTS), min_size=40, max_size=40))
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
def test_assertions_that_show_more_change_no_outcome(root: Path, assertions: list[str]) -> None:
    folder = root / f"shown-{next(_NUMBERS)}"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    tests = "".join(
        f"\n    def test_{number}(self):\n        {assertion}\n        self.assertEqual(1, 1)\n"
        for number, assertion in enumerate(assertions)
    )
    (folder / "test_shown.py").write_text(CASE + tests)
    before = outcomes(folder)
    assert (len(fixed(folder)) > 10, outcomes(folder)) == (True, before)
