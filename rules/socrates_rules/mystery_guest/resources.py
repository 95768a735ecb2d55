"""Calls that touch something outside the test: files, networks, databases, processes.

Plain tables by dotted name. Functions that only compute with paths (``os.path.join``, ``Path.parent``)
touch nothing and are not here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal

from socrates.classes.lazy import dataclass

ResourceKind = Literal["file", "network", "database", "environment", "process", "resource"]


@dataclass(frozen=True, slots=True)
class Access:
    """How a call touches a resource.

    ``positions`` and ``keywords`` say which arguments name the resource; with ``optional`` the
    call reaches a default one (``redis.Redis()`` means localhost) when none of them is given.
    With ``spread`` the words of a command are arguments of their own rather than one list.
    """

    kind: ResourceKind
    positions: tuple[int, ...] = (0,)
    keywords: tuple[str, ...] = ()
    optional: bool = False
    spread: bool = False


def _all(kind: ResourceKind, prefix: str, names: str, *positions: int, keys: str = "") -> _Table:
    access = Access(kind, positions or (0,), tuple(keys.split()))
    return {f"{prefix}.{name}": access for name in names.split()}


_Table = dict[str, Access]
_DEFAULT_HOST = Access("database", (0,), ("host", "url", "dsn", "connection_pool"), optional=True)
_VERBS = "get post put patch delete head options request stream send ws_connect websocket_connect"

_FILES: _Table = {
    **_all("file", "builtins", "open", keys="file"),
    **_all("file", "io", "open FileIO", keys="file"),
    **_all("file", "io", "open_code", keys="path"),
    **_all("file", "codecs", "open", keys="filename"),
    **_all("file", "tokenize", "open"),
    **_all("file", "aiofiles", "open", keys="file"),
    **_all("file", "anyio", "open_file"),
    **_all("file", "trio", "open_file"),
    **_all("file", "gzip", "open GzipFile", keys="filename"),
    **_all("file", "bz2", "open BZ2File", keys="filename"),
    **_all("file", "lzma", "open LZMAFile", keys="filename"),
    **_all("file", "zipfile", "ZipFile is_zipfile", keys="file filename"),
    **_all("file", "tarfile", "open is_tarfile", keys="name"),
    **_all("file", "shelve", "open", keys="filename"),
    **_all("file", "dbm", "open"),
    **_all("file", "glob", "glob iglob", keys="pathname root_dir"),
    **_all("file", "xml.etree.ElementTree", "parse iterparse"),
    **_all("file", "doctest", "testfile", keys="filename"),
    **_all("file", "PIL.Image", "open"),
    **_all("file", "pandas", "read_csv read_json read_excel read_parquet read_pickle"),
    **_all("file", "numpy", "load loadtxt genfromtxt fromfile"),
    **_all(
        "file",
        "os",
        "access chdir chmod chown chroot getxattr lchmod lchown listdir listxattr lstat mkdir "
        "makedirs mkfifo mknod open pathconf readlink remove removedirs removexattr rmdir scandir "
        "setxattr stat statvfs truncate unlink utime walk fwalk",
        keys="path name top",
    ),
    **_all("file", "os", "link rename replace", 0, 1, keys="src dst"),
    **_all("file", "os", "renames", 0, 1, keys="old new"),
    **_all("file", "os", "symlink", 1, keys="dst"),
    **_all(
        "file",
        "os.path",
        "exists lexists isfile isdir islink ismount isjunction getsize getmtime getatime getctime",
        keys="path filename s",
    ),
    **_all("file", "os.path", "samefile", 0, 1),
    **_all("file", "shutil", "copy copy2 copyfile copymode copystat copytree move", 0, 1, keys="src dst"),
    **_all("file", "shutil", "rmtree disk_usage chown unpack_archive which", keys="path filename cmd"),
    **_all("file", "shutil", "make_archive", 0, 2, keys="base_name root_dir"),
    **_all("file", "filecmp", "cmp dircmp", 0, 1),
    **_all("file", "distutils.dir_util", "copy_tree remove_tree mkpath", 0, 1),
}  # fmt: skip

_NETWORK: _Table = {
    **_all("network", "requests", "get post put patch delete head options", keys="url"),
    **_all("network", "requests", "request", 1, keys="url"),
    **_all("network", "httpx", "get post put patch delete head options", keys="url"),
    **_all("network", "httpx", "request stream", 1, keys="url"),
    **_all("network", "aiohttp", "request", 1, keys="url"),
    **_all("network", "urllib.request", "urlopen urlretrieve", keys="url"),
    **_all("network", "urllib2", "urlopen"),
    **_all("network", "urllib", "urlopen urlretrieve"),
    **_all("network", "urllib3", "request", 1, keys="url"),
    **_all("network", "socket", "create_connection", keys="address"),
    **_all("network", "socket", "getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr getfqdn"),
    **_all("network", "asyncio", "open_connection", 0, 1, keys="host port"),
    **_all("network", "asyncio", "open_unix_connection", keys="path"),
    **_all("network", "anyio", "connect_tcp", 0, 1),
    **_all("network", "trio", "open_tcp_stream", 0, 1),
    **_all("network", "websockets", "connect", keys="uri"),
    **_all("network", "smtplib", "SMTP SMTP_SSL LMTP", keys="host"),
    **_all("network", "ftplib", "FTP FTP_TLS", keys="host"),
    **_all("network", "imaplib", "IMAP4 IMAP4_SSL", keys="host"),
    **_all("network", "poplib", "POP3 POP3_SSL", keys="host"),
    **_all("network", "telnetlib", "Telnet", keys="host"),
    **_all("network", "http.client", "HTTPConnection HTTPSConnection", keys="host"),
    **_all("network", "boto3", "client resource", keys="service_name"),
    **_all("network", "xmlrpc.client", "ServerProxy", keys="uri"),
}

_DATABASES: _Table = {
    **_all("database", "sqlite3", "connect", keys="database"),
    **_all("database", "aiosqlite", "connect", keys="database"),
    **_all("database", "duckdb", "connect", keys="database"),
    **_all("database", "sqlalchemy", "create_engine", keys="url"),
    **_all("database", "sqlalchemy.engine", "create_engine", keys="url"),
    **_all("database", "sqlalchemy.ext.asyncio", "create_async_engine", keys="url"),
    **_all("database", "sqlmodel", "create_engine", keys="url"),
    **dict.fromkeys(
        "psycopg2.connect psycopg.connect psycopg.Connection.connect psycopg.AsyncConnection.connect "
        "asyncpg.connect asyncpg.create_pool pymysql.connect MySQLdb.connect mysql.connector.connect "
        "pyodbc.connect pymongo.MongoClient redis.Redis redis.StrictRedis redis.from_url "
        "redis.Redis.from_url redis.asyncio.Redis redis.asyncio.from_url redis.client.Redis "
        "redis.asyncio.Redis.from_url aioredis.from_url pymemcache.client.base.Client".split(),
        _DEFAULT_HOST,
    ),
}

_PROCESSES: _Table = {
    **_all(
        "process",
        "subprocess",
        "run call check_call check_output Popen getoutput getstatusoutput",
        keys="args cmd",
    ),
    **_all("process", "os", "system popen", keys="command cmd"),
    **_all("process", "os", "execv execve execvp posix_spawn", keys="path file"),
    **_all("process", "os", "spawnv spawnve spawnl spawnlp spawnvp", 1, keys="file"),
    **_all("process", "asyncio", "create_subprocess_shell", keys="cmd"),
    **_all("process", "asyncio.subprocess", "create_subprocess_shell", keys="cmd"),
    "asyncio.create_subprocess_exec": Access("process", (0,), ("program",), spread=True),
    "asyncio.subprocess.create_subprocess_exec": Access("process", (0,), spread=True),
    **_all("process", "anyio", "run_process open_process", keys="command"),
    **_all("process", "trio", "run_process", keys="command"),
    **dict.fromkeys(("os.execl", "os.execlp"), Access("process", (0,), spread=True)),
    **_all("process", "pty", "spawn"),
    **_all("process", "pexpect", "spawn run", keys="command"),
    **_all("process", "sh", "Command"),
}

CALLS: _Table = {
    **_FILES,
    **_NETWORK,
    **_DATABASES,
    **_PROCESSES,
    **_all("environment", "os", "getenv getenvb", keys="key"),
    **_all("environment", "os", "putenv unsetenv", keys="name"),
    **_all("environment", "os.environ", "get pop setdefault", keys="key"),
    **_all("environment", "os.environ", "update", keys=""),
}
CALL_NAMES = frozenset(name.rpartition(".")[2] for name in CALLS)

SESSIONS = {
    name: frozenset(_VERBS.split())
    for name in (
        "requests.Session requests.session requests.sessions.Session httpx.Client httpx.AsyncClient "
        "aiohttp.ClientSession urllib3.PoolManager"
    ).split()
}
SOCKET_METHODS = frozenset({"connect", "connect_ex", "sendto"})
CLIENT_METHODS = frozenset(_VERBS.split()) | SOCKET_METHODS
FAKED_BY = frozenset({"transport", "app", "mounts", "connector"})
"""Arguments of a client's constructor that put something else in the place of the network."""

