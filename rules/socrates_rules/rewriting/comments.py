"""Comments that say something to a reader."""

from __future__ import annotations

import re

_SENTENCE = re.compile(
    r"\s*#\W*(?!noqa\b|type:|pragma\b|pylint:|mypy:|ruff:|nosec\b|fmt:|isort:)\w+\W+\w"
)


def says_something(text: str) -> bool:
    """Whether a text begins with a comment of more than one word that is not meant for a tool."""
    return _SENTENCE.match(text) is not None
