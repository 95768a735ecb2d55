"""What is replaced for one run is put back, and which versions of a framework are known."""

from __future__ import annotations

import importlib.metadata

import pytest

from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes.lines import Buffer
from socrates_amplify.probes.versions import SupportedVersions


class Shop:
    name = "shop"


def greet(name: str = "you", *, mark: str = "!") -> str:
    return f"hello {name}{mark}"


def stand_in(name: str = "you", *, mark: str = "!") -> str:
    return f"replaced {name}{mark}"


def test_attribute_is_put_back() -> None:
    patches = Patches()
    patches.set(Shop, "name", "other")
    during = Shop.name
    patches.undo()
    assert (during, Shop.name) == ("other", "shop")


def test_attribute_that_was_not_there_is_gone_again() -> None:
    patches = Patches()
    patches.set(Shop, "extra", 1)
    patches.undo()
    assert not hasattr(Shop, "extra")


def test_last_replaced_is_put_back_first() -> None:
    patches = Patches()
    patches.set(Shop, "name", "one")
    patches.set(Shop, "name", "two")
    patches.undo()
    assert Shop.name == "shop"


def test_only_what_was_replaced_since_a_mark_is_put_back() -> None:
    patches = Patches()
    patches.set(Shop, "name", "one")
    mark = patches.mark()
    patches.set(Shop, "name", "two")
    patches.undo(mark)
    during = Shop.name
    patches.undo()
    assert (mark, during, Shop.name) == (1, "one", "shop")


def test_function_is_replaced_inside() -> None:
    patches = Patches()
    original = patches.inside(greet, stand_in)  # type: ignore[arg-type]
    told = (greet("a"), original("a"), original(), original.__name__)
    patches.undo()
    assert (told, greet("a")) == (("replaced a!", "hello a!", "hello you!", "greet"), "hello a!")


@pytest.mark.parametrize(
    ("version", "unfit"),
    [
        ("4.1.0", ""),
        ("5", ""),
        ("6.0", "frame 6.0 is not known (4.x and 5.x is); its messages are left alone"),
        ("x.1", "frame x.1 is not known (4.x and 5.x is); its messages are left alone"),
    ],
)
def test_versions(version: str, unfit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    assert SupportedVersions("json", "frame", (4, 5)).unfit() == unfit


def test_module_without_a_version() -> None:
    known = SupportedVersions("json", "no-such-distribution", (1,))
    assert known.unfit() == "json has no version; its messages are left alone"


def test_module_that_is_not_there_is_left_alone() -> None:
    known = SupportedVersions("no_such_module_at_all", "x", (1,))
    assert (known.present(), known.unfit()) == (False, "")


def test_module_that_is_there() -> None:
    assert SupportedVersions("json", "x", (1,)).present()


def test_lines_of_json_are_put_together() -> None:
    buffer = Buffer()
    told = [buffer.feed(data) for data in (b'{"a"', b': 1}\n2\n\n"x', b'y"\n')]
    assert told == [[], [{"a": 1}, 2], ["xy"]]
