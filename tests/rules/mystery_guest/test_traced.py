"""Values traced to where they come from, with all that is known of them, line by line."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.mystery_guest.origin import Origin
from socrates_rules.mystery_guest.tracing import Origins

OpenModule = Callable[..., FileContext]

HEAD = """
import functools, inspect, io, os, pathlib, py.path, shutil, socket, sys, vendor
from unittest import mock
import pytest, shop

CONSTANT = "data"
COMPUTED = 1 < 2
double = lambda z: z + "/b"

class Holder:
    folder = "held"
    def where(self): return "a"

def below(folder):
    return os.path.join(folder, "below")

def nothing(folder):
    pass

def generated(folder):
    yield folder

def short(folder):
    return shop.where(folder)

def defaulted(name="usual"):
    return name

def fixture_like(name, other="o"):
    return other

"""
SHOP = """
NAME = "shop"
def where(x): return "data"
class Shop:
    def __init__(self, x): self.path = x
"""
TRACED = r"""
value = "data/a.txt"  =>  fixed 'data/a.txt'
value = "/srv/a.txt"  =>  fixed '/srv/a.txt' anchored
value = "C:\\a.txt"  =>  fixed 'C:\\a.txt' anchored
value = "~/a"  =>  fixed '~/a' anchored
value = "http://localhost:80/a"  =>  fixed 'http://localhost:80/a' anchored loopback
value = "http://example.com/a"  =>  fixed 'http://example.com/a' anchored
value = ""  =>  fixed '' loopback
value = None  =>  neutral
value = "sqlite:///:memory:"  =>  managed
value = "memory://x"  =>  managed
value = __file__  =>  fixed test_it.__file__ anchored
value = vendor.__file__  =>  fixed vendor.__file__ anchored
value = unknown().__path__  =>  fixed unknown().__path__ anchored
value = sys.executable  =>  fixed sys.executable anchored is_python
value = sys.argv  =>  fixed sys.argv anchored
value = os.environ  =>  fixed os.environ anchored
value = os.pathsep  =>  neutral
value = len  =>  unknown
value = vendor  =>  unresolved vendor
value = vendor.deep.NAME  =>  unresolved vendor.deep.NAME
value = CONSTANT  =>  fixed 'data'
value = COMPUTED  =>  unresolved test_it.COMPUTED
value = Holder.folder  =>  fixed 'held'
value = Holder.where  =>  unknown
value = os.path.join(os.path.join("a", "b"), "c")  =>  fixed ('a', 'b', 'c')
value = os.path.join("a", vendor.NAME)  =>  unresolved ('a', vendor.NAME)
value = os.path.join("/a", vendor.NAME)  =>  fixed ('/a', vendor.NAME) anchored
value = os.path.join(tmp_path, "a")  =>  managed
value = pathlib.Path("a") / "b" / "c"  =>  fixed ('a', 'b', 'c') is_path
value = pathlib.Path("a", "b") => fixed ('a', 'b') is_path
value = pathlib.PurePath("a", "b") => fixed ('a', 'b') is_path
value = py.path.local("a", "b") => fixed ('a', 'b') is_path
value = pathlib.Path("a").joinpath("b")  =>  fixed ('a', 'b') is_path
value = pathlib.Path("a").resolve()  =>  fixed resolve('a') anchored is_path
value = pathlib.Path("a").parent.name  =>  fixed 'a'.parent.name
value = pathlib.Path()  =>  fixed pathlib.Path() is_path
value = pathlib.Path.cwd()  =>  fixed pathlib.Path.cwd() is_path
value = pathlib.Path.home()  =>  fixed pathlib.Path.home() anchored is_path
value = os.getcwd()  =>  fixed os.getcwd()
value = os.path.abspath("a")  =>  fixed 'a' anchored
value = os.path.expanduser("~")  =>  fixed expanduser('~') anchored
value = os.fspath(pathlib.Path("a"))  =>  fixed 'a'
value = str(pathlib.Path("a"))  =>  fixed 'a'
value = pathlib.Path("a").read_text()  =>  fixed read_text('a')
value = shutil.which("git")  =>  fixed which('git')
value = shutil.copy("a", "b")  =>  unresolved shutil.copy
value = inspect.getsourcefile(vendor)  =>  fixed inspect.getsourcefile(vendor) anchored
value = inspect.getfile(vendor)  =>  fixed inspect.getfile(vendor) anchored
value = inspect.getsource("a")  =>  fixed getsource('a')
value = round(1.5)  =>  neutral
value = abs(-1)  =>  neutral
value = print("a")  =>  unknown
value = open("a")  =>  fixed open('a')
value = getattr(vendor, "a")  =>  unresolved getattr(vendor, 'a')
value = vendor.make("a")  =>  unresolved vendor.make
value = vendor.make(unknown)  =>  unknown
value = vendor.make(tmp_path)  =>  managed
value = vendor.make_tempdir("a")  =>  managed
value = io.StringIO("a")  =>  managed
value = mock.Mock(path="a")  =>  managed
value = socket.socket()  =>  managed
value = ",".join(["a", "b"])  =>  fixed join(('a', 'b'))
value = ",".join(vendor.NAMES)  =>  unresolved join(vendor.NAMES)
value = "a".upper()  =>  fixed upper('a')
value = "a".replace("b", tmp_path)  =>  managed
value = unknown("a")  =>  unknown
value = unknown(tmp_path)  =>  managed
value = unknown.path  =>  unknown
value = below("a")  =>  fixed ('a', 'below')
value = below(tmp_path)  =>  managed
value = nothing("a")  =>  unknown
value = nothing(tmp_path)  =>  managed
value = generated("a")  =>  fixed 'a'
value = short("a")  =>  unknown
value = defaulted()  =>  fixed 'usual'
value = defaulted("other")  =>  fixed 'other'
value = shop.where("a")  =>  unknown
value = shop.where(tmp_path)  =>  managed
value = shop.Shop("a")  =>  unknown
value = shop.Shop(tmp_path)  =>  managed
value = shop.Shop("a").path  =>  unknown
value = Holder("a")  =>  unknown
value = Holder(tmp_path).path  =>  managed
value = fixture_like("a")  =>  fixed 'o'
value = tmp_path.mkdir()  =>  managed
value = make_thing("a")  =>  managed
x = "a"; x = x + "b"; value = x  =>  unknown
x = x + "a"; value = x  =>  unknown
x = "a"; x += "b"; value = x  =>  fixed 'a'
for x, y in [("a", 1), ("b", tmp_path)]: value = x  =>  fixed 'a'
for y, x in [("a", 1), ("b", tmp_path)]: value = x  =>  managed
for x in vendor.ALL: value = x  =>  unresolved vendor.ALL
x, y = "a", tmp_path; value = x  =>  fixed 'a'
x, y = vendor.pair("a"); value = x  =>  unresolved vendor.pair
with open("a") as x: value = x  =>  fixed open('a')
import elsewhere; value = elsewhere.NAME  =>  unresolved elsewhere.NAME
from vendor import NAME; value = NAME  =>  unresolved vendor.NAME
from shop import NAME; value = NAME  =>  fixed 'shop'
value = (lambda z: z)("a")  =>  fixed 'a'
value = double("a")  =>  fixed ('a', '/b')
value = f"{'a'}/{1}"  =>  fixed ('a', '/')
value = f"/{vendor.NAME}"  =>  fixed ('/', vendor.NAME) anchored
value = {"a": 1}  =>  neutral
value = {1: "a", 2: tmp_path}  =>  managed
value = "a" if x else vendor.NAME  =>  fixed 'a'
value = vendor.NAME or unknown  =>  unresolved vendor.NAME
value = await_me  =>  unknown
value = [*["a"], "b"]  =>  fixed ('a', 'b')
value = ("a" for _ in x)  =>  fixed 'a'
value = -1  =>  unknown
value = lambda: 1  =>  unknown
"""
ON_SELF = r"""
self.text => fixed 'a'
self.inherited => fixed 'b'
self.made => managed
self.odd => managed
self.property => fixed 'p'
self.method => unknown
self.of_class => fixed 'c'
self.from_class => fixed 'c'
self.of_test => unknown
self.nowhere => unknown
cls.text => fixed 'a'
other.text => unknown
self.helper("x") => fixed 'x'
self.missing("x") => unknown
self.missing(tmp_path) => managed
"""
CLASS = """
class Base:
    def setUp(self):
        self.inherited = "b"

