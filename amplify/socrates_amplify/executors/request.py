"""What a test process is asked to do, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.rounds import ONCE, Rounds
from socrates_amplify.model.serial import Json, scenario_from_json, scenario_to_json
from socrates_amplify.record.index import Known


@dataclass(frozen=True, slots=True)
class Request:
    """One test under one scenario.

    ``tmp`` is where the test's temporary directories go, and files of ours; where pytest shall keep
    the former as usual, ``own`` is for the latter.
    """

    nodeid: str
    scenario: Scenario
    known: Known = field(default_factory=Known)
    probes: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    tmp: str = ""
    rounds: Rounds = ONCE
    own: str = ""

    def to_json(self) -> Json:
        """The request as JSON values."""
        return {
            "nodeid": self.nodeid,
            "scenario": scenario_to_json(self.scenario),
            "slots": dict(self.known.slots),
            "addresses": dict(self.known.addresses),
            "labels": dict(self.known.labels),
            "hosts": dict(self.known.hosts),
            "probes": {name: dict(table) for name, table in self.probes.items()},
            "tmp": self.tmp,
            "own": self.own,
            "repeat": self.rounds.repeat,
            "recovery": self.rounds.recovery,
            "aftermath": self.rounds.aftermath,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> Request:
        """The request that ``to_json`` wrote; nothing else writes it, so types are asserted."""
        slots, addresses, probes = value["slots"], value["addresses"], value["probes"]
        labels, hosts = value["labels"], value["hosts"]
        repeat, recovery = value["repeat"], value["recovery"]
        assert isinstance(slots, dict)
        assert isinstance(addresses, dict)
        assert isinstance(labels, dict)
        assert isinstance(hosts, dict)
        assert isinstance(probes, dict)
        assert isinstance(repeat, int)
        assert isinstance(recovery, (int, float))
        return cls(
            nodeid=str(value["nodeid"]),
            scenario=scenario_from_json(value["scenario"]),
            known=Known(slots, addresses, labels, hosts),
            probes=probes,
            tmp=str(value["tmp"]),
            rounds=Rounds(repeat, float(recovery), value["aftermath"] is True),
            own=str(value["own"]),
        )


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """Several tests, in this order in one process and without faults."""

    nodeids: tuple[str, ...]
    probes: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    tmp: str = ""

    def of(self, nodeid: str) -> Request:
        """What is asked of one of them."""
        return Request(nodeid, Scenario(), probes=self.probes, tmp=self.tmp)

    def to_json(self) -> Json:
        """The request as JSON values."""
        return {
            "nodeids": list(self.nodeids),
            "probes": {name: dict(table) for name, table in self.probes.items()},
            "tmp": self.tmp,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> GroupRequest:
        """The request that ``to_json`` wrote; nothing else writes it, so types are asserted."""
        nodeids, probes = value["nodeids"], value["probes"]
        assert isinstance(nodeids, list)
        assert isinstance(probes, dict)
        return cls(tuple(map(str, nodeids)), probes, str(value["tmp"]))
