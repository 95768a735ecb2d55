"""Examples that SOC102 reports: narrowed units, and objects that reach a test in roundabout ways."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.eager_test.examples_units import STACK, TEXTS

_BOTH = "calls 2 methods of Stack: push, pop"

REPORTED_OBJECTS = (
    Example(
        "module narrowed to the class that most tests use",
        {
            "stack.py": STACK,
            "test_stack.py": """
            from stack import Stack

            def test_order():
                stack = Stack()
                stack.push(1)
                assert stack.pop() == 1

            def test_top():
                assert Stack("ab").top == "b"

            def test_nothing():
                assert True
            """,
        },
        {"test_order": f"info: {_BOTH}"},
    ),
    Example(
        "class that a package publishes",
        {
            "stack/__init__.py": "from .plain import Stack\n",
            "stack/plain.py": STACK,
            "test_stack.py": """
            import stack

            def test_order():
                it = stack.Stack()
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": f"info: {_BOTH}"},
    ),
    Example(
        "class named after a function",
        {
            "texts.py": TEXTS,
            "test_words.py": """
            from texts import shorten, widen

            class TestShorten:
                def test_both(self):
                    assert widen(shorten("abcdef"))
            """,
        },
        {"TestShorten::test_both": "info: calls 2 functions of texts: shorten, widen"},
        note="The unit is the module that publishes the function.",
    ),
    Example(
        "functions kept on the test class and under other names",
        {
            "texts.py": f"{TEXTS}\n    trim = shorten\n",
            "test_texts.py": """
            import texts

            class TestAll:
                widen = staticmethod(texts.widen)

                def test_both(self):
                    assert self.widen(texts.trim("abcdef"))
            """,
        },
        {"TestAll::test_both": "info: calls 2 functions of texts: shorten, widen"},
    ),
    Example(
        "objects out of containers and factories",
        {
            "stack.py": f"{STACK}\n    def build(cls, *args):\n        return cls(*args)\n",
            "test_stack.py": """
            from stack import Stack, build

            async def make():
                return 1, build(Stack)

            async def test_pair():
                _, stack = await make()
                stack.push(1)
                assert stack.pop() == 1

            def test_many():
                for _, stack in enumerate([Stack(), Stack()]):
                    stack.push(1)
                    assert stack.pop() == 1

            def test_table():
                for name, stack in {"a": Stack()}.items():
                    stack.push(name)
                    assert stack.pop() == name
            """,
        },
        {
            "test_pair": f"info: {_BOTH}",
            "test_many": f"info: {_BOTH}",
            "test_table": f"info: {_BOTH}",
        },
    ),
    Example(
        "set-up and helpers of a base class elsewhere",
        {
            "stack.py": STACK,
            "tests/__init__.py": "",
            "tests/base.py": """
            import contextlib
            import unittest
            from stack import Stack

            class Base(unittest.TestCase):
                def setUp(self):
                    self.stack = Stack()

                def fill(self):
                    self.stack.push(1)

                @contextlib.contextmanager
                def filled(self):
                    self.stack.push(1)
                    yield self.stack
            """,
            "tests/test_use.py": """
            from tests.base import Base

            class UseTests(Base):
                def test_fill(self):
                    self.fill()
                    self.assertEqual(self.stack.pop(), 1)

                def test_filled(self):
                    with self.filled() as stack:
                        self.assertEqual(stack.pop(), 1)
            """,
        },
        {"UseTests::test_fill": f"info: {_BOTH}", "UseTests::test_filled": f"info: {_BOTH}"},
        note="Only the base class imports the unit.",
    ),
    Example(
        "subclasses, and an object declared as a base",
        {
            "stack.py": f"{STACK}\n    class Tall(Stack): ...\n    class Wide(Stack): ...\n",
            "test_heaps.py": """
            import pytest
            from stack import Stack, Tall, Wide

            def check(heap: Stack):
                heap.push(1)
                assert heap.pop() == 1

            @pytest.mark.parametrize("kind", [Tall, Wide])
            def test_order(kind):
                check(kind())

            def test_tall():
                check(Tall())
            """,
        },
        {"test_order": f"info: {_BOTH}", "test_tall": f"info: {_BOTH}"},
        note="The unit of siblings is their base.",
    ),
    Example(
        "method that a fixture returns",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import pytest
            from stack import Stack

            @pytest.fixture
            def stack():
                return Stack()

            @pytest.fixture
            def push(stack):
                return stack.push

            def test_order(stack, push):
                push(1)
                assert stack.pop() == 1
            """,
        },
        {"test_order": f"info: {_BOTH}"},
    ),
    Example(
        "methods that a proxy hands out",
        {
            "db.py": """
            class Table:
                def insert(self, row): ...

            class Database:
                def __init__(self):
                    self.table = Table()

                def drop(self): ...

                def __getattr__(self, name):
                    return getattr(self.table, name)
            """,
            "test_db.py": """
            from db import Database

            class TestDatabase:
                def test_insert(self):
                    db = Database()
                    db.drop()
                    db.insert(1)
                    assert len(db.table.rows) == 1
            """,
        },
        {"TestDatabase::test_insert": "info: calls 2 methods of Database: drop, insert"},
        note="Whatever `__getattr__` gives is a method of the unit, too.",
    ),
)
