"""A rule's docstring, options and examples as text: for ``socrates rule`` and the rule pages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from textwrap import dedent

from socrates.config.schema import TYPE_TEXTS
from socrates.findings import DOCS_URL
from socrates.rule import Example, Rule

HEADINGS = ("What it does", "Why is this bad", "Example", "Use instead")
"""The sections of every rule's docstring, in this order."""

OWN_CODES = "SOC"
"""What the codes of the rules that ship with Socrates start with."""

_DECORATION = re.compile(r"^[#\s]*|[?:\s]*$")
_UNDERLINE = re.compile(r"[-=~]{3,}")


def sections(rule: type[Rule]) -> dict[str, str]:
    """The docstring by heading; what comes before the first heading is under the empty one.

    A heading stands alone on its line, with or without ``##``, a question mark, a colon or an
    underline; its text may be indented.
    """
    found: dict[str, list[str]] = {"": []}
    current = ""
    for line in inspect.cleandoc(rule.__doc__ or "").splitlines():
        title = _heading(line)
        if title is not None and title not in found:
            current = title
            found[current] = []
        elif not (_UNDERLINE.fullmatch(line.strip()) and not found[current]):
            found[current].append(line)
    return {title: dedent("\n".join(lines)).strip("\n") for title, lines in found.items()}


def missing_headings(rule: type[Rule]) -> list[str]:
    """The headings that the docstring lacks or leaves empty."""
    present = sections(rule)
    return [heading for heading in HEADINGS if not present.get(heading, "").strip()]


def markdown(rule: type[Rule], plugin: str) -> str:
    """The rule's page."""
    present = sections(rule)
    parts = [
        f"# {rule.name} ({rule.code})",
        f"Severity: {' or '.join(rule.severities)}. Since {rule.since}{_origin(rule, plugin)}.",
        present[""] or rule.summary,
    ]
    for heading in HEADINGS:
        if present.get(heading):
            parts += [f"## {heading}", present[heading]]
    parts += ["## The way out", rule.advice]
    if rule.options:
        parts += ["## Options", _options_table(rule)]
    for title, wanted in (("Reported", True), ("Not reported", False)):
        chosen = [example for example in rule.examples if bool(example.expect) is wanted]
        if chosen:
            parts.append(f"## {title}")
            parts += [_example(example) for example in chosen]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def as_data(rule: type[Rule], plugin: str) -> dict[str, object]:
    """The rule as JSON-serialisable data."""
    present = sections(rule)
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "severities": list(rule.severities),
        "since": rule.since,
        "plugin": plugin,
        "url": f"{DOCS_URL}{rule.name}/",
        "advice": rule.advice,
        "description": present[""],
        "sections": {heading: present[heading] for heading in HEADINGS if heading in present},
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "default": _plain(option.default),
                "help": option.help,
            }
            for option in rule.options
        ],
        "examples": [
            {
                "name": example.name,
                "files": dict(example.files),
                "expect": dict(example.expect),
                "note": example.note,
                "options": {key: _plain(value) for key, value in example.options.items()},
            }
            for example in rule.examples
        ],
    }


def _origin(rule: type[Rule], plugin: str) -> str:
    return "" if rule.code.startswith(OWN_CODES) else f" of plugin `{plugin}`"


def _heading(line: str) -> str | None:
    title = _DECORATION.sub("", line)
    return title if title in HEADINGS and not line.startswith((" ", "\t")) else None


def _options_table(rule: type[Rule]) -> str:
    lines = [
        f"Under `[tool.socrates.rules.{rule.name}]`:",
        "",
        "| option | type | default | meaning |",
        "|---|---|---|---|",
    ]
    for option in rule.options:
        kind = TYPE_TEXTS[option.type]
        cells = (f"`{option.name}`", kind, f"`{_shown(option.default)}`", option.help)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _example(example: Example) -> str:
    parts = [f"### {example.name}"]
    if example.note:
        parts.append(example.note)
    if example.options:
        options = ", ".join(f"`{key} = {_shown(value)}`" for key, value in example.options.items())
        parts.append(f"With {options}:")
    parts.append(_files(example.files))
    if example.expect:
        verdicts = [f"`{test}`: {severity}" for test, severity in example.expect.items()]
        parts.append("; ".join(verdicts) + ".")
    return "\n\n".join(parts)


def _files(files: Mapping[str, str]) -> str:
    blocks = []
    for name, text in files.items():
        code = dedent(text).strip("\n")
        fence = "````" if "```" in code else "```"
        header = f"`{name}`\n\n" if len(files) > 1 else ""
        language = "python" if name.endswith((".py", ".pyi")) else ""
        blocks.append(f"{header}{fence}{language}\n{code}\n{fence}")
    return "\n\n".join(blocks)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, (list, tuple)) else value
