"""Names of calls and values by which a value is traced to its origin: plain tables."""

from __future__ import annotations

import re

NEUTRAL_NAMES = frozenset(
    "os.sep os.pathsep os.linesep os.curdir os.pardir os.extsep os.altsep os.path.sep os.path.pathsep "
    "os.path.curdir os.path.pardir os.path.extsep os.path.altsep os.name sys.platform sys.maxsize "
    "sys.version_info sys.byteorder".split()
)
"""Names of the standard library that say nothing about a resource."""

MANAGED_CALLS = (
    "tempfile.", "io.StringIO", "io.BytesIO", "unittest.mock.", "mock.", "pyfakefs.", "fakeredis.",
    "click.testing.", "typer.testing.", "test.support.", "socket.socket", "os.pipe", "os.dup", "os.open",
    "pty.openpty", "os.memfd_create",
)  # fmt: skip
"""What the test's own process makes and looks after: temporary files, memory, mocks, fakes."""

CARRIERS = frozenset(
    "str bytes repr list sorted tuple set frozenset next iter map filter zip enumerate reversed dict "
    "format min max getattr open".split()
)
"""Builtins whose result comes from where their arguments come from."""

TEMPORARY = re.compile(
    r"(^|_)(mk[ds]?temp|mkstemp)|temp_?(dir|file|path|folder)|tmp_?(dir|path|file)", re.I
)
"""Names that say that a file or folder is a temporary one."""

SAME = frozenset({"str", "fspath", "Path", "abspath", "realpath", "normpath", "list", "sorted"})
"""What gives back the one path that it is given, in another form."""

MAKES_ABSOLUTE = frozenset({"absolute", "resolve", "abspath", "realpath"})
"""What makes a relative path absolute."""

NUMBERS = frozenset("len range int float bool id hash ord sum round isinstance abs".split())
"""Builtins that give a number or a truth value."""

TRANSPARENT = (
    "os.", "pathlib.", "urllib.", "glob.", "posixpath.", "ntpath.", "sys.", "yarl.", "contextlib.",
    "inspect.", "pkg_resources.", "importlib.resources.", "io.", "codecs.", "itertools.", "shlex.",
    "functools.", "textwrap.", "shutil.which", "sqlite3.", "copy.", "json.",
)  # fmt: skip
"""Libraries whose functions build their result from their arguments."""

TEXTS = frozenset(
    {"str", "fspath", "read_text", "as_posix", "as_uri", "name", "stem", "suffix", "suffixes"}
    | {"parts", "drive", "root", "anchor"}
)
"""What gives text when it is asked of a path."""
