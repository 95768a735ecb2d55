"""The one error of all parsers here."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - an answer, not a failure of the program
    """A text that is no Python, with the place to point at (1-based, in characters)."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
