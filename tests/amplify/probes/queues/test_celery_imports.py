"""What a fork would import for Celery is imported before, and nothing that the tests don't need."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

import pytest

from socrates_amplify.probes.queues import celery_imports

SIGNS = ("celery.app.base", "celery.contrib.pytest", "celery.worker.worker")


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that are imported from now on; no sign of Celery is there."""
    names: list[str] = []
    monkeypatch.setattr(importlib, "import_module", names.append)
    for sign in SIGNS:
        monkeypatch.delitem(sys.modules, sign, raising=False)
    return names


def test_nothing_without_celery(imported: list[str]) -> None:
    celery_imports.import_early()
    assert imported == []


@pytest.mark.parametrize(
    ("sign", "first"),
    [
        ("celery.app.base", "celery.app.amqp"),
        ("celery.contrib.pytest", "celery.app.control"),
        ("celery.worker.worker", "celery.app.control"),
    ],
)
def test_what_is_loaded_says_what_comes(
    sign: str, first: str, imported: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, sign, ModuleType(sign))
    celery_imports.import_early()
    assert imported[0] == first


def test_all_of_it_can_be_imported() -> None:
    names = {name for later in celery_imports._LATER.values() for name in later}
    assert [name for name in sorted(names) if importlib.util.find_spec(name) is None] == []


def test_what_can_not_be_imported_is_left_out(
    imported: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str) -> None:
        imported.append(name)
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", refuse)
    monkeypatch.setitem(sys.modules, "celery.app.base", ModuleType("celery.app.base"))
    celery_imports.import_early()
    assert len(imported) == len(celery_imports._WITH_A_MESSAGE)
