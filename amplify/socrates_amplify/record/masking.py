"""Secrets in what is shown of calls: by the names that they go by, and by patterns."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from socrates.errors import SocratesError

SECRET = (
    "*passw*",
    "*secret*",
    "*token*",
    "*api*key*",
    "*credential*",
    "authorization",
    "*cookie*",
)
"""Names whose values are never shown, of arguments of tasks too."""

_PAIR = re.compile(r"""([\w-]+)(["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)""")
"""A name and its value, in JSON, forms and queries alike."""

_WORD = re.compile(r"""[^\s/&=?"',:;{}\[\]]+""")


def globs_of(value: object, where: str) -> tuple[str, ...]:
    """The globs that a setting lists; raises ``SocratesError`` for anything else."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise SocratesError(
            f"{where} must be a list of globs for names or texts"
            f' such as "card_*" or "sk_live_*", not {value!r}'
        )
    return tuple(value)


def hider(globs: Iterable[str]) -> Callable[[str], bool]:
    """Says whether what goes by a name is secret: by ``SECRET``, and by these globs."""
    names = (*SECRET, *(glob.lower() for glob in globs))

    @functools.lru_cache(maxsize=256)
    def hides(name: str) -> bool:
        return any(fnmatchcase(name.lower(), glob) for glob in names)

    return hides


def masker(globs: Iterable[str] = ()) -> Callable[[str], str]:
    """Hides values by globs that fit their name, and words (a part of a path, say) that fit one."""
    words = tuple(globs)
    hides = hider(words)

    def pair(match: re.Match[str]) -> str:
        name, between, value = match.groups()
        return f"{name}{between}{'***' if hides(name) else value}"

    def word(match: re.Match[str]) -> str:
        return "***" if any(fnmatchcase(match[0], glob) for glob in words) else match[0]

    @functools.lru_cache(maxsize=256)
    def mask(text: str) -> str:
        if "=" in text or ":" in text:
            text = _PAIR.sub(pair, text)
        return _WORD.sub(word, text) if words else text

    return mask
