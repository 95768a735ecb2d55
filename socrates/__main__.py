"""``python -m socrates`` is the ``socrates`` command."""

import sys
from pathlib import Path

import socrates


def _leave_current_folder() -> None:
    """Look for modules and plugins where they are installed, not in the project that is checked.

    ``python -m`` puts the current folder first, as ``socrates`` does not. Where we are in it
    ourselves, in a clone, it stays.
    """
    own = Path(socrates.__file__).parent.parent
    try:
        is_added = not sys.flags.safe_path and Path(sys.path[0]).samefile(Path.cwd())
        if is_added and not own.samefile(Path.cwd()):
            del sys.path[0]
    except OSError:
        pass  # the folder is gone, and with it all that could be found there


_leave_current_folder()

from socrates.cli.entry import run  # noqa: E402 - found after the current folder was left

run()
