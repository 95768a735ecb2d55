"""Which fixtures only build a value, and which are run for what they do."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.model.context import FileContext
from socrates_rules.general_fixture.effects import Effects

OpenModule = Callable[..., FileContext]

BUILDS = {
    "return 1": True,
    "made = []\nmade.append(1)\nreturn made": True,
    "made: list = []\nmade.append(1)\nreturn made": True,
    "made = {}\nmade['a'] = 1\nreturn made": True,
    "for item in [[]]:\n    item.append(1)\nreturn 1": False,
    "for item in STATE:\n    item.append(1)\nreturn 1": False,
    "return ','.join(['a']).encode()": True,
    "return datetime.date(2024, 1, 1).replace(day=2)": True,
    "made = Mock()\nmade.call.return_value = 1\nmade.call()\nreturn made": True,
    "return STATE.append(1)": False,
    "return STATE.copy()": True,
    "return list(map(str, [1]))": True,
    "return list(map(change, [1]))": False,
    "return shared().append(1)": False,
    "made = shared()\nmade.append(1)\nreturn made": False,
    "return Plain(1)": True,
    "return Record([1])": True,
    "return Child(1).number": True,
    "return Registered(1)": False,
    "return LOUD": False,
    "return QUIET": True,
    "return Filling([])": False,
    "return Checked(1)": False,
    "return Counted(1)": False,
    "return Unknown(1)": False,
    "return Plain(1) + 1": False,
    "with Plain(1):\n    return 1": False,
    "import json\nreturn json.loads('1')": True,
    "import nowhere\nreturn 1": False,
    "from . import nowhere\nreturn 1": False,
    "class Local(Plain): pass\nreturn Local": True,
    "class Local(Noticing): pass\nreturn Local": False,
    "class Local(Unknown): pass\nreturn Local": False,
    "class Local(metaclass=Meta): pass\nreturn Local": False,
    "class Local(MetaPlain): pass\nreturn Local": False,
    "class Local:\n    STATE.append(1)\nreturn Local": False,
    "raise RuntimeError": False,
    "return nowhere.make()": False,
    "return tmp_path / 'x'": True,
    "path = tmp_path / 'x'\npath.write_text('x')\nreturn path": False,
    "tmp_path.mine = 1\nreturn 1": False,
    "same = tmp_path\nsame.mine = 1\nreturn 1": False,
    "part = tmp_path.parent\npart.mine = 1\nreturn 1": False,
    "part = tmp_path.parts[0]\npart.mine = 1\nreturn 1": False,
    "one, tmp_path.mine = 1, 2\nreturn 1": False,
    "tmp_path.mine += 1\nreturn 1": False,
    "global STATE\nSTATE = 1\nreturn 1": False,
    "STATE.mine = 1\nreturn 1": False,
    "del STATE[0]\nreturn 1": False,
    "os.environ['X'] = '1'\nreturn 1": False,
    "assert tmp_path\nreturn 1": False,
    "return checked()": False,
    "return os.path.join('a', 'b')": True,
    "return os.getcwd()": True,
    "return os.listdir()": False,
    "return subprocess.run(['ls'])": False,
    "return tmp_path.save()": False,
    "return tmp_path.resolve()": True,
    "build()\nreturn 1": True,
    "return build()": True,
    "return change()": False,
    "return deep()": False,
    "return lambda: os.environ.clear()": True,
    "def inner():\n    os.environ['X'] = '1'\nreturn inner": True,
    "@functools.wraps(build)\ndef inner(): pass\nreturn inner": True,
    "@tmp_path.register\ndef inner(): pass\nreturn inner": False,
    "pass": False,
    "yield 1": False,
    "with pytest.deprecated_call():\n    return 1": True,
    "return pytest.importorskip('numpy')": False,
    "with open_it() as made:\n    made.value = 1\nreturn 1": False,
    "with open_it() as tmp_path.made:\n    pass\nreturn 1": False,
    "return [item.append(1) for item in [[]]]": False,
    "made = tmp_path\nmade = []\nmade.append(1)\nreturn made": False,
    "made = [tmp_path]\nmade.append(1)\nreturn made": True,
    "made = tmp_path.joinpath('x')\nmade.value = 1\nreturn made": False,
    "made = 'x' + tmp_path\nmade.value = 1\nreturn made": True,
    "made = STATE\nmade.value = 1\nreturn made": False,
    "made = []\nother = made\nother.append(1)\nreturn made": True,
    "made = []\nmade[0].value, x = 1, 2\nreturn made": True,
    "[made, STATE[0]] = 1, 2\nreturn made": False,
    "return deeper()": False,
    "return bottomless()": False,
    "class Inner: ...\nreturn Inner": True,
    "@tmp_path.register\nclass Inner: ...\nreturn Inner": False,
    "nonlocal STATE\nreturn 1": False,
    "return Twice(1)": False,
    "return wrapped()": False,
    "return Guarded(1)": False,
    "return Listed()": True,
    "return Told()": False,
    "return Meddling(STATE)": False,
    "return Wrapping()": False,
    "return Strict()": True,
    "with STATE:\n    return 1": False,
    "class Local(nowhere.Base): pass\nreturn Local": False,
    "class Local(dict): pass\nreturn Local": True,
    "return list(map(lambda x: STATE.append(x), [1]))": False,
    "return one()": True,
    "return endless()": False,
    "x = [1]\nx += [2]\nreturn x": True,
    "tmp_path += 'x'\nreturn 1": False,
    "x = STATE\nx += [1]\nreturn x": False,
    "return [print(x) for x in [1]]": False,
    "return {x: 1 for x in [1]}": True,
    "return sorted([2, 1], key=str)": True,
    "return sorted([2, 1], key=change)": False,
    "return sorted([2, 1], key=lambda x: -x)": True,
    "return sorted([2, 1], key=lambda x: STATE.append(x))": False,
    "await build()\nreturn 1": False,
}
FIXTURE = """\
import abc
import dataclasses
import datetime
import functools
import os
import subprocess
from unittest.mock import Mock

