"""What a finding says beside its message: the other places that it is about, and its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates import registry
from socrates.session import Session, check
from socrates.settings import Settings

REGISTRY = registry.installed()
SHOWN = {
    "SOC101 an assert after raises": (
        ["test_example.py:7 without an explanation"],
        {"assertions": 2, "unexplained": 1, "opaque": 0},
    ),
    "SOC101 two assertTrue": (
        ["test_example.py:6 without an explanation", "test_example.py:7 without an explanation"],
        {"assertions": 2, "unexplained": 2, "opaque": 2},
    ),
    "SOC102 method called by a helper": (
        ["test_example.py:4 put()", "test_example.py:10 last()"],
        {"unit": "Shelf", "methods": ["put", "last"], "checked": ["last"]},
    ),
    "SOC103 three clones": (
        [
            "test_texts.py:6 tests the same method",
            "test_texts.py:9 tests the same method",
        ],
        {
            "unit": "texts",
            "methods": ["shorten"],
            "others": 2,
            "tests": [f"test_texts.py::test_{name}" for name in ("2", "3")],
            "clones": [f"test_texts.py::test_{name}" for name in ("2", "3")],
        },
    ),
    "SOC104 half of setUp is unused": (
        ["test_example.py:6 self.cookies set in TestRecipe.setUp"],
        {"provided": 2, "unused": ["self.cookies"], "types": ["global"]},
    ),
    "SOC104 a mixin from another module provides more than is read": (
        ["tests/kitchen.py:5 self.table set in KitchenMixin.setUp"],
        {"provided": 2, "unused": ["self.table"], "types": ["context"]},
    ),
    "SOC104 a fixture that only builds a value and is never read": (
        ["test_example.py:4 oven is never read"],
        {"provided": 2, "unused": ["oven"], "types": ["pytest"]},
    ),
    "SOC104 a decorator of the tests": (
        ["test_example.py:7 table passed by in_kitchen"],
        {"provided": 2, "unused": ["table"], "types": ["loan"]},
    ),
    "SOC104 a record with more fields than the test reads": (
        [
            "test_example.py:19 kitchen.table is handed out here",
            "test_example.py:19 kitchen.chair is handed out here",
        ],
        {"provided": 3, "unused": ["kitchen.table", "kitchen.chair"], "types": ["with-fixture"]},
    ),
    "SOC105 an environment variable is set by hand": (
        [
            "test_example.py:4 touches an environment variable",
            "test_example.py:6 touches an environment variable",
        ],
        {"touches": 2, "fixed": 2, "kinds": ["environment"]},
    ),
    "SOC105 a constant that can't be followed": (
        ["test_example.py:4 touches a file or folder"],
        {"touches": 1, "fixed": 0, "kinds": ["file"]},
    ),
    "SOC106 whole text of an object": ([], {"comparisons": 1, "method": "str"}),
}


@pytest.mark.parametrize(
    ("name", "related", "data"), [(k, *v) for k, v in SHOWN.items()], ids=SHOWN
)
def test_first_finding_of_an_example(
    name: str, related: list[str], data: dict[str, object], tmp_path: Path
) -> None:
    code, _, title = name.partition(" ")
    [example] = [e for e in REGISTRY.find(code).examples if e.name == title]
    for filename, text in example.texts.items():
        path = tmp_path / filename
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    session = Session(Settings(tmp_path, select=(code,), jobs=1), REGISTRY, (".",), tmp_path)
    finding = check(session, use_cache=False).findings[0]
    places = [f"{place.filename}:{place.span.row} {place.message}" for place in finding.related]
    numbers = {key: value for key, value in finding.data.items() if key != "act"}
    assert (places, numbers) == (related, data)
