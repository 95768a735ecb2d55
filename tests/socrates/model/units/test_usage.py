"""The class that most tests use, and the tests that touch a class."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo
from socrates.model.units.usage import Usage

OpenModule = Callable[..., FileContext]

SHOP = """\
class Shape:
    def draw(self): ...
    def _hide(self): ...

class Round(Shape):
    def roll(self): ...

class Square(Shape):
    def tilt(self): ...

class Queue:
    size = 0
    def put(self, job=None): ...

class Job:
    def fill(self): ...

class _Hidden: ...
"""


def usage_of(open_module: OpenModule, text: str) -> tuple[FileContext, Usage]:
    head = "import pytest\nimport unittest\nimport shop\nfrom shop import *\n"
    head += "from shop import Job, Queue, Round, Shape, Square\n"
    file = open_module({"shop.py": SHOP, "test_x.py": head + dedent(text)}, "test_x.py")
    return file, Usage(file.inference, file.fixtures)


def class_named(name: str, file: FileContext) -> ClassInfo:
    found = file.inference.resolver.name(f"shop.{name}", file.module.path).cls
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("Queue()", True, id="builds"),
        pytest.param("Queue.size", True, id="asks the class"),
        pytest.param("shop.Queue.size", True, id="asks the class through its module"),
        pytest.param("print(Queue)", True, id="hands it on"),
        pytest.param("class Mine(Queue): ...\n    Mine.size", True, id="derives a class"),
        pytest.param("Job.fill", False, id="asks another class"),
        pytest.param("shop.Job.fill", False, id="another through its module"),
        pytest.param("other.Queue", False, id="of an unknown object"),
        pytest.param("Job()", False, id="builds another"),
        pytest.param("Queue", True, id="only names it"),
        pytest.param("'Queue'", False, id="as text"),
        pytest.param("pass", False, id="nothing"),
    ],
)
def test_test_touches_a_class(open_module: OpenModule, body: str, expected: bool) -> None:
    file, usage = usage_of(open_module, f"def test_it():\n    {body}\n")
    assert usage.touches(file.tests[0], class_named("Queue", file)) is expected


@pytest.mark.parametrize("body", ["Round()", "Round.draw"])
def test_subclass_touches_its_base(open_module: OpenModule, body: str) -> None:
    file, usage = usage_of(open_module, f"def test_it():\n    {body}\n")
    assert usage.touches(file.tests[0], class_named("Shape", file))


def functions(*bodies: str) -> str:
    """Functions with these bodies."""
    return "".join(f"def test_{n}():\n    {body}\n" for n, body in enumerate(bodies))


INHERITED = """
class Base:
    def test_it(self):
        self.make()

class OneTest(Base, unittest.TestCase):
    make = Queue

class OtherTest(Base, unittest.TestCase):
    make = {}
"""
MOST_USED = {
    "all": (functions("Queue()", "Queue()"), "Queue"),
    "more than half": (functions("Queue()", "Queue()", "pass"), "Queue"),
    "more than half, late": (functions("pass", "Queue()", "Queue()"), "Queue"),
    "half": (functions("Queue()", "pass"), ""),
    "half, late": (functions("pass", "Queue()"), ""),
    "two of five": (functions("Queue()", "Queue()", "pass", "pass", "pass"), ""),
    "three of five": (functions("pass", "pass", *["Queue()"] * 3), "Queue"),
    "no tests": ("", ""),
    "another less": (functions("Queue(); Job()", "Queue()"), "Queue"),
    "not a candidate": (functions("shop._Hidden()", "shop._Hidden()"), ""),
    "subclass before its base": (functions("Round()", "Round()", "Shape()"), "Round"),
    "base of two": (functions("Round().draw()", "Square().draw()"), "Shape"),
    "base of two in each": (functions("Round().draw(); Square().draw()"), "Shape"),
    "base that has private methods too": (functions("Round().draw(); Square()._hide()"), "Shape"),
    "base that lacks what is called": (
        functions("Round().draw(); Square().tilt()"),
        "Round|Square",
    ),
    "base of which nothing is called": (functions("Round(); Square()"), "Round|Square"),
    "base of which others are called": (functions("Round(); Square(); [].draw()"), "Round|Square"),
    "others have a method of it": (functions("Round().draw(); Square(); [].tilt()"), "Shape"),
    "no base in common": (functions("Queue().put(); Job().fill()"), "Queue|Job"),
    "one serves the other": (functions("Queue().put(Job())"), "Queue"),
    "one serves the other in one test of two": (
        functions("Queue().put(Job())", "Queue(); Job()"),
        "Queue|Job",
    ),
    "one serves the other where both are": (
        functions("Queue().put(Job())", "Queue().put(Job())", "Queue()", "pass"),
        "Queue",
    ),
    "base that is used too": (functions("Round().draw(); Square().draw(); Shape()"), "Shape"),
    "method of a part": (functions("Round().draw(); Square().x.tilt()"), "Shape"),
    "each serves the other": (functions("Queue().put(Job()); Job().fill(Queue())"), "Queue|Job"),
    "a key serves": (functions("Queue().put({Job(): 1})"), "Queue"),
    "inherited by a class that has none": (INHERITED.format("print"), "Queue"),
    "inherited by a class with another": (INHERITED.format("Job"), "Queue|Job"),
}


@pytest.mark.parametrize(("text", "expected"), MOST_USED.values(), ids=MOST_USED.keys())
def test_most_used_class(open_module: OpenModule, text: str, expected: str) -> None:
    file, usage = usage_of(open_module, text)
    most = usage.most_used(file.tests, lambda cls: not cls.name.startswith("_"))
    names = [cls.name for cls in (most.cls, *most.rivals) if cls is not None]
    assert "|".join(names) == expected


@pytest.mark.parametrize(
    "method", ["setUp", "asyncSetUp", "setup_method", "setUpClass", "setup_class"]
)
def test_set_up_shows_what_serves(open_module: OpenModule, method: str) -> None:
    text = f"class Test:\n    def {method}(self):\n        self.job = Job()\n"
    text += "        self.queue = Queue()\n        self.queue.put(self.job)\n"
    text += "    def test_it(self):\n        self.queue.size\n        self.job.fill()\n"
    file, usage = usage_of(open_module, text)
    most = usage.most_used(file.tests, lambda _: True)
    assert most.cls is class_named("Queue", file)


def test_fixture_shows_what_serves(open_module: OpenModule) -> None:
    text = "@pytest.fixture\ndef job():\n    return Job()\n"
    text += (
        "@pytest.fixture\ndef queue(job):\n    made = Queue()\n    made.put(job)\n    return made\n"
    )
    text += "def test_it(queue, job):\n    queue.size\n    job.fill()\n"
    file, usage = usage_of(open_module, text)
    most = usage.most_used(file.tests, lambda _: True)
    assert most.cls is class_named("Queue", file)
