"""Examples of SOC102: the exceptions of its definition, after the bad ones."""

from __future__ import annotations

from socrates.rule import Example
from socrates_rules.eager_test.examples_bad import BAD, STACK, of_class, of_module

GOOD = (
    Example(
        "method that the test replaces",
        of_class("stack = Stack()\nstack.pop = list\nstack.push(1)\nassert stack.pop() == []"),
    ),
    Example(
        "same method many times",
        of_class("stack = Stack()\nstack.push(1)\nstack.push(2)\nassert stack.items == [1, 2]"),
    ),
    Example(
        "getter in the assertion",
        of_class("stack = Stack()\nstack.push(1)\nassert stack.get_size() == 1"),
    ),
    Example(
        "method that only returns an attribute",
        of_class("stack = Stack()\nstack.push(1)\nassert stack.maximum() == 10"),
    ),
    Example(
        "property",
        of_class("stack = Stack()\nstack.push(1)\nassert stack.top == 1"),
    ),
    Example(
        "alternative constructor",
        of_class("stack = Stack.from_text('a b')\nassert stack.pop() == 'b'"),
    ),
    Example(
        "alternative constructor that the test is named after",
        {
            "stack.py": STACK,
            "test_stack.py": """
                from stack import Stack

                class TestStack:
                    def test_from_text(self):
                        stack = Stack.from_text("a b")
                        assert stack.pop() == "b"
                """,
        },
        note="It builds the object that pop acts on.",
    ),
    Example(
        "entering a context manager",
        of_class("stack = Stack()\nwith stack.locked():\n    stack.push(1)\nassert stack.top == 1"),
    ),
    Example(
        "clean-up",
        of_class("stack = Stack()\nstack.push(1)\nassert stack.top == 1\nstack.close()"),
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
        of_module(
            "from texts import Text, shorten\n\n"
            "def test_text():\n    text = Text()\n    text.strip()\n    text.upper()\n"
            "    assert shorten(text)\n"
        ),
    ),
    Example(
        "functions of another module",
        of_module(
            "from texts import shared, shorten, _hidden\n\n"
            "def test_all():\n    assert _hidden(shared(shorten('abc')))\n"
        ),
    ),
    Example(
        "predicate that observes an effect",
        of_module(
            "from texts import is_short, shorten\n\n"
            "def test_shorten():\n    text = shorten('abcdefgh')\n    assert is_short(text)\n"
        ),
    ),
)

EXAMPLES = (*BAD, *GOOD)
