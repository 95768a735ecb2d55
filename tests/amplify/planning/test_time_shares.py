"""How a time budget is spread over tests."""

from __future__ import annotations

import pytest

from socrates_amplify.planning.time_shares import TimeShares


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def shares(now: list[float]) -> TimeShares:
    """100 seconds for ten tests."""
    made = TimeShares(100.0, clock=lambda: now[0])
    made.expect(10)
    return made


def test_a_share_is_twice_an_equal_part(shares):
    assert shares.next() == 20.0


def test_what_one_test_did_not_need_is_for_the_others(shares, now):
    shares.next()
    now[0] = 1.0
    assert shares.next() == pytest.approx(1.0 + 2 * 99.0 / 9)


def test_the_last_tests_have_all_that_is_left(shares, now):
    for _ in range(9):
        shares.next()
    now[0] = 50.0
    assert shares.next() == 100.0


def test_a_test_without_a_search_leaves_its_share(shares):
    for _ in range(5):
        shares.give_back()
    assert shares.next() == 40.0


def test_with_several_jobs_shares_are_larger(now):
    shares = TimeShares(100.0, jobs=2, clock=lambda: now[0])
    shares.expect(10)
    assert shares.next() == 40.0


def test_more_searches_than_expected_have_what_is_left():
    shares = TimeShares(100.0, clock=lambda: 0.0)
    assert (shares.next(), shares.next()) == (100.0, 100.0)


def test_without_a_budget_there_is_no_end():
    assert TimeShares(None).next() is None


@pytest.mark.parametrize(("clock", "spent"), [(99.0, False), (100.0, True)])
def test_the_budget_is_spent_at_its_end(shares, now, clock, spent):
    now[0] = clock
    assert shares.spent is spent


def test_a_share_is_long_enough_for_a_first_answer(shares):
    assert shares.next(least=30.0) == 30.0


def test_no_share_goes_beyond_the_end(shares):
    assert shares.next(least=300.0) == 100.0
