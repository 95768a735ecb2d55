"""The folders of a store: inside the project, and unknown to its version control."""

from __future__ import annotations

import os
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import writing
from socrates_amplify.store.database import plain_errors

FOLDER = ".socrates"
SCENARIOS = "scenarios"


def make_folders(folder: Path, root: Path) -> None:
    """Make the store's folders, which have to lie in the project: a link may lead elsewhere."""
    ignore = folder / ".gitignore"
    scenarios = folder / SCENARIOS
    try:
        writing.inside(folder, root)
        with plain_errors(folder):
            for place in (scenarios, ignore):
                writing.inside(place, folder)
            scenarios.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(ignore):
                writing.write_new(ignore, b"*\n", folder)
    except writing.Failed as error:
        raise SocratesError(f"{ignore}: cannot be written: {error.reason}") from None
    except writing.NotWritten as error:
        raise SocratesError(f"{folder}: {error}; remove the link") from None
