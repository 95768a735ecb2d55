"""Examples of SOC102: each sentence of its definition, and every exception."""

from __future__ import annotations

from collections.abc import Mapping

from socrates.rule import Example

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


def _class(body: str) -> Mapping[str, str]:
    indented = "\n".join(f"        {line}" if line else "" for line in body.splitlines())
    test = f"from stack import Stack\n\nclass TestStack:\n    def test_it(self):\n{indented}\n"
    return {"stack.py": STACK, "test_example.py": test}


def _texts(test: str) -> Mapping[str, str]:
    return {
        "texts.py": TEXTS,
        "other.py": "def shared(text):\n    return text\n",
        "test_texts.py": test,
    }


BAD = (
    Example(
        "two methods",
        _class("stack = Stack()\nstack.push(1)\nstack.pop()\nassert stack.items == []"),
        {"TestStack::test_it": "info"},
    ),
    Example(
        "more than four methods",
        _class(
            "stack = Stack('abc')\nstack.push(1)\nstack.pop()\nstack.reverse()\n"
            "stack.rotate()\nstack.clear()\nassert stack.items == []"
        ),
        {"TestStack::test_it": "warning"},
    ),
    Example(
        "fewer methods allowed by option",
        _class("stack = Stack()\nstack.push(1)\nstack.pop()\nassert stack.items == []"),
        {"TestStack::test_it": "warning"},
        options={"max-methods": 1},
    ),
    Example(
        "getter outside an assertion",
        _class("stack = Stack()\nstack.push(1)\nsize = stack.get_size()\nassert size == 1"),
        {"TestStack::test_it": "info"},
        note="Only a getter inside the assertion is an observation.",
    ),
    Example(
        "method called by a helper",
        {
            "stack.py": STACK,
            "test_example.py": """
                from stack import Stack

                def fill(stack):
                    stack.push(1)
                    stack.push(2)

                class TestStack:
                    def test_pop(self):
                        stack = Stack()
                        fill(stack)
                        assert stack.pop() == 2
                """,
        },
        {"TestStack::test_pop": "info"},
    ),
    Example(
        "method handed to assertRaises",
        {
            "stack.py": STACK,
            "test_example.py": """
                import unittest
                from stack import Stack

                class StackTests(unittest.TestCase):
                    def test_empty(self):
                        stack = Stack()
                        stack.clear()
                        self.assertRaises(IndexError, stack.pop)
                """,
        },
        {"StackTests::test_empty": "info"},
    ),
    Example(
        "object from a fixture in conftest",
        {
            "stack.py": STACK,
            "conftest.py": """
                import pytest
                from stack import Stack

                @pytest.fixture
                def stack():
                    return Stack("abc")
                """,
            "test_stack_use.py": """
                from stack import Stack

                def test_clear(stack):
                    stack.push(1)
                    stack.clear()
                    assert stack.items == []
                """,
        },
        {"test_clear": "info"},
        note="The file's name says nothing: the unit is the one class that most tests use.",
    ),
    Example(
        "object from setUp",
        {
            "stack.py": STACK,
            "test_example.py": """
                import unittest
                import stack

                class StackTestCase(unittest.TestCase):
                    def setUp(self):
                        self.stack = stack.Stack()

                    def test_clear(self):
                        self.stack.push(1)
                        self.stack.clear()
                        self.assertEqual(self.stack.items, [])
                """,
        },
        {"StackTestCase::test_clear": "info"},
    ),
    Example(
        "clean-up that is looked at",
        _class("stack = Stack()\nstack.push(1)\nstack.close()\nassert stack.items is None"),
        {"TestStack::test_it": "info"},
    ),
    Example(
        "two functions of the module",
        _texts(
            "import texts\n\ndef test_both():\n    assert texts.widen(texts.shorten('abcdef'))\n"
        ),
        {"test_both": "info"},
    ),
    Example(
        "predicates without anything to observe",
        _texts(
            "from texts import is_short, is_wide\n\n"
            "def test_both():\n    assert is_short('a')\n    assert not is_wide('a')\n"
        ),
        {"test_both": "info"},
    ),
    Example(
        "unit by a pattern of the project",
        {
            "stack.py": STACK,
            "test_example.py": """
                from stack import Stack

                class TestTheStack:
                    def test_it(self):
                        stack = Stack()
                        stack.push(1)
                        assert stack.pop() == 1

                    def test_other(self):
                        assert True

                    def test_another(self):
                        assert True
                """,
        },
        {"TestTheStack::test_it": "info"},
        options={"unit-patterns": ["TestThe{}"]},
    ),
)

GOOD = (
    Example(
        "same method many times",
        _class("stack = Stack()\nstack.push(1)\nstack.push(2)\nassert stack.items == [1, 2]"),
    ),
    Example(
        "getter in the assertion",
        _class("stack = Stack()\nstack.push(1)\nassert stack.get_size() == 1"),
    ),
    Example(
        "method that only returns an attribute",
        _class("stack = Stack()\nstack.push(1)\nassert stack.maximum() == 10"),
    ),
    Example(
        "property",
        _class("stack = Stack()\nstack.push(1)\nassert stack.top == 1"),
    ),
    Example(
        "alternative constructor",
        _class("stack = Stack.from_text('a b')\nassert stack.pop() == 'b'"),
    ),
    Example(
        "entering a context manager",
        _class("stack = Stack()\nwith stack.locked():\n    stack.push(1)\nassert stack.top == 1"),
    ),
    Example(
        "clean-up",
        _class("stack = Stack()\nstack.push(1)\nassert stack.top == 1\nstack.close()"),
    ),
    Example(
        "calls in a fixture",
        {
            "stack.py": STACK,
            "test_example.py": """
                import pytest
                from stack import Stack

                @pytest.fixture
                def stack():
                    stack = Stack()
                    stack.push(1)
                    return stack

                def test_pop(stack):
                    assert stack.pop() == 1
                """,
        },
    ),
    Example(
        "unknown unit",
        {
            "test_example.py": """
                def test_list():
                    items = []
                    items.append(1)
                    items.clear()
                    assert items == []
                """
        },
    ),
    Example(
        "class of the tests",
        {
            "test_example.py": """
                class Stack:
                    def push(self): ...
                    def pop(self): ...

                class TestStack:
                    def test_it(self):
                        stack = Stack()
                        stack.push()
                        stack.pop()
                """
        },
    ),
    Example(
        "methods of a class when the unit is the module",
        _texts(
            "from texts import Text, shorten\n\n"
            "def test_text():\n    text = Text()\n    text.strip()\n    text.upper()\n"
            "    assert shorten(text)\n"
        ),
    ),
    Example(
        "functions of another module",
        _texts(
            "from texts import shared, shorten, _hidden\n\n"
            "def test_all():\n    assert _hidden(shared(shorten('abc')))\n"
        ),
    ),
    Example(
        "predicate that observes an effect",
        _texts(
            "from texts import is_short, shorten\n\n"
            "def test_shorten():\n    text = shorten('abcdefgh')\n    assert is_short(text)\n"
        ),
    ),
)

EXAMPLES = (*BAD, *GOOD)
