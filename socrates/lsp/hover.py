"""What is shown over a place: the page of a rule for a finding, the meaning of a suppression."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from socrates import registry
from socrates.explain import HEADINGS, sections
from socrates.findings import Finding
from socrates.lsp.positions import Positions
from socrates.printable import well_formed
from socrates.suppress import DIRECTIVES, Suppression, code_of, parse


def of_finding(finding: Finding, link: str) -> str:
    """What is wrong here and the way out, then the rule's page."""
    head = f"**{finding.code} {finding.name}**: {finding.message}"
    more = f"[Read more]({link})" if link else ""
    parts = [head, finding.advice, more, "---", _page(finding.code)]
    return well_formed("\n\n".join(part for part in parts if part))


def of_suppression(comment: Suppression, silenced: Sequence[Finding]) -> str:
    """What a comment is for, rule by rule, and what it silences now.

    ``silenced`` are the findings that would be there without it.
    """
    where = "the whole file" if comment.whole_file else "this line, or the test that starts here"
    names = {code: entry.rule.name for code, entry in registry.installed().rules.items()}
    summaries = {code: entry.rule.summary for code, entry in registry.installed().rules.items()}
    lines = [f"**`# socrates: {comment.word}`** silences findings about {where}."]
    if comment.codes is None:
        lines.append("Every rule:")
        lines += _list(silenced)
    for given in comment.codes or ():
        code = code_of(given, names)
        if code is None:
            lines.append(f"**{given}**: there is no such rule.")
            continue
        lines.append(f"**{code} {names[code]}**: {summaries[code]}")
        lines += _list([finding for finding in silenced if finding.code == code])
    return well_formed("\n\n".join(lines))


def comment_at(
    text: str, positions: Positions, position: types.Position
) -> tuple[Suppression, types.Range] | None:
    """The suppression under the pointer, with its place."""
    for comment in parse(text):
        place = positions.range(comment.span)
        if comment.word in DIRECTIVES and is_in(position, place):
            return comment, place
    return None


def is_in(position: types.Position, place: types.Range) -> bool:
    """Whether a place lies in a stretch, or at its end."""
    start, end = place.start, place.end
    at = (position.line, position.character)
    return (start.line, start.character) <= at <= (end.line, end.character)


def _list(silenced: Sequence[Finding]) -> list[str]:
    if not silenced:
        return ["- silences nothing that no other comment silences"]
    return ["\n".join(f"- {_name(finding)}{finding.message}" for finding in silenced)]


def _name(finding: Finding) -> str:
    test = (finding.test or "").partition("::")[2]
    return f"`{test}`: " if test else ""


def _page(code: str) -> str:
    """The page of a rule in Markdown, without its list of examples."""
    entry = registry.installed().rules.get(code)
    if entry is None:
        return ""
    present = sections(entry.rule)
    parts = [f"#### {title}\n\n{present[title]}" for title in HEADINGS if present.get(title)]
    return "\n\n".join(parts)