class TestIt(Base):
    of_class = "c"
    from_class = of_class

    def setUp(self):
        super().setUp()
        self.text = "a"
        self.made = tempfile.mkdtemp()
        self.odd = vendor.NAME

    @property
    def property(self):
        return "p"

    def method(self): ...

    def helper(self, x):
        return x

    def test_it(self, tmp_path):
        {body}

    def test_other(self):
        self.of_test = "t"
"""


def rows(table: str) -> list[tuple[str, str]]:
    """Each line: code, and what is known of the value that it assigns."""
    split = [line.partition(" => ") for line in table.strip().splitlines()]
    return [(code.strip(), told.strip()) for code, _, told in split]


def words(origin: Origin) -> str:
    flags = ("anchored", "is_path", "is_python", "loopback")
    told = [origin.known.value, origin.text, *(flag for flag in flags if getattr(origin, flag))]
    return " ".join(filter(None, told))


def traced(file: FileContext) -> str:
    """What is known of the value that the first test assigns."""
    test = file.tests[0]
    assigned = [
        node.value
        for node in ast.walk(test.node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "value"
    ]
    return words(Origins(test, file.inference).of(assigned[-1], test.scope))


@pytest.mark.parametrize(("code", "told"), rows(TRACED))
def test_value_of_a_function(code: str, told: str, open_module: OpenModule) -> None:
    text = f"{HEAD}\ndef test_it(tmp_path, make_thing):\n    {code}\n"
    assert traced(open_module({"shop.py": SHOP, "test_it.py": text})) == told


@pytest.mark.parametrize(("code", "told"), rows(ON_SELF))
def test_value_of_a_method(code: str, told: str, open_module: OpenModule) -> None:
    body = CLASS.format(body=f"value = {code}")
    assert traced(open_module(f"import tempfile, vendor\n{body}")) == told


@pytest.mark.parametrize(
    ("code", "told"),
    [("self.nowhere", "managed"), ("self.missing('x')", "managed"), ("self.method()", "unknown")],
)
def test_what_no_class_of_the_project_has_comes_from_the_framework(
    code: str, told: str, open_module: OpenModule
) -> None:
    body = CLASS.replace("class Base:", "class Base(vendor.TestCase):")
    text = f"import tempfile, vendor\n{body.format(body=f'value = {code}')}"
    assert traced(open_module(text)) == told


def test_what_a_test_assigns_itself_comes_first(open_module: OpenModule) -> None:
    body = CLASS.format(body="self.text = 'own'; value = self.text")
    assert traced(open_module(f"import tempfile, vendor\n{body}")) == "fixed 'own'"


@pytest.mark.parametrize(
    ("decorator", "told"),
    [
        pytest.param("parametrize('x', ['a'])", "fixed 'a'", id="literal"),
        pytest.param("parametrize('x', ['a', tmp()])", "fixed 'a'", id="literal and call"),
        pytest.param("parametrize('x', ['a'], indirect=True)", "managed", id="indirect"),
        pytest.param("parametrize('x', ALL)", "unresolved vendor.ALL", id="not here"),
        pytest.param("parametrize('y', ['a'])", "managed", id="a fixture"),
    ],
)
def test_parameter_of_a_test(decorator: str, told: str, open_module: OpenModule) -> None:
    head = "import pytest, vendor\nALL = vendor.ALL\n"
    text = f"{head}@pytest.mark.{decorator}\ndef test_it(x, y=1):\n    value = x\n"
    assert traced(open_module(text)) == told


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("'a'", "managed"),
        ("pathlib.Path('a')", "managed is_path"),
        ("os.path.join('a', 'b')", "managed"),
        ("'ab'", "fixed 'ab'"),
        ("vendor.NAME", "managed"),
    ],
)
def test_what_set_up_creates_is_managed(
    expression: str, told: str, open_module: OpenModule
) -> None:
    file = open_module(f"import os, pathlib, vendor\ndef test_it():\n    value = {expression}\n")
    test = file.tests[0]
    value = getattr(test.node.body[0], "value", None)
    kept = frozenset({"'a'", "vendor.NAME"})
    assert words(Origins(test, file.inference, kept).of(value, test.scope)) == told


MANAGED = """
tempfile.mkdtemp io.StringIO io.BytesIO unittest.mock.Mock mock.Mock pyfakefs.fake.Fake
fakeredis.FakeRedis click.testing.CliRunner typer.testing.CliRunner test.support.run socket.socket
os.pipe os.dup os.open pty.openpty os.memfd_create
"""


@pytest.mark.parametrize("name", MANAGED.split())
def test_what_the_process_makes_itself_is_managed(name: str, open_module: OpenModule) -> None:
    text = f"import {name.rpartition('.')[0]}\ndef test_it():\n    value = {name}('a')\n"
    assert traced(open_module(text)) == "managed"
