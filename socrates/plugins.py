"""How others extend Socrates: every hook, what it hands over, and how plugins are loaded.

A plugin is a module named by an entry point in the group ``socrates``; it implements any of the
hooks in :class:`Hooks`, marked with :data:`hookimpl`::

    from socrates.plugins import hookimpl

    @hookimpl
    def socrates_rules():
        from my_plugin.rule import SleepyTest
        return [SleepyTest]

Import what is heavy inside the hook: every plugin is loaded for ``socrates --help`` too. A plugin
that raises is named with file and line in a :class:`~socrates.findings.PluginError`; the others
go on, and the command exits with 2.
"""

from __future__ import annotations

import argparse
import functools
import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Generic, TypeVar

import pluggy

from socrates.classes.lazy import dataclass
from socrates.findings import PluginError
from socrates.rule import Option, Rule

PROJECT = "socrates"
ENTRY_POINT_GROUP = "socrates"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: ``socrates NAME``. ``run`` returns the exit code: 0, 1 or 2.

    Both functions should import what they need when called, not before. With ``passthrough``,
    what follows ``--`` is not parsed but handed over as the list ``args.passthrough``.
    """

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    passthrough: bool = False


@dataclass(frozen=True, slots=True)
class SettingsTable:
    """A table ``[tool.socrates.NAME]`` that belongs to a plugin.

    ``options`` are its keys, listed by ``socrates config`` and the documentation. Without
    ``validate`` they are checked like our own settings. ``validate`` gets the table as read and
    returns what the plugin wants to find in ``Settings.tables[NAME]``; it raises SocratesError
    with a message that starts with the guilty key.
    """

    name: str
    help: str
    options: tuple[Option, ...] = ()
    validate: Callable[[Mapping[str, object]], Mapping[str, object]] | None = None


class Hooks:
    """What a plugin may implement. Each hook returns an iterable; the results are joined."""

    @hookspec
    def socrates_rules(self) -> Iterable[type[Rule]]:
        """Rules to check with. Their codes start with the plugin's own letters, not ``SOC``."""
        return ()

    @hookspec
    def socrates_commands(self) -> Iterable[Command]:
        """Subcommands of ``socrates``."""
        return ()

    @hookspec
    def socrates_settings(self) -> Iterable[SettingsTable]:
        """Tables below ``[tool.socrates]``."""
        return ()


@dataclass(frozen=True, slots=True)
class Contributed:
    """A rule with the name of the plugin that brought it."""

    plugin: str
    rule: type[Rule]


@dataclass(frozen=True, slots=True)
class Found(Generic[_T]):
    """What a plugin gave for a hook, and ``file:line`` of the plugin's hook."""

    plugin: str
    item: _T
    place: str