import nowhere
import pytest

STATE = []

class Meta(type): pass

class MetaPlain(metaclass=Meta): pass

class Plain:
    def __init__(self, number):
        self.number = number
        self.items = [number]
        self.items.append(2)

class Loud:
    def __iter__(self):
        STATE.append(1)
        return iter(())

LOUD = Loud()
QUIET = Plain(1)

class Filling:
    def __init__(self, items):
        items.append(1)

class Child(Plain):
    def __init__(self, number):
        super().__init__(number)

@dataclasses.dataclass
class Record:
    items: list

class Registered(Plain):
    def __init__(self, number):
        STATE.append(self)

class Checked(Plain):
    def __new__(cls, number):
        return STATE

class Counted(Registered):
    pass

class Twice(Plain):
    pass

Twice = STATE

class Guarded:
    def __init__(self, number):
        self.number = number

    @property
    def number(self):
        return 1

    @number.setter
    def number(self, number):
        STATE.append(number)

@dataclasses.dataclass
class Listed:
    items: list = dataclasses.field(default_factory=list)

@dataclasses.dataclass
class Told:
    items: list = dataclasses.field(default_factory=STATE.copy)

class Meddling:
    def __init__(self, other):
        other.number = 1

class Wrapping:
    @STATE.append
    def __init__(self):
        pass

class Strict(metaclass=abc.ABCMeta):
    pass

@STATE.append
def wrapped():
    return 1

def one():
    return two()

def two():
    return 1

def endless():
    return endless()

class Noticing:
    def __init_subclass__(cls):
        STATE.append(cls)

class Unknown(nowhere.Base):
    pass

def shared():
    return STATE

def build():
    return [1]

def checked():
    assert STATE == []
    return 1

def change():
    os.environ["X"] = "1"
    return 1

def deep():
    return change()

def deeper():
    return deep()

def bottomless():
    return deeper()

@pytest.fixture
def effect(monkeypatch):
    monkeypatch.setenv("X", "1")
    return 1

@pytest.fixture
def plain():
    return 1

{decorators}
def {name}({requests}):
{body}

