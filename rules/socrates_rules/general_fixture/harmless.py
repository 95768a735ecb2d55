"""Calls that do nothing but make a value, by their dotted names: whatever is not here may have an effect."""

from __future__ import annotations

import re

FIXTURES = frozenset(
    {"request", "tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "pytestconfig"}
)
"""pytest's own fixtures that change nothing which a test could notice."""

_BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate float "
    "format frozenset getattr hasattr hash hex id int isinstance issubclass iter len list max "
    "memoryview min object oct ord pow range repr reversed round set slice sorted str sum super "
    "tuple zip property staticmethod classmethod"
)
CALLS = frozenset(
    {f"builtins.{name}" for name in _BUILTINS.split()}
    | {
        f"os.path.{name}"
        for name in "join dirname abspath basename realpath normpath split".split()
    }
    | {f"os.path.{name}" for name in "splitext expanduser exists isfile isdir relpath".split()}
    | {f"threading.{name}" for name in ("Lock", "RLock", "Event", "local", "Condition")}
    | {f"asyncio.{name}" for name in ("Queue", "Event", "Lock", "Semaphore", "Condition")}
    | {f"unittest.mock.{name}" for name in ("Mock", "MagicMock", "AsyncMock", "NonCallableMock")}
    | {"unittest.mock.create_autospec", "unittest.mock.PropertyMock", "unittest.mock.call"}
    | {f"mock.{name}" for name in ("Mock", "MagicMock", "create_autospec", "PropertyMock")}
    | {f"numpy.{name}" for name in ("array", "asarray", "zeros", "ones", "arange", "linspace")}
    | {"numpy.eye", "pandas.DataFrame", "pandas.Series", "pandas.date_range"}
    | {f"pytest.{name}" for name in ("param", "approx", "raises", "warns", "deprecated_call")}
    | {f"json.{name}" for name in ("loads", "dumps")}
    | {f"re.{name}" for name in ("compile", "match", "search", "sub", "findall", "escape")}
    | {f"struct.{name}" for name in ("pack", "unpack", "Struct", "calcsize")}
    | {"os.fspath", "os.getcwd", "os.getenv", "os.environ.get", "os.environ.copy", "os.urandom"}
    | {"sys.getsizeof", "sys.modules.get", "time.time", "time.monotonic", "random.Random"}
    | {"io.StringIO", "io.BytesIO", "logging.getLogger", "logging.LogRecord", "logging.Formatter"}
    | {
        "functools.partial",
        "functools.wraps",
        "importlib.resources.files",
        "contextlib.nullcontext",
    }
    | {"itertools.chain", "itertools.product", "itertools.repeat", "itertools.count"}
    | {"xml.etree.ElementTree.Element", "xml.etree.ElementTree.fromstring", "argparse.Namespace"}
    | {"typing.cast", "types.SimpleNamespace", "types.MappingProxyType", "dataclasses.replace"}
)
MODULES = (
    "datetime.", "decimal.", "fractions.", "uuid.", "pathlib.", "collections.", "copy.", "base64.",
    "binascii.", "hashlib.", "hmac.", "ipaddress.", "textwrap.", "string.", "math.", "cmath.",
    "statistics.", "operator.", "html.", "urllib.parse.", "zoneinfo.", "numbers.", "array.", "enum.",
)  # fmt: skip
"""Whatever these modules define makes a value, methods of files and folders aside."""
APPLIES = frozenset({"builtins.map", "builtins.filter", "functools.reduce", "itertools.starmap"})
"""Calls that call their first argument."""

_METHODS = frozenset(
    "resolve absolute joinpath relative_to with_suffix with_name as_posix as_uri exists is_file "
    "is_dir is_absolute match get keys values items copy format format_map join split rsplit "
    "splitlines strip lstrip rstrip lower upper title capitalize replace removeprefix removesuffix "
    "encode decode startswith endswith index count find hex partition rpartition zfill ljust rjust "
    "casefold union intersection difference isoformat strftime timestamp getoption getini".split()
)
_EFFECTS = frozenset(
    "write_text write_bytes write writelines mkdir touch unlink rmdir rename symlink_to hardlink_to "
    "chmod open read_text read_bytes iterdir glob rglob start run serve listen connect bind "
    "__enter__ __aenter__ getfixturevalue addfinalizer".split()
)
_STORES = re.compile(r"(create|add|save|insert|register|get_or_create|bulk_create|upload)(_|$)")
_SHAPES = re.compile(
    r"builtins\.(staticmethod|classmethod|property)$|dataclasses\.|attrs?\.|contextlib\.|abc\.|"
    r"typing\.|functools\.(wraps|lru_cache|cache|cached_property|total_ordering)$"
)
BASES = re.compile(
    r"(builtins\.)?(object|dict|list|tuple|set|str|int|float|\w*(Exception|Error|Warning))$|"
    r"abc\.ABC$|(typing|typing_extensions)\.\w+$|enum\.\w+$|collections\.(abc\.\w+|namedtuple|User\w+)$"
)
"""Classes to inherit from that don't notice, and whose constructors only keep what they get."""


def is_harmless(dotted: str) -> bool:
    """Whether a call of this dotted name has no effect."""
    return dotted in CALLS or dotted.startswith(MODULES)


def only_looks(method: str) -> bool:
    """Whether a method of a value that others can see leaves it as it is."""
    return method in _METHODS


def names_effect(method: str) -> bool:
    """Whether a method reaches beyond its object, whatever object that is."""
    return method in _EFFECTS


def names_storing(method: str) -> bool:
    """Whether a method most likely leaves a row, a file or an entry behind: ``objects.create_user()``."""
    return bool(_STORES.match(method))


def only_shapes(dotted: str) -> bool:
    """Whether a decorator only shapes a definition: ``staticmethod``, ``dataclass``, ``wraps``."""
    return bool(_SHAPES.match(dotted))
