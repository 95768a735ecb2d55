"""What decorators, ``with`` items and calls put in the place of real resources, line by line."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.mystery_guest.fakes import fakes_of
from socrates_rules.mystery_guest.touches import Touch
from socrates_rules.mystery_guest.tracing import Origins

OpenModule = Callable[..., FileContext]
TouchesOf = Callable[[str], list[Touch]]

FAKES = """
responses.activate => database network
respx.mock => database network
requests_mock.Mocker() => database network
aioresponses() => database network
aresponses.ResponsesMockServer() => database network
httpretty.activate => database network
pook.on => database network
vcr.use_cassette('a') => database network
betamax.Betamax(s) => database network
moto.mock_s3() => database network
mocket.Mocketizer() => database network
flexmock(a) => database network
mongomock.patch() => database network
fakeredis.FakeRedis() => database network
pytest_httpserver.HTTPServer() => database network
pytest_localserver.http => database network
aiohttp.test_utils.TestServer(a) => database network
vendor.responses() =>
pyfakefs.fake_filesystem_unittest.Patcher() => cwd file
vendor =>
mock.patch('os.listdir').start() => call:listdir
stack.enter_context(mock.patch('os.listdir')) => call:listdir
self.enterContext(mock.patch('os.listdir')) => call:listdir
self.enterClassContext(mock.patch('os.listdir')) => call:listdir
self.useFixture(mock.patch('os.listdir')) => call:listdir
stack.enter_context() =>
mock.patch() =>
mock.patch.dict('os.environ', {}) => call:environ environment
mock.patch.dict(os.environ, {}) => call:environ environment
mock.patch.multiple(os, listdir=1) => call:os environment process
mock.patch(f"{__name__}.open", opened, create=True) => call:open
mock.patch(__name__ + ".open", opened) => call:open
mock.patch("%s.open" % __name__, opened) => call:open
mock.patch("{}.open".format(__name__), opened) => call:open
monkeypatch.setattr(__name__ + ".listdir", f) => call:listdir
mock.patch.object(os, 'getenv') => call:getenv environment
monkeypatch.setattr(os, 'listdir', f) => call:listdir
monkeypatch.setattr('os.listdir', f) => call:listdir
monkeypatch.delattr('requests.get') => network
monkeypatch.setitem(os.environ, 'A', 'b') => call:A environment
monkeypatch.delitem(os.environ, 'A') => call:A environment
monkeypatch.setenv('A', 'b') => environment:'A'
monkeypatch.delenv('A') => environment:'A'
monkeypatch.setenv() => environment
monkeypatch.setenv(NAME, 'b') => environment
monkeypatch.setenv(vendor.NAME, 'b') => environment
monkeypatch.setenv('a'.upper(), 'b') => environment:'A'
monkeypatch.setenv(name(), 'b') => environment
monkeypatch.setenv(one, 'b') => environment:'A' environment:'B'
monkeypatch.setenv(two, 'b') => environment
monkeypatch.setenv(three, 'b') => environment:'C'
monkeypatch.setenv(four, 'b') => environment:'D'
runner.invoke(app, env={}) => environment
runner.invoke(app) =>
runner.isolated_filesystem() => cwd
runner.isolated_filesystem('/srv') => cwd
vendor.chdir(tmp_path) => cwd
vendor.chdir('/srv') =>
vendor.chdir() => cwd
vendor.as_cwd() => cwd
vendor.working_directory(x) => cwd
vendor.temp_cwd() => cwd
vendor.cleancwd() => cwd
vendor.in_cwd() => cwd
vendor.cd(x) => cwd
vendor.cwd() => cwd
vendor.modified_environ() => environment
vendor.temporary_env() => environment
vendor.env_vars() => environment
vendor.EnvironmentVarGuard() => environment
os.getenv('A') =>
os.environ.copy() =>
vendor.anything() =>
"""
PLAIN = """
vendor.chdir(tmp_path) => cwd
vendor.isolated_filesystem() => cwd
vendor.change_dir(x) => cwd
vendor.cd(x) => cwd
vendor.as_cwd() =>
vendor.cwd() =>
vendor.set_env(a) => environment
vendor.unset_my_env() => environment
vendor.patch_env() => environment
vendor.clear_environment() => environment
vendor.get_env() =>
vendor.modified_environ() =>
"""


def rows(table: str) -> list[tuple[str, str]]:
    split = [line.partition("=>") for line in table.strip().splitlines()]
    return [(code.strip(), told.strip()) for code, _, told in split]


@pytest.fixture
def faked(open_module: OpenModule) -> Callable[..., str]:
    """What a line of a test fakes, in words."""

    def told(code: str, *, wraps: bool) -> str:
        file = open_module(
            "import os, aiohttp, vendor, responses, respx, requests_mock, httpretty, pook, vcr\n"
            "import betamax, moto, mocket, mongomock, fakeredis, pytest_httpserver, pyfakefs\n"
            "import aresponses, pytest_localserver\nfrom aioresponses import aioresponses\n"
            "from flexmock import flexmock\nfrom unittest import mock\n"
            "LISTED = ['D']\n"
            "def test_it(tmp_path, monkeypatch, runner, stack):\n"
            "    listed = ('C',)\n"
            "    for one in ['A', 'B']: pass\n"
            "    for two in ['A', b]: pass\n"
            "    for three in listed: pass\n"
            "    for four in LISTED: pass\n"
            f"    {code}\n"
        )
        test = file.tests[0]
        statement = test.node.body[-1]
        assert isinstance(statement, ast.Expr)
        origins = Origins(test, file.inference)
        return " ".join(sorted(fakes_of(statement.value, origins, test.scope, wraps=wraps)))

    return told


@pytest.mark.parametrize(("code", "expected"), rows(FAKES))
def test_what_stands_around_code(code: str, expected: str, faked: Callable[..., str]) -> None:
    assert faked(code, wraps=True) == expected


@pytest.mark.parametrize(("code", "expected"), rows(PLAIN))
def test_what_is_called_in_between(code: str, expected: str, faked: Callable[..., str]) -> None:
    assert faked(code, wraps=False) == expected


MANAGERS = """
import contextlib, os, subprocess, sys, vendor
from unittest import mock

