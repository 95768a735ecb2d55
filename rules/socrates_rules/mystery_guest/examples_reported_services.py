"""Examples that SOC105 reports: databases, the network, other programs, environment variables."""

from __future__ import annotations

from socrates.example import Example

REPORTED_SERVICES = (
    Example(
        "a database file",
        """
        import sqlite3

        def test_it():
            assert sqlite3.connect("app.db").execute("select 1")
        """,
        {"test_it": "warning: reaches for a fixed database: sqlite3.connect('app.db')"},
    ),
    Example(
        "a server out there",
        """
        import urllib.request

        def test_it():
            assert urllib.request.urlopen("https://example.org/").status == 200
        """,
        {
            "test_it": "warning: reaches for a fixed network address: urllib.request.urlopen('https://example.org/')"
        },
    ),
    Example(
        "a session of requests",
        """
        import requests

        def test_it():
            with requests.Session() as session:
                assert session.get("https://example.org/").ok
        """,
        {
            "test_it": "warning: reaches for a fixed network address: session.get('https://example.org/')"
        },
    ),
    Example(
        "a connection of a socket",
        """
        import socket

        def test_it():
            sock = socket.socket()
            sock.connect(("192.0.2.7", 80))
            assert sock.recv(1)
        """,
        {
            "test_it": "warning: reaches for a fixed network address: sock.connect(('192.0.2.7', 80))"
        },
    ),
    Example(
        "a further resource of the project's own",
        """
        import ledger

        def test_it():
            assert ledger.dial("main")
        """,
        {"test_it": "warning: reaches for a fixed external resource: ledger.dial('main')"},
        options={"external-resources": ["ledger.*"]},
    ),
    Example(
        "another program",
        """
        import subprocess

        def test_it(tmp_path):
            assert subprocess.run(["git", "init"], cwd=tmp_path).returncode == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run(['git', 'init'], cwd=tmp_path)"
        },
    ),
    Example(
        "python on a module that the test did not write",
        """
        import subprocess
        import sys

        def test_it():
            assert subprocess.run([sys.executable, "-m", "shop"]).returncode == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run([sys.executable, '-m', 'shop'])"
        },
    ),
    Example(
        "python on a script of the project, in a temporary folder",
        """
        import os
        import subprocess
        import sys

        SCRIPT = os.path.join(os.path.dirname(__file__), "bin", "shop")

        def test_it(tmp_path):
            assert subprocess.run([sys.executable, SCRIPT], cwd=tmp_path).returncode == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run([sys.executable, SCRIPT], cwd=tmp_path)"
        },
    ),
    Example(
        "commands in a loop",
        """
        import subprocess
        import sys

        def test_it(port):
            for command in ([sys.executable, "-mshop", port], ["curl", port]):
                assert subprocess.Popen(command).wait() == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.Popen(command)"
        },
    ),
    Example(
        "an environment variable is read",
        """
        import os

        def test_it():
            assert os.environ["HOME"].startswith("/")
        """,
        {"test_it": "info: reaches for a fixed environment variable: os.environ['HOME']"},
    ),
    Example(
        "an environment variable is set by hand",
        """
        import os

        def test_it():
            os.environ["MODE"] = "fast"
            assert len("fast") == 4
            del os.environ["MODE"]
        """,
        {
            "test_it": "warning: reaches for a fixed environment variable (2 calls): os.environ['MODE']"
        },
    ),
    Example(
        "production code that only speaks of the environment",
        {
            "shop.py": """
            import os

            def load_from_env():
                return os.environ["MODE"]
            """,
            "test_example.py": """
            import os
            from shop import load_from_env

            def test_it():
                os.environ["MODE"] = "fast"
                assert load_from_env() == "fast"
            """,
        },
        {"test_it": "warning: reaches for a fixed environment variable: os.environ['MODE']"},
    ),
    Example(
        "a fixture that only reads the variable",
        """
        import os
        import pytest

        @pytest.fixture
        def client():
            return os.environ.get("KEY"), os.environ.copy()

        def test_it(client):
            assert client[0] == os.environ.get("KEY")
        """,
        {"test_it": "info: reaches for a fixed environment variable: os.environ.get('KEY')"},
    ),
    Example(
        "another host than a context manager stands in for",
        """
        import requests

        from intercept import Installed, simple_app

        def test_it():
            with Installed(simple_app, host="shop.example"):
                assert requests.get("https://example.com/").ok
        """,
        {
            "test_it": "warning: reaches for a fixed network address: requests.get('https://example.com/')"
        },
    ),
    Example(
        "a client of the same host stands in for nothing",
        """
        import requests

        from shop import ShopClient

        def test_it():
            with ShopClient(host="shop.example") as client:
                assert client.get("/") == requests.get("https://shop.example/").text
        """,
        {
            "test_it": "warning: reaches for a fixed network address: requests.get('https://shop.example/')"
        },
    ),
    Example(
        "a variable that stays changed",
        """
        import os

        def test_it():
            try:
                os.environ["MODE"] = "fast"
                assert run() == "fast"
            finally:
                os.environ["OTHER"] = ""

        def test_lost():
            try:
                os.environ["MODE"] = "fast"
                assert run() == "fast"
            finally:
                del os.environ["MODE"]
        """,
        {
            "test_lost": "warning: reaches for a fixed environment variable (2 calls): os.environ['MODE']",
            "test_it": "warning: reaches for a fixed environment variable: os.environ['MODE']",
        },
    ),
    Example(
        "a variable that has to be there before it is restored",
        """
        import os

        def test_it():
            before = os.environ["MODE"]
            try:
                os.environ["MODE"] = "fast"
                assert run() == "fast"
            finally:
                os.environ["MODE"] = before
        """,
        {"test_it": "warning: reaches for a fixed environment variable: os.environ['MODE']"},
    ),
)
