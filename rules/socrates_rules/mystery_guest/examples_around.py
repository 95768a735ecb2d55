"""The examples of SOC105 that are guests: other programs and environment variables."""

from __future__ import annotations

from socrates.rule import Example

_FILE = "test_example.py"

AROUND = (
    Example(
        "another program",
        {
            _FILE: """\
            import subprocess

            def test_it(tmp_path):
                assert subprocess.run(["git", "init"], cwd=tmp_path).returncode == 0
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "python on a module that the test did not write",
        {
            _FILE: """\
            import subprocess
            import sys

            def test_it():
                assert subprocess.run([sys.executable, "-m", "shop"]).returncode == 0
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "python on a script of the project, in a temporary folder",
        {
            _FILE: """\
            import os
            import subprocess
            import sys

            SCRIPT = os.path.join(os.path.dirname(__file__), "bin", "shop")

            def test_it(tmp_path):
                assert subprocess.run([sys.executable, SCRIPT], cwd=tmp_path).returncode == 0
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "commands in a loop",
        {
            _FILE: """\
            import subprocess
            import sys

            def test_it(port):
                for command in ([sys.executable, "-mshop", port], ["curl", port]):
                    assert subprocess.Popen(command).wait() == 0
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "an environment variable is read",
        {
            _FILE: """\
            import os

            def test_it():
                assert os.environ["HOME"].startswith("/")
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "an environment variable is set by hand",
        {
            _FILE: """\
            import os

            def test_it():
                os.environ["MODE"] = "fast"
                assert len("fast") == 4
                del os.environ["MODE"]
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "production code that only speaks of the environment",
        {
            "shop.py": """\
            import os

            def load_from_env():
                return os.environ["MODE"]
            """,
            _FILE: """\
            import os
            from shop import load_from_env

            def test_it():
                os.environ["MODE"] = "fast"
                assert load_from_env() == "fast"
            """,
        },
        {"test_it": "warning"},
    ),
    Example(
        "a fixture that only reads the variable",
        {
            _FILE: """\
            import os
            import pytest

            @pytest.fixture
            def client():
                return os.environ.get("KEY"), os.environ.copy()

            def test_it(client):
                assert client[0] == os.environ.get("KEY")
            """,
        },
        {"test_it": "warning"},
    ),
)
