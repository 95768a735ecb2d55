"""Texts after changes of single stretches, held against a slow and plain way to do the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from socrates.lsp.changes import changed

patient = settings(deadline=None)
TEXTS = st.text(st.sampled_from("ab \U0001f600ä\u2028\x0c\r\n"), max_size=20)
PLACES = st.tuples(st.integers(0, 8), st.integers(0, 12))
CHANGES = st.lists(st.tuples(PLACES, PLACES, TEXTS), max_size=4)
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def partial(start: tuple[int, int], end: tuple[int, int], text: str):
    place = types.Range(types.Position(*start), types.Position(*end))
    return types.TextDocumentContentChangePartial(place, text)


def offset(text: str, place: tuple[int, int], encoding: str) -> int:
    """Where a place of the editor lies in a text, by counting every unit of every line."""
    codec, size = UNITS[encoding]
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    if place[0] >= len(starts):
        return len(text)
    at, units = starts[place[0]], 0
    while at < len(text) and text[at] not in "\r\n" and units < place[1]:
        units += len(text[at].encode(codec)) // size
        at += 1
    return at


@patient
@given(TEXTS, CHANGES, st.sampled_from(sorted(UNITS)))
def test_changes_give_what_plain_counting_gives(text, changes, encoding) -> None:
    wanted = text
    for start, end, new in changes:
        begin = offset(wanted, start, encoding)
        stop = max(begin, offset(wanted, end, encoding))
        wanted = wanted[:begin] + new + wanted[stop:]
    assert changed(text, [partial(*change) for change in changes], encoding) == wanted


@patient
@given(TEXTS, TEXTS)
def test_change_without_a_range_is_the_whole_text(text, new) -> None:
    assert changed(text, [types.TextDocumentContentChangeWholeDocument(new)], "utf-16") == new


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        pytest.param("a\U0001f600b", ((0, 3), (0, 4), "c"), "a\U0001f600c", id="astral"),
        pytest.param("a\rb", ((1, 0), (1, 0), "\n"), "a\r\nb", id="CR becomes CRLF"),
        pytest.param("a\r\nb\n", ((1, 0), (2, 0), ""), "a\r\n", id="a line goes"),
        pytest.param("a", ((7, 7), (9, 9), "b"), "ab", id="behind the end"),
        pytest.param("", ((0, 0), (0, 0), "a\n"), "a\n", id="empty text"),
    ],
)
def test_change(text, change, expected) -> None:
    assert changed(text, [partial(*change)], "utf-16") == expected


def test_ten_thousand_changes_at_once_touch_only_their_lines() -> None:
    text = "x\n" * 10_000
    many = [partial((line, 0), (line, 1), "yz") for line in range(10_000)]
    assert changed(text, many, "utf-16") == "yz\n" * 10_000
