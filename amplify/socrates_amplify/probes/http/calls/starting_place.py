"""Which fixture or helper of the tests starts a service: the stack at the time when it listens."""

from __future__ import annotations

import re
from types import FrameType

from socrates_amplify.probes.http.calls.naming import kebab
from socrates_amplify.record.whose import is_library

_VERB = re.compile(r"^_*(make|start|run|create|get|setup|set_up|launch|spawn)_(?=.)")
_PLAIN = frozenset({"thread", "process", "server", "http-server", "wsgi-server"})
"""Names of classes that say how a service runs, not which one it is."""
_SETTING_UP = "pytest_fixture_setup"


def place_hint(frame: FrameType | None) -> str:
    """The fixture that is being set up, else the class of the tests whose method starts the service."""
    owner = ""
    while frame is not None:
        if frame.f_code.co_name == _SETTING_UP:
            return _fixture(frame) or owner
        owner = owner or _owner(frame)
        frame = frame.f_back
    return owner


def _fixture(frame: FrameType) -> str:
    """The name of a fixture; that it makes or starts something is no part of it."""
    name = getattr(frame.f_locals.get("fixturedef"), "argname", "")
    if not isinstance(name, str) or "xunit" in name or "unittest" in name:
        return ""  # pytest's own, around setUp and its like
    return _VERB.sub("", name).strip("_")


def _owner(frame: FrameType) -> str:
    """``fake-vault`` in a method of a FakeVault; empty in libraries, test classes and functions."""
    code = frame.f_code
    if is_library(code.co_filename):
        return ""
    kind = code.co_qualname.rpartition("<locals>.")[2].rpartition(".")[0]
    name = "" if kind.startswith(("Test", "_")) or kind.endswith("Test") else kebab(kind)
    return "" if name in _PLAIN else name
