"""Every key of ``[tool.socrates]`` as data: validation, ``socrates config`` and the docs read it."""

from __future__ import annotations

from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.report import FORMATS
from socrates.settings import CACHE_DIR
from socrates.syntax import AUTO, PARSERS

SettingType = Literal[
    "bool", "count", "text", "address", "choice", "texts", "rules", "rules-by-pattern"
]


@dataclass(frozen=True, slots=True)
class Setting:
    """One key: what values it takes, what it is without one, and what it does.

    ``type`` is ``count`` for a whole number from 1, ``choice`` for one of ``choices``, ``rules``
    for a list of rule selectors, ``rules-by-pattern`` for a table from globs to such lists.
    """

    key: str
    type: SettingType
    default: object
    help: str
    choices: tuple[str, ...] = ()

    @property
    def type_text(self) -> str:
        """The type in words that a user reads in a message or in the documentation."""
        if self.type == "choice":
            return "one of " + ", ".join(f'"{choice}"' for choice in self.choices)
        return TYPE_TEXTS[self.type]

    @property
    def field(self) -> str:
        """The attribute of Settings that holds the value."""
        return self.key.replace("-", "_")


TYPE_TEXTS: dict[str, str] = {
    "bool": "true or false",
    "count": "a whole number from 1",
    "text": "text",
    "address": "an address that starts with https:// or http://",
    "texts": "a list of texts",
    "rules": "a list of rules",
    "rules-by-pattern": "a table of lists of rules",
    "int": "a whole number from 0",
    "str": "text",
    "list": "a list of texts",
}

SEVERITIES = ("info", "warning", "error")

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "select",
        "rules",
        ("ALL",),
        "Rules to check: codes (`SOC101`), names (`eager-test`), prefixes (`SOC1`) or `ALL`.",
    ),
    Setting("extend-select", "rules", (), "Rules to check in addition to `select`."),
    Setting(
        "ignore",
        "rules",
        (),
        "Rules to leave out. Against `select`, the more specific one wins; equals are left out.",
    ),
    Setting(
        "per-file-ignores",
        "rules-by-pattern",
        {},
        "Rules to leave out in files that match a glob, relative to the project.",
    ),
    Setting("strict", "bool", False, "Raise every `info` to `warning`."),
    Setting(
        "fail-on",
        "choice",
        "warning",
        "The lowest severity that makes the command exit with 1.",
        SEVERITIES,
    ),
    Setting("min-severity", "choice", "info", "The lowest severity that is shown.", SEVERITIES),
    Setting("output-format", "choice", "full", "How findings are printed.", FORMATS),
    Setting(
        "exclude",
        "texts",
        (),
        "Globs of files and folders to skip, relative to the project.",
    ),
    Setting("extend-exclude", "texts", (), "Globs to skip in addition to `exclude`."),
    Setting("respect-gitignore", "bool", True, "Skip what git ignores."),
    Setting(
        "baseline",
        "text",
        None,
        "A file of findings to leave out, written by `socrates baseline`; relative to the project.",
    ),
    Setting("cache-dir", "text", CACHE_DIR, "Where results are kept; relative to the project."),
    Setting(
        "jobs", "count", None, "How many processes to use; as many as there are cores if unset."
    ),
    Setting(
        "parser",
        "choice",
        AUTO,
        "Which parser goes first: Python's own (`auto`, faster) or libcst; each is asked for what "
        "the other refuses. Findings are the same. `python` asks the running Python's alone, which "
        "knows no newer grammar.",
        PARSERS,
    ),
    Setting(
        "docs-url",
        "address",
        None,
        "Where the pages of rules are on the web, for links in reports and editors: `{name}` and "
        "`{code}` in it stand for the rule, else its name comes at the end. Without it, links lead "
        "to the pages that ship with Socrates.",
    ),
)

RULES_TABLE = "rules"
BY_KEY = {setting.key: setting for setting in SETTINGS}
