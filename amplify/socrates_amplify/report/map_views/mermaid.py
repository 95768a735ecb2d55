"""The map for documents: a mermaid flowchart."""

from __future__ import annotations

from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.map_views.naming import caption, short_name
from socrates_amplify.report.system_map import EdgeState, Link, Node, SystemMap
from socrates_amplify.report.words import printable

_SHAPES = {
    "test": ('["', '"]'),
    "module": ('["', '"]'),
    "actor": ('("', '")'),
    "task": ('[["', '"]]'),
    "service": ('{{"', '"}}'),
}
_STROKES = {
    EdgeState.BROKE: "stroke:#b3261e,stroke-width:3px",
    EdgeState.UNEXERCISED: "stroke:#8250a0,stroke-dasharray:2 4",
    EdgeState.UNTRIED: "stroke:#8a5a00,stroke-dasharray:6 4",
    EdgeState.PARTLY: "stroke:#8a5a00",
    EdgeState.NOTICED: "stroke:#2f5f8f",
    EdgeState.SURVIVED: "stroke:#23713f",
    EdgeState.NOTHING: "stroke:#9aa5af",
}
_SAFE = frozenset(" /._-*+'")


def render(drawn: SystemMap, context: ReportContext) -> str:
    """Nodes by their shape, edges with their state. No name can break mermaid's grammar."""
    folded = drawn.folded
    aliases = {node: f"n{number}" for number, node in enumerate(folded.nodes)}
    lines = ["flowchart LR", *(_node(alias, node) for node, alias in aliases.items())]
    links = folded.links
    lines += [_link(link, aliases[link.sender], aliases[link.receiver]) for link in links]
    for state, stroke in _STROKES.items():
        numbers = [str(at) for at, link in enumerate(links) if link.state is state]
        if numbers:
            lines.append(f"linkStyle {','.join(numbers)} {stroke}")
    return "\n    ".join(lines) + "\n"


def _node(alias: str, node: Node) -> str:
    opening, closing = _SHAPES[node.kind]
    return f"{alias}{opening}{_quoted(short_name(node.name))}{closing}"


def _link(link: Link, sender: str, receiver: str) -> str:
    return f'{sender} -->|"{_quoted(f"{caption(link)} / {link.state.value}")}"| {receiver}'


def _quoted(text: str) -> str:
    """Letters and digits as they are, everything else by its number."""
    return "".join(
        char if char.isalnum() or char in _SAFE else f"#{ord(char)};" for char in printable(text)
    )
