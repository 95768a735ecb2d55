"""One file never ends the check of the others, whatever it makes a codec, the model or a rule do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from socrates import registry, suppress
from socrates.engine.run import check
from socrates.files.reading import LARGEST_SOURCE
from socrates.findings import CheckResult, Finding, Related, Severity, Span
from socrates.model.context import FileContext
from socrates.model.python.project import Project
from socrates.rule import Rule
from socrates.settings import Settings

Check = Callable[..., CheckResult]

CODECS = (
    "undefined punycode idna unicode_escape raw_unicode_escape utf-7 utf-16 utf-16-le utf-32 "
    "rot13 hex base64 bz2 zip quopri uu cp037 cp1140 hz iso2022_jp_3 shift_jis big5 mbcs oem "
    "no-such-codec utf-8-sig latin-1"
).split()
BODY = b"def test_a():\n    x = '\\N{no name} \\x \xe9\xff \\ud800 +AGE-'\n    assert x\n"


@pytest.fixture
def neighbour(project: Path, smelly: str) -> str:
    """The name of a file with one finding that has to be there, whatever else is."""
    (project / "test_z_smelly.py").write_text(smelly, "utf-8")
    return "test_z_smelly.py"


def _codes(result: CheckResult) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in result.findings:
        found.setdefault(finding.filename, set()).add(finding.code)
    return found


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "byte order mark"])
def test_any_codec(project: Path, checked: Check, neighbour: str, codec: str, mark: bytes) -> None:
    (project / "test_a.py").write_bytes(mark + f"# coding: {codec}\n".encode() + BODY)
    result = checked()
    assert (_codes(result).get(neighbour), result.errors) == ({"SOC101"}, ())


@pytest.mark.parametrize("codec", ["undefined", "punycode", "idna", "hex", "utf-16"])
def test_codec_that_can_not_hold_source_is_one_finding(
    project: Path, checked: Check, codec: str
) -> None:
    (project / "test_a.py").write_bytes(f"# coding: {codec}\n".encode() + BODY)
    assert _codes(checked()) == {"test_a.py": {"SOC000"}}


SHAPES = {
    "brackets": lambda n: "x = " + "(" * n + ")" * n,
    "open brackets": lambda n: "x = " + "[" * n,
    "minus": lambda n: "x = " + "-" * n + "1",
    "not": lambda n: "x = " + "not " * n + "1",
    "attributes": lambda n: "x = a" + ".b" * n,
    "calls": lambda n: "x = a" + "()" * n,
    "subscripts": lambda n: "x = a" + "[0]" * n,
    "sums": lambda n: "x = 1" + " + 1" * n,
    "powers": lambda n: "x = 1" + " ** 1" * n,
    "conditions": lambda n: "x = 1" + " if a else 1" * n,
    "lambdas": lambda n: "x = " + "lambda: " * n + "1",
    "elif": lambda n: "if a:\n    pass\n" + "elif a:\n    pass\n" * n,
    "awaits": lambda n: "async def f():\n    x = " + "await " * n + "a",
    "blocks": lambda n: "".join(" " * i + "if a:\n" for i in range(min(n, 99))) + " " * 99 + "b",
    "chained comparisons": lambda n: "assert 1" + " == 1" * n,
    "decorators": lambda n: "@a\n" * n + "def test_a(): pass",
    "strings": lambda n: "x = " + "'a' " * n,
    "f-strings": lambda n: "x = " + "f'{a}' " * n,
    "assignments": lambda n: "a = " * n + "1",
    "patterns": lambda n: "match a:\n case " + "[" * n + "_" + "]" * n + ": pass",
}


@pytest.mark.parametrize("depth", [90, 1_500, 40_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_any_depth(project: Path, checked: Check, neighbour: str, shape: str, depth: int) -> None:
    body = SHAPES[shape](depth).replace("\n", "\n    ")
    (project / "test_a.py").write_text(f"def test_a():\n    {body}\n", "utf-8")
    (project / "test_b.py").write_text(f"{SHAPES[shape](depth)}\n", "utf-8")
    result = checked()
    assert (_codes(result).get(neighbour), result.errors) == ({"SOC101"}, ())


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff\xfed\x00e\x00f\x00", id="UTF-16 with its mark"),
        pytest.param(b"\xef\xbb\xbf# coding: latin-1\n", id="mark and cookie disagree"),
        pytest.param(b"\x00" * 5000, id="nothing but NUL"),
        pytest.param(b"# coding: utf-8\n'\xed\xa0\x80'\n", id="surrogate in UTF-8"),
        pytest.param(b"# coding: utf-7\n'+2AA-'\n", id="surrogate in UTF-7"),
        pytest.param(b"x = 1" + b"0" * 10_000, id="number too long to read"),
        pytest.param(b"\r\r\r\n\x0c\x0c\x1a", id="line ends only"),
        pytest.param(b"x = '" + b"a" * 1_000_000, id="string without end"),
        pytest.param(b"#" + b" " * 1_000_000 + b"socrates:", id="a very long comment"),
        pytest.param(b"\\\n" * 20_000, id="continued lines"),
    ],
)
def test_any_bytes(project: Path, checked: Check, neighbour: str, data: bytes) -> None:
    (project / "test_a.py").write_bytes(data)
    result = checked()
    assert (_codes(result).get(neighbour), result.errors) == ({"SOC101"}, ())


def test_file_that_is_too_large_is_one_finding_that_says_so(
    project: Path, checked: Check, neighbour: str
) -> None:
    with (project / "test_a.py").open("wb") as stream:
        stream.truncate(LARGEST_SOURCE + 1)
    result = checked()
    assert _codes(result) == {"test_a.py": {"SOC000"}, neighbour: {"SOC101"}}
    assert result.findings[0].message == (
        "can't read the file: it has 4.0 MB, and at most 4 MB are read"
    )


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/full", "/proc/kmsg", "/proc/self/mem"])
def test_link_to_what_never_ends(
    project: Path, checked: Check, neighbour: str, target: str
) -> None:
    if not os.path.lexists(target):
        pytest.skip(f"there is no {target} here")
    (project / "test_a.py").symlink_to(target)
    (project / "conftest.py").symlink_to(target)
    assert _codes(checked())[neighbour] == {"SOC101"}


class _Unpicklable(Rule):
    """Gives findings whose data no other process and no file can take."""

    code = "BAD001"
    name = "unpicklable"
    summary = advice = "x"

    def check(self, file: FileContext) -> Iterator[object]:
        for test in file.tests:
            found = file.finding(self, Severity.INFO, "x", test)
            yield replace(found, data={"hook": lambda: None})


class _Nonsense(Rule):
    """Gives what is no finding."""

    code = "BAD002"
    name = "nonsense"
    summary = advice = "x"

    def check(self, file: FileContext) -> Iterator[object]:
        yield "a finding, honestly"


def _with_rule(project: Path, rule: type[Rule], jobs: int) -> CheckResult:
    settings = Settings(project)
    rules = [*registry.installed().active(settings), rule({})]
    return check(["."], settings, rules=rules, jobs=jobs, cwd=project)


@pytest.mark.parametrize("jobs", [1, 2])
def test_rule_whose_findings_can_not_be_kept_is_named_and_loses_no_others(
    project: Path, neighbour: str, jobs: int
) -> None:
    for number in range(4):
        (project / f"test_{number}.py").write_text("# padding\n" * 20_000 + "def test_a(): ...\n")
    result = _with_rule(project, _Unpicklable, jobs)
    assert _codes(result) == {neighbour: {"SOC101"}}
    assert {error.plugin for error in result.errors} == {"BAD001 unpicklable"}


def test_rule_that_gives_no_findings_is_named(project: Path, neighbour: str) -> None:
    result = _with_rule(project, _Nonsense, 1)
    assert _codes(result)[neighbour] == {"SOC101"}
    assert [error.plugin for error in result.errors] == ["BAD002 nonsense"]


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        pytest.param(Project, "make_module", id="model"),
        pytest.param(suppress, "apply", id="suppressions"),
        pytest.param(FileContext, "tests", id="collection"),
    ],
)
def test_defect_of_ours_names_its_file_and_the_rest_goes_on(
    project: Path,
    checked: Check,
    neighbour: str,
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    name: str,
) -> None:
    (project / "test_a.py").write_text("def test_a():\n    pass\n", "utf-8")
    _break_for(monkeypatch, owner, name, "test_a.py")
    result = checked()
    assert _codes(result) == {neighbour: {"SOC101"}}
    [error] = {
        (error.plugin, error.message) for error in result.errors if error.plugin == "socrates"
    }
    assert error == ("socrates", "KeyError: 'a defect' (while checking test_a.py)")


def _break_for(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, guilty: str) -> None:
    """Have a part of the engine raise when it meets a file."""
    original = getattr(owner, name)
    is_property = not callable(original)

    def broken(*args: object, **kwargs: object) -> object:
        if any(guilty in str(getattr(arg, "filename", arg)) for arg in args):
            raise KeyError("a defect")
        return original.__get__(args[0]) if is_property else original(*args, **kwargs)

    monkeypatch.setattr(owner, name, property(broken) if is_property else broken)


SPAN = Span(1, 1, 1, 2)
FOUND = Finding("BAD003", "wrong", Severity.INFO, "x", "test_z_smelly.py", SPAN)


class _Wrong(Rule):
    """Gives findings that nobody could sort, show or keep."""

    code = "BAD003"
    name = "wrong"
    summary = advice = "x"
    found: object = None

    def check(self, file: FileContext) -> Iterator[object]:
        yield type(self).found


@pytest.mark.parametrize(
    "changes",
    [
        {"message": None},
        {"filename": Path("test_a.py")},
        {"severity": "warning"},
        {"test": 3},
        {"span": (1, 1, 1, 2)},
        {"span": Span(0, 1, 1, 2)},
        {"span": Span(1, 1.5, 1, 2)},  # type: ignore[arg-type]
        {"related": ("here",)},
        {"related": (Related("x", "y", None),)},  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_rule_whose_finding_is_wrong_is_named(
    project: Path, neighbour: str, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]
) -> None:
    monkeypatch.setattr(_Wrong, "found", replace(FOUND, **changes))  # type: ignore[arg-type]
    result = _with_rule(project, _Wrong, 1)
    named = [error.plugin for error in result.errors]
    assert (_codes(result), named) == ({neighbour: {"SOC101"}}, ["BAD003 wrong"])
