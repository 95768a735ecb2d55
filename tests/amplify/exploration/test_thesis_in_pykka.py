"""One of the thesis' systems in real Pykka, run by the real fork server."""

from __future__ import annotations

import dataclasses

import pytest

pytest.importorskip("pykka")


@pytest.fixture(scope="module")
def laboratory(benchmark_module):
    """The benchmark's module that runs analyses."""
    return benchmark_module("chaokka.lab")


@pytest.fixture(scope="module")
def smallest(benchmark_module):
    """The system with 129 updates and its defect in actor 25; only the total is asserted."""
    specs = benchmark_module("chaokka.systems").thesis_specs()
    return dataclasses.replace(specs[1], total_only=True)


@pytest.fixture(scope="module")
def lab(laboratory, smallest):
    """A warm process that can run this system."""
    with laboratory.PykkaLab([smallest]) as warm:
        yield warm


def test_the_baseline_offers_one_fault_for_each_update(laboratory, lab, smallest):
    assert len(laboratory.traffic(lab.control(smallest), smallest.kinds)) == 129


def test_socratic_needs_two_executions(laboratory, lab, smallest):
    result = laboratory.analyse(lab, smallest, laboratory.SOCRATIC)
    assert (result.blamed, result.executions) == (("duplicate Node#26",), 2)


def test_without_traces_it_needs_few_more(laboratory, lab, smallest):
    result = laboratory.analyse(lab, smallest, laboratory.BLIND)
    assert (result.blamed, result.executions <= 9) == (("duplicate Node#26",), True)
