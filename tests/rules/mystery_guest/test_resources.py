"""Tables of calls that touch resources, and what a patch replaces."""

from __future__ import annotations

import pytest

from socrates_rules.mystery_guest.resources import access, replaced


@pytest.mark.parametrize(
    ("dotted", "kind"),
    [
        ("builtins.open", "file"),
        ("os.path.exists", "file"),
        ("shutil.copytree", "file"),
        ("sqlite3.connect", "database"),
        ("urllib.request.urlopen", "network"),
        ("subprocess.run", "process"),
        ("os.getenv", "environment"),
    ],
)
def test_call_touches_a_resource(dotted: str, kind: str) -> None:
    found = access(dotted)
    assert found is not None, "the table has no such call"
    assert found.kind == kind


@pytest.mark.parametrize(
    "dotted",
    ["os.path.join", "os.path.dirname", "os.sep", "requests.Response", "socket.socketpair"],
)
def test_pure_call_touches_nothing(dotted: str) -> None:
    assert access(dotted) is None


def test_glob_of_the_user_adds_a_call() -> None:
    found = access("ledger.dial", ["ledger.*"])
    assert found is not None, "the table has no such call"
    assert found.kind == "resource"


@pytest.mark.parametrize(
    ("target", "replaces"),
    [
        ("pkg.mod.requests.get", "network"),
        ("os.environ", "environment"),
        ("pkg.subprocess.run", "process"),
        ("builtins.open", "call:open"),
        ("os.path.exists", "call:exists"),
    ],
)
def test_patch_replaces_what_its_target_names(target: str, replaces: str) -> None:
    assert replaces in replaced(target)


def test_patch_of_something_else_replaces_nothing() -> None:
    assert replaced("pkg.mod.Basket.total") == frozenset()
