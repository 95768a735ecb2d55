"""Bad examples of SOC103: each sentence of its definition, and every way to reach the unit."""

from __future__ import annotations

from socrates.rule import Example

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

BAD = (
    Example(
        "two tests of one function",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from texts import shorten

                def test_long():
                    assert shorten("abcdefgh") == "abcde"

                def test_size():
                    text = shorten("abcdefgh", size=2)
                    assert len(text) == 2
                """,
        },
        {"test_long": "info", "test_size": "info"},
    ),
    Example(
        "three clones",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from texts import shorten

                def test_long():
                    assert shorten("abcdefgh") == "abcde"

                def test_short():
                    assert shorten("abc") == "abc"

                def test_empty():
                    assert shorten("") == ""
                """,
        },
        {"test_long": "warning", "test_short": "warning", "test_empty": "warning"},
    ),
    Example(
        "the severity is the group's",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from texts import shorten

                def test_long():
                    assert shorten("abcdefgh") == "abcde"

                def test_short():
                    assert shorten("abc") == "abc"

                def test_empty():
                    assert shorten("") == ""

                def test_size():
                    text = shorten("abcdefgh", size=2)
                    assert len(text) == 2
                """,
        },
        {
            "test_long": "warning",
            "test_short": "warning",
            "test_empty": "warning",
            "test_size": "warning",
        },
    ),
    Example(
        "methods of one class with one setUp",
        {
            "stack.py": STACK,
            "test_example.py": """
                import unittest
                from stack import Stack

                class StackTest(unittest.TestCase):
                    def setUp(self):
                        self.stack = Stack()

                    def test_push_one(self):
                        self.stack.push(1)
                        self.assertEqual(self.stack.items, [1])

                    def test_push_none(self):
                        self.stack.push(None)
                        self.assertIsNone(self.stack.items[0])
                """,
        },
        {"StackTest::test_push_one": "info", "StackTest::test_push_none": "info"},
    ),
    Example(
        "mocks are not fixtures",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from unittest import mock
                from texts import shorten

                def test_long():
                    assert shorten("abcdefgh") == "abcde"

                @mock.patch("texts.parse")
                def test_patched(parse):
                    assert shorten("abcdefgh", 1) == "a"
                    assert not parse.called
                """,
        },
        {"test_long": "info", "test_patched": "info"},
    ),
    Example(
        "parametrized test beside a plain one",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                import pytest
                from texts import shorten

                @pytest.mark.parametrize("text", ["a", "b"])
                def test_short(text):
                    assert shorten(text) == text

                def test_long():
                    assert shorten("abcdefgh") == "abcde"
                """,
        },
        {"test_short": "info", "test_long": "info"},
    ),
    Example(
        "two clones are enough by option",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from texts import shorten

                def test_long():
                    assert shorten("abcdefgh") == "abcde"

                def test_short():
                    assert shorten("abc") == "abc"
                """,
        },
        {"test_long": "warning", "test_short": "warning"},
        options={"min-clones": 2},
    ),
    Example(
        "predicates of a module",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                from texts import is_short

                def test_short():
                    assert is_short("abc")

                def test_long():
                    assert not is_short("abcdefgh")
                """,
        },
        {"test_short": "info", "test_long": "info"},
    ),
    Example(
        "the same helper calls the method",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                import texts

                def check(text, expected):
                    assert texts.shorten(text) == expected

                def test_long():
                    check("abcdefgh", "abcde")

                def test_short():
                    check("abc", "abc")
                """,
        },
        {"test_long": "info", "test_short": "info"},
    ),
    Example(
        "helper handed to assertRaises",
        {
            "texts.py": TEXTS,
            "test_texts.py": """
                import unittest

                class ShortenTests(unittest.TestCase):
                    def call(self, text):
                        from texts import shorten
                        return shorten(text)

                    def test_long(self):
                        self.assertEqual(self.call("abcdefgh"), "abcde")

                    def test_none(self):
                        self.assertRaises(TypeError, self.call, None)
                """,
        },
        {"ShortenTests::test_long": "info", "ShortenTests::test_none": "info"},
    ),
    Example(
        "alternative constructor that the tests are named after",
        {
            "stack.py": """
                class Stack:
                    @classmethod
                    def from_text(cls, text):
                        return cls()
                """,
            "test_stack.py": """
                from stack import Stack

                class TestStack:
                    def test_from_text_words(self):
                        assert Stack.from_text("a b").items == ["a", "b"]

                    def test_from_text_empty(self):
                        stack = Stack.from_text("")
                        assert not stack.items

                    def test_equality(self):
                        assert Stack.from_text("a") == Stack.from_text("a")
                """,
        },
        {"TestStack::test_from_text_words": "info", "TestStack::test_from_text_empty": "info"},
        note="In the third test it only builds the objects.",
    ),
    Example(
        "method under a second name",
        {
            "pipe.py": """
                class Pipe:
                    def send(self, data):
                        self.data = data

                    write = send
                """,
            "test_pipe.py": """
                from pipe import Pipe

                class TestPipe:
                    def test_once(self):
                        pipe = Pipe()
                        pipe.write("a")
                        assert pipe.data == "a"

                    def test_twice(self):
                        pipe = Pipe()
                        pipe.write("a")
                        pipe.write("b")
                        assert pipe.data == "b"
                """,
        },
        {"TestPipe::test_once": "info", "TestPipe::test_twice": "info"},
    ),
    Example(
        "object that is announced before it is made",
        {
            "stack.py": STACK,
            "test_stack.py": """
                import unittest
                from stack import Stack

                class StackTest(unittest.TestCase):
                    def __init__(self, *args):
                        super().__init__(*args)
                        self.stack = None

                    def run(self, result=None):
                        self.stack = Stack()
                        return super().run(result)

                    def test_push_one(self):
                        self.stack.push(1)
                        self.assertEqual(self.stack.items, [1])

                    def test_push_none(self):
                        self.stack.push(None)
                        self.assertIsNone(self.stack.items[0])
                """,
        },
        {"StackTest::test_push_one": "info", "StackTest::test_push_none": "info"},
    ),
)
