"""The map as a drawing: SVG without script, in light and dark, for a page or by itself."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise

from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.map_views.layout import Point, Sizes, layout
from socrates_amplify.report.map_views.naming import caption, short_name
from socrates_amplify.report.map_views.text import told_of
from socrates_amplify.report.markup import Markup, number, tag
from socrates_amplify.report.system_map import EdgeState, Link, Node, SystemMap

_CLASSES = {
    EdgeState.BROKE: "broke",
    EdgeState.UNEXERCISED: "unexercised",
    EdgeState.UNTRIED: "untried",
    EdgeState.PARTLY: "partly",
    EdgeState.NOTICED: "noticed",
    EdgeState.SURVIVED: "survived",
    EdgeState.NOTHING: "nothing",
}
_KEY = {
    EdgeState.BROKE: "a fault broke a test",
    EdgeState.UNEXERCISED: "no clean test exercises it",
    EdgeState.UNTRIED: "no fault was tried",
    EdgeState.PARTLY: "some faults were tried",
    EdgeState.NOTICED: "noticed, maybe as intended",
    EdgeState.SURVIVED: "all faults were survived",
    EdgeState.NOTHING: "nothing to try",
}
_CAPTIONED = 40
"""Up to so many lines have captions; of more, pointing at one tells."""
_MOST_TOLD = 12
_KEY_WIDTH, _KEY_HEIGHT = 190.0, 34.0


def render(drawn: SystemMap, context: ReportContext) -> str:
    """A file of its own."""
    style = tag("style", Markup(style_sheet()))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawing(drawn, style)}\n'


def style_sheet() -> str:
    """The colours, for the page that a drawing stands in."""
    folder = resources.files("socrates_amplify.report.map_views")
    return folder.joinpath("map.css").read_text("utf-8")


def drawing(drawn: SystemMap, *inside: Markup) -> Markup:
    """The map as an SVG element, ``inside`` at its beginning."""
    folded = drawn.folded
    nodes, links = folded.nodes, folded.links
    numbers = {node: at for at, node in enumerate(nodes)}
    sizes = Sizes() if len(links) <= _CAPTIONED else Sizes(caption=(0.0, 2.0), space=48.0)
    places = layout(
        len(nodes), [(numbers[link.sender], numbers[link.receiver]) for link in links], sizes
    )
    states = [state for state in EdgeState if any(link.state is state for link in links)]
    width = max(places.width, len(states) * _KEY_WIDTH + 24)
    height = places.height + _KEY_HEIGHT
    pieces = [
        _link(link, line, at if sizes.caption[0] else None, sizes)
        for link, line, at in zip(links, places.lines, places.captions, strict=True)
    ]
    pieces += [_node(node, at, sizes) for node, at in zip(nodes, places.nodes, strict=True)]
    pieces += [_key(state, at, places.height + 12) for at, state in enumerate(states)]
    return tag(
        "svg",
        *inside,
        tag("rect", width=number(width), height=number(height), class_="ground"),
        *pieces,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
        class_="map",
        role="img",
        aria_label="map of the system",
    )


def _node(node: Node, at: Point, sizes: Sizes) -> Markup:
    x, y = at
    width, height = sizes.node
    left, top = x - width / 2, y - height / 2
    radius = {"actor": 18, "task": 4, "service": 0}.get(node.kind, 4)
    double = (
        tag("path", d=_uprights(left, top, width, height), class_="edge-of-task")
        if node.kind == "task"
        else None
    )
    return tag(
        "g",
        tag("title", f"{node.name} ({node.kind})"),
        tag("rect", x=number(left), y=number(top), width=number(width), height=number(height),
            rx=radius),
        double,
        tag("text", short_name(node.name), x=number(x), y=number(y), class_="name"),
        tag("text", node.kind, x=number(x), y=number(y + 14), class_="sort"),
        class_="node",
    )  # fmt: skip


def _uprights(left: float, top: float, width: float, height: float) -> str:
    """The two lines inside a box that stands for a task."""
    return " ".join(
        f"M{number(x)} {number(top)} v{number(height)}" for x in (left + 6, left + width - 6)
    )


def _link(link: Link, line: tuple[Point, ...], at: Point | None, sizes: Sizes) -> Markup:
    path, (x, y), backwards = _loop(line[0], sizes) if len(line) == 1 else _curve(line, sizes)
    tip, back = (x, y), 7 if backwards else -7
    head = f"M{number(tip[0])} {number(tip[1])} l{back} -4 v8 z"
    return tag(
        "g",
        tag("title", _told(link)),
        tag("path", d=path),
        tag("path", d=head, class_="head"),
        None if at is None else tag("text", caption(link), x=number(at[0]), y=number(at[1] + 4)),
        class_=f"link {_CLASSES[link.state]}",
    )


def _curve(line: tuple[Point, ...], sizes: Sizes) -> tuple[str, Point, bool]:
    """Through all places of a line, level at each; the tip of its arrow, and which way it points."""
    backwards = line[0][0] > line[-1][0]
    half = sizes.node[0] / 2 * (-1 if backwards else 1)
    points = [(line[0][0] + half, line[0][1]), *line[1:-1], (line[-1][0] - half, line[-1][1])]
    path = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = number((x1 + x2) / 2)
        path.append(f"C{middle} {number(y1)} {middle} {number(y2)} {number(x2)} {number(y2)}")
    return " ".join(path), points[-1], backwards


def _loop(at: Point, sizes: Sizes) -> tuple[str, Point, bool]:
    """From a node to itself, over its upper right corner."""
    x, y = at[0] + sizes.node[0] / 2, at[1]
    path = (
        f"M{number(x - 30)} {number(y - 20)} C{number(x - 30)} {number(y - 38)} "
        f"{number(x + 30)} {number(y - 34)} {number(x)} {number(y - 6)}"
    )
    return path, (x, y - 6), True


def _told(link: Link) -> str:
    """What pointing at a line shows."""
    lines = [f"{link.sender.name} -> {link.receiver.name}: {link.state.value}"]
    lines += [f"{one.what}: {told_of(one)}" for one in link.exchanges[:_MOST_TOLD]]
    left = len(link.exchanges) - _MOST_TOLD
    if left > 0:
        lines.append(f"and {left} more")
    return "\n".join(lines)


def _key(state: EdgeState, at: int, y: float) -> Markup:
    x = 16 + at * _KEY_WIDTH
    return tag(
        "g",
        tag("path", d=f"M{number(x)} {number(y)} h22"),
        tag("path", d=f"M{number(x + 26)} {number(y)} l-7 -4 v8 z", class_="head"),
        tag("text", _KEY[state], x=number(x + 32), y=number(y + 4), class_="key"),
        class_=f"link {_CLASSES[state]}",
    )
