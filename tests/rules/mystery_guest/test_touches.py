"""Touches of resources that nothing manages: what is found, and where it is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates_rules.mystery_guest.touches import Touch


def test_import_through_a_star(
    touches_of: Callable[[str], list[Touch]], write: Callable[[str, str], Path]
) -> None:
    write("shop.py", "import os\n")
    text = """
        from shop import *

        def test_it():
            os.environ["MODE"] = "fast"
    """
    assert [touch.kind for touch in touches_of(text)] == ["environment"]


def test_helper_of_another_module_is_not_followed(
    touches_of: Callable[[str], list[Touch]], write: Callable[[str, str], Path]
) -> None:
    write("test_tools.py", "def load():\n    return open('a.txt').read()\n")
    text = """
        from test_tools import load

        def test_it():
            assert load()
    """
    assert touches_of(text) == []


def test_patch_holds_only_inside_its_block(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import os
        from unittest import mock

        def test_it():
            with mock.patch.dict(os.environ, {"MODE": "fast"}):
                os.environ["MODE"]
            os.environ["HOME"]
    """
    assert [touch.origin.text for touch in touches_of(text)] == ["'HOME'"]


def test_patch_of_one_function_leaves_the_others(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import os
        from unittest import mock

        @mock.patch("os.listdir")
        def test_it(listdir):
            os.listdir("a")
            os.stat("a")
    """
    assert [touch.via for touch in touches_of(text)] == ["os.stat"]


def test_variable_that_another_fixture_sets_is_not_covered(
    touches_of: Callable[[str], list[Touch]],
) -> None:
    text = """
        import os
        import pytest

        @pytest.fixture(autouse=True)
        def plain(monkeypatch):
            monkeypatch.delenv("COLOR", raising=False)

        def test_it():
            assert os.environ["HOME"] and "COLOR" not in os.environ
    """
    assert [touch.origin.text for touch in touches_of(text)] == ["'HOME'"]


def test_relative_path_in_a_temporary_working_folder(
    touches_of: Callable[[str], list[Touch]],
) -> None:
    text = """
        import os

        def test_it(tmp_path):
            os.chdir(tmp_path)
            open("a.txt", "w")
            open("/etc/hosts")
    """
    assert [touch.origin.text for touch in touches_of(text)] == ["'/etc/hosts'"]


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("[sys.executable, '-c', 'pass']", 0),
        ("[sys.executable, '-']", 0),
        ("[sys.executable, tmp_path / 'a.py']", 0),
        ("[sys.executable, '-m', 'pytest', tmp_path]", 0),
        ("[tmp_path / 'tool', '--help']", 0),
        ("[sys.executable, '-m', 'shop', tmp_path]", 1),
        ("[sys.executable, '-W', 'error', __file__]", 1),
        ("['git', 'init', tmp_path]", 1),
        ("'ls'", 1),
    ],
)
def test_command(touches_of: Callable[[str], list[Touch]], command: str, count: int) -> None:
    text = f"""
        import subprocess, sys

        def test_it(tmp_path):
            command = {command}
            subprocess.run(command)
    """
    assert len(touches_of(text)) == count


def test_path_of_a_clean_up_is_managed(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import os, shutil, unittest

        class TestLock(unittest.TestCase):
            lock = "/tmp/lock-of-this-test/.lock"

            def tearDown(self):
                shutil.rmtree(os.path.dirname(self.lock))

            def test_it(self):
                os.stat(self.lock)
    """
    assert touches_of(text) == []


def test_variables_of_a_loop_in_a_fixture(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import os
        import pytest

        @pytest.fixture(autouse=True)
        def plain(monkeypatch):
            names = ("http_proxy", "no_proxy")
            for name in names:
                monkeypatch.delenv(name.upper(), raising=False)

        def test_it():
            assert os.environ["NETRC"] and "NO_PROXY" not in os.environ
    """
    assert [touch.origin.text for touch in touches_of(text)] == ["'NETRC'"]


def test_home_of_a_fixture(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import pathlib
        import pytest

        @pytest.fixture
        def home(monkeypatch, tmp_path):
            monkeypatch.setenv("HOME", str(tmp_path))

        def test_it(home):
            (pathlib.Path.home() / ".rc").touch()
    """
    assert touches_of(text) == []


def test_code_through_a_pipe(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import subprocess, sys

        def test_it():
            subprocess.run([sys.executable, "-Werror"], input="pass")
    """
    assert touches_of(text) == []


def test_script_in_a_temporary_working_folder(touches_of: Callable[[str], list[Touch]]) -> None:
    text = """
        import subprocess, sys

        def test_it(monkeypatch, tmp_path):
            monkeypatch.chdir(tmp_path)
            subprocess.run([sys.executable, "tasks/run.py"])
            subprocess.run([sys.executable, __file__])
    """
    assert [touch.origin.text for touch in touches_of(text)] == ["test_it.__file__"]


def test_path_below_a_folder_that_clean_up_removes(
    touches_of: Callable[[str], list[Touch]],
) -> None:
    text = """
        import os, shutil, unittest

        class TestStore(unittest.TestCase):
            folder = "/tmp/store-of-this-test"
            results = "/tmp/store-of-this-test/results"

            def tearDown(self):
                shutil.rmtree(self.folder)

            def test_it(self):
                os.listdir(self.results)
    """
    assert touches_of(text) == []


@pytest.mark.parametrize(
    ("module", "count"), [("shop", 1), ("pytest", 0)], ids=["the project's", "a tool"]
)
def test_module_of_the_project_is_not_looked_for_in_the_working_folder(
    touches_of: Callable[[str], list[Touch]],
    write: Callable[[str, str], Path],
    module: str,
    count: int,
) -> None:
    write("shop.py", "")
    text = f"""
        import subprocess, sys

        def test_it(tmp_path):
            subprocess.run([sys.executable, "-m", "{module}"], cwd=tmp_path)
    """
    assert len(touches_of(text)) == count


@pytest.mark.parametrize(
    ("written", "count"),
    [
        pytest.param("Path('a.txt').write_text('x')", 0, id="written by a path"),
        pytest.param("open('a.txt', 'w')", 0, id="opened to write"),
        pytest.param("open('a.txt')", 1, id="opened to read"),
        pytest.param("Path('b.txt').write_text('x')", 1, id="another file"),
    ],
)
def test_file_that_set_up_writes_is_managed(
    written: str, count: int, touches_of: Callable[[str], list[Touch]]
) -> None:
    text = f"""
        import unittest
        from pathlib import Path

        class TestIt(unittest.TestCase):
            def setUp(self):
                {written}

            def test_it(self):
                open("a.txt")
    """
    found = [touch for touch in touches_of(text) if touch.origin.text == "'a.txt'"]
    assert min(len(found), 1) == count


def test_patch_of_one_block_does_not_end_the_search_for_others(
    touches_of: Callable[[str], list[Touch]],
) -> None:
    text = """
        import os
        from unittest import mock

        def test_it(monkeypatch):
            with mock.patch("os.listdir"):
                pass
            monkeypatch.setattr("os.stat", len)
            os.stat("/etc")
    """
    assert touches_of(text) == []


@pytest.mark.parametrize(
    ("started", "address", "count"),
    [
        pytest.param("vendor.start_server()", "localhost", 0, id="a server of the test"),
        pytest.param("vendor.start_server()", "db.example.org", 1, id="another machine"),
        pytest.param("vendor.load()", "localhost", 1, id="no server"),
    ],
)
@pytest.mark.parametrize(
    "touching", ["psycopg2.connect(host={0!r})", "socket.create_connection(({0!r}, 80))"]
)
def test_server_that_the_test_starts(
    started: str, address: str, count: int, touching: str, touches_of: Callable[[str], list[Touch]]
) -> None:
    text = f"""
        import psycopg2, socket, vendor

        def test_it():
            {started}
            {touching.format(address)}
    """
    assert len(touches_of(text)) == count
