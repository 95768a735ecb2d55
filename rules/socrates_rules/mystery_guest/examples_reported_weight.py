"""Examples that SOC105 reports: what is a warning, and what nobody would change."""

from __future__ import annotations

from socrates.example import Example

REPORTED_WEIGHT = (
    Example(
        "a file beside the test is read, or written",
        """
        from pathlib import Path

        HERE = Path(__file__).parent

        def test_read():
            with open(HERE / "prices.csv") as file:
                assert file.read()

        def test_written():
            with open(HERE / "prices.csv", "w") as file:
                assert file.write("1")
        """,
        {
            "test_read": "info: reaches for a file or folder at a fixed path: open(HERE / 'prices.csv')",
            "test_written": "warning: reaches for a file or folder at a fixed path: open(HERE / 'prices.csv', 'w')",
        },
        page=True,
    ),
    Example(
        "a file beside the test is copied into a temporary folder, or from there",
        """
        import os
        import shutil

        PRICES = os.path.join(os.path.dirname(__file__), "prices.csv")

        def test_from(tmp_path):
            assert shutil.copy(PRICES, tmp_path)

        def test_to(tmp_path):
            assert shutil.copy(tmp_path / "a.csv", PRICES)
        """,
        {
            "test_from": "info: reaches for a file or folder at a fixed path: shutil.copy(PRICES, tmp_path)",
            "test_to": "warning: reaches for a file or folder at a fixed path: shutil.copy(tmp_path / 'a.csv', PRICES)",
        },
    ),
    Example(
        "the null device",
        """
        import os

        def test_it():
            assert open(os.devnull, "w").write("x") == 1
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open(os.devnull, 'w')"},
    ),
    Example(
        "a program that is looked for, and the test skipped without it",
        """
        import shutil
        import subprocess
        import pytest

        def test_it():
            tar = shutil.which("tar")
            if tar is None:
                pytest.skip("no tar")
            assert subprocess.run([tar, "--help"]).returncode == 0
        """,
        {
            "test_it": "info: reaches for a file or folder at a fixed path and a fixed command of another process (2 calls): shutil.which('tar')"
        },
    ),
    Example(
        "a program that may be missing",
        """
        import subprocess

        def test_it():
            assert subprocess.run(["tar", "--help"]).returncode == 0
        """,
        {
            "test_it": "warning: reaches for a fixed command of another process: subprocess.run(['tar', '--help'])"
        },
    ),
    Example(
        "the project's own command",
        {
            "shop.py": "def main(): pass",
            "test_example.py": """
            import subprocess

            def test_it():
                assert subprocess.run(["shop", "--help"]).returncode == 0
            """,
        },
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run(['shop', '--help'])"
        },
    ),
    Example(
        "a mark says that the test needs the network",
        """
        import pytest
        import requests

        @pytest.mark.network
        def test_marked():
            assert requests.get("https://example.org/").ok

        @pytest.mark.slow
        def test_slow():
            assert requests.get("https://example.org/").ok
        """,
        {
            "test_marked": "info: reaches for a fixed network address: requests.get('https://example.org/')",
            "test_slow": "warning: reaches for a fixed network address: requests.get('https://example.org/')",
        },
    ),
    Example(
        "a variable that may be missing, and one that has a default",
        """
        import os

        def test_needed():
            assert os.environ["SHOP_KEY"]

        def test_default():
            assert os.environ.get("SHOP_KEY", "x")

        def test_asked():
            assert "SHOP_KEY" not in os.environ
        """,
        {
            "test_needed": "warning: reaches for a fixed environment variable: os.environ['SHOP_KEY']",
            "test_default": "info: reaches for a fixed environment variable: os.environ.get('SHOP_KEY', 'x')",
            "test_asked": "info: reaches for a fixed environment variable: 'SHOP_KEY' not in os.environ",
        },
    ),
    Example(
        "a path that depends on where the tests are started, although they skip",
        """
        import sys
        import pytest

        @pytest.mark.skipif(sys.platform == "win32", reason="no such names")
        def test_it():
            assert open("data/a:b.txt").read()
        """,
        {"test_it": "warning: reaches for a file or folder at a fixed path: open('data/a:b.txt')"},
    ),
    Example(
        "a fixture goes to a folder beside the test first",
        """
        import os
        import pytest

        @pytest.fixture
        def shop(monkeypatch):
            monkeypatch.chdir(os.path.dirname(__file__))
            return "shop"

        def test_it(shop):
            assert open("data/prices.csv").read() != shop
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open('data/prices.csv')"},
    ),
    Example(
        "a name that is bound again",
        """
        import os

        def find(name):
            name = os.path.join(os.path.dirname(__file__), name)
            assert os.path.exists(name)
            return name

        def test_it():
            assert find("prices.csv")
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: os.path.exists(name)"},
    ),
    Example(
        "the project's own command, put together in a helper",
        """
        import subprocess
        import sys

        def run(args):
            args = [sys.executable, "-m", "shop"] + args
            return subprocess.run(args, check=False)

        def test_it():
            assert run(["-c", "open"]).returncode == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run(args, check=False)",
        },
    ),
    Example(
        "a module that goes to its own folder",
        """
        import os

        os.chdir(os.path.dirname(os.path.abspath(__file__)))

        def test_it():
            assert os.listdir("prices")
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: os.listdir('prices')"},
    ),
    Example(
        "doctests beside the module, and from one working folder",
        """
        import doctest

        def test_beside():
            assert not doctest.testfile("../README.rst").failed

        def test_from_a_folder():
            assert not doctest.testfile("README.rst", module_relative=False).failed
        """,
        {
            "test_beside": "info: reaches for a file or folder at a fixed path: doctest.testfile('../README.rst')",
            "test_from_a_folder": "warning: reaches for a file or folder at a fixed path: doctest.testfile('README.rst', module_relative=False)",
        },
    ),
    Example(
        "a helper that writes only when it is asked to, and nobody does",
        """
        from pathlib import Path

        PRICES = Path(__file__).parent / "prices.csv"

        def check(total, renew=False):
            if renew:
                PRICES.write_text(str(total))
            assert PRICES.read_text() == str(total)

        def test_it():
            check(3)
        """,
        {
            "test_it": "info: reaches for a file or folder at a fixed path (2 calls): PRICES.write_text(str(total))"
        },
    ),
    Example(
        "a helper that one call asks to write",
        """
        from pathlib import Path

        PRICES = Path(__file__).parent / "prices.csv"

        def check(total, renew=False):
            if renew:
                PRICES.write_text(str(total))
            assert PRICES.read_text() == str(total)

        def test_it():
            check(3)

        def renew():
            check(3, True)
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path: PRICES.write_text(str(total))"
        },
    ),
    Example(
        "a file of a folder beside the test that it goes to",
        """
        from pathlib import Path

        HERE = Path(__file__).parent

        def test_it(monkeypatch):
            monkeypatch.chdir(HERE / "packages")
            assert open("prices.csv").read()
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open('prices.csv')"},
    ),
    Example(
        "a file that is meant not to be there",
        """
        import pytest

        def test_it():
            with pytest.raises(OSError):
                open("no_such_file.txt")
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open('no_such_file.txt')"},
    ),
    Example(
        "a test that is skipped anyway",
        """
        import pytest

        @pytest.mark.skip(reason="for release managers")
        def test_it():
            with open("data/prices.csv") as file:
                assert total(file) == 12
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open('data/prices.csv')"},
    ),
    Example(
        "shell code that the test writes down",
        """
        import subprocess

        def test_it():
            script = complete("sell")
            assert subprocess.run(["bash", "-euc", script]).returncode == 0
        """,
        {
            "test_it": "info: reaches for a fixed command of another process: subprocess.run(['bash', '-euc', script])"
        },
    ),
)
