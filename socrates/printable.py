"""Text that is safe to show: file names and messages come from code that nobody vouches for.

Every line that a command prints goes through here, with whatever it quotes from a project.
"""

from __future__ import annotations

import re

_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they change the direction of writing
    "\u180e\u200b\u2060\ufeff]"  # nobody sees them; those that join letters stay
)
_LINE_ENDS = re.compile(r"[\r\n]+")


def well_formed(text: str) -> str:
    """``text`` without lone surrogates, which stand for the bytes of a name that is not UTF-8.

    The result can be encoded in UTF-8. A byte is shown as Python writes it: ``\\xff``.
    """
    return _SURROGATES.sub(_escape_surrogate, text)


def _escape_surrogate(match: re.Match[str]) -> str:
    point = ord(match[0])
    return f"\\x{point - 0xDC00:02x}" if 0xDC80 <= point <= 0xDCFF else f"\\u{point:04x}"


def one_line(text: str) -> str:
    """``text`` on one line, with everything that steers a terminal made visible.

    Line ends become spaces; other control characters, those that reverse the direction of
    writing and those without a width become escapes. A tab stays.
    """
    if text.isascii() and text.isprintable():
        return text.strip()  # nearly every text, at a tenth of the cost
    first, *others = _LINE_ENDS.split(text.strip())
    joined = [first.rstrip(" \t"), *(part.strip(" \t") for part in others)]
    return visible(" ".join(joined))


def visible(text: str) -> str:
    """``text`` with control characters and lone surrogates as escapes, each of them visible."""
    return _CONTROLS.sub(_escape_control, well_formed(text))


def _escape_control(match: re.Match[str]) -> str:
    point = ord(match[0])
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"
