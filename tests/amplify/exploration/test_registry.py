"""The registry: everything by name, plugins included, mistakes explained."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from socrates.errors import SocratesError
from socrates_amplify.exploration import registry
from socrates_amplify.model.search import Exploration


class IdleExplorer:
    """Finds nothing."""

    name = "idle"

    def explore(self, problem, options):
        return Exploration()


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


def test_what_is_registered_is_found_by_its_name():
    idle = IdleExplorer()
    registry.register([idle])
    assert registry.explorer("idle") is idle


def test_what_is_registered_is_listed_after_ours():
    registry.register([IdleExplorer()])
    assert registry.names()["explorers"] == (*registry.OWN["explorers"], "idle")


def test_registering_replaces_what_was_registered_before():
    registry.register([IdleExplorer()])
    registry.register()
    assert registry.names() == registry.OWN


def test_a_plugin_that_failed_may_have_the_unknown_name():
    registry.register(hint="; plugin 'acme' failed: KeyError: 'x' (acme.py:3)")
    with pytest.raises(SocratesError, match=r"unknown explorer 'idle'; plugin 'acme' failed"):
        registry.explorer("idle")
