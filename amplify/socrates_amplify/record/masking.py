"""Secrets that the user names: globs for names and texts, beside those that ``model.secrets`` knows."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from socrates.errors import SocratesError
from socrates_amplify.model.secrets import MASK, is_secret_name, without_named, without_secrets

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
    """Says whether what goes by a name is secret: by ``SECRET_NAMES``, and by these globs."""
    names = tuple(glob.lower() for glob in globs)

    @functools.lru_cache(maxsize=256)
    def hides(name: str) -> bool:
        return is_secret_name(name) or any(fnmatchcase(name.lower(), glob) for glob in names)

    return hides


def masker(globs: Iterable[str] = ()) -> Callable[[str], str]:
    """Hides values by globs that fit their name, and words (a part of a path, say) that fit one."""
    words = tuple(globs)
    hides = hider(words)

    def word(match: re.Match[str]) -> str:
        return MASK if any(fnmatchcase(match[0], glob) for glob in words) else match[0]

    @functools.lru_cache(maxsize=256)
    def mask(text: str) -> str:
        text = without_secrets(text)
        return _WORD.sub(word, without_named(text, hides)) if words else text

    return mask