PATHS = frozenset(
    {"pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath", "py.path.local", "anyio.Path"}
    | {"trio.Path", "pathlib2.Path", "upath.UPath", "path.Path"}
)
PATH_METHODS = frozenset(
    "chmod exists glob group hardlink_to is_block_device is_char_device is_dir is_fifo is_file "
    "is_junction is_mount is_socket is_symlink iterdir lchmod link_to lstat mkdir open owner "
    "read_bytes read_text readlink rename replace rglob rmdir samefile stat symlink_to touch unlink "
    "walk write_bytes write_text copy move copy_into move_into".split()
)
PATH_ONLY_METHODS = frozenset("iterdir read_bytes read_text write_bytes write_text rglob".split())
"""Methods that hardly anything but a path has."""

CREATES = frozenset(
    "open mkdir makedirs write_text write_bytes touch copy copy2 copyfile copytree symlink symlink_to "
    "mkfifo mknod remove unlink rmtree rmdir removedirs rename replace move truncate connect chmod "
    "cleanup create dump save".split()
)
"""Last names of calls by which a ``setUp`` or ``tearDown`` makes or removes a resource."""

ROOTS = frozenset(name.partition(".")[0] for name in (*CALLS, *SESSIONS, *PATHS)) - {"builtins"}
"""Modules that reach outside: a file that names none of them touches nothing."""

