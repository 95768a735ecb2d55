"""Tables of calls that touch resources, and what a patch replaces."""

from __future__ import annotations

import importlib
import inspect
import sys

import pytest

from socrates_rules.mystery_guest.resources import (
    CALLS,
    CLIENT_METHODS,
    FAKED_BY,
    PATHS,
    SESSIONS,
    Access,
    access,
    replaced,
)

MODULES = {
    "file": "builtins io codecs tokenize aiofiles gzip bz2 lzma zipfile tarfile shelve dbm glob "
    "xml.etree.ElementTree doctest PIL.Image pandas numpy os.path shutil filecmp distutils.dir_util",
    "network": "requests httpx aiohttp urllib urllib.request urllib2 urllib3 socket websockets "
    "smtplib ftplib imaplib poplib telnetlib http.client boto3 xmlrpc.client",
    "database": "sqlite3 aiosqlite duckdb sqlalchemy sqlalchemy.engine sqlalchemy.ext.asyncio "
    "sqlmodel psycopg2 psycopg psycopg.Connection psycopg.AsyncConnection asyncpg pymysql MySQLdb "
    "mysql.connector pyodbc pymongo redis redis.Redis redis.asyncio redis.client "
    "redis.asyncio.Redis aioredis pymemcache.client.base",
    "process": "subprocess asyncio.subprocess pty pexpect sh",
    "environment": "os.environ",
}
"""Modules and classes whose functions all touch resources of one kind."""

MIXED = {
    "os": {
        "process": "system popen execv execve execvp execl execlp spawnv spawnve spawnl spawnlp "
        "spawnvp posix_spawn",
        "environment": "getenv putenv unsetenv getenvb",
    },
    "asyncio": {
        "network": "open_connection open_unix_connection",
        "process": "create_subprocess_shell create_subprocess_exec",
    },
    "anyio": {
        "file": "open_file",
        "network": "connect_tcp",
        "process": "run_process open_process",
    },
    "trio": {"file": "open_file", "network": "open_tcp_stream", "process": "run_process"},
}
"""Modules with functions of several kinds; what is not listed of ``os`` is about files."""

NOT_EVERYWHERE = {
    "os.lchmod", "os.path.isjunction", "os.getxattr", "os.listxattr", "os.removexattr", "os.setxattr",
    "urllib.urlopen", "urllib.urlretrieve",
}  # fmt: skip
"""Of other versions of Python, or of other systems."""


def kind_of(dotted: str) -> str | None:
    """What kind of resource a call touches, said once more."""
    module, _, name = dotted.rpartition(".")
    for kind, names in MIXED.get(module, {}).items():
        if name in names.split():
            return kind
    kinds = [kind for kind, modules in MODULES.items() if module in modules.split()]
    return "file" if module == "os" else next(iter(kinds), None)


def found(dotted: str) -> object | None:
    """The function of the standard library, or None where there is none of this name."""
    module, _, name = dotted.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError:
        owner, _, attribute = module.rpartition(".")
        return getattr(getattr(importlib.import_module(owner), attribute, None), name, None)


OF_PYTHON = [
    dotted
    for dotted in CALLS
    if dotted.partition(".")[0] in sys.stdlib_module_names
    and not dotted.startswith(("distutils.", "telnetlib."))  # gone in newer versions
]


def test_every_call_is_of_the_kind_of_its_module() -> None:
    wrong = {name: how.kind for name, how in CALLS.items() if how.kind != kind_of(name)}
    assert wrong == {}


def test_every_call_of_the_standard_library_exists() -> None:
    missing = {dotted for dotted in OF_PYTHON if found(dotted) is None}
    assert missing <= NOT_EVERYWHERE


def parameters(dotted: str) -> list[str]:
    """The names of the parameters of a function; none where it does not tell them."""
    function = found(dotted)
    try:
        return list(inspect.signature(function).parameters) if callable(function) else []
    except ValueError:
        return []


def test_arguments_that_name_a_resource_are_those_of_the_function() -> None:
    wrong = {
        dotted: names
        for dotted in OF_PYTHON
        if (how := CALLS[dotted]).keywords and (names := parameters(dotted))
        if not {names[number] for number in how.positions} - {"popenargs"} <= {*how.keywords}
    }
    assert wrong == {}


