"""The settings of ``[tool.socrates.amplify]``: their names, their types, and how flags override them."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from socrates.errors import SocratesError
from socrates.rule import Option
from socrates.spelling import did_you_mean
from socrates_amplify.model.kinds import DEFAULT_KINDS
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.settings import circumstances

GATES = ("off", "warning", "info")
EXECUTORS = ("fork", "subprocess", "ray")
FORMATS = ("text", "json", "junit", "sarif")

DEFAULT_BUDGET = 100

_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")


@dataclass(frozen=True, slots=True)
class AmplifySettings:
    """Everything that a run of the amplifier can be told. None stands for *as the rest decides*.

    ``gate`` None is the linter's ``fail-on``; ``executor`` None is fork where it can serve;
    ``prioritiser`` and ``pruner`` None leave the choice to the explorer; see ``limit`` for
    ``budget``. ``max_faults`` and ``reduction`` are for the exhaustive explorer.
    """

    gate: str | None = None
    faults: tuple[str, ...] = DEFAULT_KINDS
    explorer: str = "socratic"
    pruner: str | None = None
    prioritiser: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    critical: tuple[str, ...] = ()
    budget: int | None = None
    time_budget: float | None = None
    max_defects: int | None = None
    max_faults: int | None = None
    reduction: bool = True
    repeat: int = 1
    recovery: float = 5.0
    coverage: bool = False
    executor: str | None = None
    address: str = ""
    pip: str = ""
    ship_limit: str = "100MB"
    allow_flaky: bool = False
    seed: int = 0
    jobs: int = 1
    speculation: bool = True
    probes: Mapping[str, Mapping[str, object]] = field(default_factory=lambda: MappingProxyType({}))
    """The tables of single probes, such as ``[tool.socrates.amplify.pykka]``."""

    @property
    def rounds(self) -> Rounds:
        """How often a test is run in one execution."""
        return Rounds(self.repeat, self.recovery)

    @property
    def limit(self) -> int | None:
        """Executions a test at most; None for as many as it takes, the exhaustive search's default."""
        if self.budget is None and self.explorer == "exhaustive":
            return None
        return self.budget or DEFAULT_BUDGET

    def overridden(self, honest_timeouts: object = None, **flags: object) -> AmplifySettings:
        """These settings with every flag that was given (is not None) in place."""
        if honest_timeouts:
            http = {**self.probes.get("http", {}), "honest-timeouts": True}
            flags["probes"] = MappingProxyType({**self.probes, "http": http})
        given = {name: value for name, value in flags.items() if value is not None}
        return dataclasses.replace(self, **given)  # type: ignore[arg-type]


