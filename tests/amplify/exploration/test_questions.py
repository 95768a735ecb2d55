"""Which questions the searches ask, one by one, as the files in ``data`` have them (see ``kept``).

What a search finds is tested elsewhere; here it is what that costs. Each line is a question: the
faults, the answer, and why it was asked.
"""

from __future__ import annotations

import contextlib

import pytest

from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.exploration.naive import NaiveExplorer
from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.simulation.services import CallFailedError, Services, leaf

DIAMOND = {"a": ["b", "c", "e"], "b": ["d"], "c": ["d"], "d": ["e", "e"], "e": ["f"], "f": []}
CHAIN = {f"N{i}": [f"N{i + 1}"] for i in range(5)} | {"N5": []}
STAR = {"root": [f"leaf{i}" for i in range(6)]} | {f"leaf{i}": [] for i in range(6)}
CONFLICTS = {
    "two faults of two actors": [["m1", "m5"]],
    "two faults of one actor": [["m1", "m4"], ["m8"]],
    "three together": [["m0", "m4", "m10"], ["m11"]],
}


def told(problem, explorer, options) -> str:
    """All questions that a search asks, what it found, and how it ended."""
    found = explorer.explore(problem, options)
    names: dict[str, str] = {}

    def shown(scenario: Scenario) -> str:
        faults = [f"{name(fault)}:{fault.what}" for fault in scenario]
        return " ".join(faults) if len(faults) < 10 else f"{faults[0]} ... {faults[-1]}"

    def name(fault: Fault) -> str:
        """The receiver, and the how many-th of its messages that a question is about."""
        if fault.target not in names:
            known = sum(one.startswith(f"{fault.receiver}/") for one in names.values())
            names[fault.target] = f"{fault.receiver}/{known + 1}"
        return names[fault.target]

    lines = [f"{q.answer} | {q.hypothesis} | {shown(q.scenario)}" for q in problem.questions]
    lines += [
        f"defect, minimal: {one.minimal} {one.note} | {shown(one.scenario)}"
        for one in found.defects
    ]
    ending = f"exhausted: {found.exhausted} {found.note} | pruned: {len(found.pruned)}"
    return "\n".join([*lines, ending, ""])


def shop(network) -> int:
    """Needs the stock, has a fallback for adverts, and asks twice for prices."""
    with contextlib.suppress(CallFailedError):
        network.call("adverts")
    for _ in range(2):
        try:
            if network.call("prices") == 200:
                break
        except CallFailedError:
            continue
    else:
        return 503
    try:
        return network.call("stock")
    except CallFailedError:
        return 500


def services() -> Gateway:
    handlers = {"shop": shop} | dict.fromkeys(("adverts", "prices", "stock"), leaf)
    system = Services(
        handlers,
        lambda network: network.check(network.call("shop") == 200, "no shop"),
        dict.fromkeys(handlers, ("404", "500")),
    )
    control = system.run(Scenario()).trace
    faults = system.faults_of(control)
    return Gateway(control, faults, system.run, faults_of=system.faults_of, budget=60)


SEARCHES = {
    "socratic": (SocraticExplorer(), ExploreOptions()),
    "socratic without traces": (SocraticExplorer(), ExploreOptions(use_traces=False)),
    "socratic, pruned": (SocraticExplorer(), ExploreOptions(pruner=CausalityPruner())),
    "dd": (DeltaDebuggingExplorer(), ExploreOptions(pruner=CausalityPruner())),
    "dd, monotonic": (DeltaDebuggingExplorer(), ExploreOptions(monotonic=True)),
    "naive": (NaiveExplorer(), ExploreOptions(max_defects=2)),
    "exhaustive": (ExhaustiveExplorer(), ExploreOptions(max_faults=2)),
}
TREES = {
    "a diamond that counts twice": (DIAMOND, {"d": "D"}, False),
    "a diamond that counts twice and forgets": (DIAMOND, {"d": "DR", "b": "M"}, False),
    "a chain, only its sum": (CHAIN, {"N3": "R"}, True),
    "a chain that counts down and up": (CHAIN, {"N1": "U", "N4": "D"}, True),
    "a star of many defects": (STAR, {"leaf1": "D", "leaf4": "R"}, False),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_questions_of_a_search(search, counter_problem, rule_problem, monotonic, kept) -> None:
    trees = {
        name: counter_problem(tree, flaws, budget=40, total_only=total_only)
        for name, (tree, flaws, total_only) in TREES.items()
    }
    rules = {
        name: rule_problem(12, monotonic(conflicts), actors=3, budget=40)
        for name, conflicts in CONFLICTS.items()
    }
    problems = {**trees, **rules, "services": services()}
    asked = "\n".join(
        f"## {name}\n{told(problem, *SEARCHES[search])}" for name, problem in problems.items()
    )
    assert asked == kept(f"questions, {search}.txt", asked)