ARGUMENTS = {
    "aiofiles.open": "0 file",
    "requests.get": "0 url",
    "requests.request": "1 url",
    "httpx.post": "0 url",
    "httpx.stream": "1 url",
    "aiohttp.request": "1 url",
    "urllib3.request": "1 url",
    "socket.gethostbyname": "0",
    "anyio.connect_tcp": "0 1",
    "trio.open_tcp_stream": "0 1",
    "asyncio.open_connection": "0 1 host port",
    "websockets.connect": "0 uri",
    "telnetlib.Telnet": "0 host",
    "boto3.client": "0 service_name",
    "sqlite3.connect": "0 database",
    "aiosqlite.connect": "0 database",
    "duckdb.connect": "0 database",
    "sqlalchemy.create_engine": "0 url",
    "sqlalchemy.engine.create_engine": "0 url",
    "sqlalchemy.ext.asyncio.create_async_engine": "0 url",
    "sqlmodel.create_engine": "0 url",
    "redis.Redis": "0 host url dsn connection_pool optional",
    "asyncio.create_subprocess_exec": "0 program spread",
    "asyncio.subprocess.create_subprocess_exec": "0 spread",
    "anyio.run_process": "0 command",
    "trio.run_process": "0 command",
    "os.execl": "0 spread",
    "os.spawnl": "1 file",
    "os.symlink": "1 dst",
    "os.path.samefile": "0 1",
    "shutil.make_archive": "0 2 base_name root_dir",
    "filecmp.cmp": "0 1",
    "distutils.dir_util.copy_tree": "0 1",
    "pexpect.spawn": "0 command",
    "os.getenv": "0 key",
    "os.environ.get": "0 key",
    "os.environ.update": "0",
    "os.putenv": "0 name",
    "os.posix_spawn": "0 path file",
    "glob.glob": "0 pathname root_dir",
    "PIL.Image.open": "0",
    "pandas.read_csv": "0",
    "numpy.load": "0",
    "urllib2.urlopen": "0",
    "urllib.urlretrieve": "0",
    "sh.Command": "0",
}


@pytest.mark.parametrize(("dotted", "expected"), ARGUMENTS.items())
def test_arguments_that_name_a_resource(dotted: str, expected: str) -> None:
    how = CALLS[dotted]
    flags = [name for name in ("optional", "spread") if getattr(how, name)]
    assert [*map(str, how.positions), *how.keywords, *flags] == expected.split()


@pytest.mark.parametrize(
    "name",
    "requests.Session requests.session requests.sessions.Session httpx.Client httpx.AsyncClient "
    "aiohttp.ClientSession urllib3.PoolManager".split(),
)
def test_client_that_is_kept(name: str) -> None:
    assert {"get", "post", "request", "ws_connect"} <= SESSIONS[name]


@pytest.mark.parametrize(
    "name",
    "pathlib.Path pathlib.PosixPath pathlib.WindowsPath py.path.local anyio.Path trio.Path "
    "pathlib2.Path upath.UPath path.Path".split(),
)
def test_class_of_paths(name: str) -> None:
    assert name in PATHS


@pytest.mark.parametrize("name", ["connect", "connect_ex", "sendto", "get", "send"])
def test_method_that_reaches_the_network(name: str) -> None:
    assert name in CLIENT_METHODS


@pytest.mark.parametrize("name", ["transport", "app", "mounts", "connector"])
def test_argument_that_fakes_the_network(name: str) -> None:
    assert name in FAKED_BY


def test_call_of_the_user_may_name_any_argument() -> None:
    assert access("ledger.dial", ["other.*", "ledger.*"]) == Access(
        "resource", (0, 1, 2, 3, 4, 5, 6, 7), optional=True
    )


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
        ("pkg.mod.Path", "call:Path"),
        ("pkg.shutil.copyfile", "call:copyfile"),
        ("pkg.mod.socket", "network"),
        ("pkg.mod.urlopen", "network"),
        ("pkg.mod.getenv", "environment"),
        ("pkg.mod.os", "environment"),
        ("pkg.mod.os", "process"),
        ("pkg.mod.check_output", "process"),
        ("pkg.mod.sqlite3.connect", "database"),
        ("pkg.mod.redis", "database"),
        ("pkg.mod.MongoClient", "database"),
    ],
)
def test_patch_replaces_what_its_target_names(target: str, replaces: str) -> None:
    assert replaces in replaced(target)


def test_patch_of_something_else_replaces_nothing() -> None:
    assert replaced("pkg.mod.Basket.total") == frozenset()
