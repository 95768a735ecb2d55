"""What single calls touch: one line of a test at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates_rules.mystery_guest.touches import Touch

TouchesOf = Callable[[str], list[Touch]]

MODULE = """
import asyncio, contextlib, gzip, httpx, io, os, pathlib, redis, requests, shutil, socket
import sqlite3, subprocess, sys, tarfile, tempfile, urllib.request, vendor, zipfile
from os import environ
from pathlib import Path

async def test_it(tmp_path, monkeypatch):
    {line}
"""

TOUCHED = {
    "open('a')": "file",
    "open(file='a')": "file",
    "io.open('a')": "file",
    "gzip.open('a')": "file",
    "tarfile.open(name='a')": "file",
    "tarfile.open(fileobj=open('a'))": "file",
    "zipfile.ZipFile('a')": "file",
    "os.rename(tmp_path, 'b')": "file",
    "os.rename('a', tmp_path)": "file",
    "os.symlink(tmp_path, 'b')": "file",
    "shutil.make_archive(tmp_path, 'zip', 'a')": "file",
    "shutil.copy(src='a', dst=tmp_path)": "file",
    "os.chdir('a')": "file",
    "Path('a').exists()": "file",
    "Path('a').parent.joinpath('b').read_text()": "file",
    "(Path('a') / 'b').open()": "file",
    "pathlib.Path.home().iterdir()": "file",
    "vendor.PATH.read_text()": "file",
    "requests.get('https://example.org')": "network",
    "requests.get(url='https://example.org')": "network",
    "requests.request('GET', 'https://example.org')": "network",
    "requests.Session().get('https://example.org')": "network",
    "requests.Session().request('GET', 'https://example.org')": "network",
    "httpx.Client(base_url='https://example.org').get('/')": "network",
    "httpx.stream('GET', 'https://example.org')": "network",
    "urllib.request.urlopen('https://example.org')": "network",
    "socket.create_connection(('example.org', 80))": "network",
    "socket.socket().connect(('example.org', 80))": "network",
    "socket.socket().sendto(b'a', ('example.org', 80))": "network",
    "await asyncio.open_connection('example.org', 80)": "network",
    "sqlite3.connect('a.db')": "database",
    "sqlite3.connect(database='a.db')": "database",
    "redis.Redis()": "database",
    "redis.Redis(host='example.org')": "database",
    "redis.Redis(db=3)": "database",
    "os.environ['A']": "environment",
    "environ['A']": "environment",
    "'A' in os.environ": "environment",
    "'A' not in environ": "environment",
    "os.getenv('A')": "environment",
    "os.environ.get('A')": "environment",
    "os.system('ls')": "process",
    "subprocess.run('ls', shell=True)": "process",
    "subprocess.run(args=['ls'])": "process",
    "subprocess.run([*['ls'], tmp_path])": "process",
    "subprocess.run(['ls'] + [tmp_path])": "process",
    "os.spawnv(os.P_WAIT, 'ls', [])": "process",
    "await asyncio.create_subprocess_exec('ls', tmp_path)": "process",
    "await asyncio.create_subprocess_exec(sys.executable, __file__)": "process",
}
LEFT_ALONE = [
    "open(tmp_path / 'a')",
    "open(0 or tmp_path)",
    "tarfile.open(name='a', fileobj=io.BytesIO())",
    "gzip.GzipFile('a', fileobj=io.BytesIO())",
    "os.symlink('a', tmp_path / 'b')",
    "shutil.make_archive(tmp_path / 'a', 'zip', tmp_path)",
    "os.chdir(os.getcwd())",
    "os.path.join('a', 'b')",
    "Path('a').parent.joinpath('b').name",
    "'a'.replace('a', 'b')",
    "vendor.PATH.exists()",
    "requests.get(tmp_path.as_uri())",
    "requests.Response()",
    "httpx.Client(transport=vendor.T()).get('https://example.org')",
    "httpx.Client(app=vendor.app).get('https://example.org')",
    "vendor.Session().get('https://example.org')",
    "socket.socket().listen()",
    "sqlite3.connect(':memory:')",
    "sqlite3.connect(tmp_path / 'a.db')",
    "vendor.environ['A']",
    "os.environ",
    "'A' in vendor.environ",
    "subprocess.run([sys.executable, '-c', 'pass'])",
    "subprocess.run(f'{sys.executable} -c pass', shell=True)",
    "subprocess.run([sys.executable])",
    "subprocess.run([sys.executable], input='pass')",
    "subprocess.run([sys.executable, '-W', 'default', tmp_path / 'a.py'])",
    "subprocess.run([sys.executable, '-Xdev', '-X', 'utf8', tmp_path / 'a.py'])",
    "subprocess.run([sys.executable, '-m', 'vendor'], cwd=tmp_path)",
    "subprocess.run([sys.executable, '-mpytest', tmp_path])",
    "subprocess.run([sys.executable, '-Im', 'coverage', 'run', tmp_path])",
    "subprocess.run([sys.executable, 'a.py'], cwd=tmp_path)",
    "await asyncio.create_subprocess_exec(sys.executable, '-c', 'pass')",
    "vendor.run(['ls'])",
]
FIXED_COMMANDS = [
    "subprocess.run([sys.executable, '-m', 'vendor'])",
    "subprocess.run([sys.executable, '-mvendor', tmp_path])",
    "subprocess.run([sys.executable, '-m', 'vendor'], input='pass')",
    "subprocess.run([sys.executable, '/srv/a.py'], cwd=tmp_path)",
    "subprocess.run([sys.executable, 'a.py'])",
    "subprocess.run([sys.executable, '-W', 'default', 'a.py'])",
    "subprocess.run(f'{sys.executable} a.py', shell=True)",
]


@pytest.mark.parametrize(("line", "kind"), TOUCHED.items())
def test_touched(touches_of: TouchesOf, line: str, kind: str) -> None:
    assert [touch.kind for touch in touches_of(MODULE.format(line=line))][-1:] == [kind]


@pytest.mark.parametrize("line", LEFT_ALONE)
def test_left_alone(touches_of: TouchesOf, line: str) -> None:
    assert touches_of(MODULE.format(line=line)) == []


@pytest.mark.parametrize("line", FIXED_COMMANDS)
def test_python_on_code_that_the_test_did_not_write(touches_of: TouchesOf, line: str) -> None:
    [touch] = touches_of(MODULE.format(line=line))
    assert (touch.kind, touch.is_fixed) == ("process", True)


@pytest.mark.parametrize(
    ("names", "count"),
    [
        pytest.param(5, 0, id="as many as are followed"),
        pytest.param(6, 1, id="one more"),
    ],
)
def test_command_through_names(touches_of: TouchesOf, names: int, count: int) -> None:
    chain = "".join(f"c{n + 1} = c{n}\n" for n in range(names))
    text = f"import subprocess, sys\nc0 = [sys.executable, '-c', 'pass']\n{chain}"
    text += f"def test_it():\n    subprocess.run(c{names})\n"
    assert len(touches_of(text)) == count


@pytest.mark.parametrize(
    "name",
    [
        "pathlib.Path",
        "pathlib.PosixPath",
        "pathlib.WindowsPath",
        "py.path.local",
        "anyio.Path",
        "trio.Path",
        "pathlib2.Path",
        "upath.UPath",
        "path.Path",
    ],
)
def test_path_of_a_library(touches_of: TouchesOf, name: str) -> None:
    module = name.rpartition(".")[0]
    text = f"import {module}\n\ndef test_it():\n    {name}('a.txt').exists()\n"
    assert [touch.kind for touch in touches_of(text)] == ["file"]


AROUND = """
import os, requests, shutil, unittest
from unittest import mock

