"""Bad examples of SOC102: each sentence of its definition, and every way to reach the unit."""

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


def of_class(body: str) -> Mapping[str, str]:
    indented = "\n".join(f"        {line}" if line else "" for line in body.splitlines())
    test = f"from stack import Stack\n\nclass TestStack:\n    def test_it(self):\n{indented}\n"
    return {"stack.py": STACK, "test_example.py": test}


def of_module(test: str) -> Mapping[str, str]:
    return {
        "texts.py": TEXTS,
        "other.py": "def shared(text):\n    return text\n",
        "test_texts.py": test,
    }


BAD = (
    Example(
        "two methods",
        of_class("stack = Stack()\nstack.push(1)\nstack.pop()\nassert stack.items == []"),
        {"TestStack::test_it": "info"},
    ),
    Example(
        "more than four methods",
        of_class(
            "stack = Stack('abc')\nstack.push(1)\nstack.pop()\nstack.reverse()\n"
            "stack.rotate()\nstack.clear()\nassert stack.items == []"
        ),
        {"TestStack::test_it": "warning"},
    ),
    Example(
        "fewer methods allowed by option",
        of_class("stack = Stack()\nstack.push(1)\nstack.pop()\nassert stack.items == []"),
        {"TestStack::test_it": "warning"},
        options={"max-methods": 1},
    ),
    Example(
        "getter outside an assertion",
        of_class("stack = Stack()\nstack.push(1)\nsize = stack.get_size()\nassert size == 1"),
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
        of_class("stack = Stack()\nstack.push(1)\nstack.close()\nassert stack.items is None"),
        {"TestStack::test_it": "info"},
    ),
    Example(
        "two functions of the module",
        of_module(
            "import texts\n\ndef test_both():\n    assert texts.widen(texts.shorten('abcdef'))\n"
        ),
        {"test_both": "info"},
    ),
    Example(
        "predicates without anything to observe",
        of_module(
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
    Example(
        "class spelt in another case",
        {
            "jobs.py": """
                class job_queue:
                    def put(self, job): ...
                    def take(self): ...
                """,
            "test_jobs.py": """
                import jobs

                class TestJobQueue:
                    def test_order(self):
                        queue = jobs.job_queue()
                        queue.put(1)
                        assert queue.take() == 1
                """,
        },
        {"TestJobQueue::test_order": "info"},
    ),
    Example(
        "class with the name of its module",
        {
            "clock/__init__.py": "from .clock import clock\n",
            "clock/clock.py": """
                class clock:
                    def set(self, hour): ...
                    def tick(self): ...
                """,
            "test_clock.py": """
                from clock import clock

                class TestClock:
                    def test_tick(self):
                        it = clock()
                        it.set(3)
                        assert it.tick() == 4
                """,
        },
        {"TestClock::test_tick": "info"},
        note="The package shows the class, not the module.",
    ),
    Example(
        "class with a compiled twin",
        {
            "stack/__init__.py": """
                from os import environ

                if environ.get("SLOW"):
                    from ._plain import Stack
                else:
                    from ._fast import Stack
                """,
            "stack/_plain.py": STACK,
            "test_example.py": """
                from stack import Stack

                class TestStack:
                    def test_it(self):
                        stack = Stack()
                        stack.push(1)
                        assert stack.pop() == 1
                """,
        },
        {"TestStack::test_it": "info"},
    ),
    Example(
        "functions shown from a private module",
        {
            "texts/__init__.py": "from ._texts import shorten\nfrom ._fast import widen\n",
            "texts/_texts.py": TEXTS,
            "test_texts.py": """
                import texts

                def test_both():
                    assert texts.widen(texts.shorten("abcdef"))
                """,
        },
        {"test_both": "info"},
        note="Where a package keeps them is its own business, compiled or not.",
    ),
    Example(
        "functions of the main module",
        {
            "texts/__init__.py": "",
            "texts/__main__.py": TEXTS,
            "test_main.py": """
                from texts.__main__ import shorten, widen

                def test_both():
                    assert widen(shorten("abcdef"))
                """,
        },
        {"test_both": "info"},
    ),
    Example(
        "method that is called like an assertion",
        {
            "child.py": """
                class Child:
                    def send(self, text): ...
                    def expect(self, text): ...
                """,
            "test_child.py": """
                from child import Child

                class TestChild:
                    def test_echo(self):
                        child = Child()
                        child.send("a")
                        child.expect("a")
                """,
        },
        {"TestChild::test_echo": "info"},
    ),
    Example(
        "subclass made in a helper",
        {
            "stack.py": STACK,
            "test_stack.py": """
                class TestStack:
                    def make(self):
                        import stack

                        class Quiet(stack.Stack):
                            pass

                        return Quiet()

                    def test_it(self):
                        stack = self.make()
                        stack += [0]
                        stack.push(1)
                        assert stack.pop() == 1
                """,
        },
        {"TestStack::test_it": "info"},
    ),
    Example(
        "object whose type is asserted",
        {
            "stack.py": STACK,
            "test_stack.py": """
                import pickle
                from stack import Stack

                class TestStack:
                    def test_it(self):
                        stack = pickle.loads(b"...")
                        assert isinstance(stack, Stack)
                        stack.push(1)
                        assert stack.pop() == 1
                """,
        },
        {"TestStack::test_it": "info"},
    ),
)
