"""The registry: everything by name, plugins included, mistakes explained."""

from __future__ import annotations

from collections.abc import Iterator

import pluggy
import pytest

from socrates.errors import SocratesError
from socrates_amplify.exploration import registry
from socrates_amplify.model.search import Exploration

hookimpl = pluggy.HookimplMarker("socrates")


class IdleExplorer:
    """Finds nothing."""

    name = "idle"

    def explore(self, problem, options):
        return Exploration()


class SecondDD(IdleExplorer):
    """Wants a name that is taken."""

    name = "dd"


class Plugin:
    """Brings one explorer."""

    def __init__(self, explorer):
        self._explorer = explorer

    @hookimpl
    def socrates_explorers(self):
        return [self._explorer]


def manager_with(explorer):
    manager = pluggy.PluginManager("socrates")
    manager.register(Plugin(explorer))
    return manager


@pytest.fixture(autouse=True)
def _forget_plugins() -> Iterator[None]:
    yield
    registry.register()


@pytest.mark.parametrize("name", registry.names()["explorers"])
def test_every_explorer_answers_to_its_name(name):
    assert registry.explorer(name).name == name


@pytest.mark.parametrize("name", registry.names()["pruners"])
def test_every_pruner_answers_to_its_name(name):
    assert registry.pruner(name).name == name


@pytest.mark.parametrize("name", registry.names()["prioritisers"])
def test_every_prioritiser_answers_to_its_name(name):
    assert registry.prioritiser(name).name == name


@pytest.mark.parametrize(
    ("find", "name", "hint"),
    [
        (registry.explorer, "socrtic", "did you mean 'socratic'"),
        (registry.pruner, "causalty", "did you mean 'causality'"),
        (registry.prioritiser, "fan-inn", "did you mean 'fan-in"),
        (registry.explorer, "zzz", "use one of socratic, dd, naive, exhaustive, static"),
    ],
)
def test_an_unknown_name_is_a_user_error_with_a_way_out(find, name, hint):
    with pytest.raises(SocratesError, match=hint):
        find(name)


def test_a_plugin_brings_an_explorer():
    registry.load(manager_with(IdleExplorer()))
    assert isinstance(registry.explorer("idle"), IdleExplorer)


def test_a_plugin_is_listed():
    registry.load(manager_with(IdleExplorer()))
    assert "idle" in registry.names()["explorers"]


def test_loading_twice_is_loading_once():
    manager = manager_with(IdleExplorer())
    registry.load(manager)
    registry.load(manager)
    assert registry.names()["explorers"].count("idle") == 1


def test_a_plugin_cannot_take_a_name():
    with pytest.raises(SocratesError, match="second explorer named 'dd'"):
        registry.load(manager_with(SecondDD()))
