"""Threads that share queues, locks and pools, as they are and repaired."""

from __future__ import annotations

import pytest
import threads


@pytest.mark.parametrize("bank", [threads.Bank, threads.RepairedBank])
def test_transfers_both_ways_come_to_an_end(bank: type[threads.Bank]) -> None:
    assert threads.transfers(bank) == [90, 110]


@pytest.mark.parametrize("journal", [threads.Journal, threads.RepairedJournal])
def test_the_journal_ends_with_its_last_line(journal: type[threads.Journal]) -> None:
    assert threads.journal(journal)[-1] == "closed"


@pytest.mark.parametrize("counter", [threads.Counter, threads.RepairedCounter])
def test_nothing_that_is_counted_is_lost(counter: type[threads.Counter]) -> None:
    assert threads.counted(counter) == 3
