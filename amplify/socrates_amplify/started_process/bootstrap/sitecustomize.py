"""Loaded first in each Python process that a test starts, through ``PYTHONPATH``.

It waits for the process to import a module that makes or handles remote calls, or that is a task
queue, and only then loads the rest. Whatever goes wrong here, the process goes on as if nothing
were there.
"""

# ruff: noqa: PTH100, PTH120 - pathlib is slow to import, and most processes never need the rest.
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_TRIGGERS = frozenset(
    "aiohttp celery django dramatiq flask http.server httpx httpx2 requests rq socketserver starlette"
    " urllib3 uvicorn".split()
)


class _Trigger:
    """A finder that finds nothing; it only wants to hear the names."""

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name not in _TRIGGERS or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        try:
            from socrates_amplify.started_process.agent import start
        except ImportError:
            # Another environment, without Socrates: what this process calls stays unseen.
            return None
        hooks = start()
        return hooks.find_spec(name, path, target) if hooks is not None else None


def _chain() -> None:
    """Load the ``sitecustomize`` that would have been loaded without us, if there is one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("SOCRATES_AMPLIFY_CHANNEL"):
    sys.meta_path.insert(0, _Trigger())
_chain()