_TARGETS: tuple[tuple[ResourceKind, str], ...] = (
    ("environment", r"(?i)environ|getenv|(^|\.)os$"),
    (
        "file",
        (
            r"(^|[._])(open|path|pathlib|shutil|glob|tempfile|os|io|codecs)($|[._])|exists|is_?file|"
            r"is_?dir|listdir|scandir|mkdir|makedirs|read_text|read_bytes|write_text|write_bytes|"
            r"iterdir|unlink|rmtree|getcwd|chdir|(^|\.)(stat|remove|rename|replace|access|chmod|copy\w*"
            r"|move|walk|which|Path)$"
        ),
    ),
    (
        "process",
        r"(?i)subprocess|popen|check_output|check_call|(^|\.)os(\.system)?$|spawn|exec[lv]",
    ),
    (
        "network",
        (
            r"requests|httpx|urlopen|urllib|socket|http\.client|aiohttp|smtplib|ftplib|boto|getaddrinfo|"
            r"gethostby|create_connection|open_connection|HTTPConnection|HTTPAdapter|ClientSession"
        ),
    ),
    (
        "database",
        r"(?i)sqlite|psycopg|redis|create_engine|mongo|mysql|database|memcache",
    ),
)  # fmt: skip
"""Compiled when a test patches something: that takes longer than to check a small file."""


def access(dotted: str, extra: Iterable[str] = ()) -> Access | None:
    """How a call of this dotted name touches a resource, or None."""
    found = CALLS.get(dotted)
    if found is None and any(fnmatchcase(dotted, glob) for glob in extra):
        return Access("resource", tuple(range(8)), optional=True)
    return found


def replaced(target: str) -> frozenset[str]:
    """What a patch of ``target`` stands in for: kinds of resource, ``call:NAME`` for files.

    ``pkg.mod.requests.get`` replaces the network; ``pkg.mod.os.listdir`` only that function.
    """
    last = target.rstrip(".").rpartition(".")[2]
    kinds = (kind for kind, pattern in _TARGETS if re.search(pattern, target))
    return frozenset(f"call:{last}" if kind == "file" else kind for kind in kinds)


def is_text(argument: ast.expr) -> bool:
    """Whether a target is named by text: a literal, or one that is put together with others."""
    match argument:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, right=right):
            return is_text(left) or is_text(right)
        case ast.Call(func=ast.Attribute(attr="format", value=text)):
            return is_text(text)
    return False


def target_text(argument: ast.expr) -> str:
    """The target of a patch as text, without what is put in when it runs."""
    match argument:
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=values):
            return "".join(str(v.value) for v in values if isinstance(v, ast.Constant))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return target_text(left) + target_text(right)
        case ast.BinOp(left=text) | ast.Call(func=ast.Attribute(attr="format", value=text)):
            return target_text(text)
    return chain_of(argument)


def chain_of(expr: ast.AST) -> str:
    """``when.exists`` for ``when(os.path).exists``: the names that an expression goes through."""
    parts: list[str] = []
    while isinstance(expr, (ast.Attribute, ast.Call)):
        if isinstance(expr, ast.Attribute):
            parts.append(expr.attr)
            expr = expr.value
        else:
            expr = expr.func
    if isinstance(expr, ast.Name):
        parts.append(expr.id)
    return ".".join(reversed(parts))


_HINT = re.compile(
    rf"\b({'|'.join(sorted(ROOTS))})\b|\bopen\(|environ|urlopen|Popen|read_text|read_bytes|write_text|"
    r"write_bytes|\bPath\b|\bimport \*"
)
"""What says that a module may reach outside; where nothing does, no more of this rule is loaded."""


def may_touch(text: str) -> bool:
    """Whether a module's text names anything that reaches outside: most don't, and are skipped."""
    return bool(_HINT.search(text))