def test_it({name}): pass
"""


def only_builds(file: FileContext, name: str = "value", runs_anyway: tuple[str, ...] = ()) -> bool:
    fixture = file.fixture(name, file.tests[0])
    assert fixture is not None, "the fixture stands in the module"
    return Effects(file).only_builds(fixture, None, runs_anyway)


def module(
    body: str = "return 1",
    decorators: str = "@pytest.fixture",
    name: str = "value",
    requests: str = "tmp_path",
) -> str:
    return FIXTURE.format(
        body=indent(body, " " * 4), decorators=decorators, name=name, requests=requests
    )


@pytest.mark.parametrize(("body", "expected"), BUILDS.items())
def test_body(open_module: OpenModule, body: str, expected: bool) -> None:
    assert only_builds(open_module(module(body))) is expected


@pytest.mark.parametrize(
    ("decorators", "expected"),
    [
        pytest.param("@pytest.fixture(scope='module')", True, id="with a scope"),
        pytest.param("@pytest.fixture(autouse=True)", False, id="autouse"),
        pytest.param("@pytest.fixture\n@STATE.register", False, id="with another decorator"),
        pytest.param("@pytest.fixture\n@staticmethod", True, id="with one that only shapes"),
    ],
)
def test_decorator(open_module: OpenModule, decorators: str, expected: bool) -> None:
    assert only_builds(open_module(module(decorators=decorators))) is expected


@pytest.mark.parametrize(
    ("requests", "runs_anyway", "expected"),
    [
        pytest.param("plain", (), True, id="one that builds"),
        pytest.param("request, tmp_path_factory", (), True, id="harmless ones of pytest"),
        pytest.param("effect", (), False, id="one with an effect"),
        pytest.param("effect", ("effect",), True, id="one that runs anyway"),
        pytest.param("plain, effect", (), False, id="one of each"),
        pytest.param("capsys", (), False, id="one of a plugin"),
    ],
)
def test_requested_fixtures(
    open_module: OpenModule, requests: str, runs_anyway: tuple[str, ...], expected: bool
) -> None:
    assert only_builds(open_module(module(requests=requests)), "value", runs_anyway) is expected


CONFIGURE = """
anyio_backend anyio_backend_options event_loop event_loop_policy celery_config celery_parameters
celery_enable_logging celery_includes celery_worker_pool celery_worker_parameters django_db_setup
django_db_modify_db_settings vcr_config live_server httpserver_listen_address loop
aiohttp_client_cls docker_compose_file faker_seed faker_locale faker_session_locale snapshot
browser_context_args
"""


@pytest.mark.parametrize("name", CONFIGURE.split())
def test_fixture_that_a_plugin_reads_by_its_name(open_module: OpenModule, name: str) -> None:
    assert not only_builds(open_module(module(name=name)), name)


EFFECTS = """
os.listdir shutil.copy subprocess.run socket.socket sqlite3.connect signal.alarm tempfile.mkdtemp
threading.Thread multiprocessing.Pool logging.basicConfig warnings.warn requests.get
urllib.request.urlopen httpx.get sys.exit unittest.mock.patch mock.patch pytest.skip asyncio.run
locale.setlocale atexit.register gc.collect importlib.reload random.seed io.open trio.run anyio.run
time.sleep psycopg.connect psycopg2.connect sqlalchemy.create_engine redis.Redis boto3.client
docker.from_env random.random sqlalchemy.Column socketserver.TCPServer http.server.HTTPServer open setattr delattr exec print
__import__
"""
PURE = """
os.path.join os.path.dirname os.path.abspath os.path.basename os.fspath os.path.realpath
os.path.exists os.getcwd os.environ.get os.environ.copy os.getenv os.path.isfile os.path.isdir
os.urandom sys.getsizeof pytest.param pytest.approx pytest.raises pytest.warns
pytest.deprecated_call time.time time.monotonic threading.Lock threading.RLock threading.Event
threading.local asyncio.Queue asyncio.Event asyncio.Lock logging.getLogger sys.modules.get
threading.Condition importlib.resources.files logging.LogRecord logging.Formatter
json.dumps len dict
"""


def calling(name: str) -> str:
    """A fixture that returns what a function gives."""
    head = name.rpartition(".")[0]
    return f"import {head}\n{module(f'return {name}()')}" if head else module(f"return {name}()")


@pytest.mark.parametrize(
    ("name", "expected"),
    [*((name, False) for name in EFFECTS.split()), *((name, True) for name in PURE.split())],
)
def test_function_that_is_called(open_module: OpenModule, name: str, expected: bool) -> None:
    text = calling(name).replace("import os.environ", "import os")
    assert only_builds(open_module(text)) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in "request tmp_path tmpdir tmp_path_factory".split()),
        *((name, True) for name in "tmpdir_factory pytestconfig".split()),
        *((name, False) for name in "monkeypatch caplog".split()),
    ],
)
def test_requested_fixture_of_pytest(open_module: OpenModule, name: str, expected: bool) -> None:
    assert only_builds(open_module(module(requests=name))) is expected


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        *(("dataclasses.dataclass", True), ("functools.cache", True), ("property", True)),
        *(("attr.s", True), ("attrs.define", True), ("contextlib.contextmanager", True)),
        *(("abc.abstractmethod", True), ("typing.final", True), ("typing.overload()", False)),
        *(("vendor.register", False), ("vendor.register()", False), ("tmp_path.add", False)),
    ],
)
def test_decorator_of_a_function_in_a_fixture(
    open_module: OpenModule, decorator: str, expected: bool
) -> None:
    head = "import abc, attr, attrs, contextlib, dataclasses, functools, typing, vendor\n"
    body = f"@{decorator}\ndef inner(): ...\nreturn inner"
    assert only_builds(open_module(head + module(body))) is expected
