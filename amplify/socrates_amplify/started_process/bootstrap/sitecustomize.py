"""Loaded first in each Python process that a test starts, through ``PYTHONPATH``.

It waits until the process imports a module that one of the test's probes names, and only then
loads the rest. Whatever goes wrong here, the process goes on as if nothing were there.
"""

# ruff: noqa: PTH100, PTH120 - pathlib is slow to import, and most processes never need the rest.
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_MODULES = frozenset(os.environ.get("SOCRATES_AMPLIFY_MODULES", "").split(","))


class _Trigger:
    """A finder that finds nothing by itself; it starts the agent before the first such module."""

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name not in _MODULES or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        try:
            from socrates_amplify.started_process.agent import start
        except ImportError:
            # Another environment, without Socrates: what this process does stays unseen.
            return None
        start()
        loaded = sys.modules.get(name)
        if loaded is None:
            # Asked again: the finders of the probes were not there when Python began to ask.
            return importlib.util.find_spec(name)
        # A plugin has imported it by now, and by its own spec Python would load it once more.
        return _spec_of_loaded(loaded)  # type: ignore[no-untyped-call]


def _spec_of_loaded(module):  # type: ignore[no-untyped-def]
    """A spec for a module that is loaded already; loading it by this spec leaves it as it is."""
    import copy

    spec = copy.copy(module.__spec__)
    spec.loader = _Loaded(module, module.__spec__)  # type: ignore[no-untyped-call]
    module.__spec__ = spec
    return spec


class _Loaded:
    """The loader of a loaded module: it has nothing to load, and else is the module's own."""

    def __init__(self, module, spec):  # type: ignore[no-untyped-def]
        self._module = module
        self._spec = spec

    def create_module(self, spec):  # type: ignore[no-untyped-def]
        return self._module

    def exec_module(self, module):  # type: ignore[no-untyped-def]
        module.__spec__ = self._spec

    def __getattr__(self, name):  # type: ignore[no-untyped-def]
        return getattr(self._spec.loader, name)


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
