"""Values that are said at once: nothing in them is a secret, a clock or whatever else runs differ in.

Most messages are small: a number, a word, a dictionary or a dataclass of those. To read them part by
part, and to search their texts for secrets, as ``identity`` does with any value, takes longer than
all else that is done for a message, and would change nothing.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any

from socrates.classes.lazy import dataclass
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.record.identity import has_fields_alone, scrub

_NUMBERS = frozenset({int, float, bool, type(None)})
_SHORT = 10
"""A number that is written shorter than this is no clock, and no part of a uuid."""
_WORD = 16
"""A word shorter than this is no key, no password's hash and no path."""
_WORDS = re.compile(r"\w{1,15}(?: \w{1,15}){0,9}", re.ASCII)
_SCHEMES = ("bearer", "basic", "digest", "negotiate", "token")
"""What stands before a secret, with a space between them."""
_TEXT = 40
"""The longest text that is looked at."""
_only_texts = frozenset({str}).issuperset
_LONGEST = 80
"""The longest text of a message."""
_MOST = 6
"""So many parts a value may have."""
_SAMPLES = ("123456789", "12345", "'word'")
"""Parts with which a shape is tried: what its names say may make a secret or a port of them."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """Dictionaries with the same keys, or dataclasses of one type: how they are read and said."""

    parts: Callable[[Any], tuple[object, ...]]
    shown: str
    told: str

    def said(self, value: object) -> tuple[str, str] | None:
        try:
            parts = tuple(map(_part, self.parts(value)))
        except AttributeError:
            return None
        shown = "" if "" in parts else self.shown % parts
        return (shown, self.told % parts) if 0 < len(shown) <= _LONGEST else None


def harmless(value: object) -> tuple[str, str] | None:
    """The readable form and the canonical text; None for what has to be looked at more closely."""
    if text := _part(value):
        return text, text
    kind: type = type(value)
    shape = None
    if kind is dict:
        if 0 < len(value) <= _MOST and _only_texts(map(type, value)):  # type: ignore[arg-type,call-overload]
            shape = _of_dictionary(tuple(value))  # type: ignore[arg-type]
    elif hasattr(kind, "__dataclass_fields__"):
        shape = _of_dataclass(kind)
    return None if shape is None else shape.said(value)


def _part(value: object) -> str:
    """A short number or some words as both forms have them; empty for anything else."""
    kind = type(value)
    if kind is str:
        return _words(value) if len(value) <= _TEXT else ""  # type: ignore[arg-type]
    text = repr(value) if kind in _NUMBERS else ""
    return text if len(text) < _SHORT else ""


@functools.lru_cache(maxsize=1024)
def _words(text: str) -> str:
    return f"'{text}'" if _is_word(text) or _are_words(text) else ""


def _is_word(text: str) -> bool:
    return len(text) < _WORD and text.isidentifier() and text.isascii() and "0x" not in text


def _are_words(text: str) -> bool:
    lower = text.lower()
    schemes = any(scheme in lower for scheme in _SCHEMES)
    return _WORDS.fullmatch(text) is not None and "0x" not in text and not schemes


@functools.lru_cache(maxsize=512)
def _of_dictionary(keys: tuple[str, ...]) -> _Shape | None:
    names = sorted(keys)
    if not all(map(_is_word, names)) or not _stays(f"'{name}': " for name in names):
        return None
    shown = ", ".join(f"'{name}': %s" for name in names)
    told = ",".join(f"'{name}':%s" for name in names)
    return _Shape(_getter(itemgetter, names), "{" + shown + "}", "dict{" + told + "}")


@functools.cache
def _of_dataclass(kind: type) -> _Shape | None:
    """None where instances show themselves in another way than all by their fields."""
    fields = dataclasses.fields(kind)
    code = getattr(getattr(kind.__repr__, "__wrapped__", None), "__code__", None)
    generated = code is not None and code.co_filename == "<string>"
    by_fields = generated and has_fields_alone(kind) and all(one.repr for one in fields)
    name, names = kind.__qualname__, [one.name for one in fields]
    if not by_fields or not 0 < len(names) <= _MOST or "<" in name or "%" in name:
        return None
    if not _stays(f"{name}({field}=" for field in names):
        return None
    parts = [f"{field}=%s" for field in names]
    told = f"{name}({','.join(parts)})"
    return _Shape(_getter(attrgetter, names), f"{name}({', '.join(parts)})", told)


def _getter(
    kind: Callable[..., Callable[[Any], Any]], names: list[str]
) -> Callable[[Any], tuple[object, ...]]:
    """What reads all of these; always a tuple."""
    get = kind(*names)
    return get if len(names) > 1 else lambda value: (get(value),)


def _stays(before: Iterable[str]) -> bool:
    """Whether these texts leave the parts behind them, and themselves, as they are."""
    texts: Iterator[str] = (text + part for text in before for part in _SAMPLES)
    return all(without_secrets(scrub(text)) == text for text in texts)
