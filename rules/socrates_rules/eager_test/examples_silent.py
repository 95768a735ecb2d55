"""Examples in which SOC102 stays silent."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.eager_test.examples_units import STACK, with_shelf, with_stack, with_texts

SILENT = (
    Example(
        "method that the test replaces",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.pop = list
                    stack.push(1)
                    assert stack.pop() == []
            """
        ),
    ),
    Example(
        "same method many times",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    stack.push(2)
                    assert stack.items == [1, 2]
            """
        ),
    ),
    Example(
        "getter in the assertion",
        with_shelf(
            """
            from shelf import Shelf

            class TestShelf:
                def test_put(self):
                    shelf = Shelf()
                    shelf.put(1)
                    assert shelf.get_size() == 1
            """
        ),
        page=True,
    ),
    Example(
        "method that only returns an attribute",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.maximum() == 10
            """
        ),
    ),
    Example(
        "property",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.top == 1
            """
        ),
    ),
    Example(
        "alternative constructor",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack.from_text('a b')
                    assert stack.pop() == 'b'
            """
        ),
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
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    with stack.locked():
                        stack.push(1)
                    assert stack.top == 1
            """
        ),
    ),
    Example(
        "clean-up",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.top == 1
                    stack.close()
            """
        ),
    ),
    Example(
        "calls in a fixture",
        with_stack(
            """
            import pytest
            from stack import Stack

            @pytest.fixture
            def stack():
                stack = Stack()
                stack.push(1)
                return stack

            def test_pop(stack):
                assert stack.pop() == 1
            """
        ),
    ),
    Example(
        "unknown unit",
        """
        def test_list():
            items = []
            items.append(1)
            items.clear()
            assert items == []
        """,
    ),
    Example(
        "class of the tests",
        """
        class Stack:
            def push(self): ...
            def pop(self): ...

        class TestStack:
            def test_it(self):
                stack = Stack()
                stack.push()
                stack.pop()
        """,
    ),
    Example(
        "methods of a class that few tests use",
        with_texts(
            """
            from texts import Text, shorten

            def test_text():
                text = Text()
                text.strip()
                text.upper()
                assert shorten(text)

            def test_long():
                assert shorten('abcdefgh')
            """
        ),
        note="The unit stays the module that the file is named after.",
    ),
    Example(
        "getters in assertions",
        with_texts(
            """
            from texts import is_short, is_wide

            def test_both():
                assert is_short('a')
                assert not is_wide('a')
            """
        ),
    ),
    Example(
        "bare decorator",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()

                    @stack.push
                    def later():
                        pass

                    assert stack.pop() is later
            """
        ),
    ),
    Example(
        "clean-up in a finally",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack()
                    try:
                        stack.push(1)
                    finally:
                        stack.close()
                    assert stack.top == 1
            """
        ),
    ),
    Example(
        "functions of another module",
        with_texts(
            """
            from texts import shared, shorten, _hidden

            def test_all():
                assert _hidden(shared(shorten('abc')))
            """
        ),
    ),
    Example(
        "predicate that observes an effect",
        with_texts(
            """
            from texts import is_short, shorten

            def test_shorten():
                text = shorten('abcdefgh')
                assert is_short(text)
            """
        ),
    ),
    Example(
        "factory of a base class",
        {
            "sources.py": """
            class Source:
                @classmethod
                def of(cls, value):
                    return value if isinstance(value, Source) else Source(value)

            class EnvSource(Source):
                def load(self): ...
            """,
            "test_sources.py": """
            from sources import EnvSource, Source

            class TestEnvSource:
                def test_load(self):
                    other = Source.of({})
                    source = EnvSource(other)
                    source.load()
                    assert source == {}
            """,
        },
        note="It is asked for objects of the base, which are not under test.",
    ),
    Example(
        "a fixture of pytest's that is asked for by a parametrized name",
        with_stack(
            """
            import pytest
            from stack import Stack

            @pytest.mark.parametrize("name", ["capsys", "capfd"])
            def test_it(request, name):
                output = request.getfixturevalue(name)
                stack = Stack()
                stack.push(1)
                assert output.readouterr().out == stack.items
            """
        ),
        note="It is no parameter of the test.",
    ),
)
