"""Examples in which SOC103 stays silent."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.lazy_test.examples_units import with_stack, with_texts

SILENT = (
    Example(
        "set-up whose name ends another method's",
        {
            "pool.py": """
            class Pool:
                def register(self, item): ...
                def unregister(self, item): ...
            """,
            "test_pool.py": """
            from pool import Pool

            class TestPool:
                def test_register(self):
                    pool = Pool()
                    pool.register(1)
                    assert pool.items == [1]

                def test_unregister(self):
                    pool = Pool()
                    pool.register(1)
                    pool.unregister(1)
                    assert pool.items == []
            """,
        },
    ),
    Example(
        "one test per function",
        with_texts(
            """
            from texts import shorten, widen

            def test_shorten():
                assert shorten("abcdefgh") == "abcde"

            def test_widen():
                assert widen("a") == "    a    "
            """
        ),
    ),
    Example(
        "parametrized test with itself",
        with_texts(
            """
            import pytest
            from texts import shorten

            @pytest.mark.parametrize(("text", "short"), [("abcdefgh", "abcde"), ("a", "a")])
            def test_shorten(text, short):
                assert shorten(text) == short
            """
        ),
        page=True,
    ),
    Example(
        "different fixtures",
        with_texts(
            """
            from texts import shorten

            def test_long():
                assert shorten("abcdefgh") == "abcde"

            def test_file(tmp_path):
                file = tmp_path / "a"
                file.write_text("abcdefgh")
                assert shorten(file.read_text()) == "abcde"
            """
        ),
    ),
    Example(
        "different classes",
        with_texts(
            """
            from texts import shorten

            class TestLong:
                def test_it(self):
                    assert shorten("abcdefgh") == "abcde"

            class TestShort:
                def test_it(self):
                    assert shorten("abc") == "abc"
            """
        ),
    ),
    Example(
        "shared set-up",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_pop(self):
                    stack = Stack()
                    stack.push(1)
                    assert stack.pop() == 1

                def test_clear(self):
                    stack = Stack()
                    stack.push(1)
                    stack.clear()
                    assert stack.items == []
            """
        ),
        note="push only prepares for pop and for clear.",
    ),
    Example(
        "set-up for an operator and for what was returned",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_item(self):
                    stack = Stack()
                    stack.push(1)
                    stack[0] = 2
                    assert stack.items == [2]

                def test_top(self):
                    stack = Stack()
                    stack.push(1)
                    del stack[0]
                    assert stack.items == []

                def test_queue(self):
                    job = Stack().pop()
                    job.run(1)
                    assert job.done

                def test_other(self):
                    job = Stack().pop()
                    job.run(2)
                    assert not job.done
            """
        ),
    ),
    Example(
        "tests without an assertion",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_push(self):
                    Stack().push(1)

                def test_again(self):
                    Stack().push(2)
            """
        ),
    ),
    Example(
        "shared input",
        with_texts(
            """
            from texts import parse, shorten, widen

            def test_shorten():
                words = parse("some words")
                assert shorten(words[0]) == "some"

            def test_widen():
                assert widen(parse("some words")[0]).strip() == "some"
            """
        ),
        page=True,
    ),
    Example(
        "unknown unit",
        """
        def test_small():
            assert sorted([2, 1]) == [1, 2]

        def test_empty():
            assert sorted([]) == []
        """,
    ),
    Example(
        "results that an operator is applied to",
        {
            "turns.py": """
            class Turn:
                @classmethod
                def by(cls, angle):
                    return cls(angle)

                def __matmul__(self, other): ...
            """,
            "test_turns.py": """
            from turns import Turn

            def test_by_angle():
                assert Turn.by(45) @ 1 == 2

            def test_by_other_angle():
                x = Turn.by(90) @ Turn.by(30)
                assert x == 3
            """,
        },
        note="They are operands: the operator is what is tested.",
    ),
    Example(
        "results whose parts are changed",
        with_stack(
            """
            from stack import Stack

            class TestStack:
                def test_first(self):
                    stack = Stack()
                    stack.pop().parts.append(1)
                    assert stack._sum() == 1

                def test_second(self):
                    stack = Stack()
                    stack.pop().parts.append(2)
                    assert stack._sum() == 2
            """
        ),
    ),
)
