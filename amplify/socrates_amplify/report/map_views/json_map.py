"""The map for programs: nodes, edges and fault coverage as one JSON document."""

from __future__ import annotations

import json

from socrates_amplify.model.exchanges import Exchange, exchange_to_json
from socrates_amplify.model.serial import Json
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.system_map import SystemMap, state_of

VERSION = 1


def render(drawn: SystemMap, context: ReportContext) -> str:
    """Everything, sorted, so that two maps can be compared line by line."""
    return json.dumps(document(drawn), indent=2, ensure_ascii=True) + "\n"


def document(drawn: SystemMap) -> Json:
    """The map as JSON values. Fields are only ever added within one ``version``."""
    covered = drawn.coverage
    return {
        "version": VERSION,
        "tests": drawn.tests,
        "earlier": drawn.earlier,
        "fault_coverage": {
            "percent": covered.percent,
            "tried": covered.tried,
            "of": covered.of,
            "places": covered.places,
        },
        "nodes": [{"name": node.name, "kind": node.kind} for node in drawn.nodes],
        "edges": [_edge(exchange) for exchange in drawn.exchanges],
    }


def _edge(exchange: Exchange) -> Json:
    return {
        **exchange_to_json(exchange),
        "to_kind": exchange.receiver_kind,
        "state": state_of(exchange).value,
        "tests": exchange.tests,
    }
