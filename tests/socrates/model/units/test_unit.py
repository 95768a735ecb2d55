"""The unit under test, by name and then by use."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.units.unit_names import CLASS_PATTERNS, class_names, unit_stem

OpenModule = Callable[..., FileContext]

QUEUE = "class Queue:\n    def put(self): ...\n\nclass Job:\n    def fill(self): ...\n"
TEST = "def test_it():\n    pass\n"


def unit_name(file: FileContext) -> str | None:
    """What the unit of the first test is called."""
    unit = file.unit(file.tests[0])
    return unit.name if unit else None


@pytest.mark.parametrize(
    ("stem", "unit"),
    [("test_foo", "foo"), ("foo_test", "foo"), ("test_foo_bar", "foo_bar"), ("foo", "")],
)
def test_stem(stem: str, unit: str) -> None:
    assert unit_stem(stem) == unit


@pytest.mark.parametrize(
    "name",
    [
        "TestFoo",
        "Test_Foo",
        "test_Foo",
        "FooTest",
        "FooTests",
        "FooTestCase",
        "FooSpec",
        "FooSuite",
    ],
)
def test_class_name(name: str) -> None:
    assert "Foo" in class_names(name, CLASS_PATTERNS)


@pytest.mark.parametrize(
    ("test_file", "modules", "expected"),
    [
        pytest.param("test_queue.py", ["pkg/queue.py"], "pkg.queue", id="same name"),
        pytest.param("tests/test_queue.py", ["pkg/_queue.py"], "pkg._queue", id="underscore"),
        pytest.param("queue_test.py", ["queue.py"], "queue", id="name before test"),
        pytest.param(
            "tests/net/test_queue.py",
            ["pkg/disk/queue.py", "pkg/net/queue.py"],
            "pkg.net.queue",
            id="folders mirror packages",
        ),
        pytest.param(
            "tests/test_net/test_queue.py",
            ["pkg/disk/queue.py", "pkg/net/queue.py"],
            "pkg.net.queue",
            id="folders with test in their names",
        ),
        pytest.param(
            "tests/test_queue.py", ["pkg/queue.py", "pkg/sub/queue.py"], "pkg.queue", id="highest"
        ),
        pytest.param(
            "tests/test_queue.py", ["pkg/queue.py", "pkg/_queue.py"], "pkg.queue", id="exact name"
        ),
        pytest.param("tests/test_queue.py", ["a/queue.py", "b/queue.py"], None, id="ambiguous"),
        pytest.param("tests/test_other.py", ["pkg/queue.py"], None, id="no such module"),
        pytest.param("tests/test_queue.py", ["tests/queue.py"], None, id="module of the tests"),
        pytest.param("tests/test_queue.py", ["src/pkg/queue.py"], "pkg.queue", id="src layout"),
    ],
)
def test_module_by_file_name(
    open_module: OpenModule, test_file: str, modules: list[str], expected: str | None
) -> None:
    files = dict.fromkeys(modules, QUEUE) | {test_file: TEST}
    assert unit_name(open_module(files, test_file)) == expected


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        pytest.param("import pkg", "pkg", id="package"),
        pytest.param("import pkg.queue", "pkg", id="module of the package"),
        pytest.param("import os", None, id="no package of the project"),
    ],
)
def test_package_of_a_test_of_init(
    imports: str, expected: str | None, open_module: OpenModule
) -> None:
    files = {"pkg/__init__.py": QUEUE, "pkg/queue.py": QUEUE}
    files["tests/test___init__.py"] = f"{imports}\n{TEST}"
    assert unit_name(open_module(files, "tests/test___init__.py")) == expected


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        pytest.param("from pkg.__main__ import Queue", "pkg.__main__", id="imported"),
        pytest.param("import os", None, id="not imported"),
    ],
)
def test_main_module(imports: str, expected: str | None, open_module: OpenModule) -> None:
    files = {"pkg/__init__.py": "", "pkg/__main__.py": QUEUE}
    files["tests/test_main.py"] = f"{imports}\n{TEST}"
    assert unit_name(open_module(files, "tests/test_main.py")) == expected


def test_import_decides_between_modules_of_one_name(open_module: OpenModule) -> None:
    files = {"a/queue.py": QUEUE, "b/queue.py": QUEUE}
    files["tests/test_queue.py"] = f"from b.queue import Queue\n{TEST}"
    assert unit_name(open_module(files, "tests/test_queue.py")) == "b.queue"


def test_flattened_path_of_an_imported_module(open_module: OpenModule) -> None:
    files = {"pkg/net/queue.py": QUEUE, "pkg/queue.py": QUEUE}
    files["tests/test_net_queue.py"] = f"from pkg.net.queue import Queue\n{TEST}"
    assert unit_name(open_module(files, "tests/test_net_queue.py")) == "pkg.net.queue"


def test_flattened_path_that_is_not_imported_names_nothing(open_module: OpenModule) -> None:
    files = {"pkg/net/queue.py": QUEUE, "tests/test_net_queue.py": TEST}
    assert unit_name(open_module(files, "tests/test_net_queue.py")) is None


def test_module_of_a_package_may_be_called_test(open_module: OpenModule) -> None:
    files = {"pkg/__init__.py": "", "pkg/test.py": QUEUE, "tests/test_test.py": TEST}
    assert unit_name(open_module(files, "tests/test_test.py")) == "pkg.test"


def test_class_of_a_module_that_is_imported_whole(open_module: OpenModule) -> None:
    text = "import jobs\nclass TestQueue:\n    def test_it(self): ...\n"
    file = open_module({"jobs.py": QUEUE, "test_x.py": text}, "test_x.py")
    assert unit_name(file) == "Queue"


def test_class_of_the_module_under_test(open_module: OpenModule) -> None:
    files = {"queue_.py": QUEUE, "test_queue_.py": "class TestQueue:\n    def test_it(self): ..."}
    assert unit_name(open_module(files, "test_queue_.py")) == "Queue"


def test_class_decides_between_modules_of_one_name(open_module: OpenModule) -> None:
    files = {
        "pkg/a/queue.py": "class Other: ...\n",
        "pkg/b/queue.py": QUEUE,
        "tests/test_queue.py": "class TestQueue:\n    def test_it(self): ...\n",
    }
    assert unit_name(open_module(files, "tests/test_queue.py")) == "Queue"


def test_class_through_a_re_export(open_module: OpenModule) -> None:
    files = {
        "pkg/__init__.py": "from pkg.impl import Queue",
        "pkg/impl.py": QUEUE,
        "test_x.py": "from pkg import Queue\nclass QueueTests:\n    __test__ = True\n"
        "class TestQueue:\n    def test_it(self): ...",
    }
    file = open_module(files, "test_x.py")
    unit = file.unit(file.tests[0])
    assert unit is not None
    assert (unit.name, unit.module.name) == ("Queue", "pkg.impl")


def test_inner_class_has_the_unit_of_the_outer_one(open_module: OpenModule) -> None:
    text = (
        "from jobs import Queue\n"
        "class TestQueue:\n"
        "    class TestEmpty:\n"
        "        def test_it(self): ...\n"
    )
    file = open_module({"jobs.py": QUEUE, "test_x.py": text}, "test_x.py")
    assert unit_name(file) == "Queue"


USES = {
    "built in the test": "def test_it():\n    queue = Queue()\n    queue.put()\n",
    "from a fixture": (
        "import pytest\n@pytest.fixture\ndef queue():\n    return Queue()\n"
        "def test_it(queue):\n    queue.put()\n"
    ),
    "from setUp": (
        "import unittest\nclass Tests(unittest.TestCase):\n"
        "    def setUp(self):\n        self.queue = Queue()\n"
        "    def test_it(self):\n        self.queue.put()\n"
    ),
    "from a helper": "def make():\n    return Queue()\ndef test_it():\n    make().put()\n",
    "with a class that is filled and handed over": (
        "def test_it():\n    job = Job()\n    job.fill()\n    queue = Queue()\n"
        "    queue.put(job)\n    assert queue\n"
    ),
    "of a subclass in the tests": (
        "class Mine(Queue): ...\ndef test_it():\n    mine = Mine()\n    mine.put()\n"
    ),
    "with what a handler makes for others": (
        "def test_it():\n    queue = Queue()\n    @queue.put(1)\n    def handle():\n"
        "        return Job()\n    assert queue\n"
    ),
    "with objects that are expected in what it gives": (
        "def test_it():\n    queue = Queue()\n    jobs = [queue.put()]\n    assert jobs == [Job()]\n"
    ),
    "with an object that only marks functions": (
        "mark = Job()\ndef test_it():\n    class Mine:\n        @mark\n        def run(self): ...\n"
        "    Queue().put(Mine())\n"
    ),
    "with a class that is only an argument": (
        "def test_it():\n    job = Job()\n    queue = Queue()\n    queue.put(job)\n"
    ),
}


@pytest.mark.parametrize("text", USES.values(), ids=USES.keys())
def test_class_by_use(open_module: OpenModule, text: str) -> None:
    files = {"jobs.py": QUEUE, "test_x.py": f"from jobs import Job, Queue\n{text}"}
    assert unit_name(open_module(files, "test_x.py")) == "Queue"


UNKNOWN = {
    "used by half of the tests": (
        "def test_one():\n    Queue().put()\ndef test_two():\n    assert True\n"
    ),
    "two classes": "def test_it():\n    assert Queue().put() is Job().name\n",
    "defined in the tests": (
        "class Mine: ...\ndef test_it():\n    mine = Mine()\n    mine.put()\n"
    ),
    "never built": "def test_it():\n    assert Queue.put\n",
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_unknown_unit(open_module: OpenModule, text: str) -> None:
    files = {"jobs.py": QUEUE, "test_x.py": f"from jobs import Job, Queue\n{text}"}
    assert unit_name(open_module(files, "test_x.py")) is None


def test_test_runner_is_no_unit(open_module: OpenModule) -> None:
    files = {
        "pkg/testing.py": "class Runner:\n    def run(self): ...\n",
        "test_x.py": "from pkg.testing import Runner\ndef test_it():\n    Runner().run()\n",
    }
    assert unit_name(open_module(files, "test_x.py")) is None


def test_pattern_of_the_project(open_module: OpenModule) -> None:
    text = "from jobs import Queue\nclass TestTheQueue:\n    def test_it(self): ...\n"
    file = open_module({"jobs.py": QUEUE, "test_x.py": text}, "test_x.py")
    unit = file.unit(file.tests[0], ["TestThe{}"])
    assert unit is not None
    assert unit.name == "Queue"


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        pytest.param("from pkg._queue import *\n", "Queue", id="all of a module inside"),
        pytest.param("from other.queue import *\n", "pkg", id="all of a module elsewhere"),
        pytest.param("from pkg._queue import Queue\n", "Queue", id="a class of a module inside"),
        pytest.param("from other.queue import Queue\n", "pkg", id="a class of another package"),
    ],
)
def test_package_publishes_what_is_inside(
    open_module: OpenModule, init: str, expected: str
) -> None:
    files = {"pkg/__init__.py": init, "pkg/_queue.py": QUEUE, "other/queue.py": QUEUE}
    files["tests/test_pkg.py"] = "from pkg import Queue\n\ndef test_it():\n    Queue().put()\n"
    assert unit_name(open_module(files, "tests/test_pkg.py")) == expected


@pytest.mark.parametrize("stem", ["test___init__", "test_init"])
@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        pytest.param("import pkg", "pkg", id="a package"),
        pytest.param("import pkg.queue", "pkg", id="a module of it"),
        pytest.param("import lonely", None, id="a module that is no package"),
        pytest.param("import tests.tools", None, id="a package of the tests"),
    ],
)
def test_file_named_after_the_init_of_a_package(
    open_module: OpenModule, stem: str, imported: str, expected: str | None
) -> None:
    files = {"pkg/__init__.py": "", "pkg/queue.py": QUEUE, "lonely.py": QUEUE}
    files |= {"tests/__init__.py": "", "tests/tools/__init__.py": QUEUE}
    files[f"tests/{stem}.py"] = f"{imported}\n\n{TEST}"
    assert unit_name(open_module(files, f"tests/{stem}.py")) == expected


@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        pytest.param("from pkg.__main__ import Queue", "pkg.__main__", id="imported"),
        pytest.param("import pkg", None, id="not imported"),
    ],
)
def test_main_is_the_main_of_a_package(
    open_module: OpenModule, imported: str, expected: str | None
) -> None:
    files = {"pkg/__init__.py": "", "pkg/__main__.py": QUEUE}
    files["tests/test_main.py"] = f"{imported}\n\n{TEST}"
    assert unit_name(open_module(files, "tests/test_main.py")) == expected


@pytest.mark.parametrize("imported", ["from top.pkg import work", "import top.pkg.work as work"])
@pytest.mark.parametrize("outer", [{}, {"top/__init__.py": ""}], ids=["namespace", "package"])
def test_unit_below_a_folder_without_init(
    outer: dict[str, str], imported: str, open_module: OpenModule
) -> None:
    test = f"{imported}\n\ndef test_it():\n    assert work.Queue().put() is None\n"
    files = {**outer, "top/pkg/__init__.py": "", "top/pkg/work.py": QUEUE}
    file = open_module({**files, "tests/test_things.py": test}, "tests/test_things.py")
    assert unit_name(file) == "Queue"
