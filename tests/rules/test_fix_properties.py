"""What holds for every fix: on the rules' own examples, and on files put together at random."""

from __future__ import annotations

import ast
import io
import tempfile
import tokenize
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from socrates import registry
from socrates.engine.analyse import Analyser
from socrates.findings import Finding
from socrates.fixes.apply import FixedFile, fix_all
from socrates.session import check, prepare
from socrates.settings import Settings

REGISTRY = registry.installed()
EXAMPLES = [
    pytest.param(rule.code, example.texts, id=f"{rule.code}-{example.name.replace(' ', '-')}")
    for rule in REGISTRY
    for example in rule.examples
    if example.expect and rule.code != "SOC000"
]


def fix_folder(folder: Path) -> tuple[tuple[FixedFile, ...], tuple[Finding, ...]]:
    """Fix all that can be fixed in a folder; the files, and what a new check finds there."""
    session = prepare([], isolated=True, cwd=folder, flags={"jobs": 1})
    fixed = fix_all(session, check(session, use_cache=False), unsafe=True)
    return fixed.files, check(session, use_cache=False).findings


def fill(folder: Path, files: Mapping[str, str]) -> None:
    """Write a small project."""
    (folder / "pyproject.toml").touch()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(dedent(text).encode())


def comments(data: bytes) -> Counter[str]:
    """How often each comment stands in a file."""
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def unmended(files: tuple[FixedFile, ...], after: tuple[Finding, ...]) -> list[str]:
    """Applied fixes whose finding is found again, word for word."""
    found = {(finding.code, finding.test, finding.message) for finding in after}
    return [
        f"{mended.test}: {mended.message}"
        for file in files
        for change in file.applied
        for mended in change.findings
        if (mended.code, mended.test, mended.message) in found
    ]


def problems(folder: Path) -> list[str]:
    """Everything that is wrong after fixing a folder twice."""
    files, after = fix_folder(folder)
    again, _ = fix_folder(folder)
    said = unmended(files, after)
    for file in files:
        if not file.problem:
            ast.parse(file.after)
        dropped = any(f.code == "SOC001" for change in file.applied for f in change.findings)
        lost = comments(file.before) - comments(file.after) if not dropped else Counter()
        said += [f"lost {comment}" for comment in lost]
        if b"\r\n" in file.before and file.after.count(b"\n") != file.after.count(b"\r\n"):
            said.append("other line ends")
    said += [f"not done the first time: {file.filename}" for file in again if file.changed]
    return said


@pytest.mark.parametrize(("code", "files"), EXAMPLES)
def test_examples_of_the_rules(code: str, files: Mapping[str, str], tmp_path: Path) -> None:
    fill(tmp_path, files)
    assert problems(tmp_path) == []


PRODUCTION = """\
from dataclasses import dataclass


@dataclass
class Money:
    amount: int

    def add(self, other):
        return Money(self.amount + other.amount)

    def double(self):
        return Money(self.amount * 2)


def shorten(text, width):
    return text[:width]
"""
HEAD = """\
import unittest

from unit import Money, shorten
"""
VALUES = st.sampled_from(["1", "'a'", '"it\\\'s"', "[1, 2]", "None", "(1, 'é')", "-3", "{'a': 1}"])
COMMENTS = st.sampled_from(["", "", "  # why", "  # ü 'quoted' \"twice\""])
CONDITIONS = st.one_of(
    st.tuples(VALUES, st.sampled_from(["==", "!=", "is", "in", "<"]), VALUES).map(" ".join),
    st.sampled_from(["x", "not x", "x and y", "(x and\n            y)", "x and (y or 1)"]),
    VALUES.map(lambda value: f"shorten(x, {value})"),
)
LINES = st.tuples(CONDITIONS, COMMENTS).map(lambda pair: f"assert {pair[0]}{pair[1]}")
SPECIAL = st.sampled_from(
    [
        "assert repr(Money(1).add(Money(2))) == repr(Money(3))",
        "with open('scratch.txt', 'w') as file:\n        file.write('x')",
        "m = Money(1)\n    assert m.add(m)\n    assert m.double()",
        "'''A text\n  over lines'''",
        "assert x; assert y",
        "if x:\n        assert y\n    else:\n        assert x  # else",
    ]
)


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A test function, with fixtures that may be unused."""
    name = draw(st.sampled_from(["a", "b", "c", "d", "long_name"]))
    number = draw(st.integers(0, 99))
    body = draw(st.lists(st.one_of(LINES, LINES, SPECIAL), min_size=1, max_size=5))
    comment = draw(COMMENTS)
    lines = "".join(f"    {line}\n" for line in body)
    return f"\n\ndef test_{name}_{number}(x, y, number):{comment}\n{lines}"


@st.composite
def clones(draw: st.DrawFn) -> str:
    """Three tests that differ in values only."""
    number = draw(st.integers(100, 999))
    wide = draw(st.booleans())
    text = ""
    for index in range(3):
        value, expected = draw(VALUES), draw(VALUES)
        text += f"\n\ndef test_clone_{number}_{index}():\n"
        if wide:
            text += f"    value = {value}\n    assert shorten(value, 2) == {expected}\n"
        else:
            text += f"    assert shorten({value}, 2) == {expected}\n"
    return text


FIXTURES = """

import pytest


@pytest.fixture
def number():
    return 3


@pytest.fixture(params=[0, 1])
def x(request):
    return request.param


@pytest.fixture
def y():
    yield 2
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for projects. The engine has raised Python's recursion limit, once, before
    hypothesis starts to watch it."""
    folder = tmp_path_factory.mktemp("random")
    Analyser(Settings(folder), [])
    return folder


@given(
    parts=st.lists(st.one_of(functions(), functions(), clones()), min_size=1, max_size=4),
    end=st.sampled_from(["\n", "\r\n"]),
    closed=st.booleans(),
)
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # shrinking takes minutes, and the files are small as they are
    suppress_health_check=[HealthCheck.too_slow],
)
def test_files_put_together_at_random(root: Path, parts: list[str], end: str, closed: bool) -> None:
    folder = Path(tempfile.mkdtemp(dir=root))
    text = HEAD + FIXTURES + "".join(parts)
    text = text if closed else text.rstrip("\n")
    fill(folder, {"unit.py": PRODUCTION})
    (folder / "test_unit.py").write_bytes(text.replace("\n", end).encode())
    assert problems(folder) == []
