"""The actor whose reply the failing assertion looked at, found without the test's help."""

from __future__ import annotations

import pytest

from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.model.faults import Scenario

SUITE = """
    import unittest
    import pykka
    import pytest

    class Left(pykka.ThreadingActor):
        count = 1
        def on_receive(self, message):
            if message == "fail":
                raise LookupError("nothing here")
            return message

    class Right(Left):
        pass

    @pytest.fixture
    def left():
        yield Left.start()
        pykka.ActorRegistry.stop_all()

    @pytest.fixture
    def right():
        return Right.start()

    def value_of(ref):
        return ref.ask(1)

    def total_of(refs):
        total = 0
        for ref in refs:
            total += ref.ask(1)
        return total

    def check(ref):
        assert ref.ask(1) == 2

    def test_in_the_assertion(left, right):
        assert right.ask(1) == 1
        assert left.ask(1) == 2
        right.ask(1)

    def test_through_a_name(left, right):
        value = left.ask(1)
        right.ask(2)
        assert value == 2

    def test_through_two_names(left, right):
        value = left.ask(1)
        shown = f"<{value}>"
        right.ask(2)
        assert shown == "<2>"

    def test_through_a_future(left, right):
        future = left.proxy().count
        assert right.ask(1) == 1
        assert future.get() == 2

    def test_unpacked(left, right):
        first, second = pykka.get_all([left.ask(11, block=False), right.ask(22, block=False)])
        assert second == 3

    def test_in_a_loop(left, right):
        for ref in (right, left):
            expected = 1 if ref is right else 2
            assert ref.ask(1) == expected

    def test_in_a_helper(left, right):
        right.ask(1)
        check(left)

    def test_through_a_helper(left, right):
        right.ask(1)
        assert value_of(left) == 2

    def test_through_a_helper_in_a_loop(left, right):
        for ref in (right, left):
            assert value_of(ref) == (1 if ref is right else 2)

    def test_collected(left, right):
        replies = []
        replies.append(left.ask(1))
        right.ask(1)
        assert replies == [2]

    def test_total_of_several(left, right):
        assert sum(ref.ask(1) for ref in (left, right)) == 3

    def test_total_of_several_by_a_helper(left, right):
        assert total_of([left, right]) == 3

    def test_added_up(left, right):
        total = 0
        for ref in (left, right):
            total += ref.ask(1)
        assert total == 3

    def test_raised_by_the_actor(left, right):
        right.ask(1)
        left.ask("fail")

    def test_no_reply_in_the_assertion(left, right):
        right.ask(1)
        left.ask(1)
        assert 1 == 2

    def test_no_reply_at_all(left):
        assert 1 == 2

    class TestUnit(unittest.TestCase):
        def test_unit(self):
            left, right = Left.start(), Right.start()
            self.addCleanup(pykka.ActorRegistry.stop_all)
            value = left.ask(1)
            right.ask(1)
            self.assertEqual(value, 2)

    @pytest.mark.asyncio
    async def test_awaited(left, right):
        value = await left.proxy().count
        right.ask(1)
        assert value == 2
"""
INI = """
    [pytest]
    asyncio_mode = strict
    asyncio_default_fixture_loop_scope = function
"""


@pytest.fixture(scope="module")
def suite(project) -> ForkExecutor:
    """Failing tests, each in another way."""
    executor: ForkExecutor = project(
        {"test_it.py": SUITE, "pytest.ini": INI}, "-p", "pytest_asyncio.plugin"
    )
    return executor


@pytest.mark.parametrize(
    ("name", "actor"),
    [
        ("test_in_the_assertion", "Left#1"),
        ("test_through_a_name", "Left#1"),
        ("test_through_two_names", "Left#1"),
        ("test_through_a_future", "Left#1"),
        ("test_unpacked", "Right#1"),
        ("test_in_a_loop", "Left#1"),
        ("test_in_a_helper", "Left#1"),
        ("test_through_a_helper", "Left#1"),
        ("test_through_a_helper_in_a_loop", "Left#1"),
        ("test_collected", "Left#1"),
        ("test_total_of_several", ""),
        ("test_total_of_several_by_a_helper", ""),
        ("test_added_up", ""),
        ("test_raised_by_the_actor", "Left#1"),
        ("test_no_reply_in_the_assertion", "Left#1"),
        ("test_no_reply_at_all", ""),
        ("TestUnit::test_unit", "Left#1"),
        ("test_awaited", "Left#1"),
    ],
)
def test_the_actor_is_found(suite: ForkExecutor, name: str, actor: str) -> None:
    failure = suite.run(f"test_it.py::{name}", Scenario(), 60.0).failure
    assert failure is not None
    assert failure.actor == actor


def test_the_location_is_the_failing_line_of_the_test_file(suite: ForkExecutor) -> None:
    failure = suite.run("test_it.py::test_raised_by_the_actor", Scenario(), 60.0).failure
    line = SUITE[: SUITE.index('left.ask("fail")')].count("\n") + 1
    assert failure is not None
    assert (failure.type, failure.location) == ("LookupError", f"test_it.py:{line}")
