"""Which fixed resources are warnings: those that may be missing or stay behind elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.mystery_guest.rule import MysteryGuest

OpenModule = Callable[..., FileContext]
HEAD = """\
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import unittest
import urllib.request

import pytest

HERE = pathlib.Path(__file__).parent
skip_without_git = pytest.mark.skipif(not shutil.which("git"), reason="no git")
"""


def severities(open_module: OpenModule, text: str) -> list[str]:
    file = open_module({"test_it.py": HEAD + text, "shop/__init__.py": ""})
    return [finding.severity.value for finding in MysteryGuest().check(file)]


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        pytest.param("open('data.txt')", "warning", id="relative file"),
        pytest.param("open(HERE / 'data.txt')", "info", id="beside the test"),
        pytest.param("open(HERE / 'data.txt', 'w')", "warning", id="written beside the test"),
        pytest.param("open(HERE / 'data.txt', mode='a')", "warning", id="written by keyword"),
        pytest.param("open(HERE / 'data.txt', 'rb')", "info", id="read beside the test"),
        pytest.param("open(HERE / 'data.txt', 'r+')", "warning", id="changed beside the test"),
        pytest.param("(HERE / 'data.txt').open('w')", "warning", id="opened by its path"),
        pytest.param("(HERE / 'data.txt').open()", "info", id="read by its path"),
        pytest.param("os.mkdir(HERE / 'x')", "warning", id="folder is made"),
        pytest.param("os.remove(HERE / 'x')", "warning", id="file is removed"),
        pytest.param("open(os.devnull)", "info", id="nothing"),
        pytest.param("open('/dev/null', 'w')", "info", id="nothing by its name"),
        pytest.param("shutil.which('git')", "info", id="program that is looked for"),
        pytest.param("os.environ['SHOP']", "warning", id="variable"),
        pytest.param("os.environ['HOME']", "info", id="variable that is everywhere"),
        pytest.param("os.getenv('SHOP')", "info", id="variable that may be missing"),
        pytest.param("subprocess.run(['git', 'log'])", "warning", id="program"),
        pytest.param("subprocess.run([sys.executable, '-V'])", "info", id="Python"),
        pytest.param("subprocess.run(['shop', 'sell'])", "info", id="command of the project"),
        pytest.param("subprocess.run(['shop-sell'])", "info", id="second command of the project"),
        pytest.param("subprocess.run(['shopping'])", "warning", id="command of another project"),
        pytest.param("subprocess.run(['git', '-c', 'a=b', 'log'])", "warning", id="program's -c"),
        pytest.param("subprocess.run(['cat', '-'], input=b'a')", "info", id="plain tool"),
        pytest.param("os.system('/bin/echo a')", "info", id="plain tool in a shell"),
        pytest.param("os.system('echo a; git log')", "warning", id="more than a plain tool"),
        pytest.param("subprocess.run(['bash', '-o', 'x', '-euc', 'a'])", "info", id="shell code"),
        pytest.param("subprocess.run(['bash', 'a.sh'])", "warning", id="shell script"),
        pytest.param("os.system('sh -c a')", "info", id="shell code in a shell"),
        pytest.param("sqlite3.connect('shop.db')", "warning", id="database"),
        pytest.param("urllib.request.urlopen('http://example.com')", "warning", id="network"),
        pytest.param("urllib.request.urlopen('http://localhost')", "info", id="own machine"),
        pytest.param(
            "urllib.request.urlopen('http://%s:%d/' % ('localhost', 80))", "info", id="host apart"
        ),
        pytest.param(
            "urllib.request.urlopen('http://%s:%d/' % ('example.com', 80))",
            "warning",
            id="other host apart",
        ),
    ],
)
def test_severity(line: str, severity: str, open_module: OpenModule) -> None:
    assert severities(open_module, f"\ndef test_it():\n    {line}\n") == [severity]


TOUCHES = {
    "network": "urllib.request.urlopen('http://example.com')",
    "database": "sqlite3.connect('shop.db')",
    "process": "subprocess.run(['git', 'log'])",
    "environment": "os.environ['SHOP']",
}


@pytest.mark.parametrize("line", TOUCHES.values(), ids=TOUCHES)
@pytest.mark.parametrize(
    ("mark", "severity"),
    [
        pytest.param("@pytest.mark.slow", "warning", id="another mark"),
        pytest.param("@pytest.mark.network", "info", id="mark that names the need"),
        pytest.param("@pytest.mark.needs_git", "info", id="mark that says that it needs"),
        pytest.param("@pytest.mark.skipif(True, reason='')", "info", id="skipped without"),
        pytest.param("@unittest.skipUnless(1, '')", "info", id="skipped by unittest"),
        pytest.param("@skip_without_git", "info", id="skipped by a name of the tests"),
        pytest.param("@pytest.mark.networking", "warning", id="mark that only sounds like it"),
    ],
)
def test_need_that_is_said(line: str, mark: str, severity: str, open_module: OpenModule) -> None:
    assert severities(open_module, f"\n{mark}\ndef test_it():\n    {line}\n") == [severity]


def test_need_that_the_body_says(open_module: OpenModule) -> None:
    body = (
        "    if not ready():\n        pytest.skip('no git')\n    subprocess.run(['git', 'log'])\n"
    )
    assert severities(open_module, f"\ndef test_it():\n{body}") == ["info"]


@pytest.mark.parametrize(("where", "severity"), [("HERE", "info"), ("'elsewhere'", "warning")])
def test_tests_that_go_to_their_folder_first(
    where: str, severity: str, open_module: OpenModule
) -> None:
    fixture = f"\n@pytest.fixture(autouse=True)\ndef place():\n    os.chdir({where})\n"
    found = severities(open_module, f"{fixture}\ndef test_it():\n    open('data.txt')\n")
    assert found == [severity]


def test_tests_after_one_that_touches_nothing_are_looked_at(open_module: OpenModule) -> None:
    tests = "\ndef test_one():\n    pass\n\ndef test_two():\n    open('data.txt')\n"
    assert severities(open_module, tests) == ["warning"]


def test_program_in_a_folder_of_the_test(open_module: OpenModule) -> None:
    tests = "\ndef test_it(tmp_path):\n    subprocess.run(['git', 'log'], cwd=tmp_path)\n"
    assert severities(open_module, tests) == ["info"]


def test_need_that_a_fixture_says(open_module: OpenModule) -> None:
    fixture = "\n@pytest.fixture\ndef git():\n    if not ready():\n        pytest.skip('no git')\n"
    test = "\ndef test_it(git):\n    subprocess.run(['git', 'log'])\n"
    assert severities(open_module, fixture + test) == ["info"]


@pytest.mark.parametrize(
    ("head", "severity"),
    [
        pytest.param("@pytest.mark.skip\n", "info", id="test without a reason"),
        pytest.param("@pytest.mark.skip(reason='slow')\n", "info", id="test with a reason"),
        pytest.param("pytestmark = pytest.mark.skip\n\n", "info", id="module"),
        pytest.param("@pytest.mark.skipif(WINDOWS, reason='')\n", "warning", id="by a condition"),
    ],
)
def test_file_of_a_skipped_test(head: str, severity: str, open_module: OpenModule) -> None:
    found = severities(open_module, f"\n{head}def test_it():\n    open('data.txt')\n")
    assert found == [severity]


def test_file_of_a_skipped_class(open_module: OpenModule) -> None:
    head = "\n@unittest.skip('slow')\nclass TestIt(unittest.TestCase):\n"
    assert severities(open_module, f"{head}    def test_it(self):\n        open('a')\n") == ["info"]


@pytest.mark.parametrize(
    ("constant", "body", "severity"),
    [
        ("MANUAL = False", "if MANUAL:\n        open('a')", "info"),
        ("MANUAL = False", "if not MANUAL:\n        pass\n    else:\n        open('a')", "info"),
        ("MANUAL = False", "if not MANUAL:\n        return\n    open('a')", "info"),
        ("MANUAL = False", "if x():\n        pass\n    elif MANUAL:\n        open('a')", "info"),
        ("MANUAL = False", "if not MANUAL:\n        open('a')", "warning"),
        ("MANUAL = True", "if MANUAL:\n        open('a')", "warning"),
        ("MANUAL = False\nMANUAL = True", "if MANUAL:\n        open('a')", "warning"),
        ("MANUAL = find()", "if MANUAL:\n        open('a')", "warning"),
        ("MANUAL = False", "if x():\n        return\n    open('a')", "warning"),
    ],
)
def test_code_behind_a_constant(
    constant: str, body: str, severity: str, open_module: OpenModule
) -> None:
    found = severities(open_module, f"\n{constant}\n\ndef test_it():\n    {body}\n")
    assert found == [severity]


@pytest.mark.parametrize(
    ("arguments", "severity"),
    [
        ("'../README.rst'", "info"),
        ("'README.rst', True", "info"),
        ("'README.rst', module_relative=False", "warning"),
        ("'README.rst', False", "warning"),
    ],
)
def test_file_of_doctests(arguments: str, severity: str, open_module: OpenModule) -> None:
    found = severities(
        open_module, f"\nimport doctest\n\ndef test_it():\n    doctest.testfile({arguments})\n"
    )
    assert found == [severity]


def test_program_in_a_folder_that_the_test_went_to(open_module: OpenModule) -> None:
    tests = (
        "\ndef test_it(tmp_path, monkeypatch):\n"
        "    monkeypatch.chdir(tmp_path)\n    subprocess.run(['git', 'log'])\n"
    )
    assert severities(open_module, tests) == ["info"]


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("place.samefile('.')", "info"),
        ("pathlib.Path.cwd().exists()", "info"),
        ("os.stat('.')", "info"),
        ("os.listdir('.')", "warning"),
        ("os.stat('shop')", "warning"),
    ],
)
def test_working_folder(line: str, severity: str, open_module: OpenModule) -> None:
    tests = f"\ndef test_it():\n    place = pathlib.Path.cwd().resolve()\n    {line}\n"
    assert severities(open_module, tests) == [severity]
