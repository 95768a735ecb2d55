"""Files that nobody wants: each is one finding at its place, and the others are checked all the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.findings import CheckResult, Finding

Check = Callable[..., CheckResult]


def _syntax_errors(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.code == "SOC000"]


def _roulette_rows(result: CheckResult) -> list[int]:
    return [finding.span.row for finding in result.findings if finding.code == "SOC101"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        pytest.param("def test_a(:\n    pass\n", 1, id="broken signature"),
        pytest.param("x = 1\nprint 'hello'\n", 2, id="python 2"),
        pytest.param("def test_a():\n\treturn\n        pass\n", 3, id="mixed tabs and blanks"),
        pytest.param("x = (\n" * 300, 201, id="brackets nested too deeply"),
    ],
)
def test_a_broken_file_is_one_finding_at_its_place(
    project: Path, checked: Check, text: str, row: int
) -> None:
    (project / "test_broken.py").write_text(text, "utf-8")
    assert [finding.span.row for finding in _syntax_errors(checked())] == [row]


def test_the_rest_goes_on_beside_a_broken_file(project: Path, checked: Check, smelly: str) -> None:
    (project / "test_broken.py").write_text("def test_a(:\n", "utf-8")
    (project / "test_smelly.py").write_text(smelly, "utf-8")
    assert _roulette_rows(checked()) == [1]


def test_a_nul_byte_is_named_with_its_row(project: Path, checked: Check) -> None:
    (project / "test_nul.py").write_bytes(b"x = 1\ny = '\0'\n")
    (finding,) = _syntax_errors(checked())
    assert (finding.span.row, "NUL" in finding.message) == (2, True)


@pytest.mark.parametrize(
    ("data", "row"),
    [
        pytest.param("# coding: latin-1\n# é\n{}", 3, id="latin-1 cookie"),
        pytest.param("\ufeff{}", 1, id="byte order mark"),
        pytest.param("# \x0c form feed\n\x0c\n{}", 3, id="form feeds"),
        pytest.param("# \u2028 line separator\n{}", 2, id="unicode line separator"),
    ],
)
def test_rows_are_those_that_python_counts(
    project: Path, checked: Check, smelly: str, data: str, row: int
) -> None:
    encoding = "latin-1" if "latin-1" in data else "utf-8"
    (project / "test_odd.py").write_bytes(data.format(smelly).encode(encoding))
    assert _roulette_rows(checked()) == [row]


def test_carriage_returns_do_not_move_rows(project: Path, checked: Check, smelly: str) -> None:
    text = f"# one\n# two\n{smelly}".replace("\n", "\r\n")
    (project / "test_crlf.py").write_bytes(text.encode())
    assert _roulette_rows(checked()) == [3]


def test_columns_count_characters_not_bytes(project: Path, checked: Check) -> None:
    text = "class TestÄé:\n    def test_a(self):\n        é = 1; assert str(self) == 'x', 'why'\n"
    (project / "test_wide.py").write_text(text, "utf-8")
    columns = {f.span.column for f in checked().findings if f.code == "SOC106"}
    assert columns == {16}


@pytest.mark.parametrize("cookie", ["no-such-codec", "utf-8"])
def test_bytes_that_do_not_decode_are_one_finding(
    project: Path, checked: Check, cookie: str
) -> None:
    (project / "test_bytes.py").write_bytes(f"# coding: {cookie}\n".encode() + b"x = '\xff'\n")
    assert len(_syntax_errors(checked())) == 1


def test_an_empty_file_is_clean(project: Path, checked: Check) -> None:
    (project / "test_empty.py").touch()
    assert checked().findings == ()


def test_a_file_that_is_no_file_is_one_finding(project: Path, checked: Check) -> None:
    os.mkfifo(project / "test_pipe.py")
    assert len(_syntax_errors(checked("test_pipe.py"))) == 1


def test_a_dangling_link_is_one_finding(project: Path, checked: Check) -> None:
    (project / "test_gone.py").symlink_to(project / "nowhere.py")
    assert len(_syntax_errors(checked())) == 1


def test_links_in_circles_end(project: Path, checked: Check, smelly: str) -> None:
    (project / "a").mkdir()
    (project / "a" / "test_one.py").write_text(smelly, "utf-8")
    (project / "a" / "loop").symlink_to(project, target_is_directory=True)
    assert _roulette_rows(checked()) == [1]


def test_a_name_that_is_not_utf8_is_checked(project: Path, checked: Check, smelly: str) -> None:
    name = os.fsdecode(b"test_\xff.py")
    (project / name).write_text(smelly, "utf-8")
    assert [file.filename for file in checked().files] == [name]


def test_a_broken_conftest_stops_nothing(project: Path, checked: Check, smelly: str) -> None:
    (project / "conftest.py").write_text("def broken(:\n", "utf-8")
    (project / "test_smelly.py").write_text(smelly, "utf-8")
    assert _roulette_rows(checked()) == [1]


def test_circular_imports_and_bases_end(project: Path, checked: Check, smelly: str) -> None:
    (project / "one.py").write_text("from two import B\nclass A(B): pass\n", "utf-8")
    (project / "two.py").write_text("from one import A\nclass B(A): pass\n", "utf-8")
    text = f"from one import A\nfrom two import x\nclass TestA(A):\n    def test_x(self): A().y()\n{smelly}"
    (project / "test_circle.py").write_text(text, "utf-8")
    assert _roulette_rows(checked()) == [5]


def test_deep_nesting_loses_no_finding(project: Path, checked: Check, smelly: str) -> None:
    deep = "x = " + "+".join(["1"] * 2000)
    chain = "y = a" + ".b()" * 900
    body = f"def test_deep():\n    {deep}\n    assert {chain[4:]}\n\n\n{smelly}"
    (project / "test_deep.py").write_text(body, "utf-8")
    assert _roulette_rows(checked()) == [6]


def test_thirty_thousand_lines_are_checked(project: Path, checked: Check) -> None:
    tests = (f"def test_{n}():\n    assert {n} == {n}\n" for n in range(15_000))
    (project / "test_long.py").write_text("".join(tests), "utf-8")
    assert len(checked().files[0].tests) == 15_000


def test_several_processes_find_the_same(project: Path, checked: Check, smelly: str) -> None:
    padding = "# padding\n" * 12_000
    for number in range(6):
        (project / f"test_{number}.py").write_text(smelly + padding, "utf-8")
    assert checked(jobs=2).findings == checked(jobs=1).findings
