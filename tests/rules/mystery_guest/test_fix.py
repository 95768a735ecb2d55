"""SOC105: a scratch file moves into tmp_path."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('assert open("data.txt").read()', id="only read"),
        pytest.param(
            'text = open("a.txt").read()\nopen("a.txt", "w").write(text)\nassert text',
            id="read before it is written",
        ),
        pytest.param(
            'open("a.txt", "w").close()\nassert list(".") == ["a.txt"]', id="the path as text"
        ),
        pytest.param(
            'open("x/a.txt", "w").close()\nopen("y/a.txt", "w").close()\nassert True',
            id="two files of one name",
        ),
        pytest.param('open("pyproject.toml", "a").close()\nassert True', id="a file that is there"),
    ],
)
def test_left_alone(fix_text, body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"def test_it():\n{lines}"
    fixed = fix_text(text, "SOC105")
    assert (fixed.text, bool(fixed.reasons)) == (text, True)


@pytest.mark.parametrize(
    ("use", "after"),
    [
        pytest.param('open("a.txt")', 'open(tmp_path / "a.txt")', id="builtin"),
        pytest.param('os.stat("a.txt")', 'os.stat(tmp_path / "a.txt")', id="os"),
        pytest.param('load("a.txt")', 'load(str(tmp_path / "a.txt"))', id="another function"),
        pytest.param(
            'load(path="a.txt")', 'load(path=str(tmp_path / "a.txt"))', id="another by keyword"
        ),
    ],
)
def test_path_is_text_where_text_may_be_wanted(fix_text, use: str, after: str) -> None:
    text = f'import os\n\n\ndef test_it():\n    open("a.txt", "w").close()\n    {use}\n'
    assert fix_text(text, "SOC105").text.splitlines()[-1] == f"    {after}"


HELD = """\
def test_it():
    path = "scratch.txt"
    with open(path, "w") as file:
        file.write("x")
    assert load(path) == "x"
"""


def test_variable_that_holds_the_path_becomes_text_below_tmp_path(fix_text) -> None:
    fixed = fix_text(HELD, "SOC105")
    expected = HELD.replace("test_it()", "test_it(tmp_path)")
    assert fixed.text == expected.replace('"scratch.txt"', 'str(tmp_path / "scratch.txt")')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("assert load(path)", "assert path + load(path)", id="used as text"),
        pytest.param("    with", "    assert load(path)\n    with", id="read first"),
        pytest.param("    with", "    path = other()\n    with", id="bound again"),
    ],
)
def test_variable_that_may_be_more_than_a_path(fix_text, old: str, new: str) -> None:
    text = HELD.replace(old, new)
    assert fix_text(text, "SOC105").text == text


@pytest.mark.parametrize(
    ("head", "type"),
    [
        pytest.param("from pathlib import Path\n\n\n", "Path", id="its name"),
        pytest.param("import pathlib\n\n\n", "pathlib.Path", id="its module"),
    ],
)
def test_tmp_path_of_an_annotated_test_has_its_type(fix_text, head: str, type: str) -> None:
    fixed = fix_text(head + HELD.replace("test_it()", "test_it() -> None"), "SOC105")
    assert f"def test_it(tmp_path: {type}) -> None:\n" in fixed.text


def test_annotated_test_without_the_type_of_tmp_path(fix_text) -> None:
    text = HELD.replace("test_it()", "test_it() -> None")
    assert fix_text(text, "SOC105").text == text
