"""What tests put in the place of a framework's functions and classes: these then send nothing.

A test that patches ``requests.get`` calls no service, so there is nothing to do to it; its remark says
why. Fakes of a whole service (``responses``, ``respx``) patch something, too, but calls go through them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest

from socrates_amplify.probes.base import Undo
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.unasked import is_a
from socrates_amplify.record.whose import Roles, file_of

_NAMED = (type, FunctionType, BuiltinFunctionType)
_MOCKS = ("unittest.mock", "mock.mock")
"""Python's own module of mocks, and the one that it comes from."""
_PATCHERS = frozenset({*_MOCKS, "contextlib", "pytest_mock.plugin", "_pytest.monkeypatch"})
"""Modules between a patch and the code that asks for it."""


class Replaced:
    """The names of what is replaced while a test runs, of these ``packages`` only."""

    def __init__(self, roles: Roles, packages: Collection[str]) -> None:
        self._roles = roles
        self._packages = frozenset(packages)
        self._now: Counter[str] = Counter()
        self._seen: dict[str, None] = {}

    def begin(self) -> None:
        """A test begins: what fixtures of earlier tests have replaced, and still do, counts for it."""
        self._seen = dict.fromkeys(+self._now)

    @property
    def names(self) -> tuple[str, ...]:
        """What the test has replaced so far, each once."""
        return tuple(self._seen)

    def watch(self) -> Undo:
        """Hear of the patches of mocks, where they are loaded, and of ``monkeypatch``."""
        patches = Patches()
        for name in _MOCKS:
            patch = getattr(sys.modules.get(name), "_patch", None)
            if patch is not None:
                self._watch_mock(patches, patch)
        self._watch_monkeypatch(patches)
        return patches.undo

    def _watch_mock(self, patches: Patches, patch: Any) -> None:
        enter, leave = patch.__enter__, patch.__exit__

        def entered(patching: Any) -> Any:
            given = enter(patching)
            owner = getattr(patching, "target", None)
            if not self._is_of_fake(owner):
                self._put(patching.attribute, patching.temp_original, sys._getframe(1))
            return given

        def left(patching: Any, *error: Any) -> Any:
            self._back(patching.attribute, getattr(patching, "temp_original", None))
            return leave(patching, *error)

        patches.set(patch, "__enter__", entered)
        patches.set(patch, "__exit__", left)

    def _watch_monkeypatch(self, patches: Patches) -> None:
        setting, undoing = pytest.MonkeyPatch.setattr, pytest.MonkeyPatch.undo

        def set_attribute(monkeypatch: Any, *args: Any, **options: Any) -> None:
            setting(monkeypatch, *args, **options)
            owner, name, original = monkeypatch._setattr[-1]
            if not self._is_of_fake(owner):
                self._put(name, original, sys._getframe(1))

        def undo(monkeypatch: Any) -> None:
            for _, name, original in monkeypatch._setattr:
                self._back(name, original)
            undoing(monkeypatch)

        patches.set(pytest.MonkeyPatch, "setattr", set_attribute)
        patches.set(pytest.MonkeyPatch, "undo", undo)

    def _put(self, attribute: str, original: object, frame: FrameType | None) -> None:
        name = self._name(attribute, original)
        if name and not self._is_fake(frame):
            self._now[name] += 1
            self._seen[name] = None

    def _back(self, attribute: str, original: object) -> None:
        name = self._name(attribute, original)
        if self._now[name] > 0:
            self._now[name] -= 1

    def _is_of_fake(self, owner: object) -> bool:
        """Whether what is patched is a module of a fake: how that makes its answers."""
        if not is_a(owner, ModuleType):
            return False
        name = str(getattr(owner, "__name__", ""))
        return self._roles.role(file_of(owner), name) == "fake"

    def _is_fake(self, frame: FrameType | None) -> bool:
        """Whether a library that stands in for a service asks for the patch."""
        while frame is not None and frame.f_globals.get("__name__") in _PATCHERS:
            frame = frame.f_back
        if frame is None:
            return False
        module = str(frame.f_globals.get("__name__", ""))
        return self._roles.role(frame.f_code.co_filename, module) == "fake"

    def _name(self, attribute: str, original: Any) -> str:
        """``requests.get``; of a task or another object ``send_mail (celery)``; empty for other packages'."""
        if is_a(original, MethodType):
            original = original.__func__
        if is_a(original, ModuleType):
            module, name = original.__name__, ""
        elif is_a(original, _NAMED):
            module, name = str(original.__module__ or ""), original.__qualname__
        else:
            owners = (str(base.__module__) for base in type(original).__mro__)
            found = (one for one in owners if one.partition(".")[0] in self._packages)
            package = next(found, "").partition(".")[0]
            return f"{attribute} ({package})" if package else ""
        package = module.partition(".")[0]
        if package not in self._packages:
            return ""
        return f"{package}.{name}" if name else package
