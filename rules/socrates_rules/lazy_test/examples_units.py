"""The production code that the examples of SOC103 test."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS = """
    def shorten(text, size=5):
        return text[:size]

    def widen(text, size=9):
        return text.center(size)

    def parse(text):
        return text.split()

    def is_short(text):
        return len(text) < 6
    """
"""A module of functions."""

STACK = """
    class Stack:
        def __init__(self):
            self.items = []

        def push(self, item):
            self.items.append(item)

        def pop(self):
            return self.items.pop()

        def clear(self):
            self.items = []

        def get_size(self):
            return len(self.items)
    """
"""A class."""

SIDES = """
    import enum

    class Side(enum.Enum):
        LEFT = 1
        RIGHT = 2
        BOTH = 3

    def pad(text, side):
        before = "" if side is Side.RIGHT else " "
        return f"{before}{text}" if side is Side.LEFT else f"{before}{text} "
    """
"""A module with an enumeration."""


def with_texts(test: str) -> Mapping[str, str]:
    """A test module named after ``texts.py``."""
    return {"texts.py": TEXTS, "test_texts.py": test}


def with_stack(test: str) -> Mapping[str, str]:
    """A test module beside ``stack.py``."""
    return {"stack.py": STACK, "test_example.py": test}


def with_sides(test: str) -> Mapping[str, str]:
    """A test module named after ``sides.py``."""
    return {"sides.py": SIDES, "test_sides.py": test}
