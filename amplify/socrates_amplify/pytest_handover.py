"""From ``pytest --amplify ARGS`` to ``socrates amplify -- ARGS``."""

from __future__ import annotations

import subprocess
import sys

import pytest


def hand_over(config: pytest.Config) -> int:
    """Run the amplifier in a process of its own, with this run's arguments; its exit code.

    A process of its own, because this one has begun a pytest session that will not be run.
    """
    arguments = [str(arg) for arg in config.invocation_params.args if arg != "--amplify"]
    command = [sys.executable, "-m", "socrates", "amplify", "--", *arguments]
    return subprocess.run(command, cwd=config.invocation_params.dir, check=False).returncode
