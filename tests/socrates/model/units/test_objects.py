"""The objects that a test has, and which of them serve which others."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates.model.units.objects import LinkFinder, ObjectFinder

OpenModule = Callable[..., FileContext]

SHOP = """\
class Job:
    def fill(self): ...

class Part: ...

class Queue:
    part: Part
    def __init__(self):
        self.owned = Part()
    @classmethod
    def of(cls) -> "Queue": ...
    def take(self) -> Job: ...
    def both(self) -> tuple[Job, Part]: ...

class Sub(Queue): ...

def factory() -> Queue: ...
"""
MODULE = """\
import contextlib
import shop
from shop import Job, Part, Queue, Sub, factory

SHARED = Queue()
NUMBER = 1

def make():
    return Queue()
@contextlib.contextmanager
def opened(job):
    yield Queue()
def pair():
    return Job(), Part()
def deep():
    make()
    return 1
def around():
    around()
    Job()
class Tests:
    def setup_method(self):
        self.queue = Queue()
    def test_it(self):
{body}
    async def test_more(self):
        pass
"""


def opened(open_module: OpenModule, body: str) -> FileContext:
    text = MODULE.format(body=indent(body, " " * 8))
    return open_module({"shop.py": SHOP, "test_x.py": text}, "test_x.py")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("Queue()", "Queue", id="built"),
        pytest.param("shop.Queue()", "Queue", id="built through the module"),
        pytest.param("Queue", "", id="only named"),
        pytest.param("factory()", "Queue", id="made by a function"),
        pytest.param("Queue.of()", "Queue", id="made by the class"),
        pytest.param("Queue().take()", "Queue", id="returned by a method"),
        pytest.param("make()", "Queue", id="made by a helper"),
        pytest.param("deep()", "Queue", id="made inside a helper"),
        pytest.param("around()", "Job", id="helper that calls itself"),
        pytest.param("SHARED", "Queue", id="of the module"),
        pytest.param("NUMBER", "", id="no object"),
        pytest.param("unknown", "", id="unknown"),
        pytest.param("self.queue", "Queue", id="of the set-up"),
        pytest.param("self.queue = 1", "", id="set"),
        pytest.param("Queue().owned", "Part Queue", id="attribute of an object"),
        pytest.param("a, b = pair()\na, b", "Job Part", id="out of what a helper made"),
        pytest.param("a, b = Queue().both()\na, b", "Queue", id="out of what a method returned"),
        pytest.param("(assertEqual(1, Job()), Queue())", "Job Queue", id="in an assertion"),
        pytest.param("def assertIt(): return Queue()\nassertIt()", "Queue", id="inner"),
        pytest.param("self.assertRaises(Queue)\nJob()", "Job", id="after an assertion"),
        pytest.param(
            "@self.on\ndef handle():\n    return Job()\nQueue()", "Queue", id="handler for others"
        ),
        pytest.param("def handle():\n    return Job()", "Job", id="function inside"),
    ],
)
def test_test_has_objects_of(open_module: OpenModule, body: str, expected: str) -> None:
    file = opened(open_module, body)
    built = ObjectFinder(file.inference).of(file.tests[0]).built
    assert " ".join(sorted(cls.name for cls in built.values())) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("Queue(Job())", "Job>Queue", id="handed to a constructor"),
        pytest.param("Queue(job=Job())", "Job>Queue", id="handed by keyword"),
        pytest.param("Queue([Job(), {1: Part()}])", "Job>Queue Part>Queue", id="in a collection"),
        pytest.param("Queue(*(Job(),))", "Job>Queue", id="spread"),
        pytest.param(
            "Queue().take(Part())", "Job>Queue Part>Job Part>Queue", id="handed to a method"
        ),
        pytest.param("Queue(Job().name)", "Job>Queue", id="part of it handed over"),
        pytest.param("factory(Job())", "Job>Queue", id="handed to a factory"),
        pytest.param("make(Job())", "", id="handed to a helper"),
        pytest.param("print(Job())", "", id="handed to a builtin"),
        pytest.param("Queue().owned", "Part>Queue", id="attribute"),
        pytest.param("queue = Queue()\nqueue.x = Job()", "Job>Queue", id="put on it"),
        pytest.param("queue = Queue()\nother.x = Job()", "", id="put on another"),
        pytest.param("Queue() == 1", "", id="compared with no object"),
        pytest.param("queue = Queue()\nqueue.x == Job()", "Job>Queue", id="expected of it"),
        pytest.param("queue = Queue()\nJob() == queue.x", "Job>Queue", id="expected first"),
        pytest.param(
            "queue = Queue()\nself.assertEqual(queue.x, Job())", "Job>Queue", id="asserted"
        ),
        pytest.param("queue = Queue()\nself.same(queue.x, Job())", "", id="no assertion"),
        pytest.param(
            "queue = Queue()\njobs = [queue.x()]\njobs == [Job()]", "Job>Queue", id="by a name"
        ),
        pytest.param("Queue()[Job()]", "Job>Queue", id="looked up in it"),
        pytest.param("queue = Queue()\nqueue[1] = Job()", "Job>Queue", id="put in it"),
        pytest.param("queue = Queue()\nqueue[1] = [Job()]", "Job>Queue", id="put in it in a list"),
        pytest.param("Job() in Queue()", "Job>Queue", id="looked for in it"),
        pytest.param("queue = Queue()\nqueue += Job()", "Job>Queue", id="added to it"),
        pytest.param("class Mine(Queue):\n    job = Job()", "Job>Queue", id="kept in a class"),
        pytest.param("Queue().Part()", "", id="unknown attribute"),
        pytest.param("with opened(Job()) as queue:\n    queue", "Job>Queue", id="entered"),
        pytest.param("Queue(Queue())", "", id="of one class"),
        pytest.param("Queue(Sub())", "", id="of a subclass"),
        pytest.param("Sub(Job())", "Job>Queue Job>Sub", id="with bases"),
    ],
)
def test_objects_serve_others(open_module: OpenModule, body: str, expected: str) -> None:
    file = opened(open_module, body)
    objects = ObjectFinder(file.inference).of(file.tests[0])
    shop = file.inference.resolver.project.module("shop", file.module.path)
    assert shop is not None
    names = {id(cls.node): cls.name for cls in shop.classes.values()}
    links = LinkFinder(file.inference).of(objects.bodies[:1])
    known = (f"{names[a]}>{names[b]}" for a, b in links if b in names)
    assert " ".join(sorted(known)) == expected
