"""Names of things whose text is as good as their value: library calls, classes, and a few words."""

from __future__ import annotations

import re

_LIBRARIES = (
    "pathlib", "uuid", "datetime", "decimal", "fractions", "math", "time", "random", "secrets",
    "os", "tempfile", "platform", "urllib.parse", "yarl", "furl", "py.path", "getpass", "locale",
    "base64", "binascii", "hashlib", "zlib", "textwrap", "sysconfig", "shlex", "html", "statistics",
    "markupsafe",
)  # fmt: skip
_FUNCTIONS = (
    r"json\.dumps", r"shutil\.which", r"shutil\.make_archive", r"inspect\.getsource",
    r"sys\.(executable|prefix|base_prefix|exec_prefix|platform|version|byteorder|maxsize|argv|path)",
    r"socket\.(gethost\w+|getfqdn|inet_\w+)", r"importlib\.metadata\.version", r"string\.\w+",
    r"traceback\.format\w*", r"calendar\.timegm",
)  # fmt: skip
LIBRARY = re.compile(
    "|".join([*(rf"{re.escape(name)}\." for name in _LIBRARIES), *(rf"{f}$" for f in _FUNCTIONS)])
    + r"|.*(Error|Exception|Warning)$"
)
"""Dotted names of calls and values of the standard library and a few others."""

EXCEPTIONS = re.compile(r"(Error|Exception|Warning|ExceptionGroup|Exit|Interrupt)$")
PLAIN_CLASSES = re.compile(
    r"\w*(Error|Exception|Warning|ExceptionGroup)|\w*(Path|URL|Url|url|URI|Uri|uri|UUID)|Date|DateTime"
)
"""Classes, the project's own too, that are a path, a URL, a UUID, a date or an exception."""

PLAIN_BASES = re.compile(
    r"builtins\.(\w*(Error|Exception|Warning|ExceptionGroup)|str|int|float|bytes|bool)$|"
    r"pathlib\.\w*Path$|datetime\.\w+$|uuid\.UUID$|decimal\.Decimal$|collections\.UserString$|"
    r"enum\.(StrEnum|IntEnum|IntFlag)$|socket\.(error|timeout)$|(.*\.)?\w+(Error|Exception|Warning)$|"
    r"markupsafe\.Markup$"
)
CATCHES = re.compile(r"raises|warns|deprecated_call|recwarn|catch_warnings", re.IGNORECASE)
"""What hands out the exception or the warnings that it caught."""

SAME_KIND = frozenset(
    {
        "copy.copy",
        "copy.deepcopy",
        "pickle.loads",
        "pickle.dumps",
        "asyncio.wait_for",
        "asyncio.run",
    }
    | {"trio.run", "builtins.next", "builtins.max", "builtins.min", "builtins.abs", "typing.cast"}
)
"""Calls that give back what they get."""

TEXT_METHODS = frozenset(
    "findtext get_text text_content as_string group dumps read readline readlines read_text read_bytes getvalue decode encode strip lstrip rstrip lower "
    "upper title isoformat strftime hexdigest hex total_seconds timestamp as_posix as_uri joinpath "
    "absolute expanduser relative_to with_suffix with_name samefile toordinal astimezone".split()
)
PATH_STEPS = frozenset(
    {"parent", "parents", "resolve", "join", "realpath", "strpath", "pop", "mkdir", "ensure"}
    | {"mktemp", "dirpath"}
)
"""From one path to another; other things have parents too, so the base must be plain."""

_WORDS = frozenset(
    "path paths pathname dir dirs dirname directory directories folder folders dest filename filepath "
    "file files logfile pidfile cwd executable tmpdir tempdir basedir url urls uri uris href uuid "
    "uuids uid guid date datetime dt timestamp mtime year month exc excs excinfo exception "
    "exceptions err errs error errors warning warnings pid port stdout stderr count size length "
    "index idx".split()
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHORT = frozenset(
    {"e", "ex", "pe", "tmp_path", "id", "pk", "status_code", "returncode", "lineno", "url_for"}
)
_VALUES = frozenset(
    {"__cause__", "__context__", "value", "exc_value", "exc_info", "text"}
    | {"__name__", "__qualname__", "__module__", "__doc__"}
)
_ANYWHERE = frozenset({"exc", "exception", "error"})
_CAUGHT = re.compile(r"w\d*\b|warn|rec|caught|item|dep")

_PLAIN_TEXT = re.compile(
    r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|[-+]?(nan|inf)|True|False|None|"
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d.*)?|\d\d?:\d\d(:\d\d.*)?|"
    r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z][a-z0-9+.]*://\S*"
)

_NUMBER_PATTERN = re.compile(r"(\\[d.]|[-+^$0-9.,:?*|(){}\[\]])*")


def is_plain_text(text: str) -> bool:
    """Whether a text is that of a number, a date, a UUID or a URL."""
    return bool(_PLAIN_TEXT.fullmatch(text))


def is_number_pattern(pattern: str) -> bool:
    r"""Whether a regular expression is that of a number: ``1[1-5]\.\d+``."""
    return bool(_NUMBER_PATTERN.fullmatch(pattern)) and ("\\d" in pattern or "[0-9" in pattern)


def suggests_plain(name: str) -> bool:
    """Whether a name says path, URL, UUID, date or exception: ``config_path``, ``exc_value``."""
    spaced = _CAMEL.sub("_", name.strip("_"))
    bare = spaced.lower().rstrip("0123456789").rstrip("_")
    words = bare.split("_")
    return bare in _SHORT or words[-1] in _WORDS or not _ANYWHERE.isdisjoint(words)


def gives_value(attribute: str) -> bool:
    """``e.__cause__`` and ``failure.value`` are exceptions, ``member.value`` is a primitive.

    ``response.text`` and ``function.__doc__`` are text.
    """
    return attribute in _VALUES


def suggests_warnings(text: str) -> bool:
    """Whether an expression is an entry of caught warnings, whose ``message`` is the warning."""
    return bool(_CAUGHT.match(text) or "warn" in text)