def parse_duration(text: str, where: str) -> float:
    """Seconds of ``90``, ``45s``, ``10m`` or ``1h30m``."""
    match = _DURATION.fullmatch(text.strip())
    if not match or not any(match.groups()):
        raise SocratesError(f"{where}: {text!r} is no duration; write it like 90s, 10m or 1h30m")
    hours, minutes, seconds = (float(part or 0) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if total <= 0:
        raise SocratesError(f"{where}: {text!r} leaves no time; write it like 90s, 10m or 1h30m")
    return total


AUTO = 0
"""So many jobs as there are processors to run them, which the executor knows."""


def parse_jobs(text: str, where: str) -> int:
    """A number of executions at once; ``auto`` is ``AUTO``."""
    if text.strip() == "auto":
        return AUTO
    if not text.strip().isdecimal() or int(text) < 1:
        raise SocratesError(f"{where}: {text!r} must be a whole number from 1 up, or auto")
    return int(text)


def usable_cores() -> int:
    """How many cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable is not None else os.cpu_count() or 1


def _jobs(value: object, where: str) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise SocratesError(f"{where} must be a whole number from 1 up, or auto, not {value!r}")
    return parse_jobs(str(value), where)


def _text(value: object, where: str) -> object:
    if not isinstance(value, str):
        raise SocratesError(f"{where} must be a text, not {value!r}")
    return value


def _texts(value: object, where: str) -> object:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SocratesError(f"{where} must be a list of texts, not {value!r}")
    return tuple(value)


def _flag(value: object, where: str) -> object:
    if not isinstance(value, bool):
        raise SocratesError(f"{where} must be true or false, not {value!r}")
    return value


def _whole(minimum: int) -> Callable[[object, str], object]:
    def read(value: object, where: str) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
            raise SocratesError(f"{where} must be a whole number from {minimum} up, not {value!r}")
        return value

    return read


def _duration(value: object, where: str) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise SocratesError(f"{where} must be a duration like 90s or 10m, not {value!r}")
    return parse_duration(str(value), where)


def _one_of(valid: tuple[str, ...]) -> Callable[[object, str], object]:
    def read(value: object, where: str) -> object:
        if value not in valid:
            hint = did_you_mean(value, valid) if isinstance(value, str) else ""
            raise SocratesError(f"{where} must be one of {', '.join(valid)}, not {value!r}{hint}")
        return value

    return read


_UNSET = frozenset({"gate", "pruner", "prioritiser", "time-budget", "executor"})
"""Keys for which an empty text means: as if it were not there."""

_UNSET_NUMBERS = MappingProxyType({"max-defects": 0, "max-faults": 0, "budget": DEFAULT_BUDGET})
"""The same for numbers."""

_KEYS: Mapping[str, Callable[[object, str], object]] = MappingProxyType(
    {
        "gate": _one_of(GATES),
        "faults": _texts,
        "explorer": _text,
        "pruner": _text,
        "prioritiser": _text,
        "include": _texts,
        "exclude": _texts,
        "critical": _texts,
        "budget": _whole(1),
        "time-budget": _duration,
        "max-defects": _whole(1),
        "max-faults": _whole(1),
        "reduction": _flag,
        "repeat": _whole(1),
        "recovery": _duration,
        "coverage": _flag,
        "executor": _one_of(EXECUTORS),
        "address": _text,
        "pip": _text,
        "ship-limit": _text,
        "allow-flaky": _flag,
        "seed": _whole(0),
        "jobs": _jobs,
        "speculation": _flag,
    }
)

OPTIONS = (
    Option("gate", "str", "", "off, warning or info; empty for the check's fail-on"),
    Option("faults", "list", DEFAULT_KINDS, "the kinds of faults to try"),
    Option("explorer", "str", "socratic", "how to search: socratic, dd, naive, exhaustive, static"),
    Option("pruner", "str", "", "what to leave out: none, patterns, causality"),
    Option("prioritiser", "str", "", "what to try first, such as fan-in-desc"),
    Option("include", "list", (), "only faults like these, such as kind=restart,to=Stock*"),
    Option("exclude", "list", (), "no faults like these"),
    Option("critical", "list", (), "services without which failing is right, such as auth"),
    Option("budget", "int", DEFAULT_BUDGET, "executions a test; no limit for exhaustive"),
    Option("time-budget", "str", "", "for a whole run, such as 10m; empty for no limit"),
    Option("max-defects", "int", 0, "defects a test to look for; 0 for all"),
    Option("max-faults", "int", 0, "faults a scenario of an exhaustive search; 0 for any number"),
    Option("reduction", "bool", True, "leave out what an exhaustive search can infer"),
    Option("repeat", "int", 1, "runs under the same faults in one execution, before it recovers"),
    Option("recovery", "str", "5s", "within which it must pass again, after several runs"),
    Option("coverage", "bool", False, "tell what runs under faults covered beyond the suite"),
    Option("executor", "str", "", "fork, subprocess or ray; empty for fork where it can serve"),
    Option("address", "str", "", "of a Ray cluster, HOST:PORT; empty for one on this machine"),
    Option("pip", "str", "", "a file of requirements to install on the nodes of a Ray cluster"),
    Option("ship-limit", "str", "100MB", "how much of the project may be sent to a Ray cluster"),
    Option("allow-flaky", "bool", False, "try tests too that differ from run to run"),
    Option("seed", "int", 0, "for what is shuffled"),
    Option("jobs", "str", "1", "executions at once; auto for one a core, here or in the cluster"),
    Option("speculation", "bool", True, "use jobs that no test needs to execute ahead of a search"),
)


def read_table(
    table: Mapping[str, object], where: str = "tool.socrates.amplify"
) -> AmplifySettings:
    """The settings that ``table`` makes; a sub-table belongs to the probe of its name.

    What ``OPTIONS`` lists as a default means just that. An unknown key or a wrong type is one line
    that names it and the nearest valid spelling.
    """
    values: dict[str, object] = {}
    probes: dict[str, Mapping[str, object]] = {}
    for key, value in table.items():
        if (key in _UNSET and value == "") or (
            key in _UNSET_NUMBERS and value == _UNSET_NUMBERS[key]
        ):
            continue
        if key in _KEYS:
            values[key.replace("-", "_")] = _KEYS[key](value, key)
        elif isinstance(value, Mapping):
            if key == circumstances.TABLE:
                circumstances.read_table(value)
            probes[key] = MappingProxyType(dict(value))
        else:
            raise SocratesError(f"{key}: unknown key{did_you_mean(key, _KEYS)}")
    return dataclasses.replace(
        AmplifySettings(),
        probes=MappingProxyType(probes),
        **values,  # type: ignore[arg-type]
    )
