"""What every start of ``socrates`` pays for the amplifier."""

from __future__ import annotations

import subprocess
import sys

import pytest

from socrates_amplify import plugin

PROGRAM = """
import sys
from socrates_amplify import plugin
for command in plugin.socrates_commands():
    import argparse
    command.add_arguments(argparse.ArgumentParser())
plugin.socrates_settings()
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def imported() -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("heavy", ["pytest", "libcst", "astroid", "rich", "sqlite3", "pykka"])
def test_nothing_heavy_is_imported_for_help(heavy: str, imported: set[str]) -> None:
    assert heavy not in imported


def test_the_commands() -> None:
    assert [command.name for command in plugin.socrates_commands()] == [
        "amplify",
        "replay",
        "trace",
        "map",
        "merge",
    ]
