"""Examples that SOC102 reports: which calls count."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.eager_test.examples_units import with_shelf, with_stack, with_texts

REPORTED = (
    Example(
        "two methods",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    stack.pop()
                    assert stack.items == []
            """
        ),
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, pop"},
    ),
    Example(
        "two methods of one object",
        with_shelf(
            """
            from shelf import Shelf

            class TestShelf:
                def test_shelf(self):
                    shelf = Shelf([1, 2])
                    assert shelf.last() == 2
                    assert shelf.find(2) == 1
            """
        ),
        {"TestShelf::test_shelf": "info: calls 2 methods of Shelf: last, find"},
        fixed=unsafe(
            """
            import pytest

            from shelf import Shelf

            class TestShelf:
                @pytest.fixture
                def shelf(self):
                    return Shelf([1, 2])

                def test_shelf_last(self, shelf):
                    assert shelf.last() == 2

                def test_shelf_find(self, shelf):
                    assert shelf.find(2) == 1
            """
        ),
        page=True,
    ),
    Example(
        "two methods between comments",
        with_shelf(
            """
            from shelf import Shelf


            class TestShelf:
                def test_shelf(self):
                    # two of them
                    shelf = Shelf([1, 2])
                    wanted = 2

                    # the end
                    assert shelf.last() == 2
                    assert shelf.find(wanted) == 1  # last
            """
        ),
        {"TestShelf::test_shelf": "info: calls 2 methods of Shelf: last, find"},
        fixed=unsafe(
            """
            import pytest

            from shelf import Shelf


            class TestShelf:
                @pytest.fixture
                def shelf(self):
                    # two of them
                    return Shelf([1, 2])

                def test_shelf_last(self, shelf):
                    # the end
                    assert shelf.last() == 2

                def test_shelf_find(self, shelf):
                    wanted = 2
                    assert shelf.find(wanted) == 1  # last
            """
        ),
    ),
    Example(
        "two methods of two objects",
        with_shelf(
            """
            from shelf import Shelf


            class TestShelf:
                def test_two(self):
                    one = Shelf()
                    one.put(1)
                    assert one.items == [1]
                    other = Shelf([3])
                    assert other.last() == 3
            """
        ),
        {"TestShelf::test_two": "info: calls 2 methods of Shelf: put, last"},
        fixed=unsafe(
            """
            from shelf import Shelf


            class TestShelf:
                def test_two_put(self):
                    one = Shelf()
                    one.put(1)
                    assert one.items == [1]

                def test_two_last(self):
                    other = Shelf([3])
                    assert other.last() == 3
            """
        ),
    ),
    Example(
        "more than four methods",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    stack.pop()
                    stack.reverse()
                    stack.rotate()
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {"TestStack::test_it": "info: calls 5 methods of Stack: push, pop, reverse, rotate, clear"},
        note="Four of them only prepare for the last.",
    ),
    Example(
        "four methods",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    stack.pop()
                    stack.reverse()
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {"TestStack::test_it": "info: calls 4 methods of Stack: push, pop, reverse, clear"},
    ),
    Example(
        "fewer methods allowed by option",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.items == [1]
                    stack.pop()
                    assert stack.items == []
            """
        ),
        {
            "TestStack::test_it": "warning: calls 2 methods of Stack: push, pop; checks 2 of them in turn"
        },
        options={"max-methods": 1},
    ),
    Example(
        "getter outside an assertion",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    size = stack.get_size()
                    assert size == 1
            """
        ),
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, get_size"},
        note="Only a getter inside the assertion is an observation.",
    ),
    Example(
        "method called by a helper",
        with_shelf(
            """
            from shelf import Shelf

            def fill(shelf):
                shelf.put(2)

            class TestShelf:
                def test_last(self):
                    shelf = Shelf()
                    fill(shelf)
                    assert shelf.last() == 2
            """
        ),
        {"TestShelf::test_last": "info: calls 2 methods of Shelf: put, last"},
        page=True,
    ),
    Example(
        "method handed to assertRaises",
        with_stack(
            """
            import unittest
            from stack import Stack

            class StackTests(unittest.TestCase):
                def test_empty(self):
                    stack = Stack()
                    stack.clear()
                    self.assertRaises(IndexError, stack.pop)
            """
        ),
        {"StackTests::test_empty": "info: calls 2 methods of Stack: clear, pop"},
    ),
    Example(
        "clean-up that is looked at",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    stack.close()
                    assert stack.items is None
            """
        ),
        {"TestStack::test_it": "info: calls 2 methods of Stack: push, close"},
    ),
    Example(
        "two functions of the module",
        with_texts(
            """
            import texts

            def test_both():
                assert texts.widen(texts.shorten('abcdef'))
            """
        ),
        {"test_both": "info: calls 2 functions of texts: shorten, widen"},
    ),
    Example(
        "functions each with its own assertion",
        with_texts(
            """
            from texts import shorten, widen

            def test_both():
                assert shorten('abcdef') == 'abcde'
                assert widen('a') == '    a    '
            """
        ),
        {"test_both": "info: calls 2 functions of texts: shorten, widen"},
        fixed=unsafe(
            """
            from texts import shorten, widen

            def test_both_shorten():
                assert shorten('abcdef') == 'abcde'


            def test_both_widen():
                assert widen('a') == '    a    '
            """
        ),
    ),
    Example(
        "three checked acts",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    assert stack.top == 1
                    stack.reverse()
                    assert stack.top == 'a'
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {"TestStack::test_it": "info: calls 3 methods of Stack: push, reverse, clear"},
        note="Each act continues what the one before left: one story.",
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
        {"TestChild::test_echo": "info: calls 2 methods of Child: send, expect"},
    ),
)
