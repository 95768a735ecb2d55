"""Where the process of a command begins and ends."""

from __future__ import annotations

import sys
from typing import NoReturn

from socrates.cli import main


def run() -> NoReturn:
    """Run the command of this process and end it.

    Python frees every object of every module at its end, which takes longer than many a command. All
    that anybody asked to be done then is done; only where somebody watches the process, such as a
    profiler, is it left to Python to end it.
    """
    code = main()
    if _is_watched():
        sys.exit(code)
    import atexit
    import os
    import threading

    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, and ends pools
    atexit._run_exitfuncs()
    os._exit(code)


def _is_watched() -> bool:
    """Whether code of others waits for the end of the command: it was not started by itself."""
    alone = sys.orig_argv[1:3] == ["-m", "socrates"] or sys.orig_argv[1:2] == sys.argv[:1]
    return not alone or sys.gettrace() is not None or sys.getprofile() is not None
