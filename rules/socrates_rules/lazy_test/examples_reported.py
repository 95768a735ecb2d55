"""Examples that SOC103 reports: tests that have a method in common."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.lazy_test.examples_units import STACK, with_stack, with_texts

REPORTED = (
    Example(
        "two tests of one function",
        with_texts(
            """
            from texts import shorten

            def test_long():
                assert shorten("abcdefgh") == "abcde"

            def test_size():
                text = shorten("abcdefgh", size=2)
                assert len(text) == 2
            """
        ),
        {
            "test_long": "info: tests shorten() of texts like test_size",
            "test_size": "info: tests shorten() of texts like test_long",
        },
    ),
    Example(
        "methods of one class with one setUp",
        with_stack(
            """
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
            """
        ),
        {
            "StackTest::test_push_one": "info: tests push() of Stack like test_push_none",
            "StackTest::test_push_none": "info: tests push() of Stack like test_push_one",
        },
    ),
    Example(
        "mocks are not fixtures",
        with_texts(
            """
            from unittest import mock
            from texts import shorten

            def test_long():
                assert shorten("abcdefgh") == "abcde"

            @mock.patch("texts.parse")
            def test_patched(parse):
                assert shorten("abcdefgh", 1) == "a"
                assert not parse.called
            """
        ),
        {
            "test_long": "info: tests shorten() of texts like test_patched",
            "test_patched": "info: tests shorten() of texts like test_long",
        },
    ),
    Example(
        "parametrized test beside a plain one",
        with_texts(
            """
            import pytest
            from texts import shorten

            @pytest.mark.parametrize("text", ["a", "b"])
            def test_short(text):
                assert shorten(text) == text

            def test_long():
                assert shorten("abcdefgh") == "abcde"
            """
        ),
        {
            "test_short": "info: tests shorten() of texts like test_long",
            "test_long": "info: tests shorten() of texts like test_short",
        },
    ),
    Example(
        "predicates of a module",
        with_texts(
            """
            from texts import is_short

            def test_short():
                assert is_short("abc")

            def test_long():
                assert not is_short("abcdefgh")
            """
        ),
        {
            "test_short": "info: tests is_short() of texts like test_long",
            "test_long": "info: tests is_short() of texts like test_short",
        },
    ),
    Example(
        "the same helper calls the method",
        with_texts(
            """
            import texts

            def check(text, expected):
                assert texts.shorten(text) == expected

            def test_long():
                check("abcdefgh", "abcde")

            def test_short():
                check("abc", "abc")
            """
        ),
        {
            "test_long": "info: tests shorten() of texts like test_short",
            "test_short": "info: tests shorten() of texts like test_long",
        },
    ),
    Example(
        "helper handed to assertRaises",
        with_texts(
            """
            import unittest

            class ShortenTests(unittest.TestCase):
                def call(self, text):
                    from texts import shorten
                    return shorten(text)

                def test_long(self):
                    self.assertEqual(self.call("abcdefgh"), "abcde")

                def test_none(self):
                    self.assertRaises(TypeError, self.call, None)
            """
        ),
        {
            "ShortenTests::test_long": "info: tests shorten() of texts like test_none",
            "ShortenTests::test_none": "info: tests shorten() of texts like test_long",
        },
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
        {
            "TestStack::test_from_text_words": "info: tests from_text() of Stack like test_from_text_empty",
            "TestStack::test_from_text_empty": "info: tests from_text() of Stack like test_from_text_words",
        },
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
        {
            "TestPipe::test_once": "info: tests write() of Pipe like test_twice",
            "TestPipe::test_twice": "info: tests write() of Pipe like test_once",
        },
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
        {
            "StackTest::test_push_one": "info: tests push() of Stack like test_push_none",
            "StackTest::test_push_none": "info: tests push() of Stack like test_push_one",
        },
    ),
    Example(
        "shared getter",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_push(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.get_size() == 1

                def test_clear(self):
                    stack = Stack()
                    stack.clear()
                    assert stack.get_size() == 0
            """
        ),
        {
            "TestStack::test_push": "info: tests get_size() of Stack like test_clear",
            "TestStack::test_clear": "info: tests get_size() of Stack like test_push",
        },
        note="A getter can be what tests share, though it never makes a test eager.",
    ),
    Example(
        "alternative constructor whose result is compared whole, or that has to raise",
        {
            "stack.py": """
            class Stack:
                @classmethod
                def from_text(cls, text):
                    return cls()
            """,
            "test_stack.py": """
            import pytest
            from stack import Stack

            class TestStack:
                def test_words(self):
                    assert Stack.from_text("a b") == ["a", "b"]

                def test_nothing(self):
                    with pytest.raises(TypeError):
                        Stack.from_text(None)

                def test_size(self):
                    stack = Stack.from_text("a b")
                    assert stack.size == 2
            """,
        },
        {
            "TestStack::test_words": "info: tests from_text() of Stack like test_nothing",
            "TestStack::test_nothing": "info: tests from_text() of Stack like test_words",
        },
        note="In test_size it only makes the object whose size is looked at.",
    ),
    Example(
        "object that set-up keeps under a global name",
        with_stack(
            """
            import unittest
            from stack import Stack

            class StackTest(unittest.TestCase):
                def setUp(self):
                    global stack
                    stack = Stack()

                def test_push_one(self):
                    stack.push(1)
                    self.assertEqual(stack.items, [1])

                def test_push_none(self):
                    stack.push(None)
                    self.assertIsNone(stack.items[0])
            """
        ),
        {
            "StackTest::test_push_one": "info: tests push() of Stack like test_push_none",
            "StackTest::test_push_none": "info: tests push() of Stack like test_push_one",
        },
    ),
    Example(
        "method that a wrapper makes",
        {
            "stack.py": """
            from marks import marked

            class Stack(list):
                remove = marked(list.remove)
            """,
            "test_stack.py": """
            from stack import Stack

            class TestStack:
                def test_remove_one(self):
                    stack = Stack([1])
                    stack.remove(1)
                    assert not stack

                def test_remove_other(self):
                    stack = Stack([1, 2])
                    stack.remove(2)
                    assert stack == [1]
            """,
        },
        {
            "TestStack::test_remove_one": "info: tests remove() of Stack like test_remove_other",
            "TestStack::test_remove_other": "info: tests remove() of Stack like test_remove_one",
        },
    ),
    Example(
        "results that are put into a list",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_one(self):
                    found = [None]
                    found[0] = Stack().pop()
                    assert found[0] == 1

                def test_other(self):
                    assert Stack().pop() == 2
            """
        ),
        {
            "TestStack::test_one": "info: tests pop() of Stack like test_other",
            "TestStack::test_other": "info: tests pop() of Stack like test_one",
        },
    ),
)
