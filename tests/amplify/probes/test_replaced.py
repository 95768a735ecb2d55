"""Which functions and classes of frameworks a test replaces, by ``unittest.mock`` or ``monkeypatch``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType
from unittest import mock
from unittest import mock as package_of_mocks

import celery
import pytest
import requests
import responses

from socrates_amplify.probes.replaced import Replaced
from socrates_amplify.record.whose import Roles

tasks = celery.Celery("shop")


@tasks.task
def send_mail() -> None:
    """A task."""


@pytest.fixture
def replaced() -> Iterator[Replaced]:
    """What is replaced of two packages, from here on."""
    watching = Replaced(Roles("/project", "/project/test_it.py"), ("requests", "celery"))
    undo = watching.watch()
    yield watching
    undo()


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("requests.get", "requests.get"),
        ("requests.Session.request", "requests.Session.request"),
        ("requests.Session", "requests.Session"),
        (f"{__name__}.requests", "requests"),
        (f"{__name__}.send_mail", "send_mail (celery)"),
        (f"{__name__}.send_mail.delay", "celery.Task.delay"),
    ],
)
def test_what_a_patch_replaces_is_named_by_what_was_there(
    target: str, name: str, replaced: Replaced
) -> None:
    with mock.patch(target):
        pass
    assert replaced.names == (name,)


@pytest.mark.parametrize("mocks", [mock, package_of_mocks], ids=["Python's", "package"])
def test_patches_of_the_package_that_mocks_come_from_are_heard(
    mocks: ModuleType, replaced: Replaced
) -> None:
    with mocks.patch("requests.get"):
        pass
    assert replaced.names == ("requests.get",)


def test_monkeypatch_replaces_as_well(replaced: Replaced) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests, "post", print)
        patch.setattr("requests.put", print)
    assert replaced.names == ("requests.post", "requests.put")


def test_what_a_fake_uses_is_the_fakes_business(replaced: Replaced) -> None:
    with mock.patch.object(responses, "HTTPAdapter"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(responses, "RetryError", OSError)
    assert replaced.names == ()


def test_other_packages_are_not_told_of(replaced: Replaced) -> None:
    with mock.patch("json.dumps"), mock.patch.object(json, "loads"):
        pass
    assert replaced.names == ()


def test_fake_of_a_service_replaces_nothing(replaced: Replaced) -> None:
    with responses.RequestsMock():
        pass
    assert replaced.names == ()


def test_what_an_earlier_test_has_put_back_is_not_told_of_the_next_one(replaced: Replaced) -> None:
    with mock.patch("requests.get"):
        pass
    replaced.begin()
    assert replaced.names == ()


def test_what_a_shared_fixture_replaces_is_told_of_every_test(replaced: Replaced) -> None:
    with mock.patch("requests.get"):
        replaced.begin()
        assert replaced.names == ("requests.get",)


def test_patches_do_what_they_did(replaced: Replaced) -> None:
    with mock.patch("requests.get", return_value=3) as get:
        answer = requests.get("http://shop", timeout=1)
    assert (answer, get.call_count, isinstance(requests.get, mock.Mock)) == (3, 1, False)


def test_nothing_is_watched_after_the_undo() -> None:
    entering, setting = mock._patch.__enter__, pytest.MonkeyPatch.setattr  # type: ignore[attr-defined]
    Replaced(Roles("", ""), ()).watch()()
    assert (mock._patch.__enter__, pytest.MonkeyPatch.setattr) == (entering, setting)  # type: ignore[attr-defined]
