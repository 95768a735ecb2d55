"""Customers are billed, and pay, once."""

from __future__ import annotations

from billing import Accounts, change_plan, close_month, pay, receipt, remind
from celery import chain


def test_every_customer_is_billed(accounts: Accounts) -> None:
    close_month("2026-01").get(timeout=5, interval=0.01)

    assert accounts.billed == 80


def test_receipt_says_what_was_paid(accounts: Accounts) -> None:
    paid = chain(pay.s("2025-12-0001"), receipt.s("2025-12-0001"))()

    assert paid.get(timeout=5, interval=0.01) == "20 paid for 2025-12-0001"


def test_last_plan_counts(accounts: Accounts) -> None:
    changes = [change_plan.delay("Ada", plan, version) for version, plan in enumerate(("S", "L"))]
    for change in changes:
        change.get(timeout=5, interval=0.01)

    assert accounts.plans["Ada"] == (1, "L")


def test_customer_is_reminded(accounts: Accounts) -> None:
    remind.delay("Bob").get(timeout=5, interval=0.01)

    assert accounts.reminders == ["Bob"]
