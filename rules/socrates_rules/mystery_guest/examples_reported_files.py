"""Examples that SOC105 reports: files and folders."""

from __future__ import annotations

from socrates.example import Example, unsafe

REPORTED_FILES = (
    Example(
        "a literal path",
        """
        def test_it():
            with open("data/prices.csv") as file:
                assert file.read()
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path: open('data/prices.csv')"
        },
        page=True,
    ),
    Example(
        "a scratch file",
        """
        from pathlib import Path


        def test_it(capsys):
            with open("out/scratch.txt", "w") as file:  # by hand
                file.write("x")
            text = Path("out/scratch.txt").read_text()
            assert load("out/scratch.txt") == text
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path (2 calls): open('out/scratch.txt', 'w')"
        },
        fixed=unsafe(
            """
            from pathlib import Path


            def test_it(capsys, tmp_path):
                with open(tmp_path / "scratch.txt", "w") as file:  # by hand
                    file.write("x")
                text = Path(tmp_path / "scratch.txt").read_text()
                assert load(str(tmp_path / "scratch.txt")) == text
            """
        ),
    ),
    Example(
        "a scratch file that is written through its path",
        """
        from pathlib import Path


        def test_it():
            Path("a.txt").write_text("x")
            assert Path("a.txt").exists()
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path (2 calls): Path('a.txt').write_text('x')"
        },
        fixed=unsafe(
            """
            from pathlib import Path


            def test_it(tmp_path):
                Path(tmp_path / "a.txt").write_text("x")
                assert Path(tmp_path / "a.txt").exists()
            """
        ),
        page=True,
    ),
    Example(
        "a path built from __file__",
        """
        from pathlib import Path

        HERE = Path(__file__).parent

        def test_it():
            assert (HERE / "data" / "prices.csv").read_text()
        """,
        {
            "test_it": "info: reaches for a file or folder at a fixed path: (HERE / 'data' / 'prices.csv').read_text()"
        },
    ),
    Example(
        "a constant of another test module",
        {
            "paths.py": """
            import os

            DATA = os.path.join(os.path.dirname(__file__), "data")
            """,
            "test_example.py": """
            import os
            from paths import DATA

            def test_it():
                assert os.listdir(DATA)
            """,
        },
        {"test_it": "info: reaches for a file or folder at a fixed path: os.listdir(DATA)"},
    ),
    Example(
        "an alias of an import",
        """
        from os.path import exists as there

        def test_it():
            assert there("/etc/hosts")
        """,
        {"test_it": "warning: reaches for a file or folder at a fixed path: there('/etc/hosts')"},
    ),
    Example(
        "a helper of the module",
        """
        import pathlib

        def load(name):
            return pathlib.Path("golden", name).read_text()

        def test_it():
            assert load("a.txt") == "a"
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path: pathlib.Path('golden', name).read_text()"
        },
    ),
    Example(
        "a nested function",
        """
        def test_it():
            def read():
                return open("a.txt").read()

            assert read() == "a"
        """,
        {"test_it": "warning: reaches for a file or folder at a fixed path: open('a.txt')"},
    ),
    Example(
        "a parametrized literal",
        """
        import pytest

        @pytest.mark.parametrize("name", ["a.txt", "b.txt"])
        def test_it(name):
            assert open(name).read()
        """,
        {"test_it": "warning: reaches for a file or folder at a fixed path: open(name)"},
    ),
    Example(
        "literals that a decorator of the module's own gives",
        """
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
        {
            "test_listed": "warning: reaches for a file or folder at a fixed path: open(name)",
            "test_found": "info: reaches for a file or folder at a fixed path: open(os.path.join(os.path.dirname(__file__), name))",
        },
    ),
    Example(
        "an attribute of the class",
        """
        import os
        import unittest

        class TestFiles(unittest.TestCase):
            folder = os.path.dirname(__file__)

            def test_it(self):
                self.assertTrue(os.path.isdir(self.folder))
        """,
        {
            "TestFiles::test_it": "info: reaches for a file or folder at a fixed path: os.path.isdir(self.folder)"
        },
    ),
    Example(
        "a fixed file is copied into a temporary folder",
        """
        import shutil

        def test_it(tmp_path):
            shutil.copy("data/prices.csv", tmp_path)
            assert (tmp_path / "prices.csv").exists()
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path: shutil.copy('data/prices.csv', tmp_path)"
        },
    ),
    Example(
        "a constant that can't be followed",
        """
        from vendor_paths import DATA

        def test_it():
            with open(DATA) as file:
                assert file.read()
        """,
        {
            "test_it": "info: reaches for a file or folder whose path comes from elsewhere: open(DATA)"
        },
    ),
    Example(
        "a helper that can't be followed",
        """
        import vendor

        def test_it():
            with open(vendor.sample("a.txt")) as file:
                assert file.read()
        """,
        {
            "test_it": "info: reaches for a file or folder whose path comes from elsewhere: open(vendor.sample('a.txt'))"
        },
    ),
    Example(
        "a helper that is a lambda",
        """
        import os

        sample = lambda name: os.path.join(os.path.dirname(__file__), name)

        def test_it():
            assert open(sample("a.txt")).read()
        """,
        {"test_it": "info: reaches for a file or folder at a fixed path: open(sample('a.txt'))"},
    ),
    Example(
        "a fixture of the project that goes to a fixed folder",
        """
        import os
        import pytest

        @pytest.fixture
        def testdir():
            os.chdir("samples")

        def test_it(testdir):
            assert open("a.txt").read()
        """,
        {"test_it": "warning: reaches for a file or folder at a fixed path: open('a.txt')"},
    ),
    Example(
        "the working folder",
        """
        from pathlib import Path

        def test_it():
            assert not (Path.cwd() / "shop.sock").exists()
        """,
        {
            "test_it": "warning: reaches for a file or folder at a fixed path: (Path.cwd() / 'shop.sock').exists()"
        },
    ),
    Example(
        "a literal that the test reads back from an object",
        {
            "shop.py": """
            class Log:
                def __init__(self, path):
                    self.path = path
            """,
            "test_example.py": """
            from shop import Log

            def test_it():
                log = Log(path="/tmp/shop.log")
                assert open(log.path).read()
            """,
        },
        {"test_it": "warning: reaches for a file or folder at a fixed path: open(log.path)"},
    ),
    Example(
        "paths from properties",
        {
            "shop.py": """
            class Settings:
                @property
                def prices(self):
                    return "/etc/prices.csv"
            """,
            "test_example.py": """
            from nowhere import DATA
            from shop import Settings

            class Files:
                @property
                def stock(self):
                    return "data/stock.csv"

                @property
                def orders(self):
                    return DATA / "orders.csv"

            def test_prices():
                assert open(Settings().prices)

            def test_stock():
                assert open(Files().stock)

            def test_orders():
                files = Files()
                assert open(files.orders)
            """,
        },
        {
            "test_prices": "info: reaches for a file or folder whose path comes from elsewhere: open(Settings().prices)",
            "test_stock": "warning: reaches for a file or folder at a fixed path: open(Files().stock)",
            "test_orders": "info: reaches for a file or folder whose path comes from elsewhere: open(files.orders)",
        },
    ),
    Example(
        "set-up that was in a temporary folder, and has left it",
        """
        import os
        import unittest

        class ShopTest(unittest.TestCase):
            def setUp(self):
                with temporary_cwd():
                    build()

            def test_it(self):
                self.assertTrue(os.path.exists("shop/setup.py"))
        """,
        {
            "ShopTest::test_it": "warning: reaches for a file or folder at a fixed path: os.path.exists('shop/setup.py')"
        },
    ),
)
