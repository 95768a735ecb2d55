"""The text of an editor as the bytes that the file would hold."""

from __future__ import annotations

import io
import tokenize


def to_bytes(text: str) -> bytes:
    """Encode by the coding cookie in the text, so that decoding gives the text back.

    An unknown cookie, or one that can't hold the text, gives UTF-8: the check then says what
    is wrong with it, as it would for the saved file. A byte order mark stays one.
    """
    plain = text.encode("utf-8", "surrogatepass")
    if text.startswith("\ufeff"):
        return plain
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(plain).readline)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return plain
