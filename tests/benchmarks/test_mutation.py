"""The changes that ``benchmarks/mutants.py`` makes: each kind, and what is left alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    from mutation import forks, reach, tracing
    from mutation.operators import mutations


def changed(source: str) -> list[str]:
    return [mutation.apply(source) for mutation in mutations(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a < b", ["a <= b"], id="comparison"),
        pytest.param("a is  not b", ["a is b"], id="comparison of two words"),
        pytest.param("a not in b", ["a in b"], id="membership"),
        pytest.param("a < b == c", ["a <= b == c", "a < b != c"], id="chained comparison"),
        pytest.param("a and b", ["a or b"], id="and"),
        pytest.param("a or b or c", ["a and b or c", "a or b and c"], id="or"),
        pytest.param("x = not a", ["x = a"], id="removed not"),
        pytest.param("x = b if a else c", ["x = b if (not (a)) else c"], id="condition"),
        pytest.param("x = True", ["x = False"], id="flag"),
        pytest.param("x = 2", ["x = 3", "x = 1"], id="number"),
        pytest.param("x = 0", ["x = 1"], id="no number below 0"),
        pytest.param("LIMIT = 4 * 1024", ["LIMIT = 0"], id="size that was chosen"),
        pytest.param("VERSION = 1", ["VERSION = 2", "VERSION = 0"], id="number that is no size"),
        pytest.param("x = 'key'", ["x = 'key_'"], id="text that is data"),
        pytest.param("x = a + b", ["x = a - b"], id="arithmetic"),
        pytest.param("x += a", ["pass", "x -= a"], id="arithmetic in place"),
        pytest.param("f(a)", ["pass"], id="call"),
        pytest.param("x = sep.join(a or b)", ["x = sep.join(a and b)"], id="argument"),
        pytest.param("a.b = c", ["pass"], id="assignment to an attribute"),
        pytest.param("f(\n    a,\n)\nb", ["pass\n\n\nb"], id="lines stay"),
        pytest.param("ä = 'ö ö', a < b", ["ä = 'ö ö', a <= b"], id="not ASCII"),
    ],
)
def test_change(source: str, expected: list[str]) -> None:
    assert sorted(changed(source)) == sorted(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("return a", ["return None"], id="value"),
        pytest.param("return False", ["return True"], id="False is like None"),
        pytest.param("return []", [], id="nothing is like None"),
        pytest.param("raise Oops('no way')", ["pass"], id="raise"),
    ],
)
def test_change_in_a_function(body: str, expected: list[str]) -> None:
    function = "def f():\n    {}\n"

    assert changed(function.format(body)) == [function.format(one) for one in expected]


@pytest.mark.parametrize(("word", "other"), [("break", "continue"), ("continue", "break")])
def test_change_in_a_loop(word: str, other: str) -> None:
    assert changed(f"for a in b:\n    {word}\n") == [f"for a in b:\n    {other}\n"]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('"""A docstring."""', id="docstring"),
        pytest.param("x: Literal['a'] = a", id="annotation"),
        pytest.param("def f(a: 'A') -> 'B':\n    '''What.'''\n", id="signature"),
        pytest.param("__all__ = ['a']", id="__all__"),
        pytest.param("if TYPE_CHECKING:\n    x = 1\n", id="TYPE_CHECKING"),
        pytest.param("import a as b", id="import"),
        pytest.param("assert a == 1", id="assertion"),
        pytest.param("x = 'some words'", id="words"),
        pytest.param("x = f'{a:>3}'", id="formatted text"),
        pytest.param("logger.info('a')", id="logging"),
        pytest.param("if a:  # pragma: no cover\n    b(1)\n", id="pragma"),
        pytest.param("x = f(a, help='b')", id="help"),
        pytest.param("x = f(a, timeout=2)", id="time limit"),
        pytest.param("x = clock.wait(0.5)", id="pause"),
        pytest.param("self.memo[a] = b", id="kept for speed"),
        pytest.param("time.sleep(0.1)", id="sleep"),
        pytest.param("x = a.decode('latin-1')", id="codec"),
        pytest.param("x = Thread(target=a, name='b')", id="name of a thread"),
        pytest.param("@dataclass(frozen=True)\nclass A:\n    pass\n", id="decorator"),
    ],
)
def test_what_can_not_matter_stays(source: str) -> None:
    assert changed(source) == []


MODULE = """\
LIMIT = 1

def f(a):
    if a:
        return 1
    def g():
        return 2
    return g

class C:
    def m(self):
        try:
            pass
        except OSError:
            return 3
"""


@pytest.mark.parametrize(
    ("line", "first"),
    [
        pytest.param(1, None, id="on import"),
        pytest.param(4, 4, id="function"),
        pytest.param(5, 5, id="branch"),
        pytest.param(7, 7, id="function in a function"),
        pytest.param(8, 4, id="after the branch"),
        pytest.param(13, 13, id="try"),
        pytest.param(15, 15, id="except"),
    ],
)
def test_block_around_a_line(line: int, first: int | None, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    number = reach.block_at(path, line)
    blocks = tracing.blocks_of(reach.parse(path))

    assert (None if number is None else blocks[number][0].lineno) == first


def test_every_block_that_is_executed_is_marked() -> None:
    marks = bytearray(20)
    tree = ast.parse(MODULE)
    lines = [block[0].lineno for block in tracing.blocks_of(tree)]
    scope: dict[str, object] = {"__marks__": marks}
    exec(compile(tracing.marked(tree, 3), "module.py", "exec"), scope)
    scope["f"](0)  # type: ignore[operator]

    assert [lines[number - 3] for number, mark in enumerate(marks) if mark] == [4]


@pytest.mark.parametrize(
    ("file", "block", "names"),
    [
        pytest.param("a.py", 1, ["t.py::one"], id="block"),
        pytest.param("a.py", 2, ["t.py::one", "t.py::two"], id="block of several"),
        pytest.param("a.py", None, ["t.py::one", "t.py::two"], id="on import"),
        pytest.param("a.py", 9, [], id="block that no test executes"),
        pytest.param("b.py", 1, ["t.py::two", "u.py::three"], id="fixture, file that has changed"),
        pytest.param(
            "new.py",
            1,
            ["d/v.py::four", "t.py::one", "t.py::two", "u.py::three"],
            id="unknown file",
        ),
        pytest.param("c.py", 1, ["d/v.py::four"], id="fixture of a folder"),
    ],
)
def test_tests_that_could_notice(file: str, block: int | None, names: list[str]) -> None:
    known = reach.Reach(
        tests={
            "t.py::one": (1.0, {"a.py": [1, 2]}),
            "t.py::two": (1.0, {"a.py": [2], "b.py": [-1]}),
            "u.py": (1.0, {"b.py": [1]}),
            "u.py::three": (1.0, {}),
            "d": (1.0, {"c.py": [1]}),
            "d/v.py::four": (1.0, {}),
        }
    )

    assert sorted(known.noticing(Path(file), block)) == names


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("socrates/lsp/server.py", "socrates.lsp.server"),
        ("rules/socrates_rules/__init__.py", "socrates_rules"),
        ("amplify/socrates_amplify/run/session.py", "socrates_amplify.run.session"),
    ],
)
def test_module_that_a_fork_changes(file: str, module: str) -> None:
    assert forks._module(Path(file)) == module


def test_changed_code_is_found_by_name_and_line() -> None:
    codes: dict[tuple[str, int], object] = {}
    forks._index(compile(MODULE, "module.py", "exec"), codes)  # type: ignore[arg-type]
    assert {("f", 3), ("f.<locals>.g", 6), ("C.m", 11)} < codes.keys()
