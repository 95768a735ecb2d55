"""Names and messages that attack: every report stays what it is, whatever they hold."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.findings import CheckResult, FileSummary, Finding, Related, Severity, Span
from socrates.printable import well_formed
from socrates.report import FORMATS, ReportContext, RuleInfo, render
from socrates.report.fold import folded

PAYLOADS = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!--",
    "]]>",
    "' onclick='x",
    "a\n::error::x",
    "a\r::stop-commands::x",
    "\x1b]8;;https://example.org\x07",
    "\udcff",
    "&#60;b>",
    "{0} {x}",
    "</style>",
    "<![CDATA[",
    "\u2028\u2029\x85\x0c",
]
NASTY = st.sampled_from(PAYLOADS) | st.text(st.characters(exclude_categories=()), max_size=12)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    row = draw(st.integers(1, 4))
    span = Span(
        row, draw(st.integers(1, 9)), row + draw(st.integers(0, 3)), draw(st.integers(1, 9))
    )
    return Finding(
        draw(st.sampled_from(["SOC101", "SOC105"])),
        "some-smell",
        draw(st.sampled_from(Severity)),
        draw(NASTY),
        draw(NASTY),
        span,
        draw(st.none() | NASTY),
        tuple(draw(st.lists(st.builds(Related, NASTY, NASTY, st.just(span)), max_size=2))),
        draw(NASTY),
    )


@st.composite
def results(draw: st.DrawFn) -> CheckResult:
    found = tuple(draw(st.lists(findings(), min_size=1, max_size=4)))
    names = draw(st.lists(NASTY, max_size=3, unique=True))
    file = FileSummary(found[0].filename, tuple(names), (1,) * len(names))
    return CheckResult(found, (file,), fixed_baseline=(draw(NASTY),))


def context(source: str | None = "<b>\x1b[31m\n</pre>\n\udc80\n") -> ReportContext:
    rule = RuleInfo("SOC101", "some-smell", *PAYLOADS[:3], url="javascript:alert(1)")
    return ReportContext(Path("project"), lambda _: source, {"SOC101": rule})


@given(result=results())
def test_every_report_can_be_written_in_utf8(result: CheckResult) -> None:
    texts = {each: render(result, each, context()) for each in FORMATS}
    assert {each: text.encode("utf-8").decode("utf-8") for each, text in texts.items()} == texts


@given(results())
def test_json_gives_messages_back(result: CheckResult) -> None:
    entries = json.loads(render(result, "json", context()))
    sent = [(well_formed(each.filename), well_formed(each.message)) for each in result.findings]
    assert [(entry["filename"], entry["message"]) for entry in entries] == sent


@given(results())
def test_json_lines_have_one_object_a_line(result: CheckResult) -> None:
    lines = render(result, "json-lines", context()).split("\n")
    assert [json.loads(line)["code"] for line in lines[:-1]] == [
        each.code for each in result.findings
    ]


SCHEMA = Path(__file__).parents[2] / "data" / "sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft4Validator:
    """The published schema."""
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@given(result=results())
def test_sarif_stays_valid(schema: jsonschema.Draft4Validator, result: CheckResult) -> None:
    report = json.loads(render(result, "sarif", context()))
    assert [error.message for error in schema.iter_errors(report)] == []


@given(results())
def test_junit_parses_and_loses_no_finding(result: CheckResult) -> None:
    root = ET.fromstring(render(result, "junit", context()).encode())
    texts = [node.text or "" for tag in ("failure", "system-out") for node in root.iter(tag)]
    assert sum(text.count(" some-smell [") for text in texts) == len(result.findings)


@given(results())
def test_github_has_one_command_a_line_and_no_more(result: CheckResult) -> None:
    lines = render(result, "github", context()).splitlines()
    assert len(lines) == len(result.findings)
    assert all(line.startswith(("::notice ", "::warning ", "::error ")) for line in lines)


@given(result=results())
def test_no_escape_sequence_reaches_the_terminal(result: CheckResult) -> None:
    texts = {each: render(result, each, context()) for each in ("full", "concise", "grouped")}
    steering = [
        (each, char)
        for each, text in texts.items()
        for char in text
        if not (char.isprintable() or char in "\n\t" or ord(char) > 0x9F)
    ]
    assert steering == []


@given(results())
def test_concise_has_one_line_a_finding(result: CheckResult) -> None:
    lines = render(result, "concise", context()).splitlines()
    assert sum(" some-smell [" in line for line in lines) == len(folded(result.findings))


class Outline(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


KNOWN_TAGS = set(
    "html head meta title style body header h1 p button ul li b span details summary table thead "
    "tbody tr th td small wbr form input label output noscript div aside footer script".split()
)
KNOWN_ATTRIBUTES = set(
    "lang charset http-equiv content name type class id role placeholder aria-label autocomplete "
    "data-severity checked scope data-sort aria-sort data-test data-finding aria-expanded "
    "aria-live hidden".split()
)


@given(results())
def test_html_gains_no_tag_attribute_or_comment(result: CheckResult) -> None:
    page = Outline(render(result, "html", context()))
    assert set(page.tags) <= KNOWN_TAGS
    assert page.attributes <= KNOWN_ATTRIBUTES
    assert (page.tags.count("script"), page.comments) == (2, [])


@given(results())
def test_html_links_to_web_addresses_only(result: CheckResult) -> None:
    page = render(result, "html", context())
    data = page.split('id="findings">')[1].split("</script>")[0]
    assert {entry["url"] for entry in json.loads(data) if entry["code"] == "SOC101"} <= {""}
