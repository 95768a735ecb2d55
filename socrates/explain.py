"""A rule's docstring, options and examples as text: for ``socrates rule`` and the rule pages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent

from socrates.config.schema import TYPE_TEXTS
from socrates.example import Example
from socrates.pages import address_of
from socrates.rule import Rule

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
    shown: dict[str, str] = {}
    for title, wanted in (("Reported", True), ("Not reported", False)):
        chosen = [example for example in on_page(rule) if bool(example.expect) is wanted]
        if chosen:
            parts.append(f"## {title}")
            parts += [_example(example, shown) for example in chosen]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def on_page(rule: type[Rule]) -> Sequence[Example]:
    """The examples that the rule's page shows: those that are marked, or all where none is."""
    return [example for example in rule.examples if example.page] or rule.examples


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
        "url": address_of(rule.code, rule.name),
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
                "files": example.texts,
                "expect": example.severities,
                "messages": example.messages,
                "note": example.note,
                "options": {key: _plain(value) for key, value in example.options.items()},
                "fixed": _fixed_data(example),
                "page": example.page,
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
        cells = (f"`{option.name}`", kind, f"`{_value(option.default)}`", option.help)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _example(example: Example, shown: dict[str, str]) -> str:
    """An example; ``shown`` are the files that stand on the page already, which are not repeated."""
    parts = [f"### {example.name}"]
    if example.note:
        parts.append(example.note)
    if example.options:
        options = ", ".join(f"`{key} = {_value(value)}`" for key, value in example.options.items())
        parts.append(f"With {options}:")
    parts += _files(example.marked_texts, shown)
    if example.expect:
        parts.append("\n".join(_verdicts(example)))
    if example.fixed is not None:
        flags = "--fix" if example.fixed.applicability == "safe" else "--fix --unsafe-fixes"
        parts.append(f"After `{flags}`:")
        parts += [_block(name, text) for name, text in example.fixed_texts.items()]
    return "\n\n".join(parts)


def _verdicts(example: Example) -> Iterator[str]:
    for test, severity in example.severities.items():
        message = example.messages[test]
        yield f"- `{test}`: {severity}" + (f": {_inline(message)}" if message else "")


def _files(files: Mapping[str, str], shown: dict[str, str]) -> Iterator[str]:
    known = [f"`{name}`" for name, text in files.items() if shown.get(name) == text]
    fresh = {name: text for name, text in files.items() if shown.get(name) != text}
    shown.update(fresh)
    if known:
        yield f"Beside {' and '.join(known)} as above:"
    for name, text in fresh.items():
        yield f"`{name}`\n\n{_block(name, text)}" if len(fresh) > 1 else _block(name, text)


def _block(name: str, text: str) -> str:
    code = text.strip("\n")
    fence = "````" if "```" in code else "```"
    language = "python" if name.endswith((".py", ".pyi")) else ""
    return f"{fence}{language}\n{code}\n{fence}"


def _inline(text: str) -> str:
    """Text as inline code, whatever backticks it holds."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _fixed_data(example: Example) -> dict[str, object] | None:
    if example.fixed is None:
        return None
    return {"applicability": example.fixed.applicability, "files": example.fixed_texts}


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, (list, tuple)) else value
