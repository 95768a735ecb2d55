"""A billing worker: it bills customers at the end of the month, and takes what they owe."""

from billing.accounts import Accounts
from billing.tasks import app, bill, change_plan, close_month, pay, receipt, remind, revenue

__all__ = [
    "Accounts",
    "app",
    "bill",
    "change_plan",
    "close_month",
    "pay",
    "receipt",
    "remind",
    "revenue",
]
