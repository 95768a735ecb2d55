"""Examples that SOC102 reports: classes, methods and modules that are found in roundabout ways."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.eager_test.examples_units import STACK

_BOTH = "info: calls 2 methods of Stack: push, pop"

REPORTED_WAYS = (
    Example(
        "class handed to a helper that builds it",
        {
            "stack.py": STACK,
            "test_all.py": """
            from stack import Stack

            def check(kind):
                it = kind()
                it.push(1)
                assert it.pop() == 1

            def test_order():
                check(Stack)
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "rival that goes in by a subscript",
        {
            "stack.py": f"""{STACK}
    class Place:
        def move(self): ...
    """,
            "test_all.py": """
            from stack import Place, Stack

            def test_order():
                it, place = Stack(), Place()
                it.push(1)
                assert it.pop() == it[place]
            """,
        },
        {"test_order": _BOTH},
        note="A place serves the stack that it is looked up in.",
    ),
    Example(
        "factory that is a lambda of the test class",
        {
            "stack.py": STACK,
            "test_all.py": """
            from stack import Stack

            class TestAll:
                make = staticmethod(lambda *items: Stack(items))

                def test_order(self):
                    it = self.make(1, 2)
                    it.push(3)
                    assert it.pop() == 3
            """,
        },
        {"TestAll::test_order": _BOTH},
    ),
    Example(
        "methods that are attached behind the class",
        {
            "texts.py": """
            class Text(str): ...

            def shout(self):
                return self.upper()

            Text.shout = shout
            for name in ("left", "right"):
                setattr(Text, name, make_method(name))
            """,
            "test_texts.py": """
            from texts import Text

            def test_all():
                text = Text("a")
                assert text.shout() == text.left()
            """,
        },
        {"test_all": "info: calls 2 methods of Text: shout, left"},
    ),
    Example(
        "class and method picked by their names",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import pytest
            import stack

            @pytest.mark.parametrize("name", ["Stack"])
            def test_order(name):
                it = getattr(stack, name)()
                it.push(1)
                assert getattr(it, "pop")() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
    Example(
        "copies are of the same class",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import copy
            import pickle
            from stack import Stack

            def test_copied():
                it = copy.copy(Stack())
                it.push(1)
                assert it.pop() == 1

            def test_pickled():
                data = pickle.dumps(Stack())
                it = pickle.loads(data)
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_copied": _BOTH, "test_pickled": _BOTH},
    ),
    Example(
        "methods that others call for the test",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import threading
            from stack import Stack

            def test_mapped():
                stack = Stack()
                assert list(map(stack.push, [1, 2])) == sorted([1], key=stack.pop)

            def test_in_a_thread():
                stack = Stack()

                def work(it):
                    it.push(1)

                threading.Thread(target=work, args=(stack,)).start()
                assert stack.pop() == 1
            """,
        },
        {"test_mapped": _BOTH, "test_in_a_thread": _BOTH},
    ),
    Example(
        "objects of contexts that are entered, or made in turn",
        {
            "stack.py": STACK,
            "test_stack.py": """
            import contextlib
            from stack import Stack

            @contextlib.contextmanager
            def opened():
                yield Stack()

            def ways():
                @contextlib.contextmanager
                def way():
                    yield Stack()

                yield way

            def test_stack_of_contexts():
                with contextlib.ExitStack() as contexts:
                    it = contexts.enter_context(opened())
                    it.push(1)
                    assert it.pop() == 1

            def test_in_turn():
                for way in ways():
                    with way() as it:
                        it.push(1)
                        assert it.pop() == 1
            """,
        },
        {"test_stack_of_contexts": _BOTH, "test_in_turn": _BOTH},
    ),
    Example(
        "modules by their names, and helpers of a module for tests",
        {
            "shop/__init__.py": "",
            "shop/stack.py": STACK,
            "shop/testing.py": """
            from shop.stack import Stack

            def filled():
                return Stack("ab")
            """,
            "test_first.py": """
            import pytest
            import shop.testing

            stack = pytest.importorskip("shop.stack")

            def test_order():
                it = stack.Stack()
                it.push(1)
                assert it.pop() == 1

            def test_filled():
                it = shop.testing.filled()
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH, "test_filled": _BOTH},
    ),
    Example(
        "fixtures of the whole module that keep objects on classes",
        {
            "stack.py": STACK,
            "conftest.py": """
            import pytest
            from stack import Stack

            @pytest.fixture
            def kept(request):
                request.cls.stack = Stack()
            """,
            "test_all.py": """
            import pytest

            pytestmark = pytest.mark.usefixtures("kept")

            class TestAll:
                def test_order(self):
                    self.stack.push(1)
                    assert self.stack.pop() == 1
            """,
        },
        {"TestAll::test_order": _BOTH},
    ),
    Example(
        "defaults of parameters, and what a base class makes",
        {
            "stack.py": STACK,
            "test_stack.py": """
            from stack import Stack

            shared = Stack()

            def made(kind=Stack):
                return kind()

            class Base:
                def make(self):
                    return Stack()

            class TestAll(Base):
                def make(self):
                    return super().make()

                def test_inherited(self):
                    it = self.make()
                    it.push(1)
                    assert it.pop() == 1

            def test_default(it=shared):
                it.push(1)
                assert it.pop() == 1

            def test_default_of_a_helper():
                it = made()
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {
            "TestAll::test_inherited": _BOTH,
            "test_default": _BOTH,
            "test_default_of_a_helper": _BOTH,
        },
    ),
    Example(
        "objects in a record that a fixture returns",
        {
            "stack.py": STACK,
            "test_all.py": """
            import collections
            import types
            import pytest
            from stack import Stack

            Pair = collections.namedtuple("Pair", "first second")

            @pytest.fixture
            def world():
                return types.SimpleNamespace(stack=Stack())

            @pytest.fixture
            def pair():
                return Pair(1, Stack())

            def test_world(world):
                world.stack.push(1)
                assert world.stack.pop() == 1

            def test_pair(pair):
                pair.second.push(pair.first)
                assert pair.second.pop() == 1
            """,
        },
        {"test_world": _BOTH, "test_pair": _BOTH},
    ),
    Example(
        "fields serve the model that keeps them",
        {
            "models.py": """
            class Field:
                def check(self): ...

            class Model:
                def fill(self, data): ...
                def save(self): ...
            """,
            "test_all.py": """
            from models import Field, Model

            def test_save():
                class Order(Model):
                    number = Field()

                order = Order()
                order.fill({})
                assert order.save()
            """,
        },
        {"test_save": "info: calls 2 methods of Model: fill, save"},
    ),
    Example(
        "objects that a decorator of the tests passes",
        {
            "stack.py": STACK,
            "test_all.py": """
            import functools
            import unittest
            from stack import Stack

            def with_stack(func):
                @functools.wraps(func)
                def wrapper(self):
                    return func(self, self.make())

                return wrapper

            class AllTests(unittest.TestCase):
                def make(self):
                    return Stack()

                @with_stack
                def test_order(self, stack):
                    stack.push(1)
                    assert stack.pop() == 1
            """,
        },
        {"AllTests::test_order": _BOTH},
    ),
    Example(
        "factory that keeps what it makes in a cache",
        {
            "shop/__init__.py": "",
            "shop/stack.py": f"""{STACK}
    _loaded = {{}}

    def load(name):
        try:
            return _loaded[name]
        except KeyError:
            made = Stack(name)
            return _loaded.setdefault(name, made)
    """,
            "test_all.py": """
            from shop.stack import load

            def test_order():
                it = load("a")
                it.push(1)
                assert it.pop() == 1
            """,
        },
        {"test_order": _BOTH},
    ),
)
