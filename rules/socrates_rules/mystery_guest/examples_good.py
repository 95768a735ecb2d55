"""The examples of SOC105 that are none: one for each sentence of what is not a smell."""

from __future__ import annotations

from socrates.rule import Example

_FILE = "test_example.py"

FRIENDS = (
    Example(
        "tmp_path",
        {
            _FILE: """\
            def test_it(tmp_path):
                path = tmp_path / "a.txt"
                path.write_text("a")
                assert open(path).read() == "a"
            """,
        },
    ),
    Example(
        "a fixture of the project",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def sample():
                return "data/sample.txt"

            def test_it(sample):
                assert open(sample).read()
            """,
        },
    ),
    Example(
        "a function that a fixture hands over",
        {
            _FILE: """\
            import os
            import pytest

            @pytest.fixture
            def go(tmp_path):
                old = os.getcwd()
                def run(text):
                    os.chdir("/srv")
                    os.chdir(old)
                    return text
                return run

            def test_it(go):
                assert go("a") == "a"
            """,
        },
    ),
    Example(
        "tempfile in the test",
        {
            _FILE: """\
            import os
            import tempfile

            def test_it():
                folder = tempfile.mkdtemp()
                assert os.listdir(folder) == []
            """,
        },
    ),
    Example(
        "memory",
        {
            _FILE: """\
            import io
            import sqlite3

            def test_it():
                assert sqlite3.connect(":memory:").execute("select 1")
                assert io.StringIO("a").read() == "a"
            """,
        },
    ),
    Example(
        "pure computing with paths",
        {
            _FILE: """\
            import os
            from pathlib import Path

            def test_it():
                assert os.path.join("a", "b") == str(Path("a") / "b")
            """,
        },
    ),
    Example(
        "mock_open",
        {
            _FILE: """\
            from unittest import mock

            def test_it():
                with mock.patch("builtins.open", mock.mock_open(read_data="a")):
                    assert open("a.txt").read() == "a"
            """,
        },
    ),
    Example(
        "a patch by decorator",
        {
            _FILE: """\
            import subprocess
            from unittest import mock

            @mock.patch("subprocess.run")
            def test_it(run):
                subprocess.run(["git", "init"])
                run.assert_called_once()
            """,
        },
    ),
    Example(
        "a patch that setUp starts",
        {
            _FILE: """\
            import os
            import unittest
            from unittest import mock

            class TestMode(unittest.TestCase):
                def setUp(self):
                    patcher = mock.patch.dict(os.environ, {"MODE": "fast"})
                    patcher.start()
                    self.addCleanup(patcher.stop)

                def test_it(self):
                    self.assertEqual(os.environ["MODE"], "fast")
            """,
        },
    ),
    Example(
        "monkeypatch",
        {
            _FILE: """\
            import os

            def test_it(monkeypatch, tmp_path):
                monkeypatch.setenv("MODE", "fast")
                monkeypatch.chdir(tmp_path)
                open("a.txt", "w").close()
                assert os.environ["MODE"] == "fast"
            """,
        },
    ),
    Example(
        "fakes of the network",
        {
            _FILE: """\
            import requests
            import responses

            @responses.activate
            def test_responses():
                responses.get("https://example.org/", body="a")
                assert requests.get("https://example.org/").text == "a"

            def test_requests_mock(requests_mock):
                requests_mock.get("https://example.org/", text="a")
                assert requests.get("https://example.org/").text == "a"
            """,
        },
    ),
    Example(
        "a fake transport",
        {
            _FILE: """\
            import httpx

            def test_it():
                transport = httpx.MockTransport(lambda request: httpx.Response(200))
                with httpx.Client(transport=transport) as client:
                    assert client.get("https://example.org/").status_code == 200
            """,
        },
    ),
    Example(
        "pyfakefs",
        {
            _FILE: """\
            import os

            def test_it(fs):
                fs.create_file("/etc/shop.ini")
                assert os.path.exists("/etc/shop.ini")
            """,
        },
    ),
    Example(
        "the isolated file system of a runner",
        {
            _FILE: """\
            from click.testing import CliRunner

            def test_it():
                runner = CliRunner()
                with runner.isolated_filesystem():
                    open("a.txt", "w").close()
                    assert runner
            """,
        },
    ),
    Example(
        "a loopback server that the test starts",
        {
            _FILE: """\
            import http.server
            import threading
            import urllib.request

            def test_it():
                server = http.server.HTTPServer(("127.0.0.1", 8123), http.server.SimpleHTTPRequestHandler)
                threading.Thread(target=server.serve_forever).start()
                assert urllib.request.urlopen("http://127.0.0.1:8123/").status == 200
            """,
        },
    ),
    Example(
        "python on inline code and on code of the test",
        {
            _FILE: """\
            import subprocess
            import sys

            def test_inline():
                assert subprocess.run([sys.executable, "-c", "pass"]).returncode == 0

            def test_written(tmp_path):
                script = tmp_path / "script.py"
                script.write_text("pass")
                assert subprocess.run([sys.executable, str(script)]).returncode == 0
            """,
        },
    ),
    Example(
        "a literal that is only passed on to production code",
        {
            "shop.py": """\
            def total(path):
                with open(path) as file:
                    return len(file.read())
            """,
            _FILE: """\
            import shop

            def test_it():
                assert shop.total("data/prices.csv") == 12
            """,
        },
    ),
    Example(
        "production code of a famous name",
        {
            "requests/__init__.py": """\
            def get(url):
                return url
            """,
            _FILE: """\
            import requests

            def test_it():
                assert requests.get("https://example.org/")
            """,
        },
    ),
)