@contextlib.contextmanager
def moved(folder):
    os.chdir(folder)
    yield

@contextlib.contextmanager
def patched():
    with mock.patch("os.listdir"):
        yield

@contextlib.contextmanager
def idle():
    yield

class Moved:
    def __init__(self, folder): ...
    def __enter__(self):
        os.chdir("/srv")

class MovedLater:
    async def __aenter__(self):
        os.chdir("/srv")

class Unrelated:
    def other(self):
        os.chdir("/srv")

LISTING = ["ls"]
INLINE = [sys.executable, "-c", "pass"]

def run(words):
    subprocess.run(words)

def plain(name="a"):
    open(name)

async def test_it(tmp_path):
    {line}
"""


@pytest.mark.parametrize(
    ("line", "count"),
    [
        pytest.param("with moved(x): open('a')", 0, id="function that moves"),
        pytest.param("with moved(x): open('/a')", 1, id="absolute path"),
        pytest.param("with idle(): open('a')", 1, id="function that does nothing"),
        pytest.param("with idle(), moved(x): open('a')", 0, id="the second of two"),
        pytest.param("with Moved(x): open('a')", 0, id="class that moves"),
        pytest.param("async with MovedLater(): open('a')", 0, id="asynchronous class"),
        pytest.param("with Unrelated(): open('a')", 1, id="class with another method"),
        pytest.param("with moved: open('a')", 1, id="not called"),
        pytest.param("with open('a'): open('b')", 2, id="both are opened"),
        pytest.param("subprocess.run()", 0, id="no command"),
        pytest.param("subprocess.run(LISTING)", 1, id="command of the module"),
        pytest.param("subprocess.run(INLINE)", 0, id="inline code of the module"),
        pytest.param("subprocess.run(vendor.COMMAND)", 1, id="command of another module"),
        pytest.param("run(LISTING)", 1, id="handed to a helper"),
        pytest.param("run(INLINE)", 0, id="inline code handed to a helper"),
        pytest.param("run([*INLINE, 'a'])", 0, id="spread out"),
        pytest.param("run(LISTING + ['-l'])", 1, id="added"),
        pytest.param("words = INLINE; run(words)", 0, id="by another name"),
        pytest.param("words = ['ls']; words += ['-l']; run(words)", 1, id="more words"),
        pytest.param("for words in [LISTING]: run(words)", 1, id="in a loop"),
        pytest.param("for words in [INLINE, LISTING]: run(words)", 0, id="first of a loop"),
        pytest.param("plain()", 1, id="default of a helper"),
        pytest.param("plain(tmp_path)", 0, id="handed out"),
        pytest.param("async def inner(): open('a')", 1, id="function in a test"),
        pytest.param("f = lambda: open('a')", 1, id="lambda in a test"),
    ],
)
def test_touches_through_managers_and_helpers(line: str, count: int, touches_of: TouchesOf) -> None:
    assert len(touches_of(MANAGERS.format(line=line))) == count


@pytest.mark.parametrize(
    ("fixture", "lines", "count"),
    [
        ("fs", "open('/srv/a')", 0),
        ("fs_module", "open('/srv/a')", 0),
        ("fake_filesystem", "open('a')", 0),
        ("pytester", "open('a')", 0),
        ("testdir", "open('a')", 0),
        ("pytester", "open('/srv/a')", 1),
        ("offs", "open('a')", 1),
    ],
)
def test_fixture_that_fakes_files(
    fixture: str, lines: str, count: int, touches_of: TouchesOf
) -> None:
    assert len(touches_of(f"def test_it({fixture}):\n    {lines}\n")) == count


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        pytest.param("open('/srv/a', 'w')", 0, id="what set-up writes"),
        pytest.param("open('/srv/a')", 1, id="what set-up reads"),
        pytest.param("open('/srv/b'); open('/srv/a', 'w')", 0, id="what it writes after reading"),
        pytest.param("open('/srv/b', 'w')", 1, id="another file"),
    ],
)
def test_file_of_the_set_up(lines: str, count: int, touches_of: TouchesOf) -> None:
    text = (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n"
        f"    def setUp(self):\n        {lines}\n\n"
        "    def test_it(self):\n        open('/srv/a')\n"
    )
    assert len(touches_of(text)) == count
