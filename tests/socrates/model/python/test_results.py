"""What a call gives: by type variables, overloads, protocols, and what it passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]


@pytest.mark.parametrize(
    ("signature", "call", "expected"),
    [
        pytest.param("kind: type[T]) -> T", "f(Part)", "a Part", id="positional"),
        pytest.param("kind: Type[T]) -> T", "f(kind=Part)", "a Part", id="keyword"),
        pytest.param("x, kind: type[T]) -> T", "f(1, Part)", "a Part", id="second"),
        pytest.param("x, /, kind: type[T]) -> T", "f(1, Part)", "a Part", id="after a slash"),
        pytest.param("x, *, kind: type[T]) -> T", "f(1, kind=Part)", "a Part", id="by name only"),
        pytest.param("a: type[S], b: type[T]) -> T", "f(Thing, Part)", "a Part", id="the other"),
        pytest.param("kind: type[T]) -> T | None", "f(Part)", "a Part", id="or nothing"),
        pytest.param("kind: type[T]) -> Optional[T]", "f(Part)", "a Part", id="optional"),
        pytest.param("kind: type[T] | None) -> T", "f(Part)", "a Part", id="class or nothing"),
        pytest.param("make: Callable[..., T]) -> T", "f(Part)", "a Part", id="callable"),
        pytest.param("make: Callable[[], T]) -> T", "f(Thing().me)", "a Thing", id="method"),
        pytest.param("it: T) -> T", "f(Part())", "a Part", id="the same object"),
        pytest.param("kind: type[T]) -> T", "f(other=Part)", "unknown", id="not passed"),
        pytest.param("kind: type[S]) -> T", "f(Part)", "unknown", id="of another type"),
        pytest.param("kind: list[T]) -> T", "f(Part)", "unknown", id="no class"),
        pytest.param("kind: type[T]) -> list[T]", "f(Part)", "list", id="several"),
        pytest.param("kind: type[Part]) -> Part", "f(Thing)", "a Part", id="no type variable"),
    ],
)
def test_type_variable(signature: str, call: str, expected: str, describe: Describe) -> None:
    before = f"S = TypeVar('S')\ndef f({signature}: ...\n"

    assert describe(f"x = {call}", before=before) == expected


@pytest.mark.parametrize(
    ("before", "call", "expected"),
    [
        pytest.param("def f(kind): return kind()", "f(Part)", "a Part", id="class"),
        pytest.param(
            "def f(kind, *args):\n    made = kind(*args)\n    return made",
            "f(Part, 1)",
            "a Part",
            id="class, kept in a variable",
        ),
        pytest.param("def f(it): return it.part", "f(Thing())", "a Part", id="object"),
        pytest.param("def f(it): return it", "f(1)", "unknown", id="plain value"),
        pytest.param("def f(it): return 1, it", "f(Part())", "tuple", id="in a tuple"),
        pytest.param("def f(it=None): return it", "f()", "unknown", id="nothing"),
        pytest.param(
            "@overload\ndef f(kind: type[T]) -> T: ...\n@overload\ndef f(kind: str) -> Thing: ...\n"
            "def f(kind): ...",
            "f(Part)",
            "a Part",
            id="overload",
        ),
        pytest.param("f = staticmethod(pair)", "f()[1]", "a Part", id="static method kept aside"),
    ],
)
def test_what_a_call_passes(before: str, call: str, expected: str, describe: Describe) -> None:
    assert describe(f"x = {call}", before=before) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "if k in C: return C[k]\n    C[k] = it = Part()\n    return it", "a Part", id="item"
        ),
        pytest.param(
            "if k in C: return C.get(k)\n    C[k] = Part()\n    return C[k]", "a Part", id="get"
        ),
        pytest.param("return C.setdefault(k, Part())", "a Part", id="setdefault"),
        pytest.param(
            "if k: C[k] = Part()\n    else: C[k] = 1\n    return C[k]", "unknown", id="of two kinds"
        ),
        pytest.param("D[k] = Part()\n    return C[k]", "unknown", id="put elsewhere"),
    ],
)
def test_what_a_cache_gives_is_what_was_put_there(
    body: str, expected: str, describe: Describe
) -> None:
    before = f"C = {{}}\nD = {{}}\ndef f(k):\n    {body}"

    assert describe("x = f(1)", before=before) == expected


def test_object_of_a_protocol_is_called(describe: Describe) -> None:
    before = "class Build(Protocol):\n    def __call__(self, kind: type[T]) -> T: ..."

    assert describe("x = build(Part)", "build: Build", before) == "a Part"


def test_function_of_a_function_sees_its_names(describe: Describe) -> None:
    before = "def f():\n    kind = Part\n    def make(): return kind()\n    return make"

    assert describe("x = f()()", before=before) == "a Part"


def test_a_static_method_is_passed_all_its_arguments(describe: Describe) -> None:
    before = "class Tools:\n    @staticmethod\n    def f(kind: type[T]) -> T: ..."

    assert describe("x = Tools().f(Part)", before=before) == "a Part"


def test_type_variable_of_self(describe: Describe) -> None:
    before = "class Own(Base):\n    def me(self: T) -> T: ..."

    assert describe("x = Own().me()", before=before) == "a Own"


def test_first_parameter_of_a_static_method_is_not_self(describe: Describe) -> None:
    before = "class Own(Base):\n    @staticmethod\n    def plain(text: str) -> str: ..."

    assert describe("x = Own.plain('')", before=before) == "str"


@pytest.mark.parametrize(
    ("key", "expected"),
    [pytest.param("0", "a Part", id="index"), pytest.param(":1", "a Own", id="slice")],
)
def test_overloads_tell_an_index_from_a_slice(key: str, expected: str, describe: Describe) -> None:
    before = (
        "P = TypeVar('P', bound='Part')\nclass Own:\n"
        "    @overload\n    def __getitem__(self, at: int) -> P: ...\n"
        "    @overload\n    def __getitem__(self, at: slice) -> 'Own': ...\n"
        "    def __getitem__(self, at): ..."
    )

    assert describe(f"x = Own()[{key}]", before=before) == expected


@pytest.mark.parametrize("kind", ["type(self)", "self.__class__"])
def test_class_of_an_object(kind: str, describe: Describe) -> None:
    before = f"class Own(Base):\n    def copy(self): return {kind}()"

    assert describe("x = Own().copy()", before=before) == "a Own"


def test_classes_that_refer_to_one_another_in_many_ways_end(describe: Describe) -> None:
    names = "abcdefgh"
    methods = "".join(
        f"    def set_{name}(self):\n"
        + "".join(f"        self.{name} = self.{other}.{name}.{other}\n" for other in names)
        for name in names
    )

    assert describe("x = Knot().a", before=f"class Knot:\n{methods}") == "unknown"


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        pytest.param("def make(self: M) -> M: ...", "a Sub", id="type of self"),
        pytest.param("@classmethod\n    def make(cls: type[M]) -> M: ...", "a Sub", id="of cls"),
        pytest.param("@classmethod\n    def make(cls: Type[M]) -> M: ...", "a Sub", id="Type"),
        pytest.param("def make(self: type[M]) -> M: ...", "unknown", id="type of an object"),
        pytest.param("@staticmethod\n    def make(other: M) -> M: ...", "unknown", id="static"),
        pytest.param("def make(self: N) -> M: ...", "unknown", id="of another type"),
    ],
)
def test_result_of_the_type_of_the_object(
    definition: str, expected: str, describe: Describe
) -> None:
    before = (
        f"M = TypeVar('M')\nN = TypeVar('N')\nclass Maker:\n    {definition}\nclass Sub(Maker): ..."
    )
    assert describe("x = Sub().make()", before=before) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param("Maker().pick(Part())", "a Part", id="method"),
        pytest.param("Maker.choose(Part())", "a Part", id="static method"),
        pytest.param("Maker().both(1, Part())", "a Part", id="second parameter"),
        pytest.param("Maker().both(*[1], Part())", "unknown", id="after a star"),
        pytest.param("Maker()(1)", "a Thing", id="object that can be called"),
        pytest.param("Bare()(1)", "unknown", id="object that can't be called"),
    ],
)
def test_parameter_that_is_handed_back(call: str, expected: str, describe: Describe) -> None:
    before = (
        "class Maker:\n    def pick(self, it): return it\n    @staticmethod\n"
        "    def choose(it): return it\n    def both(self, one, it): return it\n"
        "    def __call__(self, one) -> Thing: ..."
    )
    assert describe(f"x = {call}", before=before) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("assert isinstance(x, Part)", "a Part", id="before"),
        pytest.param("assert isinstance(x, Part); y = x", "a Part", id="on the same line"),
        pytest.param("assert isinstance(x, (Part, Thing))", "unknown", id="one of several"),
        pytest.param("assert not isinstance(x, Part)", "unknown", id="not"),
        pytest.param("assert isinstance(y, Part)", "unknown", id="another"),
    ],
)
def test_asserted_type(body: str, expected: str, describe: Describe) -> None:
    assert describe(body, "x, y") == expected


@pytest.mark.parametrize(
    ("before", "call", "expected"),
    [
        pytest.param("import copy", "copy.copy(Part())", "a Part", id="copy"),
        pytest.param("import copy", "copy.deepcopy(Part())", "a Part", id="deep copy"),
        pytest.param("import dataclasses", "dataclasses.replace(Part())", "a Part", id="replaced"),
        pytest.param("import pickle", "pickle.loads(pickle.dumps(Part()))", "a Part", id="pickled"),
        pytest.param(
            "import pickle", "pickle.loads(unknown)", "result of pickle.loads", id="other bytes"
        ),
        pytest.param("", "typing.cast(Part, 1)", "a Part", id="cast"),
        pytest.param("", "getattr(factory, 'Part')", "class Part", id="by its name"),
        pytest.param("NAME = 'Part'", "getattr(factory, NAME)", "class Part", id="by a constant"),
        pytest.param(
            "", "getattr(factory, unknown)", "result of builtins.getattr", id="by an unknown name"
        ),
        pytest.param("", "next(p for p in [Part()])", "a Part", id="the next one"),
        pytest.param("import asyncio", "asyncio.run(Thing().either(1))", "a Part", id="run"),
        pytest.param("", "loop.run_until_complete(pair())[1]", "unknown", id="part of a run"),
        pytest.param("", "loop.run_until_complete(Part())", "a Part", id="run by a loop"),
        pytest.param("", "loop.enterContext(Managed())", "a Part", id="entered"),
        pytest.param(
            "import importlib", "importlib.import_module('factory')", "module factory", id="module"
        ),
        pytest.param(
            "import pytest", "pytest.importorskip('factory').Part()", "a Part", id="import or skip"
        ),
        pytest.param("", "(lambda: Part())()", "a Part", id="lambda"),
        pytest.param("import types", "types.SimpleNamespace(a=Part()).a", "a Part", id="record"),
        pytest.param("import types", "types.SimpleNamespace(a=1).b", "unknown", id="no such field"),
        pytest.param("def f(kind=Part): return kind()", "f()", "a Part", id="default"),
        pytest.param("def f(kind=Part): return kind()", "f(Thing)", "a Thing", id="no default"),
        pytest.param("def f(kind=Part): return kind()", "f(loop)", "unknown", id="who knows"),
    ],
)
def test_well_known_calls(before: str, call: str, expected: str, describe: Describe) -> None:
    assert describe(f"x = {call}", "loop", before) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = collections.namedtuple('P', 'a')", "namedtuple", id="the class"),
        pytest.param("x = collections.namedtuple('P', 'a')(1)", "namedtuple", id="an object"),
        pytest.param("x = collections.deque()()", "", id="result that is called"),
    ],
)
def test_class_that_namedtuple_makes(body: str, expected: str, describe: Describe) -> None:
    told = f"result of collections.{expected}" if expected else "unknown"
    assert describe(body, before="import collections") == told


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param("(Part if flag else Part)()", "a Part", id="of one class"),
        pytest.param("(Part if flag else Thing)()", "a Base", id="of two classes"),
    ],
)
def test_call_of_one_of_several(made: str, expected: str, describe: Describe) -> None:
    assert describe(f"x = {made}", before="flag = input()") == expected
