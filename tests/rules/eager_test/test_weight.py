"""Which tests of several methods are a warning: those that hold several behaviours of their own."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.eager_test.rule import EagerTest

OpenModule = Callable[..., FileContext]

QUEUE = """\
class Queue:
    def __init__(self):
        self.items = []
    def put(self, item):
        self.items.append(item)
    def take(self):
        return self.items.pop()
    def swap(self):
        self.items.reverse()
    def clear(self):
        self.items.clear()
    def size(self):
        return len(self.items)
    def empty(self):
        return not self.items
    def first(self):
        return self.items[0]
"""
SHAPES = """\
from vendor import make
def star(*size): return make("star", size)
def path(*size): return make("path", size)
def ring(*size): return make("ring", size)
def grid(*size): return make("grid", size)
"""


def weigh(open_module: OpenModule, body: str, name: str = "test_it") -> list[str]:
    head = "import pytest\nimport shapes\nfrom queue_of import Queue\n\n"
    text = f"{head}def {name}():\n{indent(body, '    ')}\n"
    module = "test_shapes.py" if "shapes." in body else "test_queue_of.py"
    files = {"queue_of.py": QUEUE, "shapes.py": SHAPES, module: text}
    return [finding.severity.value for finding in EagerTest().check(open_module(files, module))]


ACTS = "q = Queue()\nq.put(1)\nassert q.items\nq.take()\nassert not q.items\nq.swap()\nassert q.items == []\n"
LOOKS = "assert q.size() == 0\nassert q.empty()\n"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        pytest.param(f"{ACTS}{LOOKS}", "info", id="three acts and two looks"),
        pytest.param(
            f"q = Queue()\n{LOOKS}q.put(1)\n{LOOKS}q.swap()\n{LOOKS}q.clear()\n{LOOKS}",
            "info",
            id="looks before and after",
        ),
        pytest.param(
            f"{ACTS}q.put(2)\nassert q.items\nq.clear()\nassert q == []\nq.put(3)\nassert q\nfirst = q.first()\nassert first == 3",
            "info",
            id="four acts and a look",
        ),
        pytest.param(
            "q = Queue()\nq.items = [1]\n" + LOOKS * 3 + "assert q.first() == 1",
            "warning",
            id="nothing but looks",
        ),
    ],
)
def test_looks_at_what_is_changed(body: str, severity: str, open_module: OpenModule) -> None:
    assert weigh(open_module, body) == [severity]


def test_functions_that_compute_what_is_expected(open_module: OpenModule) -> None:
    body = "".join(
        f"assert shapes.star({n}) == shapes.{other}({n})\n"
        for n, other in enumerate(["path", "ring", "grid", "path", "ring"])
    )
    assert weigh(open_module, body, "test_star") == ["info"]


@pytest.mark.parametrize(("lines", "severity"), [(6, "info"), (7, "warning")])
def test_functions_asked_in_assertions_of_their_own(
    lines: int, severity: str, open_module: OpenModule
) -> None:
    asked = ["star", "path", "ring", "grid"] * 2
    body = "".join(f"assert shapes.{one}(1) == 1\n" for one in asked[:lines])
    assert weigh(open_module, body) == [severity]


@pytest.mark.parametrize(("more", "severity"), [("", "info"), ("assert found\n", "warning")])
def test_results_that_have_a_name(more: str, severity: str, open_module: OpenModule) -> None:
    body = "".join(
        f"found = shapes.{one}(1)\nassert found == 1\nassert found != 2\n{more}"
        for one in ("star", "path", "ring")
    )
    assert weigh(open_module, body) == [severity]


def test_acts_of_several_functions_inside(open_module: OpenModule) -> None:
    inner = "".join(
        f"def do_{act}(q: Queue):\n    q.{act}()\n    assert q.items\n"
        for act in ("take", "swap", "clear")
    )
    assert weigh(open_module, f"{inner}run(do_take, do_swap, do_clear, Queue())") == ["info"]


def test_acts_of_one_function_inside(open_module: OpenModule) -> None:
    acts = "".join(f"q = Queue()\nq.{act}()\nassert q.items\n" for act in ("take", "swap", "clear"))
    assert weigh(open_module, f"async def main():\n{indent(acts, '    ')}run(main())") == [
        "warning"
    ]


def test_one_assertion_around_each_act(open_module: OpenModule) -> None:
    body = "q = Queue()\n" + "".join(
        f"with assert_checkpoints():\n    q.{act}()\n"
        for act in ("take", "swap", "clear", "first", "size")
    )
    assert weigh(open_module, body) == ["info"]
