"""``python -m`` this in place of pytest: what we rely on is bound first, then pytest is run.

pytest imports plugins that ``addopts`` names before ours, and those may be the project's own code.
"""

from __future__ import annotations

import gc
import runpy

import socrates_amplify.originals  # before any code of the project

if __name__ == "__main__":
    gc.disable()  # importing makes many objects and hardly any garbage
    import pytest  # noqa: F401 - which imports nothing of the project

    # Later, pytest would look into each of these for assertions to rewrite.
    import socrates_amplify.executors.in_test.ending
    import socrates_amplify.executors.in_test.together
    import socrates_amplify.extensions.always  # noqa: F401

    gc.enable()
    runpy.run_module("pytest", run_name="__main__", alter_sys=True)
