"""Where things stand in the drawings: read by eye once, then kept."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from socrates_amplify.model.events import Injected, Reply, Send, Trace, Turn
from socrates_amplify.report.page import causality_graph, sequence

TRACE = Trace(
    (
        Send("t1", "test", "A#1", "Ask()", "d", None, wants_reply=True),
        Send("t2", "A#1", "B#1", "Tell()", "d", "t1", at_least_once=True),
        Injected("t2", "duplicate"),
        Turn("B#1", "t2", copy=1),
        Turn("B#1", "t2", failed="ValueError: no"),
        Send("t3", "B#1", "B#1", "Again()", "d", "t2"),
        Send("t4", "A#1", "B#1", "Second()", "d", "t1"),
        Send("t9", "A#1", "B#1", "Own()", "d", "t1", internal=True),
        Reply("B#1", "t4", "nobody asked", "r"),
        Reply("A#1", "t1", "7", "r"),
    )
)


def told(drawing: str) -> list[str]:
    """Every element in a line: its name, its attributes, its text."""
    root = ElementTree.fromstring(drawing)
    return [
        " ".join([one.tag, *one.attrib.values(), "".join(one.itertext())]).strip()
        for one in root.iter()
        if one.tag not in ("svg", "g", "title")
    ]


def test_that_a_run_was_under_control_is_no_row() -> None:
    controlled = Trace((*TRACE.events, Injected("order", "order")))

    assert sequence.diagram(controlled, TRACE) == sequence.diagram(TRACE, TRACE)


def test_sequence_of_a_run() -> None:
    drawing = sequence.diagram(TRACE, Trace(TRACE.events[:2]), {"t2"})

    assert told(drawing) == [
        *(
            "line 70.0 34 70.0 274 lifeline",
            "rect 8 8 124 26 6 actor",
            "text 70 25 actor-name test",
        ),
        "line 300.0 34 300.0 274 lifeline",
        *("rect 238 8 124 26 6 actor", "text 300 25 actor-name A#1"),
        "line 530.0 34 530.0 274 lifeline",
        *("rect 468 8 124 26 6 actor", "text 530 25 actor-name B#1"),
        *("line 70 72 294 72 arrow send", "polygon 300,72 293,68.5 293,75.5 head send"),
        "text 185 67 label send Ask()",
        "line 300 98 524 98 arrow send target",
        *("polygon 530,98 523,94.5 523,101.5 head send target",),
        "text 415 93 label send target Tell()",
        *("rect 466 112 128 19 4 badge fault",),
        "text 530 126 badge-text fault duplicate⚡ duplicate",
        "line 300 150 524 150 arrow send fault",
        "polygon 530,150 523,146.5 523,153.5 head send fault",
        "text 415 145 label send fault again: Tell()",
        "rect 466 164 128 19 4 badge crash",
        "text 530 178 badge-text crash ValueError: no✖ ValueError: no",
        "path M530 196 h24 v10 h-20 arrow send changed",
        "polygon 533,206 540,202.5 540,209.5 head send changed",
        "text 560 204 label start send changed Again()",
        "line 300 228 524 228 arrow send changed",
        "polygon 530,228 523,224.5 523,231.5 head send changed",
        "text 415 223 label send changed Second()",
        "line 300 254 76 254 arrow reply changed",
        "polygon 70,254 77,250.5 77,257.5 head reply changed",
        "text 185 249 label reply changed 7",
    ]


def test_graph_of_a_run() -> None:
    drawing = causality_graph.graph(
        TRACE, faulted={"t2"}, faultable={"t2", "t3"}, pruned={"t4", "t2"}
    )

    assert told(drawing) == [
        "path M258 25 C281 25 281 25 304 25 edge pruned",
        "path M554 25 C577 25 577 25 600 25 edge",
        "path M258 25 C281 25 281 67 304 67 edge pruned",
        *("rect 8 8 250 34 6", "text 18 23 what Ask()", "text 18 36 who test → A#1"),
        *("rect 304 8 250 34 6", "text 314 23 what Tell()", "text 314 36 who A#1 → B#1"),
        *("rect 600 8 250 34 6", "text 610 23 what Again()", "text 610 36 who B#1 → B#1"),
        *("rect 304 50 250 34 6", "text 314 65 what Second()", "text 314 78 who A#1 → B#1"),
    ]


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param(
            sequence.diagram(TRACE, TRACE),
            {"viewBox": "0 0 600 280", "width": "600", "height": "280", "class": "fit"},
            id="sequence",
        ),
        pytest.param(
            causality_graph.graph(TRACE),
            {"viewBox": "0 0 858 100", "width": "858", "height": "100"},
            id="graph",
        ),
    ],
)
def test_drawings_have_the_size_of_what_is_in_them(drawing: str, expected: dict[str, str]) -> None:
    attributes = ElementTree.fromstring(drawing).attrib

    assert {name: attributes.get(name) for name in expected} == expected


def test_styles_of_messages() -> None:
    drawing = causality_graph.graph(
        TRACE, faulted={"t2"}, faultable={"t2", "t3"}, pruned={"t4", "t2"}
    )
    groups = ElementTree.fromstring(drawing).iter("g")

    assert [one.get("class") for one in groups] == [
        "message plain",
        "message faulted",
        "message faultable",
        "message pruned",
    ]


def chain(count: int, actors: int = 1) -> Trace:
    return Trace(
        tuple(Send(f"t{i}", "test", f"A#{i % actors}", f"m{i}", "d", None) for i in range(count))
    )


@pytest.mark.parametrize(
    ("actors", "width", "fits"),
    [
        pytest.param(2, 2 * 70 + 2 * 230, True, id="three columns"),
        pytest.param(3, 2 * 70 + 3 * 190, True, id="four columns"),
        pytest.param(4, 2 * 70 + 4 * 190, True, id="five columns"),
        pytest.param(5, 2 * 70 + 5 * 150, False, id="six columns"),
        pytest.param(40, 2 * 70 + 23 * 150, False, id="as many as are drawn"),
    ],
)
def test_more_actors_have_narrower_columns(actors: int, width: int, fits: bool) -> None:
    drawing = ElementTree.fromstring(sequence.diagram(chain(actors, actors), Trace()))

    assert (drawing.get("width"), drawing.get("class") == "fit") == (str(width), fits)


def folds(trace: Trace, *faulted: str) -> list[str]:
    """Labels of the rows that are drawn, and how many are folded where."""
    drawing = ElementTree.fromstring(sequence.diagram(trace, trace, faulted))
    shown = []
    for one in drawing.iter("text"):
        style = one.get("class") or ""
        if style == "fold-text" or style.startswith("label"):
            shown.append(one.text or "")
    return shown


def test_a_short_run_is_drawn_whole() -> None:
    assert folds(chain(30)) == [f"m{i}" for i in range(30)]


def test_a_long_run_is_folded_between_what_matters() -> None:
    assert folds(chain(31), "t10", "t14") == [
        *("m0", "m1", "⋯ 6 lines as in the other run", "m8", "m9", "m10", "m11", "m12", "m13"),
        *("m14", "m15", "m16", "⋯ 12 lines as in the other run", "m29", "m30"),
    ]


def test_one_folded_row_is_one_line() -> None:
    assert "⋯ 1 line as in the other run" in folds(chain(31), "t5", "t10")


def test_only_so_many_rows_that_matter_are_drawn() -> None:
    faulted = [f"t{i}" for i in range(0, 1000, 5)]
    shown = folds(chain(1000), *faulted)

    assert shown[-4:] == ["m597", "⋯ 400 lines as in the other run", "m998", "m999"]


def test_a_fold_is_a_line_across_the_drawing() -> None:
    drawing = ElementTree.fromstring(sequence.diagram(chain(31), chain(31)))
    places = [
        " ".join(one.attrib.values())
        for one in drawing.iter()
        if (one.get("class") or "").startswith("fold")
    ]

    assert places == [
        "8 120 362 120 fold",
        "95 111 180 18 fold-paper",
        "185 124 fold-text",
    ]


def test_rows_of_actors_beyond_the_limit_are_left_out() -> None:
    labels = folds(chain(30, 30))

    assert (labels[:1], labels[-1], len(labels)) == (["m0"], "m22", 23)


def test_actors_of_what_matters_are_drawn_before_others() -> None:
    assert "m29" in folds(chain(30, 30), "t29")


def test_a_graph_of_a_trace_that_was_not_kept_says_so() -> None:
    assert "Too long to draw" in causality_graph.graph(Trace())


def test_all_messages_are_drawn_up_to_the_limit() -> None:
    drawn = [causality_graph.graph(chain(count)) for count in (150, 151)]

    assert [one.count("<g ") for one in drawn] == [150, 40]
    assert ["not drawn" in one for one in drawn] == [False, True]


def test_of_too_many_messages_those_around_the_faults_are_drawn_with_their_causes() -> None:
    sends = [Send(f"t{i}", "test", "A#1", f"m{i}", "d", None) for i in range(299)]
    last = Send("t299", "A#1", "A#1", "m299", "d", "t3")
    drawn = causality_graph.graph(Trace((*sends, last)), faulted={"t299"})

    assert [f">{name}<" in drawn for name in ("m299", "m3", "m298", "m260", "m0")] == [
        *(True, True, True),
        *(False, False),
    ]


def test_messages_in_a_circle_are_drawn_below_one_another() -> None:
    circle = Trace((Send("t1", "A", "B", "m1", "d", "t2"), Send("t2", "B", "A", "m2", "d", "t1")))
    rects = [one for one in told(causality_graph.graph(circle)) if one.startswith("rect")]

    assert sorted(rects) == ["rect 8 50 250 34 6", "rect 8 8 250 34 6"]
