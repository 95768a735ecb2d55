"""Hooks that wait for a module: a framework is patched when the project imports it, or never."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

Ready = Callable[[], None]


class Waiting:
    """Calls back once a module has been imported; at once where it has been already.

    A finder in front of all others that finds nothing by itself: it has the others find the
    module, and lets the loader say when it is there. ``close`` takes it away.
    """

    def __init__(self) -> None:
        self._ready: dict[str, list[Ready]] = {}
        self._here = threading.local()
        sys.meta_path.insert(0, self)

    def when(self, name: str, ready: Ready) -> None:
        """Call ``ready`` when the module ``name`` has been imported."""
        loaded = sys.modules.get(name)
        if loaded is not None and not _is_loading(loaded):
            ready()
        else:
            self._ready.setdefault(name, []).append(ready)

    def close(self) -> None:
        """Wait no longer."""
        self._ready.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders have, with a loader that tells us when it is done."""
        if name not in self._ready or getattr(self._here, "looking", False):
            return None
        self._here.looking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._here.looking = False
        if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            for ready in self._ready.pop(name, ()):
                ready()

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _is_loading(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
