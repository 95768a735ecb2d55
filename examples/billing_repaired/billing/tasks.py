"""The tasks of the worker. All but reminders are acknowledged late: none may get lost."""

from __future__ import annotations

from celery import Celery, chord
from celery.result import AsyncResult

from billing.accounts import Accounts

app = Celery("billing")
app.conf.update(
    broker_url="memory://",  # in production redis:// or amqp://
    result_backend="cache+memory://",
    task_acks_late=True,
)

accounts = Accounts()


@app.task
def bill(customer: str, month: str) -> int:
    """Write a customer's invoice for a month."""
    amount = accounts.fees[customer]
    accounts.invoices[f"{month}-{customer}"] = amount
    return amount


@app.task
def revenue(amounts: list[int], month: str) -> str:
    """Sum a month up."""
    return f"{month}: {sum(amounts)}"


def close_month(month: str) -> AsyncResult:
    """Bill every customer, then sum up."""
    return chord([bill.s(customer, month) for customer in accounts.fees], revenue.s(month))()


@app.task
def pay(invoice: str) -> int:
    """Take the money for an invoice, once; what was taken, now or before."""
    if invoice not in accounts.payments:
        accounts.payments[invoice] = accounts.invoices[invoice]
    return accounts.payments[invoice]


@app.task
def receipt(amount: int, invoice: str) -> str:
    """Write down what was paid."""
    return f"{amount} paid for {invoice}"


@app.task
def change_plan(customer: str, plan: str, version: int) -> None:
    """Remember what a customer has chosen last."""
    accounts.plans[customer] = max(accounts.plans.get(customer, (-1, "")), (version, plan))


@app.task(acks_late=False)
def remind(customer: str) -> None:
    """Remind a customer; one that gets lost does no harm, one that comes twice is known."""
    if customer not in accounts.reminders:
        accounts.reminders.append(customer)
