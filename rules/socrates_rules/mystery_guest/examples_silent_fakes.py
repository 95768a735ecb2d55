"""Examples in which SOC105 stays silent: a patch or a fake stands in for the resource."""

from __future__ import annotations

from socrates.example import Example

SILENT_FAKES = (
    Example(
        "a decorator that runs the test in a folder of its own",
        """
        from functools import wraps

        from click.testing import CliRunner

        def isolated(function):
            @wraps(function)
            def test(*args, **kwargs):
                runner = CliRunner()
                with runner.isolated_filesystem():
                    return function(*args, runner=runner, **kwargs)
            return test

        @isolated
        def test_it(runner):
            with open("README.md", "w") as file:
                assert file.write("x") == 1
        """,
    ),
    Example(
        "a fixture that goes to a temporary folder, or to another one by hand",
        """
        import os
        import pytest

        DEBUG = os.getenv("DEBUG")

        @pytest.fixture
        def folder(tmpdir):
            before = os.getcwd()
            if DEBUG:
                tmpdir = "/tmp/debug"
            os.chdir(str(tmpdir))
            yield tmpdir
            os.chdir(before)

        def test_it(folder):
            with open("README.md", "w") as file:
                assert file.write("x") == 1
        """,
    ),
    Example(
        "paths in a list that a helper fills",
        """
        import os
        from tempfile import TemporaryDirectory

        def copies(names, folder):
            found = []
            for name in names:
                found.append(os.path.join(folder, name))
            return found

        def test_it():
            with TemporaryDirectory() as folder:
                first, = copies(["a"], folder)
                os.mkdir(os.path.join(os.path.dirname(first), "b"))
                assert os.listdir(folder) == ["b"]
        """,
    ),
    Example(
        "mock_open",
        """
        from unittest import mock

        def test_it():
            with mock.patch("builtins.open", mock.mock_open(read_data="a")):
                assert open("a.txt").read() == "a"
        """,
    ),
    Example(
        "a patch by decorator",
        """
        import subprocess
        from unittest import mock

        @mock.patch("subprocess.run")
        def test_it(run):
            subprocess.run(["git", "init"])
            run.assert_called_once()
        """,
    ),
    Example(
        "a patch that setUp starts",
        """
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
    ),
    Example(
        "monkeypatch",
        """
        import os

        def test_it(monkeypatch, tmp_path):
            monkeypatch.setenv("MODE", "fast")
            monkeypatch.chdir(tmp_path)
            open("a.txt", "w").close()
            assert os.environ["MODE"] == "fast"
        """,
        page=True,
    ),
    Example(
        "fakes of the network",
        """
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
    ),
    Example(
        "a fake transport",
        """
        import httpx

        def test_it():
            transport = httpx.MockTransport(lambda request: httpx.Response(200))
            with httpx.Client(transport=transport) as client:
                assert client.get("https://example.org/").status_code == 200
        """,
    ),
    Example(
        "pyfakefs",
        """
        import os

        def test_it(fs):
            fs.create_file("/etc/shop.ini")
            assert os.path.exists("/etc/shop.ini")
        """,
    ),
    Example(
        "the isolated file system of a runner",
        """
        from click.testing import CliRunner

        def test_it():
            runner = CliRunner()
            with runner.isolated_filesystem():
                open("a.txt", "w").close()
                assert runner
        """,
    ),
    Example(
        "a fake of a database",
        """
        import mongomock
        import pymongo

        @mongomock.patch("example.org")
        def test_it():
            assert pymongo.MongoClient("example.org").shop.prices.find_one() is None
        """,
    ),
    Example(
        "stubbed by mockito",
        """
        import os

        from mockito import when

        def test_exists():
            when(os.path).exists("prices.csv").thenReturn(True)
            assert os.path.exists("prices.csv")
        """,
    ),
    Example(
        "a context manager that stands in for the host",
        """
        import requests

        from intercept import Installed, simple_app

        HOST = "shop.example"

        def test_it():
            with Installed(simple_app, host=HOST, port=443) as app:
                assert requests.get("https://shop.example:443/").ok
                assert app.success()
        """,
    ),
    Example(
        "a patch whose target is put together",
        """
        from unittest.mock import mock_open, patch

        def test_it():
            with patch(f"{__name__}.open", mock_open(), create=True) as opened:
                with open("prices", "w") as out:
                    write(out)
                opened.assert_called_once()
        """,
    ),
)
