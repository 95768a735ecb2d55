"""Mutants of texts, bytes and JSON: each is a function of its seed and a random number generator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

_NAME = re.compile(rb"\w+")
Mutator = Callable[[bytes, Random, Sequence[str]], bytes]

ODD_TEXT = (
    *("\0", "\x1b[31m", "\x07", "\x0c", "\x1a", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff"),
    *("e\u0301", "\u4e2d", "\U0001f600", "\ufb01", "\u0130", "\udcff", "\ud800", "%s", "{0}"),
    *("../", "..\\", "/", "~", "$HOME", "-", "--", "@", "::", "\\", "'", '"', "`", "#", "\t", ";"),
    *("A" * 300, "0" * 5000, "9" * 400, "1e999", "-1", "0x", "nan", "*" * 80, "a*" * 40, "(" * 200),
)
"""What has broken one program or another."""
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1 << 31, 1 << 64, 10**400, -0.0, 1e308, 0.5, "", "x", [], {}),
    *([[]], {"": None}, {"a": {"b": []}}, ["x"] * 50, *ODD_TEXT),
)
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"#!/bin/sh\n", b"\n\n\n", b"\x0c")
CODECS = (
    *("utf-8", "latin-1", "utf-16", "utf-7", "cp037", "shift_jis", "punycode", "undefined", "idna"),
    *("unicode_escape", "rot13", "hex", "zip", "euc-jp", "no such codec", "utf-8-sig", "hz"),
)


def mutant(data: bytes, rng: Random, words: Sequence[str], others: Sequence[bytes]) -> bytes:
    """A text after one to six changes; ``words`` are what its language is made of."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        if rng.random() < 0.05:
            data = _spliced(data, rng.choice(others), rng)
        else:
            data = rng.choices(_MUTATORS, _WEIGHTS)[0](data, rng, words)
    return data[: 1 << 20]


def json_mutant(document: Any, rng: Random) -> Any:
    """A document with one to four values, keys or items that are others."""
    document = json.loads(json.dumps(document))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        document = _changed(document, rng)
    return document


def as_json(document: Any, rng: Random) -> bytes:
    """The text of a document; one in five is damaged once more, one in fifty nested deeply."""
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.02:
        depth = rng.choice((50, 900, 20_000))
        data = data.replace(b"null", b"[" * depth + b"]" * depth, 1)
    return (
        mutant(data, rng, ("{", "}", "[", "]", ",", ":", "null"), [data]) if _is(rng, 5) else data
    )


def _is(rng: Random, one_in: int) -> bool:
    return rng.randrange(one_in) == 0


def _changed(value: Any, rng: Random) -> Any:
    """One place of a document, found by going down at random, is another."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        match rng.randrange(8):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, str(rng.choice(ODD_TEXT)): value[key]}
            case _:
                return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        match rng.randrange(8):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return value * rng.choice((2, 50))
            case _:
                return [*value[:place], _changed(value[place], rng), *value[place + 1 :]]
    if isinstance(value, str) and rng.random() < 0.6:
        place = rng.randint(0, len(value))
        return value[:place] + rng.choice(ODD_TEXT) + value[place + rng.randrange(3) :]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
        return value + rng.choice((-1, 1, -(1 << 31), 1 << 31, 1 << 63, 10**30))
    return rng.choice(ODD_VALUES)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


def _delete_lines(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    lines = _lines(data)
    start = rng.randrange(len(lines))
    del lines[start : start + rng.choice((1, 1, 2, 5))]
    return b"".join(lines)


def _repeat_lines(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    lines = _lines(data)
    start = rng.randrange(len(lines))
    part = lines[start : start + rng.choice((1, 2, 5))]
    lines[start:start] = part * rng.choice((1, 1, 2, 30))
    return b"".join(lines)


def _swap_lines(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    lines = _lines(data)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _indent_line(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    lines = _lines(data)
    place = rng.randrange(len(lines))
    lines[place] = rng.choice((b"    ", b"\t", b" ", b"")) + lines[place].lstrip(b" \t")
    return b"".join(lines)


def _insert_word(data: bytes, rng: Random, words: Sequence[str]) -> bytes:
    word = rng.choice(words if words and rng.random() < 0.8 else ODD_TEXT)
    place = rng.randint(0, len(data))
    return data[:place] + word.encode("utf-8", "surrogatepass") + data[place:]


def _replace_word(data: bytes, rng: Random, words: Sequence[str]) -> bytes:
    parts = data.split(b" ")
    word = rng.choice(words if words and rng.random() < 0.7 else ODD_TEXT)
    parts[rng.randrange(len(parts))] = word.encode("utf-8", "surrogatepass")
    return b" ".join(parts)


def _replace_name(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    """A name or a number is another one of the same text, which most grammars allow."""
    found = list(_NAME.finditer(data))
    if not found:
        return data
    at, other = rng.choice(found), rng.choice(found)
    return data[: at.start()] + other.group() + data[at.end() :]


def _replace_value(data: bytes, rng: Random, words: Sequence[str]) -> bytes:
    """What follows the first ``=`` or ``:`` of a line is something else."""
    lines = _lines(data)
    place = rng.randrange(len(lines))
    sign = b"=" if b"=" in lines[place] else b":"
    key, found, _ = lines[place].partition(sign)
    value = rng.choice((*words, *map(repr, ODD_VALUES[:16]), json.dumps(rng.choice(ODD_TEXT))))
    if found:
        lines[place] = key + sign + b" " + value.encode("utf-8", "surrogatepass") + b"\n"
    return b"".join(lines)


def _flip_bits(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    changed = bytearray(data or b"x")
    for _number in range(rng.choice((1, 1, 4))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _delete_bytes(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    place = rng.randint(0, len(data))
    return data[:place] + data[place + rng.choice((1, 2, 8, 64)) :]


def _cut(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    return data[: rng.randint(0, len(data))]


def _mark(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    return rng.choice(MARKS) + data


def _line_ends(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\r", b"\x0c\n", b" \n", b"\n\n")))


def _cookie(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    return f"# -*- coding: {rng.choice(CODECS)} -*-\n".encode() + data


def _nest(data: bytes, rng: Random, _: Sequence[str]) -> bytes:
    start, end = rng.choice(
        ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"-", b""), (b"not ", b""), (b"lambda: ", b""))
    )
    depth = rng.choice((3, 90, 300, 3000))
    place = rng.randint(0, len(data))
    return data[:place] + start * depth + b"1" + end * depth + data[place:]


def _spliced(data: bytes, other: bytes, rng: Random) -> bytes:
    mine, theirs = _lines(data), _lines(other)
    start = rng.randrange(len(theirs))
    place = rng.randint(0, len(mine))
    mine[place:place] = theirs[start : start + rng.choice((1, 3, 10))]
    return b"".join(mine)


_TABLE: tuple[tuple[Mutator, int], ...] = (
    *((_delete_lines, 4), (_repeat_lines, 3), (_swap_lines, 3), (_indent_line, 4)),
    *(
        (_replace_name, 20),
        (_insert_word, 6),
        (_replace_word, 6),
        (_replace_value, 5),
        (_flip_bits, 2),
    ),
    *((_delete_bytes, 4), (_cut, 1), (_mark, 1), (_line_ends, 1), (_cookie, 1), (_nest, 1)),
)
_MUTATORS = [mutator for mutator, _ in _TABLE]
_WEIGHTS = [weight for _, weight in _TABLE]
