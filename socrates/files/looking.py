"""What lies at a path. Never raises: what can't be looked at, for any reason, is not there.

``Path.is_file`` and its kin raise for names that are too long and for folders that may not be
entered, and one such name in a project would end the run.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path | str) -> bool:
    """Whether it is a regular file, links followed."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path | str) -> bool:
    """Whether it is a folder, links followed."""
    return os.path.isdir(path)  # noqa: PTH112


def exists(path: Path | str) -> bool:
    """Whether there is anything, links followed."""
    return os.path.exists(path)  # noqa: PTH110
