"""The examples of SOC105 that are guests: both severities, every kind of resource."""

from __future__ import annotations

from socrates.rule import Example

_FILE = "test_example.py"

GUESTS = (
    Example(
        "a literal path",
        {
            _FILE: """\
            def test_it():
                with open("data/prices.csv") as file:
                    assert file.read()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a path built from __file__",
        {
            _FILE: """\
            from pathlib import Path

            HERE = Path(__file__).parent

            def test_it():
                assert (HERE / "data" / "prices.csv").read_text()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a constant of another test module",
        {
            "paths.py": """\
            import os

            DATA = os.path.join(os.path.dirname(__file__), "data")
            """,
            _FILE: """\
            import os
            from paths import DATA

            def test_it():
                assert os.listdir(DATA)
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "an alias of an import",
        {
            _FILE: """\
            from os.path import exists as there

            def test_it():
                assert there("/etc/hosts")
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a helper of the module",
        {
            _FILE: """\
            import pathlib

            def load(name):
                return pathlib.Path("golden", name).read_text()

            def test_it():
                assert load("a.txt") == "a"
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a nested function",
        {
            _FILE: """\
            def test_it():
                def read():
                    return open("a.txt").read()

                assert read() == "a"
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a parametrized literal",
        {
            _FILE: """\
            import pytest

            @pytest.mark.parametrize("name", ["a.txt", "b.txt"])
            def test_it(name):
                assert open(name).read()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "literals that a decorator of the module's own gives",
        {
            _FILE: """\
            import os
            import pytest

            samples = pytest.mark.parametrize("name", ["a.txt", "b.txt"])

            def found_in(folder):
                names = sorted(["c.txt"])
                return pytest.mark.parametrize("name", names)

            @samples
            def test_listed(name):
                assert open(name).read()

            @found_in("data")
            def test_found(name):
                assert open(os.path.join(os.path.dirname(__file__), name)).read()
            """,
        },
        {"test_listed": "warning", "test_found": "warning"},
    ),
    Example(
        "an attribute of the class",
        {
            _FILE: """\
            import os
            import unittest

            class TestFiles(unittest.TestCase):
                folder = os.path.dirname(__file__)

                def test_it(self):
                    self.assertTrue(os.path.isdir(self.folder))
            """,
        },
        {"TestFiles::test_it": "warning"},
    ),
    Example(
        "a fixed file is copied into a temporary folder",
        {
            _FILE: """\
            import shutil

            def test_it(tmp_path):
                shutil.copy("data/prices.csv", tmp_path)
                assert (tmp_path / "prices.csv").exists()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a database file",
        {
            _FILE: """\
            import sqlite3

            def test_it():
                assert sqlite3.connect("app.db").execute("select 1")
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a server out there",
        {
            _FILE: """\
            import urllib.request

            def test_it():
                assert urllib.request.urlopen("https://example.org/").status == 200
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a session of requests",
        {
            _FILE: """\
            import requests

            def test_it():
                with requests.Session() as session:
                    assert session.get("https://example.org/").ok
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a connection of a socket",
        {
            _FILE: """\
            import socket

            def test_it():
                sock = socket.socket()
                sock.connect(("192.0.2.7", 80))
                assert sock.recv(1)
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a constant that can't be followed",
        {
            _FILE: """\
            from vendor_paths import DATA

            def test_it():
                with open(DATA) as file:
                    assert file.read()
            """,
        },
        {"test_it": "info"},
    ),
    Example(
        "a helper that can't be followed",
        {
            _FILE: """\
            import vendor

            def test_it():
                with open(vendor.sample("a.txt")) as file:
                    assert file.read()
            """,
        },
        {"test_it": "info"},
    ),
    Example(
        "a helper that is a lambda",
        {
            _FILE: """\
            import os

            sample = lambda name: os.path.join(os.path.dirname(__file__), name)

            def test_it():
                assert open(sample("a.txt")).read()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a fixture of the project that goes to a fixed folder",
        {
            _FILE: """\
            import os
            import pytest

            @pytest.fixture
            def testdir():
                os.chdir("samples")

            def test_it(testdir):
                assert open("a.txt").read()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "the working folder",
        {
            _FILE: """\
            from pathlib import Path

            def test_it():
                assert not (Path.cwd() / "shop.sock").exists()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a literal that the test reads back from an object",
        {
            "shop.py": """\
            class Log:
                def __init__(self, path):
                    self.path = path
            """,
            _FILE: """\
            from shop import Log

            def test_it():
                log = Log(path="/tmp/shop.log")
                assert open(log.path).read()
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "doctests of a document",
        {
            _FILE: """\
            import doctest

            def test_it():
                assert not doctest.testfile("../README.md").failed
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a further resource of the project's own",
        {
            _FILE: """\
            import ledger

            def test_it():
                assert ledger.dial("main")
            """,
        },
        {"test_it": "warning"},
        options={"external-resources": ["ledger.*"]},
    ),
)
