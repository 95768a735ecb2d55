"""Regular expressions that are compiled when they are first used.

Compiling them takes longer than importing the modules that have them, and many runs meet no text to
look at. A process that is forked for many runs compiles all of them first, once for all.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")
_waiting: list[_Later] = []


class _Later:
    """Has the methods of a pattern from the first use of one of them on."""

    def __init__(self, text: str, flags: int) -> None:
        self._asked = (text, flags)
        _waiting.append(self)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        self.compile()
        return vars(self)[name]

    def compile(self) -> None:
        pattern = re.compile(*self._asked)
        vars(self).update({name: getattr(pattern, name) for name in _METHODS})


def later(text: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile`` that waits: what it returns has the methods of a pattern, and nothing else."""
    return cast("re.Pattern[str]", _Later(text, flags))


def compile_all() -> None:
    """Compile what has been waiting until now."""
    while _waiting:
        _waiting.pop().compile()
