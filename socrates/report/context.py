"""What a report may ask for beside the result: plain data, so that no report imports a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TypeVar

from socrates.classes.lazy import dataclass
from socrates.failures import attempt
from socrates.findings import Finding, PluginError

_T = TypeVar("_T")


def no_source(filename: str) -> str | None:
    """A reader for callers that have no sources at hand."""
    return None


def known_fix(finding: Finding) -> Mapping[str, object] | None:
    """The fix that a finding carries already, as plain data."""
    fix = finding.data.get("fix")
    return fix if isinstance(fix, Mapping) else None


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What reports say about a rule: its name, one line, the way out and its whole docstring.

    ``page`` makes the rule's page in Markdown; ``url`` is the address of it, on the web or a file.
    """

    code: str
    name: str
    summary: str = ""
    advice: str = ""
    description: str = ""
    severities: tuple[str, ...] = ("info", "warning")
    url: str = ""
    page: Callable[[], str] | None = None

    @property
    def web_url(self) -> str:
        """The address, if others than the one who made the report can follow it."""
        return self.url if self.url.startswith(("https://", "http://")) else ""


@dataclass(frozen=True, slots=True)
class ReportContext:
    """The surroundings of one report.

    ``read_source`` gives the text of a file by the name that findings carry, or None when it
    cannot be read; reports then leave the code frame out. ``rules`` maps codes to their metadata
    and may lack codes that findings have. ``width`` is the number of columns a line may take.
    ``fix_of`` gives the fix of a finding as plain data, asked for in the order of the findings.
    ``errors`` gathers what failed while the report was made, which costs a frame or a fix, and
    never a finding.
    ``prefix`` is the project's folder within its repository, for the formats that code hosts
    read: they know only paths from the repository's root.
    """

    root: Path
    read_source: Callable[[str], str | None] = no_source
    rules: Mapping[str, RuleInfo] = field(default_factory=dict)
    color: bool = False
    width: int = 100
    version: str = ""
    show_source: bool = True
    show_summary: bool = True
    prefix: str = ""
    fix_of: Callable[[Finding], Mapping[str, object] | None] = known_fix
    errors: list[PluginError] = field(default_factory=list)

    def source(self, filename: str) -> str | None:
        """What ``read_source`` gives, and None if it fails."""
        return self.attempt(lambda: self.read_source(filename), None, f"reading {filename}")

    def fix(self, finding: Finding) -> Mapping[str, object] | None:
        """What ``fix_of`` gives, and None if it fails."""
        return self.attempt(lambda: self.fix_of(finding), None, f"fixing {finding.filename}")

    def attempt(self, work: Callable[[], _T], otherwise: _T, doing: str) -> _T:
        """The result of some work on one file; a defect of ours is noted, and the rest goes on."""
        return attempt(work, otherwise, doing, self.errors)

    def url_of(self, finding: Finding) -> str:
        """The address of the page of a finding's rule; empty when there is none."""
        rule = self.rules.get(finding.code)
        return rule.url if rule is not None else ""

    def repository_path(self, filename: str) -> str:
        """``filename`` as the code host knows it."""
        return f"{self.prefix.strip('/')}/{filename}" if self.prefix.strip("/") else filename
