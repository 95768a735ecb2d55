"""Examples that SOC102 reports: one story, or several tests under one name."""

from __future__ import annotations

from socrates.example import Example, unsafe
from socrates_rules.eager_test.examples_units import with_stack

_PRICES = """
class Prices:
    def __init__(self, rows):
        self.rows = rows

    def total(self):
        return sum(self.rows)

    def highest(self):
        return max(self.rows)

    def lowest(self):
        return min(self.rows)
"""

REPORTED_STORIES = (
    Example(
        "three methods that change nothing",
        {
            "prices.py": _PRICES,
            "test_prices.py": """
            from prices import Prices

            class TestPrices:
                def test_it(self):
                    prices = Prices([1, 2])
                    assert prices.total() == 3
                    assert prices.highest() == 2
                    assert prices.lowest() == 1
            """,
        },
        {"TestPrices::test_it": "info: calls 3 methods of Prices: total, highest, lowest"},
        fixed=unsafe(
            {
                "test_prices.py": """
                import pytest

                from prices import Prices

                class TestPrices:
                    @pytest.fixture
                    def prices(self):
                        return Prices([1, 2])

                    def test_it_total(self, prices):
                        assert prices.total() == 3

                    def test_it_highest(self, prices):
                        assert prices.highest() == 2

                    def test_it_lowest(self, prices):
                        assert prices.lowest() == 1
                """
            }
        ),
    ),
    Example(
        "the same in a helper, which gives them one name",
        {
            "prices.py": _PRICES,
            "test_prices.py": """
            from prices import Prices

            def check_all(prices):
                assert prices.total() == 3
                assert prices.highest() == 2
                assert prices.lowest() == 1

            class TestPrices:
                def test_it(self):
                    check_all(Prices([1, 2]))
            """,
        },
        {"TestPrices::test_it": "info: calls 3 methods of Prices: total, highest, lowest"},
    ),
    Example(
        "three acts on three objects",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    assert stack.top == 1
                    stack = Stack('abc')
                    stack.reverse()
                    assert stack.top == 'a'
                    stack = Stack('abc')
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {
            "TestStack::test_it": "warning: calls 3 methods of Stack: push, reverse, clear; 3 of them don't need each other and could be tests of their own"
        },
        fixed=unsafe(
            {
                "test_example.py": """
                from stack import Stack

                class TestStack:
                    def test_it_push(self):
                        stack = Stack('abc')
                        stack.push(1)
                        assert stack.top == 1

                    def test_it_reverse(self):
                        stack = Stack('abc')
                        stack.reverse()
                        assert stack.top == 'a'

                    def test_it_clear(self):
                        stack = Stack('abc')
                        stack.clear()
                        assert stack.items == []
                """
            }
        ),
    ),
    Example(
        "functions of a module, one of which takes what another gave",
        {
            "shop.py": """
            from vendor import load_text, dump_value, size_of

            def load(text): return load_text(text)
            def dump(value): return dump_value(value)
            def size(value): return size_of(value)
            """,
            "test_shop.py": """
            import shop

            def test_apart():
                assert shop.load("1") == 1
                assert shop.load("[1]") == [1]
                assert shop.load("") is None
                assert shop.dump(1) == "1"
                assert shop.dump([1]) == "[1]"
                assert shop.size([1]) == 1
                assert shop.size([]) == 0

            def test_in_turn():
                value = shop.load("1")
                assert value == 1
                text = shop.dump(value)
                assert text == "1"
                assert shop.size(text) == 1
            """,
        },
        {
            "test_apart": "warning: calls 3 functions of shop: load, dump, size; 3 of them don't need each other and could be tests of their own",
            "test_in_turn": "info: calls 3 functions of shop: load, dump, size",
        },
        fixed=unsafe(
            {
                "test_shop.py": """
                import shop

                def test_apart_load():
                    assert shop.load("1") == 1
                    assert shop.load("[1]") == [1]
                    assert shop.load("") is None


                def test_apart_dump():
                    assert shop.dump(1) == "1"
                    assert shop.dump([1]) == "[1]"


                def test_apart_size():
                    assert shop.size([1]) == 1
                    assert shop.size([]) == 0

                def test_in_turn():
                    value = shop.load("1")
                    assert value == 1
                    text = shop.dump(value)
                    assert text == "1"
                    assert shop.size(text) == 1
                """
            }
        ),
    ),
    Example(
        "one story that checks more than four methods",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    assert stack.top == 1
                    stack.pop()
                    assert stack.top == 'c'
                    stack.reverse()
                    assert stack.top == 'a'
                    stack.rotate()
                    assert stack.top == 'c'
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {
            "TestStack::test_it": "warning: calls 5 methods of Stack: push, pop, reverse, rotate, clear; checks 5 of them in turn"
        },
    ),
    Example(
        "one story of more than four methods, of which it checks three",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_it(self):
                    stack = Stack('abc')
                    stack.push(1)
                    assert stack.top == 1
                    stack.pop()
                    stack.reverse()
                    assert stack.top == 'a'
                    stack.rotate()
                    stack.clear()
                    assert stack.items == []
            """
        ),
        {"TestStack::test_it": "info: calls 5 methods of Stack: push, pop, reverse, rotate, clear"},
        note="It tells one story, though the textbook counts methods.",
    ),
    Example(
        "methods that have to raise the same exception",
        with_stack(
            """
            import unittest

            import pytest
            from stack import Stack

            class StackTest(unittest.TestCase):
                def test_frozen(self):
                    stack = Stack(())
                    with pytest.raises(TypeError):
                        stack.push(1)
                    with pytest.raises(TypeError):
                        stack.reverse()
                    with pytest.raises(TypeError):
                        stack.rotate()
                    self.assertRaises(TypeError, stack.pop)
                    self.assertRaises(TypeError, stack.clear)
            """
        ),
        {
            "StackTest::test_frozen": "info: calls 5 methods of Stack: push, reverse, rotate, pop, clear"
        },
        note="That a frozen stack refuses is one behaviour.",
    ),
    Example(
        "methods that __getattr__ makes up",
        {
            "terminal.py": """
            class Terminal:
                def __getattr__(self, name):
                    return lambda text: f"<{name}>{text}</{name}>"

                def clear(self): ...
            """,
            "test_terminal.py": """
            from terminal import Terminal

            def test_styles():
                terminal = Terminal()
                bold = terminal.bold("a")
                assert bold == "<bold>a</bold>"
                green = terminal.green("a")
                assert green == "<green>a</green>"
                red = terminal.red("a")
                assert red == "<red>a</red>"
                blue = terminal.blue("a")
                assert blue == "<blue>a</blue>"
                pink = terminal.pink("a")
                assert pink == "<pink>a</pink>"
                terminal.clear()
                assert terminal
            """,
        },
        {"test_styles": "info: calls 6 methods of Terminal: bold, green, red, blue, pink, clear"},
        note="Their names are inputs of one method.",
    ),
    Example(
        "functions that share what they change",
        {
            "registry.py": """
            from store import keep, drop, names

            def register(one): keep(one)
            def unregister(one): drop(one)
            def registered(): return names()
            """,
            "test_registry.py": """
            import registry

            def test_unregister():
                registry.register("a")
                assert registry.registered() == ["a"]
                registry.unregister("a")
                assert registry.registered() == []
                registry.register("b")
                assert registry.registered() == ["b"]
                registry.unregister("b")
                assert not registry.registered()
            """,
        },
        {
            "test_unregister": "info: calls 3 functions of registry: register, registered, unregister"
        },
        note="What one function registers, the next lists: one story.",
    ),
    Example(
        "methods that work and raise the same exception",
        {
            "prices.py": _PRICES,
            "test_prices.py": """
            import pytest
            from prices import Prices

            class TestPrices:
                def test_it(self):
                    prices = Prices([1, 2])
                    assert prices.total() == 3
                    assert prices.highest() == 2
                    assert prices.lowest() == 1
                    none = Prices(None)
                    pytest.raises(TypeError, none.total)
                    pytest.raises(TypeError, none.highest)
                    pytest.raises(TypeError, none.lowest)
            """,
        },
        {
            "TestPrices::test_it": "warning: calls 3 methods of Prices: total, highest, lowest; 3 of them don't need each other and could be tests of their own"
        },
    ),
)
