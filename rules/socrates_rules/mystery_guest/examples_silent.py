"""Examples in which SOC105 stays silent: nothing outside is touched, or the test may rely on it."""

from __future__ import annotations

from socrates.example import Example

SILENT = (
    Example(
        "tmp_path",
        """
        def test_it(tmp_path):
            path = tmp_path / "a.txt"
            path.write_text("a")
            assert open(path).read() == "a"
        """,
        page=True,
    ),
    Example(
        "a fixture of the project",
        """
        import pytest

        @pytest.fixture
        def sample():
            return "data/sample.txt"

        def test_it(sample):
            assert open(sample).read()
        """,
    ),
    Example(
        "a function that a fixture hands over",
        """
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
    ),
    Example(
        "tempfile in the test",
        """
        import os
        import tempfile

        def test_it():
            folder = tempfile.mkdtemp()
            assert os.listdir(folder) == []
        """,
    ),
    Example(
        "memory",
        """
        import io
        import sqlite3

        def test_it():
            assert sqlite3.connect(":memory:").execute("select 1")
            assert io.StringIO("a").read() == "a"
        """,
    ),
    Example(
        "an archive in memory",
        """
        import gzip
        import io

        def test_it():
            data = io.BytesIO()
            gzip.GzipFile(filename="a.txt", mode="wb", fileobj=data).close()
            assert data.getvalue()
        """,
    ),
    Example(
        "pure computing with paths",
        """
        import os
        from pathlib import Path

        def test_it():
            assert os.path.join("a", "b") == str(Path("a") / "b")
        """,
    ),
    Example(
        "python on inline code and on code of the test",
        """
        import subprocess
        import sys

        def test_inline():
            assert subprocess.run([sys.executable, "-c", "pass"]).returncode == 0

        def test_written(tmp_path):
            script = tmp_path / "script.py"
            script.write_text("pass")
            assert subprocess.run([sys.executable, str(script)]).returncode == 0
        """,
    ),
    Example(
        "a literal that is only passed on to production code",
        {
            "shop.py": """
            def total(path):
                with open(path) as file:
                    return len(file.read())
            """,
            "test_example.py": """
            import shop

            def test_it():
                assert shop.total("data/prices.csv") == 12
            """,
        },
    ),
    Example(
        "production code of a famous name",
        {
            "requests/__init__.py": """
            def get(url):
                return url
            """,
            "test_example.py": """
            import requests

            def test_it():
                assert requests.get("https://example.org/")
            """,
        },
    ),
    Example(
        "text of a path is no path",
        """
        import os
        from pathlib import Path

        HERE = Path(__file__).parent

        def test_names(shown):
            assert shown(1) == os.path.join(HERE, "a.txt").replace(os.sep, "/")
            assert shown(2) == HERE.as_posix().replace("-", "_")
            assert shown(3) == HERE.name.replace("-", "_")
        """,
        note="`replace` of text touches nothing.",
    ),
)
