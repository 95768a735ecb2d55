"""``html``: one self-contained page with a table of tests by smells that sorts and filters.

The table is in the markup and shows without a script; the script adds sorting, filtering and the
messages. Everything that comes from the checked project is escaped, and the page's own policy
lets nothing run or load but the style and the script that are written here.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from socrates.findings import CheckResult, Finding, Severity
from socrates.printable import one_line
from socrates.report.context import ReportContext
from socrates.report.full import Sources, frame_of
from socrates.report.html.table import diffusion, table_of_tests
from socrates.report.statistics import statistics_rows
from socrates.report.style import Styler
from socrates.report.summary import summary_lines

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Socrates: test smells</title>
<style>{style}</style>
</head>
<body>
<header><h1>Socrates</h1><p>{verdict}</p><button type="button" class="plain" id="theme">Dark / light</button></header>
<ul class="cards">{cards}</ul>
<details><summary>How far each smell has spread</summary>{diffusion}</details>
<form class="tools" id="tools" role="search">
<input type="search" id="query" placeholder="Filter by file, test, smell or message" aria-label="Filter" autocomplete="off">
{toggles}
<label><input type="checkbox" id="smelly"> only tests with findings</label>
<output id="shown"></output>
</form>
<noscript><p>Without JavaScript the table does not sort or filter, and shows no messages.</p></noscript>
<div class="scroll">{table}</div>
<aside id="detail" aria-live="polite" hidden></aside>
<footer>{footer}</footer>
<script type="application/json" id="findings">{data}</script>
<script>{script}</script>
</body>
</html>
"""
_FRAME_WIDTH = 110


def pieces(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """The page. It opens from disk, needs no network, and is the same for the same result."""
    style, script = _asset("page.css"), _asset("page.js")
    before, after = _PAGE.split("{data}")
    yield before.format(
        policy=escape(_policy(style, script)),
        style=style,
        verdict=escape(" ".join(summary_lines(result, Styler(color=False))[:2])),
        cards=_cards(result, context),
        diffusion=diffusion(statistics_rows(result, context)),
        toggles=_toggles(result),
        table=table_of_tests(result),
        footer=escape(f"socrates check {context.version}".strip()),
    )
    yield from _data(result, context)
    yield after.format(script=script)


def _asset(name: str) -> str:
    text = files("socrates.report").joinpath("assets", name).read_text(encoding="utf-8")
    return f"\n{text}"


def _policy(style: str, script: str) -> str:
    allowed = [_digest(style), _digest(script)]
    return (
        f"default-src 'none'; style-src '{allowed[0]}'; script-src '{allowed[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _cards(result: CheckResult, context: ReportContext) -> str:
    clean = statistics_rows(result, context)[-1].tests
    share = "-" if clean.percent is None else f"{clean.percent:g}%"
    cards = [("", f"{clean.total:,}", "tests"), ("good", share, "of them clean")]
    severities = Counter(finding.severity for finding in result.findings)
    for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO):
        if severities[severity] or severity is not Severity.ERROR:
            number = severities[severity]
            noun = severity.value if number == 1 else f"{severity.value}s"
            cards.append((severity.value, f"{number:,}", noun))
    return "".join(
        f'<li class="{meaning}"><b>{number}</b><span>{label}</span></li>'
        for meaning, number, label in cards
    )


def _toggles(result: CheckResult) -> str:
    found = {finding.severity for finding in result.findings}
    return "\n".join(
        f'<label><input type="checkbox" data-severity="{severity.value}" checked> '
        f"{severity.value}s</label>"
        for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
        if severity in found
    )


def _data(result: CheckResult, context: ReportContext) -> Iterator[str]:
    """The findings for the script, as JSON that cannot end the element that holds it."""
    sources = Sources(context)
    yield "["
    for number, finding in enumerate(result.findings):
        text = json.dumps(_entry(finding, sources, context), separators=(",", ":"))
        for char in "<>&":
            text = text.replace(char, f"\\u{ord(char):04x}")
        yield f",{text}" if number else text
    yield "]"


def _entry(finding: Finding, sources: Sources, context: ReportContext) -> dict[str, object]:
    rule = context.rules.get(finding.code)
    entry: dict[str, object] = {
        "code": one_line(finding.code),
        "name": one_line(finding.name),
        "severity": finding.severity.value,
        "message": one_line(finding.message),
        "place": f"{one_line(finding.filename)}:{finding.span.row}:{finding.span.column}",
        "advice": one_line(finding.advice),
        "related": [
            f"{one_line(each.filename)}:{each.span.row}:{each.span.column}: {one_line(each.message)}"
            for each in finding.related
        ],
        "url": rule.web_url if rule is not None else "",
    }
    if context.show_source:
        shown = frame_of(finding, sources, Styler(color=False), _FRAME_WIDTH)
        entry["frame"] = "\n".join(shown[1:])
    return entry
