"""Sets the circumstances of one test that are settings, and checks those that are not."""

from __future__ import annotations

import contextlib
import importlib
import locale
import os
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping

from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CIRCUMSTANCE
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.settings.circumstances import ABSENT, TABLE, Circumstance, chosen
from socrates_amplify.settings.circumstances_table import read_table


class CircumstancesProbe(Probe):
    """A probe for no framework: its faults come from the settings, not from traces.

    The executor sets environment variables before the process starts, because many are read when
    a module is imported. The probe only checks that the tests have not changed them.
    """

    name = TABLE
    channel = CIRCUMSTANCE

    def available(self) -> bool:
        """Always: nothing needs to be installed."""
        return True

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Set every setting; raises SocratesError for one that does not exist."""
        declared = read_table(config)
        general = chosen(declared, recorder.scenario)
        undo = contextlib.ExitStack()
        for one in declared:
            fault = general.get(one.name)
            if one.how == "setting":
                value = one.simple if fault is None else one.general
                if value is not ABSENT:
                    undo.callback(_set(one, value))
            problem = _problem(one) if fault is not None else ""
            if fault is not None and not problem:
                recorder.applied_throughout(fault)
            elif fault is not None:
                recorder.not_applied(fault, problem)
        for fault in recorder.scenario:
            if fault.kind == CIRCUMSTANCE and fault not in general.values():
                recorder.not_applied(fault, _undeclared(fault, declared))
        return undo.close

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """None: no trace shows them."""
        return []


def check(declared: Iterable[Circumstance]) -> None:
    """Raise SocratesError for a time zone or a locale that this machine has not.

    A process that is told to use one that is missing uses another, without a word.
    """
    for one in declared:
        for key, value in (("simple", one.simple), ("general", one.general)):
            where = f"[tool.socrates.amplify.{TABLE}] {one.name}.{key}"
            if one.how == "time-zone":
                zones = zoneinfo.available_timezones()
                if zones and value not in zones:
                    hint = did_you_mean(str(value), zones)
                    raise SocratesError(f"{where}: no time zone {value!r} is known here{hint}")
            elif one.how == "locale" and not _has_locale(str(value)):
                raise SocratesError(
                    f"{where}: the locale {value!r} is not installed; locale -a lists those that are"
                )


def _problem(one: Circumstance) -> str:
    """Why a general value is not in place although the process was started with it, or empty."""
    if one.variable and os.environ.get(one.variable) != one.text(one.general):
        return f"the tests change {one.variable} themselves"
    if one.how == "locale" and not _has_locale(str(one.general)):
        return f"the locale {one.general} is not installed here"
    return ""


def _has_locale(name: str) -> bool:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_ALL, before)
    return True


def _undeclared(fault: Fault, declared: Iterable[Circumstance]) -> str:
    name = fault.target.partition(":")[2]
    if any(one.name == name for one in declared):
        return f"{name} is declared with another value now"
    return f"no circumstance {name} is declared any more"


def _set(one: Circumstance, value: object) -> Undo:
    """Give a setting its value, as an attribute or as an item of a mapping; returns the undo."""
    module_name, _, path = one.place.partition(":")
    where = f"[tool.socrates.amplify.{TABLE}] {one.name}"
    try:
        owner: object = importlib.import_module(module_name)
    except Exception as error:
        raise SocratesError(
            f"{where}: {module_name} cannot be imported: {type(error).__name__}: {error}"
        ) from None
    *parents, last = path.split(".")
    try:
        for name in parents:
            owner = _get(owner, name)
        before = _get(owner, last)
    except (AttributeError, KeyError):
        hint = did_you_mean(last, _names(owner))
        raise SocratesError(f"{where}: {one.place} does not exist{hint}") from None
    _put(owner, last, value)
    return _putting_back(owner, last, before)


def _putting_back(owner: object, name: str, value: object) -> Callable[[], None]:
    return lambda: _put(owner, name, value)


def _get(owner: object, name: str) -> object:
    if isinstance(owner, Mapping) and name in owner:
        return owner[name]
    found: object = getattr(owner, name)
    return found


def _put(owner: object, name: str, value: object) -> None:
    if isinstance(owner, MutableMapping) and name in owner:
        owner[name] = value
    else:
        setattr(owner, name, value)


def _names(owner: object) -> Iterator[str]:
    if isinstance(owner, Mapping):
        yield from (key for key in owner if isinstance(key, str))
    with contextlib.suppress(Exception):
        yield from dir(owner)
