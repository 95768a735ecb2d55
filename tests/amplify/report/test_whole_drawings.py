"""Every drawing of the amplifier, element for element as the files in ``data`` have it (see ``kept``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.exchanges import Exchange, Tried
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.order_coverage import OrderCoverage, ReceiverOrders
from socrates_amplify.model.orders import Names, forced, order_kind
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.search import Defect
from socrates_amplify.report import MAPS, ReportContext
from socrates_amplify.report.map_views.layout import Sizes, layout
from socrates_amplify.report.page import lane_drawing, map_section, order_matrix
from socrates_amplify.report.system_map import map_of

Kept = Callable[[str, str], str]
CONTEXT = ReportContext(Path("project"))
B, N, S, U = Tried.BROKE, Tried.NOTICED, Tried.SURVIVED, Tried.UNTRIED


def exchange(sender: str, receiver: str, what: str = "Go", **kinds: Tried) -> Exchange:
    return Exchange(sender, "actor", receiver, "message", what, kinds=kinds)


def call(what: str, **kinds: Tried) -> Exchange:
    return Exchange("a.py", "module", "bank.example", "call", what, "a.py:f", kinds=kinds)


SYSTEM = (
    Exchange("tests/test_a.py", "test", "Dock", "message", "Arrive", kinds={"duplicate": S}),
    exchange("Dock", "Stock", duplicate=B, restart=S),
    exchange("Dock", "Shelf", "Put", duplicate=U, restart=N),
    replace(exchange("Stock", "Dock"), clean=False),
    exchange("Dock", "Dock"),
    exchange("Stock", "Shelf", "Fill(the whole shelf, from left to right)", duplicate=N),
    Exchange("Dock", "actor", "mail/send", "task", "send", "a.py:f", kinds={"restart": U}),
    Exchange("Dock", "actor", "mail/send", "task", "again", "a.py:f", kinds={"restart": U}),
    *(call(f"GET /{number}", slow=U) for number in "abcdefghijklmn"),
)
MANY = tuple(
    exchange(f"Part{one}", f"Part{other}") for one in range(15) for other in (3 * one % 15, one + 1)
)
LINES = [(one, other) for one in range(12) for other in ((one * 7 + 3) % 12, (one * 5 + 1) % 12)]


def elements(drawing: str) -> str:
    """A drawing without its style, one element per line."""
    return re.sub(r"<style>.*?</style>", "", drawing, flags=re.DOTALL).replace("><", ">\n<") + "\n"


@pytest.mark.parametrize("name", ["svg", "mermaid", "json", "text"])
def test_map_of_a_system(name: str, kept: Kept) -> None:
    told = MAPS.render(map_of([SYSTEM, SYSTEM[:3]]), name, CONTEXT)
    told = elements(told) if name == "svg" else told
    assert told == kept(f"map.{name}", told)


def test_map_with_many_lines_has_no_captions(kept: Kept) -> None:
    told = elements(MAPS.render(map_of([MANY]), "svg", CONTEXT))
    assert told == kept("map-of-many.svg", told)


def test_map_on_the_page_of_a_run(kept: Kept) -> None:
    test = TestResult("test_a.py::test_a", Status.RESILIENT, exchanges=SYSTEM)
    section = map_section.section(RunResult((test,), fail_under=50.0))
    told = re.sub(r"<svg.*?</svg>", "<svg/>", elements(str(section)), flags=re.DOTALL)
    assert told == kept("map.html", told)


@pytest.mark.parametrize(
    ("sizes", "name"),
    [(Sizes(), "layout"), (Sizes(caption=(0.0, 2.0), space=48.0), "layout-without-captions")],
)
def test_places_in_a_graph_with_circles(sizes: Sizes, name: str, kept: Kept) -> None:
    placed = layout(12, [*LINES, (4, 4)], sizes)
    points = [placed.nodes, *placed.lines, placed.captions, ((placed.width, placed.height),)]
    told = "".join(" ".join(f"{x:.0f},{y:.0f}" for x, y in row) + "\n" for row in points)
    assert told == kept(f"{name}.txt", told)


def put(number: int, receiver: str = "Store#1") -> Send:
    sender = f"Writer of orders#{number % 3}"
    return Send(f"t{number}", sender, receiver, f"Put({number})", "d", None, type=f"app:P{number}")


def run(*numbers: int, failed: str = "") -> Trace:
    sends = [put(number) for number in range(40)]
    turns = [Turn("Store#1", f"t{number}") for number in numbers]
    return Trace((*sends, *turns[:-1], replace(turns[-1], failed=failed)))


def test_lanes_of_two_orders(kept: Kept) -> None:
    held, awaited = (Names().name(put(n).sender, "Store#1", put(n).type) for n in (5, 7))
    fault = Fault("t5", order_kind(), "Writer", "Store#1", "late", forced(held, awaited))
    defect = Defect(Scenario.of([fault]), Failure("AssertionError", "1 == 2", "test.py:1"))
    swapped = [*range(5), 7, 6, 5, *range(8, 40)]
    found = FoundDefect(defect, "replay.json", run(*swapped, failed="ValueError: late" * 4))
    test = TestResult("test_a.py::test_a", Status.DEFECTIVE, passing=run(*range(40)))
    told = elements("\n".join(map(str, lane_drawing.drawings(test, found))))
    assert told == kept("lanes.svg", told)


def test_triangle_of_pairs(kept: Kept) -> None:
    messages = ("Put(1) of Left#1", f"Put({'2' * 60}) of Right#1", "Close() of Test", "Open()")
    rows = ((), ("broke",), ("both", "one"), ("impossible", "", "one"))
    first = ReceiverOrders("Store#1", messages, rows, left_out=1)
    coverage = OrderCoverage(4, 4, 2, 1, receivers=(first, ReceiverOrders("A", ("x",), ((),))))
    told = elements(str(order_matrix.matrices(coverage)))
    assert told == kept("pairs.html", told)
