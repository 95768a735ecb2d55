"""The production code that the examples of SOC102 test."""

from __future__ import annotations

from collections.abc import Mapping

STACK = """
    class Stack:
        def __init__(self, items=()):
            self.items = list(items)
            self.limit = 10

        @classmethod
        def from_text(cls, text):
            return cls(text.split())

        @property
        def top(self):
            return self.items[-1]

        def push(self, item):
            self.items.append(item)

        def pop(self):
            return self.items.pop()

        def clear(self):
            self.items = []

        def reverse(self):
            self.items.reverse()

        def rotate(self):
            self.items.append(self.items.pop(0))

        def get_size(self):
            return len(self.items)

        def maximum(self):
            return self.limit

        def locked(self):
            yield self

        def close(self):
            self.items = None
    """
"""A class with methods of every sort."""

SHELF = """
    class Shelf:
        def __init__(self, items=()):
            self.items = list(items)

        def put(self, item):
            self.items.append(item)

        def last(self):
            return self.items[-1]

        def find(self, item):
            return self.items.index(item)

        def get_size(self):
            return len(self.items)
    """
"""A small class."""

TEXTS = """
    from other import shared

    class Text:
        def strip(self): ...
        def upper(self): ...

    def shorten(text):
        return text[:5]

    def widen(text):
        return text.center(9)

    def is_short(text):
        return len(text) < 6

    def is_wide(text):
        return len(text) > 8

    def _hidden(text):
        return text
    """
"""A module of functions."""

OTHER = """
    def shared(text):
        return text
    """


def with_stack(test: str) -> Mapping[str, str]:
    """A test module beside ``stack.py``."""
    return {"stack.py": STACK, "test_example.py": test}


def with_shelf(test: str) -> Mapping[str, str]:
    """A test module beside ``shelf.py``."""
    return {"shelf.py": SHELF, "test_example.py": test}


def with_texts(test: str) -> Mapping[str, str]:
    """A test module named after ``texts.py``."""
    return {"texts.py": TEXTS, "other.py": OTHER, "test_texts.py": test}
