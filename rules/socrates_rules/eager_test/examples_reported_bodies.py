"""Examples that SOC102 reports: calls in classes inside of tests, and in what tests inherit."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.eager_test.examples_units import STACK

_BOTH = "info: calls 2 methods of Stack: push, pop"
_MACHINE = """
    class Machine:
        def state(self, initial=False): ...

        def input(self): ...
    """

REPORTED_BODIES = (
    Example(
        "decorators that are methods of an object in a class",
        {
            "machine.py": _MACHINE,
            "test_machine.py": """
            from machine import Machine

            def test_door():
                class Door:
                    machine = Machine()

                    @machine.state(initial=True)
                    def shut(self): ...

                    @machine.input()
                    def push(self): ...

                    shut.upon(push)

                assert Door().push() is None
            """,
        },
        {"test_door": "info: calls 2 methods of Machine: state, input"},
    ),
    Example(
        "objects that are made without their constructor",
        {
            "stack.py": """
            class Stack:
                @classmethod
                def _of(cls, items):
                    made = Stack.__new__(Stack)
                    made.items = items
                    return made

                def push(self, item):
                    return Stack._of([*self.items, item])

                def pop(self):
                    return Stack._of(self.items[:-1])
            """,
            "test_stack.py": """
            from stack import Stack

            def test_order():
                it = Stack()
                it = it.push(1)
                it = it.pop()
                assert len(it) == 0
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "helper that a test class inherits from a package for testing",
        {
            "stack/__init__.py": "from stack.stack import Stack",
            "stack/stack.py": STACK,
            "stack/testing/__init__.py": "",
            "stack/testing/fixtures.py": """
            from stack import Stack

            class Fixture:
                def filled(self):
                    it = Stack()
                    it.push(1)
                    return it
            """,
            "tests/test_stack.py": """
            from stack.testing.fixtures import Fixture

            class TestOrder(Fixture):
                def test_pop(self):
                    assert self.filled().pop() == 1
            """,
        },
        {"TestOrder::test_pop": _BOTH},
    ),
    Example(
        "rival that goes in as a key",
        {
            "stack.py": f"""{STACK}
    class Key:
        def turn(self): ...
    """,
            "test_all.py": """
            from stack import Key, Stack

            def test_order():
                key = Key()
                it = Stack({key: 1})
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "functions of the test that are picked from a list",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import random
            from stack import Stack

            def test_order():
                def put(it):
                    it.push(1)

                def take(it):
                    it.pop()

                stack = Stack()
                random.choice([put, take])(stack)
                assert stack is not None
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "module that a fixture imports by a name that it puts together",
        {
            "store/__init__.py": "",
            "store/_plain.py": STACK,
            "conftest.py": "import store",
            "test_speed.py": """
            import importlib
            import pytest

            @pytest.fixture(params=["compiled", "plain"])
            def module(request):
                name = f"store._{request.param}"
                try:
                    return importlib.import_module(name)
                except ImportError:
                    pytest.skip(name)

            def test_order(module):
                it = module.Stack()
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "class that a docstring names",
        {
            "stack.py": f"""{STACK}
    def pick(name):
        '''Find a stack.

        :rtype: Stack
        '''
        return STACKS[name]
    """,
            "test_stack.py": """
            from stack import pick

            def test_order():
                it = pick("a")
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "objects of a model that the tests derive",
        {
            "stamps.py": """
            from django.db import models

            class Stamped(models.Model):
                def save(self, **options): ...

                def touch(self): ...
            """,
            "tests/models.py": """
            from stamps import Stamped

            class Letter(Stamped): ...
            """,
            "tests/test_letters.py": """
            from tests.models import Letter

            def test_order():
                letter = Letter.objects.create()
                letter.touch()
                letter.save()
                assert letter.modified
            """,
        },
        {"test_order": "info: calls 2 methods of Stamped: touch, save"},
        note="What a manager of Django's makes is an object of its model.",
    ),
    Example(
        "fixture that asks for others by their names",
        {
            "stack.py": STACK,
            "test_all.py": """
            import pytest
            from stack import Stack

            @pytest.fixture
            def empty():
                return Stack()

            @pytest.fixture
            def full():
                return Stack([1])

            @pytest.fixture(params=["empty", pytest.param("full", id="full")])
            def it(request):
                return request.getfixturevalue(request.param)

            def test_order(it):
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
)
