"""What plugins may hand over, and what happens when they hand over something else."""

from __future__ import annotations

import sys
import types
from importlib.metadata import EntryPoint

import pytest

from socrates.findings import PluginError
from socrates.plugins import Command, Found, Plugins, SettingsTable, hookimpl, load
from socrates.rule import Rule


class Fine(Rule):
    """A rule."""

    code = "ACME1"
    name = "fine"
    summary = advice = "x"

    def check(self, file):
        return ()


def command(name: str) -> Command:
    return Command(name, "help", lambda parser: None, lambda args: 0)


@pytest.fixture
def plugins() -> Plugins:
    return load(entry_points=())


def register(plugins: Plugins, name: str, **hooks) -> None:
    plugin = types.ModuleType(name)
    for hook, function in hooks.items():
        function.__name__ = hook
        setattr(plugin, hook, hookimpl(function))
    plugins.manager.register(plugin, name=name)


def test_rules_carry_the_name_of_their_plugin(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_rules=lambda: [Fine])
    assert [(entry.plugin, entry.rule) for entry in plugins.rules()] == [("acme", Fine)]


@pytest.mark.parametrize("given", [42, "Fine", int, Fine()])
def test_what_is_no_rule_is_named_with_its_place(plugins: Plugins, given: object) -> None:
    register(plugins, "acme", socrates_rules=lambda: [given, Fine])
    assert [entry.rule for entry in plugins.rules()] == [Fine]
    assert plugins.errors[0].location.partition(".py:")[0].endswith("test_plugins")


def test_what_came_before_the_error_is_kept(plugins: Plugins) -> None:
    def hook():
        yield Fine
        raise RuntimeError("half way")

    register(plugins, "acme", socrates_rules=hook)
    assert ([entry.rule for entry in plugins.rules()], plugins.errors[0].message) == (
        [Fine],
        "RuntimeError: half way",
    )


def test_error_is_told_once_however_often_it_is_met(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_rules=lambda: 1 / 0)
    plugins.rules()
    plugins.rules()
    assert len(plugins.errors) == 1


def test_hook_that_gives_nothing_is_fine(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_rules=lambda: None)
    assert (plugins.rules(), plugins.errors) == ([], [])


def test_hook_that_ends_the_process_is_named(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_rules=lambda: sys.exit(3))
    assert (plugins.rules(), plugins.errors[0].message) == ([], "SystemExit: 3")


def test_module_that_ends_the_process_is_named(tmp_path, monkeypatch) -> None:
    (tmp_path / "ends_the_process.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    [error] = load([EntryPoint("acme", "ends_the_process", "socrates")]).errors
    assert error.location == f"{tmp_path / 'ends_the_process.py'}:2"


def test_hook_that_gives_no_list_is_named_with_its_place(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_rules=lambda: 42)
    assert plugins.rules() == []
    [error] = plugins.errors
    assert error.message == "socrates_rules gave 42, which is no list"
    assert error.location.partition(".py:")[0].endswith("test_plugins")


def test_hook_that_wants_arguments_is_named_with_its_place(plugins: Plugins) -> None:
    register(plugins, "acme", socrates_probes=lambda wanted: [wanted])
    assert plugins.collect("socrates_probes", lambda item: item, "a probe") == []
    assert plugins.errors[0].location.partition(".py:")[0].endswith("test_plugins")


def test_hook_that_no_plugin_implements_gives_nothing(plugins: Plugins) -> None:
    assert plugins.collect("socrates_probes", lambda item: item, "a probe") == []


def test_name_of_our_own_is_taken(plugins: Plugins) -> None:
    found = [Found("acme", "dd", "acme.py:3"), Found("acme", "mine", "acme.py:3")]
    assert [one.item for one in plugins.unique(found, str, "explorer", ["dd"])] == ["mine"]
    assert plugins.errors == [
        PluginError("acme", "the explorer 'dd' is already taken by Socrates itself", "acme.py:3")
    ]


def test_second_command_of_one_name_is_an_error(plugins: Plugins) -> None:
    register(plugins, "first", socrates_commands=lambda: [command("x")])
    register(plugins, "second", socrates_commands=lambda: [command("x"), command("y")])
    assert [item.name for item in plugins.commands()] == ["x", "y"]
    assert [(error.plugin, error.message) for error in plugins.errors] == [
        ("second", "the command 'x' is already taken by plugin 'first'")
    ]


def test_tables_are_collected(plugins: Plugins) -> None:
    table = SettingsTable("acme", "Acme's own.")
    register(plugins, "acme", socrates_settings=lambda: [table])
    assert plugins.tables() == [table]


def test_module_that_does_not_exist_is_named_by_its_entry_point() -> None:
    plugins = load([EntryPoint("acme", "no_such_module_here", "socrates")])
    [error] = plugins.errors
    assert (error.plugin, error.location) == ("acme", "no_such_module_here")


def test_entry_point_met_twice_is_loaded_once() -> None:
    entry = EntryPoint("rules", "socrates_rules", "socrates")
    plugins = load([entry, EntryPoint("again", "socrates_rules", "socrates")])
    assert (len(plugins.manager.list_name_plugin()), plugins.errors) == (1, [])
