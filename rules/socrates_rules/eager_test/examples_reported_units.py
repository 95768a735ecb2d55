"""Examples that SOC102 reports: how the unit under test is found, and its objects."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.eager_test.examples_units import STACK, TEXTS, with_stack

REPORTED_UNITS = (
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
        {"test_clear": "info: calls 2 methods of Stack: push, clear"},
        note="The file's name says nothing: the unit is the one class that most tests use.",
    ),
    Example(
        "object from setUp",
        with_stack(
            """
            import unittest
            import stack

            class StackTestCase(unittest.TestCase):
                def setUp(self):
                    self.stack = stack.Stack()

                def test_clear(self):
                    self.stack.push(1)
                    self.stack.clear()
                    self.assertEqual(self.stack.items, [])
            """
        ),
        {"StackTestCase::test_clear": "info: calls 2 methods of Stack: push, clear"},
    ),
    Example(
        "unit by a pattern of the project",
        with_stack(
            """
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
            """
        ),
        {"TestTheStack::test_it": "info: calls 2 methods of Stack: push, pop"},
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
        {"TestJobQueue::test_order": "info: calls 2 methods of job_queue: put, take"},
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
        {"TestClock::test_tick": "info: calls 2 methods of clock: set, tick"},
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
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, pop"},
    ),
    Example(
        "functions shown from a private module",
        {
            "texts/__init__.py": """
            from ._texts import shorten
            from ._fast import widen
            """,
            "texts/_texts.py": TEXTS,
            "test_texts.py": """
            import texts

            def test_both():
                assert texts.widen(texts.shorten("abcdef"))
            """,
        },
        {"test_both": "info: calls 2 functions of texts: shorten, widen"},
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
        {"test_both": "info: calls 2 functions of texts.__main__: shorten, widen"},
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
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, pop"},
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
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, pop"},
    ),
)
