"""Examples in which SOC105 stays silent: the test or its set-up creates, starts or restores the resource."""

from __future__ import annotations

from socrates.example import Example

SILENT_MANAGED = (
    Example(
        "set-up creates the file and clean-up removes it",
        """
        import os
        import unittest

        class TestFile(unittest.TestCase):
            path = "scratch.txt"

            def setUp(self):
                with open(self.path, "w") as file:
                    file.write("a")

            def tearDown(self):
                os.remove(self.path)

            def test_it(self):
                with open(self.path) as file:
                    self.assertEqual(file.read(), "a")
        """,
    ),
    Example(
        "set-up makes a temporary folder",
        """
        import os
        import tempfile
        import unittest

        class TestFolder(unittest.TestCase):
            def setUp(self):
                self.folder = tempfile.mkdtemp()

            def test_it(self):
                self.assertEqual(os.listdir(os.path.join(self.folder)), [])
        """,
    ),
    Example(
        "a context manager in the test restores the variable",
        """
        import contextlib
        import os

        @contextlib.contextmanager
        def variable(name, value):
            before = dict(os.environ)
            os.environ[name] = value
            yield
            os.environ.clear()
            os.environ.update(before)

        def test_it():
            with variable("MODE", "fast"):
                assert os.environ["MODE"] == "fast"
        """,
    ),
    Example(
        "going back to the folder where the test was",
        """
        import os

        def test_it(tmp_path):
            before = os.getcwd()
            os.chdir(tmp_path)
            try:
                assert 1 + 1 == 2
            finally:
                os.chdir(before)
        """,
    ),
    Example(
        "a loopback server that the test starts",
        """
        import http.server
        import threading
        import urllib.request

        def test_it():
            server = http.server.HTTPServer(("127.0.0.1", 8123), http.server.SimpleHTTPRequestHandler)
            threading.Thread(target=server.serve_forever).start()
            assert urllib.request.urlopen("http://127.0.0.1:8123/").status == 200
        """,
    ),
    Example(
        "a loopback database that the test starts",
        """
        import threading

        import redis
        from shop import Server

        def test_it():
            server = Server(("127.0.0.1", 7000))
            threading.Thread(target=server.serve_forever).start()
            assert redis.Redis(host="127.0.0.1", port=7000).ping()
        """,
    ),
    Example(
        "a folder that a fixture creates and removes",
        {
            "paths.py": """
            import os
            from pathlib import Path

            SCRATCH = Path(os.path.abspath(os.path.dirname(__file__)), "scratch")
            """,
            "test_example.py": """
            import os
            import shutil
            from pathlib import Path

            import pytest
            from paths import SCRATCH

            @pytest.fixture(autouse=True)
            def scratch():
                os.mkdir(str(SCRATCH))
                yield
                shutil.rmtree(str(SCRATCH))

            def test_it():
                path = Path(SCRATCH, "a.txt")
                path.write_text("a")
                assert os.path.getsize(os.path.join(SCRATCH, "a.txt")) == 1
            """,
        },
    ),
    Example(
        "a file out of sight that set-up creates and clean-up removes",
        """
        import os
        import unittest

        from vendor_paths import NAME

        class TestFile(unittest.TestCase):
            def setUp(self):
                open(NAME, "w").close()

            def tearDown(self):
                os.unlink(NAME)

            def test_it(self):
                self.assertEqual(os.path.getsize(NAME), 0)
        """,
    ),
    Example(
        "helpers of set-up and clean-up create and remove the folder",
        """
        import os
        import shutil
        import unittest

        def folder():
            return os.path.join(os.path.dirname(__file__), "scratch")

        def start_anew():
            os.makedirs(folder())

        class TestFile(unittest.TestCase):
            def setUp(self):
                start_anew()

            def tearDown(self):
                shutil.rmtree(folder())

            def test_it(self):
                path = os.path.join(os.path.dirname(__file__), "scratch", "a.txt")
                open(path, "w").close()
                self.assertEqual(os.listdir(folder()), ["a.txt"])
        """,
    ),
    Example(
        "what a context manager of the test module gave",
        """
        import subprocess

        class Container:
            def __enter__(self):
                subprocess.run(["docker", "run", "--name", "shop", "shop"])
                return self

            def __exit__(self, *exc):
                subprocess.run(["docker", "rm", "shop"])

            def logs(self):
                return subprocess.check_output(["docker", "logs", "shop"])

        def test_it():
            with Container() as container:
                assert container.logs()
        """,
    ),
    Example(
        "a loopback service that a fixture starts",
        """
        import socket
        import subprocess

        import pytest

        @pytest.fixture
        def shop():
            process = subprocess.Popen(["shop", "--port", "8443"])
            yield
            process.kill()

        def test_it(shop):
            assert socket.create_connection(("127.0.0.1", 8443)).recv(1)
        """,
    ),
    Example(
        "files that tearDown removes in a loop",
        """
        import os
        import unittest

        class TestShop(unittest.TestCase):
            prices = "prices.csv"
            stock = "stock.csv"

            def tearDown(self):
                for name in [self.prices, self.stock]:
                    if os.path.exists(name):
                        os.remove(name)

            def test_stock(self):
                write_stock(self.stock)
                self.assertTrue(os.path.exists(self.stock))
        """,
    ),
    Example(
        "a helper that goes to a temporary folder",
        """
        import os
        import tempfile

        def pack():
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                with open("MANIFEST.in", "w") as file:
                    file.write("x")

        def test_it():
            assert pack() is None
        """,
    ),
    Example(
        "a variable that is restored in the end",
        """
        import os

        def test_it():
            before = os.environ.get("MODE")
            try:
                os.environ["MODE"] = "fast"
                assert run() == "fast"
            finally:
                if before is None:
                    del os.environ["MODE"]
                else:
                    os.environ["MODE"] = before
        """,
    ),
    Example(
        "the address of a server that a fixture starts and yields",
        """
        from dataclasses import dataclass

        import pytest
        import requests

        from shop.testing import run_shop

        @dataclass
        class Server:
            host: str
            port: int

            @property
            def base_url(self):
                return f"https://{self.host}:{self.port}"

        @pytest.fixture
        def server():
            with run_shop() as (host, port):
                yield Server(host, port)

        def test_it(server):
            assert requests.get(server.base_url).ok
        """,
    ),
    Example(
        "a fixture that goes to a temporary folder for a while",
        """
        import os

        import pytest

        @pytest.fixture
        def project(tmpdir):
            with tmpdir.as_cwd():
                yield tmpdir

        def test_it(project):
            create("shop")
            assert os.path.exists("shop/setup.py")
        """,
    ),
)
