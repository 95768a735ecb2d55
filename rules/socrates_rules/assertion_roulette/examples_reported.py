"""Examples that SOC101 reports: assertions that the test itself makes."""

from __future__ import annotations

from socrates.example import Example, safe

REPORTED = (
    Example(
        "two plain asserts",
        """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        page=True,
    ),
    Example(
        "one of two is explained",
        """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1, "the first comes first"
            assert pair[1] == 2
        """,
        {"test_pair": "info: 2 assertions, 1 without an explanation"},
    ),
    Example(
        "an assert after raises",
        """
        import pytest


        def test_pair():
            with pytest.raises(IndexError) as excinfo:
                (1, 2)[3]
            assert "range" in str(excinfo.value)
        """,
        {"test_pair": "info: 2 assertions, 1 without an explanation"},
        note="`raises` is explained, the assert is not.",
    ),
    Example(
        "four that show their values",
        """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2
            assert len(pair) == 2
            assert pair != (2, 1)
        """,
        {"test_pair": "info: 4 assertions, 4 without an explanation"},
    ),
    Example(
        "more than thirteen unexplained",
        """
        def test_pair():
            pair = tuple(range(1, 11))
            assert pair.index(1) == 0
            assert pair.index(2) == 1
            assert pair.index(3) == 2
            assert pair.index(4) == 3
            assert pair.index(5) == 4
            assert pair.index(6) == 5
            assert pair.index(7) == 6
            assert pair.index(8) == 7
            assert pair.index(9) == 8
            assert pair.count(6) == 1
            assert pair.count(7) == 1
            assert pair.count(8) == 1
            assert pair.count(9) == 1
            assert pair.count(10) == 1
        """,
        {"test_pair": "warning: 14 assertions, 14 without an explanation"},
    ),
    Example(
        "assertions in a nested function",
        """
        def test_pair():
            def check(pair):
                assert pair[0] == 1
                assert pair[1] == 2

            check((1, 2))
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "narrowing a type",
        """
        def test_pair(find):
            found = find("pair")
            assert found is not None
            assert found.size == 2
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        note="An assert that narrows a type is still an assertion.",
    ),
    Example(
        "assertion with a comment",
        """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1  # one
            assert pair[1]
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "two facts joined by and",
        """
        def test_pair():
            # both
            assert 1 < 2 and (3 in (3, 4) or 5)  # end
            assert True, "fine"
        """,
        {"test_pair": "info: 2 assertions, 1 without an explanation"},
        fixed=safe(
            """
            def test_pair():
                # both
                assert 1 < 2
                assert 3 in (3, 4) or 5  # end
                assert True, "fine"
            """
        ),
    ),
    Example(
        "methods of unittest without a message",
        """
        import unittest


        class PairTest(unittest.TestCase):
            def test_pair(self):
                self.assertEqual(1, 1)
                self.assertTrue(
                    [1],
                )
                self.assertAlmostEqual(1.0, 1.0, places=3)
        """,
        {
            "PairTest::test_pair": "info: 3 assertions, 3 without an explanation, 1 of which shows no values when it fails"
        },
    ),
    Example(
        "assertion that fills its line",
        """
        def test_pair():
            assert "a rather long text that goes on" != "another text that goes on"
            assert True, "fine"
        """,
        {"test_pair": "info: 2 assertions, 1 without an explanation"},
    ),
    Example(
        "fewer allowed",
        """
        def test_pair(pair):
            assert pair.ok
            assert pair.ok
            assert pair.ok
            assert pair.ok
        """,
        {"test_pair": "warning: 4 assertions, 4 without an explanation"},
        options={"max-unexplained": 3, "max-looks": 0},
    ),
    Example(
        "more than nine about one object",
        """
        def test_pair():
            pair = make_pair()
            assert len(pair) == 2
            assert pair.first == 1
            assert pair.first.name == "one"
            assert pair.first.unit is None
            assert pair.first.is_set()
            assert pair.second == 2
            assert pair.second.name == "two"
            assert pair.second.unit is None
            assert pair.second.is_set()
            assert pair.get("third") is None
        """,
        {"test_pair": "info: 10 assertions, 10 without an explanation"},
        note="They look at one state: the first field that is wrong is named with its value.",
    ),
    Example(
        "more than nine about one part of a result, compared with what was made for it",
        """
        def test_event():
            sender, target = make_sender(), make_target()
            place, clock = make_place(), make_clock()
            log = []
            sender.send(target, place, clock, log)
            assert len(log) == 2
            event = log[1]
            assert event.name == "sent"
            assert event.sender is sender
            assert event.target is target
            assert event.place is place
            assert event.clock is clock
            assert event.parts[0] == "a"
            assert event.parts[1] == "b"
            marker = object()
            event.mark = marker
            assert event.mark is marker
            assert event.parts[2] is marker
        """,
        {"test_event": "info: 10 assertions, 10 without an explanation"},
    ),
    Example(
        "more than nine about results that were made before",
        """
        def test_pairs():
            one, two, three, four = pair(1), pair(2), pair(3), pair(4)
            assert one.first == 1
            assert one.second == 2
            assert one.size == 2
            assert two.first == 1
            assert two.second == 2
            assert two.size == 2
            assert three.first == 1
            assert three.second == 2
            assert four.first == 1
            assert four.second == 2
        """,
        {"test_pairs": "warning: 10 assertions, 10 without an explanation"},
        options={"max-unexplained": 9},
    ),
    Example(
        "more than nine that follow one counter through a story",
        """
        def test_counter(counter):
            assert counter == 0
            load("a")
            assert counter == 1
            load("b")
            assert counter == 2
            load("b")
            assert counter == 2
            load("c")
            assert counter == 3
            load("d")
            assert counter == 4
            drop("d")
            assert counter == 3
            drop("c")
            assert counter == 2
            drop("b")
            assert counter == 1
            drop("a")
            assert counter == 0
        """,
        {"test_counter": "info: 10 assertions, 10 without an explanation"},
    ),
    Example(
        "more than nine about four results, some of them in blocks",
        """
        def test_pair(pair):
            if pair:
                assert pair.first == 1
                assert pair.second == 2
            other = swap(pair)
            assert other.first == 2
            for part in pair:
                other = swap(part)
                assert other.name == "one"
                assert other.number == 1
            try:
                other = copy_of(pair)
            finally:
                assert other.first == 2
                assert other.second == 1
            with pair.locked():
                assert pair.is_locked
                assert pair.owner == "me"
            assert pair.owner is None
        """,
        {"test_pair": "warning: 10 assertions, 10 without an explanation"},
        options={"max-unexplained": 9},
    ),
)
