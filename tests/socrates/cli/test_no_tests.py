"""A run that finds no tests says what it has looked for."""

from __future__ import annotations

import io

import pytest

NAMED = "No tests found.\nLooked for files named {names} in {places}.\n"
PLAIN = "def helper():\n    return 3\n"
CUSTOM = (
    "[tool.pytest.ini_options]\n"
    'python_files = ["check_*.py"]\npython_functions = ["it_*", "should"]\npython_classes = ["Spec"]\n'
)


@pytest.mark.parametrize(
    ("files", "paths", "names", "places"),
    [
        pytest.param({}, [], "test_*.py, *_test.py or test*.py", "this folder", id="default"),
        pytest.param(
            {"a/x.py": "", "b/x.py": ""},
            ["a", "b"],
            "test_*.py, *_test.py or test*.py",
            "a and b",
            id="paths",
        ),
        pytest.param(
            {"pyproject.toml": CUSTOM}, [], "check_*.py or test*.py", "this folder", id="settings"
        ),
    ],
)
def test_without_files_their_names_are_told(write, run, files, paths, names, places) -> None:
    write({"shop.py": PLAIN, **files})
    ran = run("check", "--no-cache", *paths)
    assert (ran.code, ran.out) == (0, NAMED.format(names=names, places=places))


def test_without_tests_in_the_files_the_names_of_tests_are_told(write, run) -> None:
    write({"pyproject.toml": CUSTOM, "check_a.py": PLAIN, "check_b.py": PLAIN})
    assert run("check", "--no-cache").out == (
        "No tests found.\n"
        "Looked in 2 files for functions it_* or should*, and methods of that name in classes Spec* "
        "or subclasses of unittest.TestCase; of a folder, files named check_*.py or test*.py count.\n"
    )


def test_text_from_standard_input_is_one_file(write, run, monkeypatch) -> None:
    write({})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    assert "Looked in 1 file for" in run("check", "-").out


def test_nothing_of_it_is_told_where_there_are_tests(write, run) -> None:
    write({"test_a.py": "def test_sum():\n    assert sum([1, 2]) == 3\n"})
    assert run("check", "--no-cache").out == "The only test is clean.\n"
