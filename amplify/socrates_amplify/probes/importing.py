"""Patches that wait for a module: a library is patched once the project has imported it, or never."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.notices import Notices

Patch = Callable[[], None]


class ImportPatches:
    """Patches each module once it has been imported; at once where it has been already.

    Guarantee: an import never fails because of a patch. A module that can't be patched is left as
    it was, and ``notices`` says so.

    This is a finder in front of all others in ``sys.meta_path`` that finds nothing by itself: it
    asks the other finders for the module and wraps its loader, which then tells when the module is
    there. ``close`` takes it away.
    """

    def __init__(self, patches: Patches, notices: Notices) -> None:
        self._patches = patches
        self._notices = notices
        self._waiting: dict[str, list[Patch]] = {}
        self._here = threading.local()
        sys.meta_path.insert(0, self)

    def when(self, name: str, patch: Patch) -> None:
        """Call ``patch`` when the module ``name`` has been imported."""
        loaded = sys.modules.get(name)
        if loaded is not None and not _is_loading(loaded):
            self._apply(name, patch)
        else:
            self._waiting.setdefault(name, []).append(patch)

    def close(self) -> None:
        """Wait no longer."""
        self._waiting.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders have, with a loader that patches the loaded module."""
        if name not in self._waiting or getattr(self._here, "looking", False):
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
            for patch in self._waiting.pop(name, ()):
                self._apply(name, patch)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _apply(self, name: str, patch: Patch) -> None:
        before = self._patches.mark()
        try:
            patch()
        except Exception as error:
            # Other insides than those that the probe knows.
            self._patches.undo(before)
            self._notices.unpatched(name, error)


def _is_loading(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