class TestIt(unittest.TestCase):
    def setUp(self):
        {set_up}

    def test_it(self):
        {test}
"""


@pytest.mark.parametrize(
    ("set_up", "test", "count"),
    [
        pytest.param("open('a', 'w').close()", "open('a')", 0, id="written"),
        pytest.param("open('a', mode='x').close()", "open('a')", 0, id="created"),
        pytest.param("open('a').close()", "open('a')", 1, id="only read"),
        pytest.param("shutil.copy('a', 'b')", "open('b')", 0, id="copied to"),
        pytest.param("shutil.copy('a', 'b')", "open('a')", 1, id="copied from"),
        pytest.param("self.addCleanup(os.remove, 'a')", "open('a')", 0, id="cleaned up"),
        pytest.param("print('a')", "open('a')", 1, id="only mentioned"),
        pytest.param("os.environ['A'] = '1'", "os.environ['A']", 0, id="variable that is set"),
        pytest.param("os.environ['A'] = '1'", "os.environ['B']", 1, id="another variable"),
        pytest.param("os.environ.update(A='1')", "os.environ['B']", 0, id="environment updated"),
        pytest.param("os.environ.get('A')", "os.environ['A']", 1, id="variable that is read"),
        pytest.param(
            "TestServer(address='shop')", "requests.get('http://shop/')", 0, id="server of a host"
        ),
        pytest.param(
            "TestServer(address='other')", "requests.get('http://shop/')", 1, id="of another host"
        ),
        pytest.param("Page(host='shop')", "requests.get('http://shop/')", 1, id="no server"),
        pytest.param(
            "mock.patch('os.listdir').start()", "os.listdir('a')", 0, id="function that is patched"
        ),
        pytest.param(
            "mock.patch.object(os, 'listdir').start()", "os.listdir('a')", 0, id="patched by object"
        ),
        pytest.param(
            "mock.patch('os.listdir').start()", "os.stat('a')", 1, id="another function is patched"
        ),
    ],
)
def test_what_set_up_looks_after(touches_of: TouchesOf, set_up: str, test: str, count: int) -> None:
    assert len(touches_of(AROUND.format(set_up=set_up, test=test))) == count


@pytest.mark.parametrize(
    "name",
    [
        "setUpModule",
        "tearDownModule",
        "setup_module",
        "teardown_module",
        "setup_function",
        "teardown_function",
        "setup",
        "teardown",
    ],
)
def test_function_that_runs_around_the_tests_of_a_module(touches_of: TouchesOf, name: str) -> None:
    text = f"import os\n\ndef {name}():\n    os.remove('a')\n\ndef test_it():\n    open('a')\n"
    assert [len(touches_of(text)), len(touches_of(text.replace(name, "other")))] == [0, 1]


@pytest.mark.parametrize(
    ("decorator", "count"),
    [
        pytest.param("@pytest.mark.vcr", 0, id="vcr"),
        pytest.param("@pytest.mark.vcr('a.yaml')", 0, id="vcr with a cassette"),
        pytest.param("@pytest.mark.respx", 0, id="respx"),
        pytest.param("@pytest.mark.slow", 1, id="another mark"),
        pytest.param("@responses.activate", 0, id="responses"),
        pytest.param("@responses", 0, id="a library itself"),
        pytest.param("@vendor.vcr", 1, id="an attribute of that name"),
        pytest.param("@mock.patch('requests.get')", 0, id="the function itself"),
        pytest.param("@mock.patch('shop.requests')", 0, id="the module where it is used"),
        pytest.param("@mock.patch('shop.cart')", 1, id="something else"),
        pytest.param("@mock.patch.object(requests, 'get')", 0, id="an attribute of the module"),
        pytest.param("@mock.patch.dict('os.environ', {})", 1, id="the environment"),
        pytest.param("@mock.patch(f'{vendor.NAME}.requests.get')", 0, id="a name that is built"),
    ],
)
def test_decorator_that_fakes_the_network(
    touches_of: TouchesOf, decorator: str, count: int
) -> None:
    text = f"""
        import pytest, requests, responses, vendor
        from unittest import mock

        {decorator}
        def test_it(*mocks):
            requests.get("https://example.org")
    """
    assert len(touches_of(text)) == count


@pytest.mark.parametrize(
    ("fixture", "count"),
    [
        ("requests_mock", 0),
        ("responses", 0),
        ("respx_mock", 0),
        ("httpx_mock", 0),
        ("vcr_cassette", 0),
        ("httpserver", 0),
        ("mock_aws", 0),
        ("socket_disabled", 0),
        ("capsys", 1),
    ],
)
def test_fixture_that_fakes_the_network(touches_of: TouchesOf, fixture: str, count: int) -> None:
    text = f"import requests\n\ndef test_it({fixture}):\n    requests.get('https://example.org')\n"
    assert len(touches_of(text)) == count


@pytest.mark.parametrize(
    ("line", "count"),
    [
        pytest.param("with runner.isolated_filesystem(): open('a')", 0, id="isolated file system"),
        pytest.param("with tmpdir.as_cwd(): open('a')", 0, id="a temporary folder"),
        pytest.param("with vendor.chdir('/srv'): open('a')", 1, id="a fixed folder"),
        pytest.param("with vendor.working_directory(tmpdir): open('a')", 0, id="by its name"),
        pytest.param("with vendor.anything(): open('a')", 1, id="an unknown manager"),
        pytest.param("monkeypatch.chdir(tmpdir); open('a')", 0, id="monkeypatch"),
        pytest.param("monkeypatch.chdir(tmpdir); open('/srv/a')", 1, id="an absolute path"),
        pytest.param("monkeypatch.setenv('A', '1'); os.environ['A']", 0, id="a variable"),
        pytest.param("monkeypatch.setattr(os, 'listdir', list); os.listdir('a')", 0, id="patched"),
        pytest.param("monkeypatch.setattr('os.listdir', list); os.listdir('a')", 0, id="by text"),
        pytest.param("monkeypatch.setattr(os, 'stat', list); os.listdir('a')", 1, id="another"),
        pytest.param("with vendor.modified_environ(): os.environ['A']", 0, id="environment"),
        pytest.param("runner.invoke(vendor, env={}); os.environ['A']", 0, id="a runner's own"),
        pytest.param("runner.invoke(vendor); os.environ['A']", 1, id="a runner without"),
        pytest.param("vendor.stub_os_environ(); os.environ['A']", 0, id="environment kept"),
        pytest.param(
            "monkeypatch.chdir(tmpdir); open(os.path.join(os.path.curdir, 'a'))", 0, id="from here"
        ),
    ],
)
def test_what_the_test_moves_or_patches(touches_of: TouchesOf, line: str, count: int) -> None:
    text = f"import os, vendor\n\ndef test_it(monkeypatch, tmpdir, runner):\n    {line}\n"
    assert len(touches_of(text)) == count
