"""Every setting of ``[tool.socrates.amplify]``, declared once: to add one, add a field here.

A field's row has its type, its default and its meaning (``socrates config``, the documentation)
and its flag with the words of ``socrates amplify --help``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from socrates.classes.lazy import dataclass
from socrates_amplify.model.kinds import DEFAULT_KINDS, all_kinds, kind_of
from socrates_amplify.model.rounds import DEFAULT_BUDGET, Rounds
from socrates_amplify.settings.row import Flag, Topic, optional, setting, settings_of
from socrates_amplify.settings.values import (
    BOOL,
    COUNT,
    DURATION,
    JOBS,
    NUMBER,
    PERCENT,
    TEXT,
    TEXTS,
    WORDS,
    choice,
)

Tables = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class AmplifySettings:
    """Everything that a run of the amplifier can be told.

    ``gate`` None is the linter's ``fail-on``; ``executor`` None is fork where it can serve;
    ``pruner`` and ``prioritiser`` None leave the choice to the explorer; see ``limit`` for
    ``budget``; None for the other numbers is no limit.
    """

    gate: str | None = optional(
        choice("off", "warning", "info"),
        "",
        "off, warning or info; empty for the check's fail-on",
        Flag(Topic.WHAT_TO_TRY, "leave out smelly tests (default: fail-on)"),
    )
    faults: tuple[str, ...] = setting(
        WORDS,
        DEFAULT_KINDS,
        "the kinds of faults to try",
        Flag(Topic.WHAT_TO_TRY, "kinds, by comma, like restart,status:503", "KINDS"),
    )
    explorer: str = setting(
        TEXT,
        "socratic",
        "how to search: socratic, dd, naive, exhaustive, schedules, static",
        Flag(Topic.SEARCH, "socratic (default), dd, naive, exhaustive, schedules, static", "NAME"),
    )
    criterion: str = setting(
        choice("pr", "pcr", "pbr"),
        "pr",
        "which pairs of messages have to be seen in both orders: pr, pcr or pbr",
        Flag(Topic.SEARCH, "orders of pairs: all (pr), next to each other, at a change (pr)"),
    )
    orders: str = setting(
        choice("promised", "all"),
        "promised",
        "promised keeps what call_soon of asyncio promises, all does not",
        Flag(Topic.SEARCH, "promised (default), or all: tasks of asyncio, too"),
    )
    pruner: str | None = optional(
        TEXT,
        "",
        "what to leave out: none, patterns, causality",
        Flag(Topic.SEARCH, "none, patterns, causality", "NAME"),
    )
    prioritiser: str | None = optional(
        TEXT,
        "",
        "what to try first, such as fan-in-desc",
        Flag(Topic.SEARCH, "such as fan-in-desc, shuffle", "NAME"),
    )
    include: tuple[str, ...] = setting(
        TEXTS,
        (),
        "only faults like these, such as kind=restart,to=Stock*",
        Flag(Topic.WHAT_TO_TRY, "only these, like kind=restart,to=A*", "PATTERN"),
    )
    exclude: tuple[str, ...] = setting(
        TEXTS,
        (),
        "no faults like these",
        Flag(Topic.WHAT_TO_TRY, "none of these", "PATTERN"),
    )
    critical: tuple[str, ...] = setting(
        TEXTS, (), "services without which failing is right, such as auth"
    )
    budget: int | None = optional(
        COUNT,
        DEFAULT_BUDGET,
        "executions per test; no limit for exhaustive",
        Flag(Topic.SEARCH, "executions per test (100)", "N"),
    )
    time_budget: float | None = optional(
        DURATION,
        "",
        "for a whole run, such as 10m; empty for no limit",
        Flag(Topic.SEARCH, "for the whole run, like 90s or 10m", "TIME"),
    )
    max_defects: int | None = optional(
        COUNT,
        0,
        "defects per test to look for; 0 for all",
        Flag(Topic.SEARCH, "per test (default: all)", "N"),
    )
    max_faults: int | None = optional(
        COUNT,
        0,
        "faults per scenario of an exhaustive search; 0 for any number",
        Flag(Topic.SEARCH, "per scenario, for exhaustive (any number)", "N"),
    )
    reduction: bool = setting(
        BOOL,
        True,
        "leave out what an exhaustive search can infer",
        Flag(Topic.SEARCH, "exhaustive: ask what can be inferred, too"),
    )
    repeat: int = setting(
        COUNT,
        1,
        "runs under the same faults in one execution, before it recovers",
        Flag(Topic.SEARCH, "runs under faults before it must recover (1)", "N"),
    )
    recovery: float = setting(
        DURATION,
        "5s",
        "within which it must pass again, after several runs",
        Flag(Topic.SEARCH, "that it may take to do so (5s)", "TIME"),
    )
    coverage: bool = setting(
        BOOL,
        False,
        "tell what runs under faults covered beyond the suite",
        Flag(Topic.RESULTS, "of runs under faults, by file"),
    )
    fail_on: str | None = optional(
        choice("info", "warning", "error"),
        "",
        "fail from defects of this severity on; empty for the check's fail-on",
        Flag(Topic.RESULTS, "exit with 1 from this severity on (warning)"),
    )
    min_severity: str = setting(
        choice("info", "warning", "error"),
        "info",
        "the lowest severity of defects that is shown",
        Flag(Topic.RESULTS, "show defects from this severity on (info)"),
    )
    strict: bool = setting(
        BOOL,
        False,
        "every defect is a warning, honest errors and fallbacks too",
        Flag(Topic.RESULTS, "every defect is a warning"),
    )
    fail_under: float = setting(
        PERCENT,
        0,
        "fail when fault coverage is below so many percent",
        Flag(Topic.RESULTS, "exit with 1 below this fault coverage, in percent (0)", "N"),
    )
    since_ignore: tuple[str, ...] = setting(
        TEXTS,
        ("*.md", "*.rst", "docs/*", "LICENSE*", ".git*", ".pre-commit-config.yaml"),
        "files whose changes concern no test, for --since",
    )
    executor: str | None = optional(
        choice("fork", "subprocess", "ray"),
        "",
        "fork, subprocess or ray; empty for fork where it can serve",
        Flag(Topic.EXECUTOR, "default: fork where it can serve"),
    )
    address: str = setting(
        TEXT,
        "",
        "of a Ray cluster, HOST:PORT; empty for one on this machine",
        Flag(Topic.EXECUTOR, "of a Ray cluster (default: one on this machine)", "HOST:PORT"),
    )
    pip: str = setting(
        TEXT,
        "",
        "a file of requirements to install on the nodes of a Ray cluster",
        Flag(Topic.EXECUTOR, "requirements to install on Ray's nodes", "FILE"),
    )
    ship_limit: str = setting(
        TEXT,
        "100MB",
        "how much of the project may be sent to a Ray cluster",
        Flag(Topic.EXECUTOR, "how much of the project Ray's nodes may get (100MB)", "SIZE"),
    )
    allow_flaky: bool = setting(
        BOOL,
        False,
        "try tests too that differ from run to run",
        Flag(Topic.WHAT_TO_TRY, "try these too"),
    )
    seed: int = setting(
        NUMBER,
        0,
        "for what is shuffled",
        Flag(Topic.SEARCH, "for what is shuffled (0)", "N"),
    )
    jobs: int = setting(
        JOBS,
        "1",
        "executions at once; auto for one per core, here or in the cluster",
        Flag(Topic.JOBS, "executions at once (1)", "N|auto"),
    )
    speculation: bool = setting(
        BOOL,
        True,
        "use jobs that no test needs to execute ahead of a search",
        Flag(Topic.JOBS, "never two executions of one test at once"),
    )
    probes: Tables = field(default_factory=lambda: MappingProxyType({}))
    """The tables of single probes, such as ``[tool.socrates.amplify.pykka]``."""

    @property
    def rounds(self) -> Rounds:
        """How often a test is run in one execution."""
        return Rounds(self.repeat, self.recovery)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of faults to try: a search for orders alone tries no others."""
        if self.explorer == "schedules":
            return tuple(kind.name for kind in all_kinds() if kind.schedules)
        return self.faults

    @property
    def limit(self) -> int | None:
        """Executions per test at most; None for no limit, the exhaustive search's default."""
        if self.budget is None and self.explorer == "exhaustive":
            return None
        return self.budget or DEFAULT_BUDGET

    def overridden(self, **flags: object) -> AmplifySettings:
        """These settings with every flag that was given (is not None) in place.

        ``probes`` are keys of probes' tables; keys that it does not name stay as they are.
        """
        given = {name: value for name, value in flags.items() if value is not None}
        if isinstance(tables := given.get("probes"), Mapping):
            given["probes"] = MappingProxyType({**self.probes, **self._joined(tables)})
        return dataclasses.replace(self, **given)  # type: ignore[arg-type]

    @property
    def tables(self) -> Tables:
        """The tables of probes, with what a probe has to know of the other settings."""
        told: dict[str, dict[str, object]] = {}
        if self.orders != "promised":
            told["orders"] = {"tried": self.orders}
        if any(kind_of(kind.partition(":")[0]).of_steps for kind in self.kinds):
            told["asyncio"] = {"steps": True}
        return {**self.probes, **self._joined(told)} if told else self.probes

    def _joined(self, tables: Tables) -> Tables:
        return {name: {**self.probes.get(name, {}), **table} for name, table in tables.items()}


SETTINGS = settings_of(AmplifySettings)
"""The rows of the fields above, by key."""
