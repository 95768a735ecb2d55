"""TOML that somebody else wrote, parsed in bounded time."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_PARTS = 64
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*+\.[ \t]*+){{{_PARTS}}}")
"""The parser takes quadratic time and more for a key such as ``a.a.a.a``, line by line."""


class NotToml(Exception):  # noqa: N818 - an answer, not a failure of the program
    """The text is no TOML, or none that we read. The message says why, for the user."""


def parse_toml(text: str) -> dict[str, Any]:
    """The table that a text holds. Raises NotToml."""
    if _LONG_KEY.search(text):
        raise NotToml(f"a key of more than {_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotToml("nested too deeply") from None
    except ValueError as error:  # tomllib's own, and that of numbers with too many digits
        raise NotToml(str(error)) from None
