"""The map of a system in every format: what it says, where things stand, and that names stay names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from socrates_amplify.model.exchanges import Exchange, Tried
from socrates_amplify.report import MAPS, ReportContext
from socrates_amplify.report.map_views.layout import Layout, Sizes, layout
from socrates_amplify.report.map_views.naming import short_name
from socrates_amplify.report.map_views.text import based_on
from socrates_amplify.report.system_map import EdgeState, SystemMap, map_of, state_of

CONTEXT = ReportContext(Path("project"))
HOSTILE = "</svg><script>alert(1)</script>\x1b[31m\"'&;|]"
SVG = "{http://www.w3.org/2000/svg}"
B, S, U = Tried.BROKE, Tried.SURVIVED, Tried.UNTRIED


def told(sender: str, receiver: str, *, clean: bool = True, **kinds: Tried) -> Exchange:
    return Exchange(sender, "actor", receiver, "message", "Go", "", clean, kinds)


def drawn(*exchanges: Exchange) -> SystemMap:
    return map_of([exchanges])


SMALL = drawn(
    Exchange("tests/test_a.py", "test", "Dock", "message", "Arrive", kinds={"duplicate": S}),
    told("Dock", "Stock", duplicate=B, restart=S),
    told("Stock", "Dock", clean=False),
    told("Dock", "Dock"),
    Exchange("Dock", "actor", "mail/send", "task", "send", "a.py:f", kinds={"restart": U}),
    Exchange("a.py", "module", "bank.example", "call", "GET /", "a.py:f", kinds={"slow": U}),
)


@pytest.mark.parametrize(
    ("exchange", "state"),
    [
        (told("a", "b", duplicate=B, restart=U), EdgeState.BROKE),
        (told("a", "b", clean=False, duplicate=U), EdgeState.UNEXERCISED),
        (told("a", "b"), EdgeState.NOTHING),
        (told("a", "b", duplicate=S, restart=S), EdgeState.SURVIVED),
        (told("a", "b", duplicate=S, restart=Tried.NOTICED), EdgeState.NOTICED),
        (told("a", "b", duplicate=U, restart=Tried.NOTICED), EdgeState.PARTLY),
        (told("a", "b", duplicate=S, restart=U), EdgeState.PARTLY),
        (told("a", "b", duplicate=U), EdgeState.UNTRIED),
    ],
)
def test_state_of_an_exchange(exchange: Exchange, state: EdgeState) -> None:
    assert state_of(exchange) is state


def test_text_tells_what_each_sender_sends() -> None:
    shown = MAPS.render(SMALL, "text", CONTEXT)
    assert shown == (
        "Dock  (actor)\n"
        "  -> Dock Go    nothing to try\n"
        "  -> Stock Go   broke duplicate; survived restart\n"
        "  -> mail/send  untried restart\n"
        "\n"
        "Stock  (actor)\n"
        "  -> Dock Go  no clean test\n"
        "\n"
        "a.py  (module)\n"
        "  -> bank.example GET /  untried slow\n"
        "\n"
        "tests/test_a.py  (test)\n"
        "  -> Dock Arrive  survived duplicate\n"
        "\n"
        "fault coverage: 60 % (3 of 5 kinds of faults at 4 endpoints)\n"
        "from the traces of 1 test\n"
    )


def test_json_has_every_node_and_edge() -> None:
    document = json.loads(MAPS.render(SMALL, "json", CONTEXT))
    assert (
        [node["name"] for node in document["nodes"]],
        [edge["state"] for edge in document["edges"]],
        document["fault_coverage"],
    ) == (
        ["Dock", "Stock", "a.py", "bank.example", "mail/send", "tests/test_a.py"],
        ["nothing to try", "broke", "untried", "no clean test", "untried", "survived"],
        {"percent": 60.0, "tried": 3, "of": 5, "places": 4},
    )


def test_mermaid_has_a_line_for_each_link() -> None:
    shown = MAPS.render(SMALL, "mermaid", CONTEXT)
    assert (
        shown.startswith("flowchart LR\n"),
        shown.count("-->"),
        'n0 -->|"Go / broke"| n1' in shown,
    ) == (True, 6, True)


def test_svg_has_a_group_for_each_node_and_link() -> None:
    root = ElementTree.fromstring(MAPS.render(SMALL, "svg", CONTEXT))
    classes = [str(group.get("class")).split()[0] for group in root.iter(f"{SVG}g")]
    states = 5  # each has a line in the key, too
    assert (classes.count("node"), classes.count("link")) == (6, 6 + states)


@pytest.mark.parametrize("name", MAPS.names)
def test_no_name_can_break_a_format(name: str) -> None:
    hostile = drawn(
        Exchange(HOSTILE, "module", HOSTILE + "2", "call", HOSTILE, HOSTILE, kinds={HOSTILE: B})
    )
    shown = MAPS.render(hostile, name, CONTEXT)
    assert ("\x1b" in shown, "<script" in shown) == (False, name in ("text", "json"))


def test_a_hostile_drawing_is_still_one_drawing() -> None:
    hostile = drawn(Exchange(HOSTILE, "module", HOSTILE, "call", HOSTILE))
    root = ElementTree.fromstring(MAPS.render(hostile, "svg", CONTEXT))
    assert list(root.iter(f"{SVG}script")) == []


@pytest.mark.parametrize("name", MAPS.names)
def test_the_same_map_is_drawn_the_same(name: str) -> None:
    turned = map_of([SMALL.exchanges[::-1]])
    assert MAPS.render(turned, name, CONTEXT) == MAPS.render(SMALL, name, CONTEXT)


def test_many_modules_of_tests_are_drawn_as_one() -> None:
    many = drawn(*(Exchange(f"t{n}.py", "test", "Dock", "message", "Go") for n in range(9)))
    assert [node.name for node in many.folded.nodes] == ["Dock", "9 test modules"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Dock", "Dock"),
        ("src/shop/checkout/client.py", "…/shop/checkout/client.py"),
        ("src/shop/a_very_long_name_of_a_module.py", "…/a_very_long_name_of_a_…"),
        ("users.internal.cluster.example.com", "users.internal.cluster.e…"),
    ],
)
def test_names_are_cut_where_they_say_least(name: str, shown: str) -> None:
    assert short_name(name) == shown


SIZES = Sizes()
LARGE = [(a, b) for a in range(40) for b in ((a * 7 + 3) % 40, (a * 11 + 5) % 40)]


def boxes(placed: Layout) -> list[tuple[float, float]]:
    return sorted(placed.nodes)


def test_nodes_stand_behind_what_leads_to_them() -> None:
    placed = layout(3, [(0, 1), (1, 2), (0, 2)], SIZES)
    xs = [x for x, _ in placed.nodes]
    assert xs == sorted(xs)


@pytest.mark.parametrize("lines", [LARGE, [(0, 1), (1, 0), (1, 1)], []])
def test_no_node_lies_on_another(lines: list[tuple[int, int]]) -> None:
    nodes = layout(40, lines, SIZES).nodes
    width, height = SIZES.node
    assert [
        (one, other)
        for place, one in enumerate(nodes)
        for other in nodes[place + 1 :]
        if abs(one[0] - other[0]) < width and abs(one[1] - other[1]) < height
    ] == []


def test_everything_is_inside_the_drawing() -> None:
    placed = layout(40, LARGE, SIZES)
    points = [*placed.nodes, *placed.captions, *(point for line in placed.lines for point in line)]
    assert all(0 < x < placed.width and 0 < y < placed.height for x, y in points)


def test_a_line_that_goes_back_keeps_its_direction() -> None:
    placed = layout(2, [(0, 1), (1, 0)], SIZES)
    assert (placed.lines[1][0], placed.lines[1][-1]) == (placed.nodes[1], placed.nodes[0])


def test_a_line_that_passes_a_node_touches_it_not() -> None:
    placed = layout(3, [(0, 1), (1, 2), (0, 2)], SIZES)
    (x, y), (width, height) = placed.nodes[1], SIZES.node
    inside = [p for p in placed.lines[2] if abs(p[0] - x) <= width / 2]
    assert all(abs(at - y) > height / 2 for _, at in inside)


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        (0, "from the traces of 1 test"),
        (1, "from the traces of 1 test; 1 of them last ran on other code"),
    ],
)
def test_what_a_map_is_based_on(earlier: int, said: str) -> None:
    assert based_on(replace(SMALL, earlier=earlier)) == said


def test_graph_of_nothing_has_room_for_nothing() -> None:
    assert layout(0, [], Sizes()) == Layout((), (), (), 126.0, 40.0)


def test_single_node_stands_in_the_middle() -> None:
    found = layout(1, [], Sizes())
    assert (found.nodes, found.width, found.height) == (((126.0, 40.0),), 252.0, 80.0)
