"""The examples on queues: clean and green, and amplified without any settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAMES = ["orders", "orders_repaired", "billing", "billing_repaired"]
Start = Callable[..., Any]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, example) -> Callable[[str], Path]:
    """Copies an example into a folder of its own."""
    return lambda name: example(name, tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def start(copy: Callable[[str], Path], socrates) -> Start:
    """Runs ``socrates`` in a copy of an example."""
    return lambda name, *args: socrates(copy(name), *args)


@pytest.fixture(scope="module")
def found(start: Start) -> Callable[[str], dict[str, Any]]:
    """The tests of an example by name, amplified once."""
    known: dict[str, dict[str, Any]] = {}

    def amplify(name: str) -> dict[str, Any]:
        if name not in known:
            document = json.loads(start(name, "amplify", "--output-format", "json").stdout)
            known[name] = {test["nodeid"].rpartition("::")[2]: test for test in document["tests"]}
        return known[name]

    return amplify


def defects(test: dict[str, Any]) -> list[list[str]]:
    """Each defect of a test, as the faults that make it."""
    return [
        [f"{fault['kind']} {fault['to']}" for fault in defect["faults"]]
        for defect in test["defects"]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_clean(start, name):
    assert start(name, "check").returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_it_is_green(copy, python, name):
    assert "4 passed" in python(copy(name), "pytest", "-q", "-p", "no:cacheprovider").stdout


@pytest.mark.parametrize(
    ("name", "test", "expected"),
    [
        ("orders", "test_money_is_taken", [["duplicate charge"], ["restart charge"]]),
        ("orders", "test_parcel_is_fetched", [["restart ship"]]),
        ("orders", "test_last_address_counts", [["reorder change_address"]]),
        ("orders", "test_customer_is_told", []),
        (
            "billing",
            "test_every_customer_is_billed",
            [["duplicate billing.tasks.bill"], ["restart billing.tasks.bill"]],
        ),
        ("billing", "test_receipt_says_what_was_paid", [["restart billing.tasks.pay"]]),
        ("billing", "test_last_plan_counts", [["reorder billing.tasks.change_plan"]]),
        ("billing", "test_customer_is_reminded", [["duplicate billing.tasks.remind"]]),
    ],
)
def test_what_is_found(found, name, test, expected):
    assert defects(found(name)[test]) == expected


@pytest.mark.parametrize(
    ("name", "statuses"),
    [("orders_repaired", {"resilient"}), ("billing_repaired", {"resilient"})],
)
def test_the_repaired_twin_survives(found, name, statuses):
    assert {test["status"] for test in found(name).values()} == statuses


def test_the_worker_of_a_receipt_is_the_one_to_blame(found):
    (defect,) = found("billing")["test_receipt_says_what_was_paid"]["defects"]
    assert defect["failure"]["message"] == (
        "assert '0 paid for 2025-12-0001' == '20 paid for 2025-12-0001'"
    )


def test_delta_debugging_with_causality_finds_the_same(start):
    arguments = ("--explorer", "dd", "--pruner", "causality", "--output-format", "json")
    test = "tests/test_orders.py::test_parcel_is_fetched"
    document = json.loads(start("orders", "amplify", *arguments, test).stdout)
    assert defects(document["tests"][0]) == [["restart ship"]]
