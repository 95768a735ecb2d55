"""How many stories a test tells: acts that continue one another are one."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.eager_test.independence import own_acts, stories

OpenModule = Callable[..., FileContext]

PRODUCTION = """\
    class Box:
        def __init__(self):
            self.items = []
            self.part = Part()
        def add(self, item):
            self.items.append(item)
        def drop(self):
            self.items.pop()
        def label(self, text=""):
            return "box" + text
        def weigh(self, text=""):
            return 3

    class Part:
        pass
    """


def told(open_module: OpenModule, body: str, before: str = "") -> tuple[int, int]:
    """How many acts a test of Box has of its own, and how many stories they tell."""
    text = (
        f"from production import Box\n{before}\n"
        f"class TestBox:\n    def test_it(self):\n{indent(body, '        ')}\n"
    )
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    test = file.tests[0]
    unit = file.unit(test)
    assert unit is not None
    calls = file.production_calls(test)
    return len(own_acts(calls)), stories(calls, unit, file)


TWO = "one = Box()\ntwo = Box()\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("box = Box()\nbox.add(1)\nassert box.items", (1, 1), id="one act"),
        pytest.param("box = Box()\nbox.add(1)", (1, 0), id="nothing is checked"),
        pytest.param(
            "box = Box()\nbox.add(1)\nassert box.items\nbox.drop()\nassert not box.items",
            (2, 1),
            id="one object that changes",
        ),
        pytest.param(
            f"{TWO}one.add(1)\nassert one.items\ntwo.drop()\nassert not two.items",
            (2, 2),
            id="two objects",
        ),
        pytest.param(
            f"{TWO}one.add(1)\nassert one.items\ntwo.add(1)\nassert two.items",
            (2, 1),
            id="two objects, one method",
        ),
        pytest.param(
            "box = Box()\nassert box.label()\nassert box.weigh()", (2, 2), id="nothing changes"
        ),
        pytest.param(
            "box = Box()\nx = box.label()\nassert x\ny = box.weigh(x)\nassert y",
            (2, 1),
            id="one result goes into the next",
        ),
        pytest.param(
            "box = Box()\nx: str = box.label()\nassert x\nassert box.weigh(x)",
            (2, 1),
            id="annotated result",
        ),
        pytest.param(
            "box = Box()\nassert (x := box.label())\nassert box.weigh(x)", (2, 1), id="walrus"
        ),
        pytest.param(
            "box = Box()\nx, y = box.label(), 1\nassert x\nassert box.weigh(y)",
            (2, 1),
            id="one of several names",
        ),
        pytest.param(
            "box = Box()\nx = box.label()\nassert x\nassert box.weigh('x')",
            (2, 2),
            id="result that is not used",
        ),
        pytest.param(
            "box = Box()\nbox.add(1)\nassert box.items\nbox = Box()\nbox.drop()\nassert box",
            (2, 2),
            id="another object of the same name",
        ),
        pytest.param(
            "Box().add(1)\nassert 1\nBox().drop()\nassert 2", (2, 2), id="objects without a name"
        ),
        pytest.param(
            f"{TWO}one.add(1)\nassert 1\ntwo.drop()\nassert 2\n"
            "x = one.label()\nassert x\nassert two.weigh(x)",
            (4, 1),
            id="a result joins two stories",
        ),
    ],
)
def test_stories(body: str, expected: tuple[int, int], open_module: OpenModule) -> None:
    assert told(open_module, body) == expected


def test_acts_of_helpers_have_no_story(open_module: OpenModule) -> None:
    helper = "def fill(box):\n    box.add(1)\n"
    body = "box = Box()\nfill(box)\nassert 1\nassert box.weigh()"
    assert told(open_module, body, helper) == (1, 1)
