"""In which order tests are searched."""

from __future__ import annotations

from dataclasses import replace

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.kinds import CALL, TASK
from socrates_amplify.planning.promise import most_promising_first


def call(message: str) -> Send:
    return Send("t", "test", "users", message, "", None, channel=CALL)


def task(message: str) -> Send:
    return Send("t", "test", "Worker#1", message, "", None, channel=TASK)


def ordered(**tests: list[Send]) -> list[str]:
    """The names of tests that send these messages, in the order to take them."""
    return most_promising_first(
        list(tests), {name: Trace(tuple(sends)) for name, sends in tests.items()}
    )


def test_tasks_come_before_calls():
    assert ordered(a=[call("GET /x"), call("GET /y")], b=[task("pay")]) == ["b", "a"]


def test_the_test_that_shows_most_comes_first():
    assert ordered(a=[task("pay")], b=[task("pay"), task("ship")]) == ["b", "a"]


def test_what_others_have_shown_counts_no_more():
    both = [task("pay"), task("ship")]
    assert ordered(a=both, b=both, c=[task("refund")]) == ["a", "c", "b"]


def test_calls_that_differ_in_a_number_only_are_one():
    assert ordered(a=[call("GET /users/1")], b=[call("GET /users/2")], c=[call("GET /x")]) == [
        "a",
        "c",
        "b",
    ]


def test_code_that_calls_counts_before_what_it_calls():
    other = replace(call("GET /z"), site="shop.py:pay")
    same = [replace(call(path), site="shop.py:get") for path in ("GET /x", "GET /y")]
    assert ordered(a=same[:1], b=same[1:], c=[other]) == ["a", "c", "b"]


def test_messages_of_the_framework_itself_do_not_count():
    stop = Send("t", "test", "A#1", "stop", "", None, internal=True)
    assert ordered(a=[stop], b=[task("pay")]) == ["b", "a"]


def test_tests_of_which_nothing_is_known_come_first():
    known = {"b": Trace((task("pay"),))}
    assert most_promising_first(["a", "b"], known) == ["a", "b"]


def test_where_time_is_short_the_quickest_of_equals_comes_first():
    traces = {"a": Trace((task("pay"),)), "b": Trace((task("ship"),))}
    assert most_promising_first(["a", "b"], traces, {"a": 0.5, "b": 0.1}) == ["b", "a"]


def test_where_time_is_short_a_very_slow_test_comes_last():
    traces = {"a": Trace((task("pay"), task("ship"))), "b": Trace((task("refund"),))}
    traces |= {"c": Trace((task("count"),))}
    durations = {"a": 20.0, "b": 0.2, "c": 0.1}
    assert most_promising_first(["a", "b", "c"], traces, durations) == ["c", "b", "a"]
