"""Names by which modules of the project know the classes that a controlled run replaces.

``from threading import Lock`` and ``from queue import SimpleQueue`` keep what was there when the
module was imported.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterable, Mapping
from types import ModuleType

from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.unasked import attributes_of, is_a
from socrates_amplify.record.whose import Roles

_REPLACED = ((threading, "Lock"), (threading, "RLock"), (queue, "SimpleQueue"))


def originals() -> Mapping[int, tuple[ModuleType, str]]:
    """What is about to be replaced, by its id, and where it stands."""
    return {id(getattr(module, name)): (module, name) for module, name in _REPLACED}


def follow(
    patches: Patches, known: Mapping[int, tuple[ModuleType, str]], modules: Iterable[ModuleType]
) -> None:
    """Have modules of the project use what stands now in place of the ``known`` originals."""
    for module in modules:
        for name, value in list((attributes_of(module) or {}).items()):
            if id(value) in known:
                replaced, as_named = known[id(value)]
                patches.set(module, name, getattr(replaced, as_named))


def own_modules(roles: Roles) -> list[ModuleType]:
    """The modules of the project and of its tests that are loaded by now."""
    return [
        module
        for name, module in list(sys.modules.items())
        if is_a(module, ModuleType) and roles.is_own_module(name)
    ]