@dataclass(slots=True)
class Plugins:
    """The loaded plugins and one typed method per hook.

    A package with hooks of its own asks for them with ``collect`` and ``unique``. ``errors`` grows
    as plugins fail: at loading, or when one of the methods below asks them.
    """

    manager: pluggy.PluginManager
    errors: list[PluginError] = field(default_factory=list)

    def rules(self) -> list[Contributed]:
        """Every contributed rule class."""
        return [
            Contributed(found.plugin, found.item)
            for found in self.collect("socrates_rules", _is_rule, "a subclass of Rule")
        ]

    def commands(self) -> list[Command]:
        """Every contributed subcommand; of two with one name, the first is kept."""
        found = self.collect("socrates_commands", instance_of(Command), "a Command")
        return [one.item for one in self.unique(found, lambda item: item.name, "command")]

    def tables(self) -> list[SettingsTable]:
        """Every contributed settings table; of two with one name, the first is kept."""
        found = self.collect("socrates_settings", instance_of(SettingsTable), "a SettingsTable")
        return [one.item for one in self.unique(found, lambda item: item.name, "settings table")]

    def collect(
        self, hook: str, accepts: Callable[[object], _T | None], wanted: str
    ) -> list[Found[_T]]:
        """What all plugins give for a hook.

        Plugins are asked one by one, so that one that raises takes none of the others with it.
        ``accepts`` returns an item that is as it should be and None for any other; ``wanted`` says
        what it should be.
        """
        found: list[Found[_T]] = []
        caller = getattr(self.manager.hook, hook, None)
        for impl in caller.get_hookimpls() if caller is not None else ():
            place = place_of(impl.function)
            try:
                given = impl.function()
                if given is not None and not isinstance(given, Iterable):
                    message = f"{hook} gave {given!r}, which is no list"
                    self.fail(PluginError(impl.plugin_name, message, place))
                    continue
                for item in given or ():
                    accepted = accepts(item)
                    if accepted is None:
                        message = f"{hook} gave {item!r}, which is not {wanted}"
                        self.fail(PluginError(impl.plugin_name, message, place))
                    else:
                        found.append(Found(impl.plugin_name, accepted, place))
            except (Exception, SystemExit) as error:
                self.fail(failure(impl.plugin_name, impl.function.__module__, error, place))
        return found

    def unique(
        self,
        found: Iterable[Found[_T]],
        name_of: Callable[[_T], str],
        what: str,
        taken: Iterable[str] = (),
    ) -> list[Found[_T]]:
        """The items without those whose name is among ``taken``, or is that of an earlier item."""
        owners = dict.fromkeys(taken, "")
        kept: list[Found[_T]] = []
        for one in found:
            name = name_of(one.item)
            if name in owners:
                owner = f"plugin {owners[name]!r}" if owners[name] else "Socrates itself"
                message = f"the {what} {name!r} is already taken by {owner}"
                self.fail(PluginError(one.plugin, message, one.place))
            else:
                owners[name] = one.plugin
                kept.append(one)
        return kept

    def fail(self, error: PluginError) -> None:
        """Keep what went wrong; the same thing only once."""
        if error not in self.errors:
            self.errors.append(error)


def load(entry_points: Iterable[importlib.metadata.EntryPoint] | None = None) -> Plugins:
    """Load plugins, by default all that are installed, in the order of their names."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Hooks)
    plugins = Plugins(manager)
    if entry_points is None:
        entry_points = importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)
    for entry in sorted(entry_points, key=lambda entry: (entry.name, entry.value)):
        try:
            plugin = entry.load()
            if not manager.is_registered(plugin):
                manager.register(plugin, name=entry.name)
        except (Exception, SystemExit) as error:
            plugins.errors.append(failure(entry.name, entry.value, error))
    return plugins


@functools.cache
def installed() -> Plugins:
    """The installed plugins, loaded once in this process."""
    return load()


def failure(plugin: str, module: str, error: BaseException, place: str = "") -> PluginError:
    """What went wrong in a plugin, at the innermost line of its own package.

    ``module`` is the dotted name that the plugin's code lives under. Where no line of it was
    reached, the location is ``place``, or without one (it can't be imported) the module's name.
    """
    import traceback

    message = f"{type(error).__name__}: {error}".splitlines()[0]
    if isinstance(error, SyntaxError) and error.filename:
        return PluginError(plugin, message, f"{error.filename}:{error.lineno or 1}")
    package = module.partition(":")[0].partition(".")[0]
    frames = [
        (frame.f_globals.get("__name__", ""), f"{frame.f_code.co_filename}:{line}")
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [place for name, place in frames if name.partition(".")[0] == package]
    return PluginError(plugin, message, own[-1] if own else place or module)


def place_of(function: Callable[..., object]) -> str:
    """``file:line`` of a function's definition."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


def _is_rule(item: object) -> type[Rule] | None:
    return item if isinstance(item, type) and issubclass(item, Rule) else None


def instance_of(wanted: type[_T]) -> Callable[[object], _T | None]:
    """For ``Plugins.collect``: accepts the instances of a class."""
    return lambda item: item if isinstance(item, wanted) else None


def iter_errors(*groups: Iterable[PluginError]) -> Iterator[PluginError]:
    """Errors of several sources, each once."""
    yield from dict.fromkeys(error for group in groups for error in group)
