"""What an expression is, as far as the code tells."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.python.values import Builtin, ClassValue, FunctionValue, Instance, Value

OpenModule = Callable[..., FileContext]
Describe = Callable[..., str]

PRODUCTION = """
    import contextlib
    from typing import Generator, Iterator, TypeVar

    T = TypeVar("T")

    class Base: ...

    class Thing(Base):
        def __init__(self):
            self.part = Part()

        @classmethod
        def make(cls):
            made = cls()
            return made

        def twin(self):
            return Thing()

        @property
        def neighbour(self):
            return Thing()

        def later(self):
            self.cached = Part()

        def __add__(self, other): return Thing()
        def __getitem__(self, key) -> "Part": ...
        def parts(self) -> list["Part"]: ...
        def __enter__(self): return self
        def __exit__(self, *args): ...

    class Part(Base): ...

    def build(kind: type[T], name: str) -> T: ...

    @contextlib.contextmanager
    def opened() -> Generator[Thing, None, None]: ...

    @contextlib.contextmanager
    def bare():
        yield Thing()

    def pair():
        return Thing(), Part()

    def either(flag):
        if flag:
            return Thing()
        return Part()
    """


def last_value(file: FileContext) -> Value | None:
    """What the expression in the last line of the test is."""
    test = file.tests[0]
    statement = test.node.body[-1]
    assert isinstance(statement, ast.Expr)
    return file.infer(statement.value, test.scope)


def show(value: Value | None) -> str:
    """A value in words."""
    match value:
        case Instance(cls=cls):
            return f"a {cls.name}"
        case ClassValue(cls=cls):
            return f"class {cls.name}"
        case FunctionValue(node=node):
            return f"function {node.name}"
        case Builtin(type=kind):
            return kind
    return "unknown"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Thing()", "a Thing", id="constructor"),
        pytest.param("x = Thing.make()", "a Thing", id="class method that builds cls"),
        pytest.param("x = Thing().twin().neighbour", "a Thing", id="method and property"),
        pytest.param("x = Thing().part", "a Part", id="attribute of __init__"),
        pytest.param("x = Thing().cached", "a Part", id="attribute of another method"),
        pytest.param("x = Thing() + Thing()", "a Thing", id="operator"),
        pytest.param("x = Thing()['a']", "a Part", id="item by __getitem__"),
        pytest.param("x = Thing().parts()[0]", "a Part", id="item by annotation"),
        pytest.param("things = [Thing(), Thing()]\nx = things[0]", "a Thing", id="item of a list"),
        pytest.param("x = [Thing() for _ in 'ab'][0]", "a Thing", id="item of a comprehension"),
        pytest.param("for x in (Thing(), Part()): pass", "a Base", id="elements of one base"),
        pytest.param("x = Thing() if 1 else Part()", "a Base", id="one of two"),
        pytest.param("x = either(1)", "a Base", id="several returns"),
        pytest.param("x = build(Thing, 'a')", "a Thing", id="generic function"),
        pytest.param("x = build(name='a', kind=Thing)", "a Thing", id="generic by keyword"),
        pytest.param("x = functools.partial(Thing)()", "a Thing", id="partial"),
        pytest.param("with opened() as x: pass", "a Thing", id="manager by annotation"),
        pytest.param("with bare() as x: pass", "a Thing", id="manager by yield"),
        pytest.param("with Thing() as x: pass", "a Thing", id="manager that returns itself"),
        pytest.param("y, x = pair()", "a Part", id="unpacked"),
        pytest.param("x = opened()", "unknown", id="manager not entered"),
        pytest.param("x = [Thing(), 1][0]", "a Thing", id="place in a mixed list"),
        pytest.param("x = missing()", "unknown", id="unknown function"),
        pytest.param("x = 'a'.upper()", "str", id="text method"),
        pytest.param("x = Thing", "class Thing", id="class"),
        pytest.param("x = pair", "function pair", id="function"),
    ],
)
def test_local(open_module: OpenModule, body: str, expected: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = f"import functools\nfrom production import *\ndef test_it():\n{lines}\n    x\n"
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    assert show(last_value(file)) == expected


@pytest.mark.parametrize(
    ("decorator", "expected"),
    [
        ("@pytest.mark.parametrize('x', [Thing, Part])", "class Base"),
        ("@pytest.mark.parametrize(('x', 'y'), [(Thing(), 1), (Thing(), 2)])", "a Thing"),
        ("@pytest.mark.parametrize('x', [pytest.param(Thing(), id='a')])", "a Thing"),
        ("@pytest.mark.parametrize('x', ALL)", "a Thing"),
        ("@pytest.mark.parametrize('x', [1, Thing()])", "unknown"),
    ],
)
def test_parametrized(open_module: OpenModule, decorator: str, expected: str) -> None:
    text = (
        "import pytest\nfrom production import Part, Thing\nALL = [Thing()]\n"
        f"{decorator}\ndef test_it(x, y=0):\n    x\n"
    )
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    assert show(last_value(file)) == expected


def test_params_of_a_fixture(open_module: OpenModule) -> None:
    text = (
        "import pytest\nfrom production import Part, Thing\n"
        "@pytest.fixture(params=[Thing, pytest.param(Part, id='part')])\n"
        "def made(request):\n    return request.param()\n"
        "def test_it(made):\n    made\n"
    )
    file = open_module({"production.py": PRODUCTION, "test_x.py": text}, "test_x.py")
    assert show(last_value(file)) == "a Base"


def test_circular_definitions_end(open_module: OpenModule) -> None:
    text = (
        "def a():\n    return b()\ndef b():\n    return a()\ndef test_it():\n    x = a()\n    x\n"
    )
    file = open_module({"test_x.py": text}, "test_x.py")
    assert last_value(file) is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = f'{1}'", "str"),
        ("x = []", "list"),
        ("x = [a for a in 'b']", "list"),
        ("x = {}", "dict"),
        ("x = {a: 1 for a in 'b'}", "dict"),
        ("x = {1}", "set"),
        ("x = {a for a in 'b'}", "set"),
        ("x = 1, 2", "tuple"),
        ("x = 1 < 2", "bool"),
        ("x = not 1", "bool"),
        ("x = -1", "int"),
        ("x = str(1)", "str"),
        ("x = int('1')", "int"),
        ("x = sorted([1])", "list"),
        ("x = dict(a=1)", "dict"),
        ("x = open('a')", "result of builtins.open"),
        ("x = len", "builtins.len"),
        ("x = 'a'.upper().strip()", "str"),
        ("x = 'a'.count('b')", "unknown"),
        ("x = NUMBER", "int"),
        ("x = lambda: 1", "function <lambda>"),
    ],
)
def test_builtin(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = 1 + 2", "int", id="the same type twice"),
        pytest.param("x = 1 + 'a'", "unknown", id="two types"),
        pytest.param("x = 'a' + missing", "str", id="text and anything"),
        pytest.param("x = 'a' % 1", "str", id="formatted"),
        pytest.param("x = Thing() - 1", "a Part", id="by its method"),
        pytest.param("x = Thing() * 1", "unknown", id="without a method"),
        pytest.param("x = pathlib.Path('a') / 'b'", "result of pathlib.Path", id="path"),
        pytest.param("x = pathlib.Path('a') * 2", "unknown", id="no path"),
    ],
)
def test_operator(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Thing.first", "a Part", id="of the class"),
        pytest.param("x = Sub.shared", "int", id="of a base"),
        pytest.param("x = Thing().declared", "a Part", id="annotated in the class"),
        pytest.param("x = Thing().empty", "NoneType", id="None in __init__"),
        pytest.param("x = Thing().left", "a Part", id="one of two at once"),
        pytest.param("x = Thing().right", "a Thing", id="the other of two at once"),
        pytest.param("x = Thing().managed", "a Managed", id="bound by with"),
        pytest.param("x = Thing().once", "a Part", id="all methods agree"),
        pytest.param("x = Thing().mixed", "unknown", id="methods disagree"),
        pytest.param("x = Thing().typed", "a Thing", id="assigned with an annotation"),
        pytest.param("x = Thing().cached", "a Part", id="cached property"),
        pytest.param("x = Thing().missing", "unknown", id="not there"),
        pytest.param("x = Sub().part", "a Part", id="inherited"),
        pytest.param("x = pathlib.Path('a').parent", "unknown", id="of an object of a library"),
        pytest.param("x = Thing.Inner.Deep()", "a Deep", id="class in a class"),
        pytest.param("x = Thing().Inner()", "a Inner", id="class of an object"),
        pytest.param("x = Thing().either", "function either", id="method"),
    ],
)
def test_attribute(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Sub().me()", "a Sub", id="Self"),
        pytest.param("x = Thing().typed_me()", "a Thing", id="typing.Self"),
        pytest.param("x = Sub.make()", "a Sub", id="class method of a subclass"),
        pytest.param("x = Thing.plain(1)", "a Part", id="static method"),
        pytest.param("x = Thing().build(Part, 1)", "a Part", id="generic method"),
        pytest.param("x = Thing().build(name=1, kind=Part)", "a Part", id="generic by keyword"),
        pytest.param("x = Thing().build(1, 2)", "unknown", id="generic without a class"),
        pytest.param("x = Thing().either(1)", "a Part", id="returns of inner functions aside"),
        pytest.param("x = functools.partial()()", "unknown", id="partial of nothing"),
        pytest.param("x = Thing()[0]", "a Part", id="item"),
        pytest.param("x = Bare()[0]", "unknown", id="item of what has none"),
        pytest.param("x = Alias()", "a Thing", id="alias of a class"),
    ],
)
def test_result_of_a_call(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("with Managed() as x: pass", "a Part", id="what entering gives"),
        pytest.param("with Bare() as x: pass", "a Bare", id="no way to enter"),
        pytest.param("with open('a') as x: pass", "result of builtins.open", id="of a library"),
    ],
)
def test_entered(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


@pytest.mark.parametrize("decorator", ["contextmanager", "asynccontextmanager"])
def test_generator_that_is_made_a_manager_is_what_it_yields_once_entered(
    decorator: str, describe: Describe
) -> None:
    made = f"from contextlib import {decorator}\n@{decorator}\ndef made() -> Iterator[Thing]: ..."
    entered = describe("with made() as x: pass", before=made)
    assert (entered, describe("x = made()", before=made)) == ("a Thing", "unknown")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert isinstance(x, Thing)", "a Thing"),
        ("self.assertIsInstance(x, Thing)", "a Thing"),
        ("assert isinstance(y, Thing)", "result of builtins.open"),
        ("assert isinstance(x, (Thing, Part))", "result of builtins.open"),
        ("assert isinstance(x, int)", "result of builtins.open"),
    ],
)
def test_asserted_class(body: str, expected: str, describe: Describe) -> None:
    assert describe(f"x = y = open('a')\n{body}") == expected


def test_what_is_known_is_not_widened_by_an_assertion(describe: Describe) -> None:
    assert describe("x = Part()\nassert isinstance(x, Base)") == "a Part"


def test_an_assertion_says_nothing_of_what_was_before_it(describe: Describe) -> None:
    assert describe("y = open('a')\nx = y\nassert isinstance(y, Thing)") == (
        "result of builtins.open"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x = Part() if 1 else 2", "unknown", id="nothing in common"),
        pytest.param("x = Thing() if 1 else Sub()", "a Thing", id="one is of the other's class"),
        pytest.param("x = Thing if 1 else Part", "class Base", id="classes"),
        pytest.param("x = Thing if 1 else Part()", "unknown", id="a class and an object"),
        pytest.param("f = Thing.make if 1 else pair\nx = f()", "unknown", id="unlike functions"),
        pytest.param(
            "f = Thing().me if 1 else Thing.make\nx = f()", "a Thing", id="functions made alike"
        ),
        pytest.param("f = Thing().me if 1 else Part\nx = f()", "a Base", id="function and class"),
        pytest.param("x = Thing() or Sub()", "a Thing", id="one or the other"),
        pytest.param("x = open('a') or Sub()", "unknown", id="one of them is not known"),
        pytest.param(
            "def made(kind=None): return (kind or Part)()\nx = made()", "a Part", id="left out"
        ),
        pytest.param(
            "def made(kind): return (kind or Part)()\nx = made(y)", "unknown", id="never left out"
        ),
    ],
)
def test_what_two_values_have_in_common(body: str, expected: str, describe: Describe) -> None:
    assert describe(body) == expected


RESULTS = {
    "int": "len id hash ord sum round int",
    "float": "float",
    "bool": "bool isinstance issubclass callable hasattr any all",
    "str": "str repr format chr hex bin ascii input",
    "bytes": "bytes",
    "list": "list sorted",
    "dict": "dict",
    "set": "set",
    "tuple": "tuple",
    "frozenset": "frozenset",
    "range": "range",
}


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for kind, names in RESULTS.items() for name in names.split()]
)
def test_result_of_a_builtin(name: str, kind: str, describe: Describe) -> None:
    assert describe(f"x = {name}(1)") == kind


@pytest.mark.parametrize(
    "name",
    "capitalize casefold center expandtabs format format_map join ljust lower lstrip replace rjust "
    "rstrip strip swapcase title translate upper zfill decode removeprefix removesuffix".split(),
)
def test_method_of_a_text(name: str, describe: Describe) -> None:
    assert describe(f"x = 'a'.{name}()") == "str"


@pytest.mark.parametrize(
    ("operator", "method"),
    [
        *(("+", "__add__"), ("-", "__sub__"), ("*", "__mul__"), ("/", "__truediv__")),
        *(("&", "__and__"), ("|", "__or__"), ("^", "__xor__"), ("%", "__mod__")),
    ],
)
def test_operator_by_its_method(operator: str, method: str, describe: Describe) -> None:
    own = f"class Own:\n    def {method}(self, other): return Part()"
    assert describe(f"x = Own() {operator} 1", before=own) == "a Part"


@pytest.mark.parametrize(
    "method",
    "setUp asyncSetUp setUpClass setUpTestData setup_method setup_class setup __init__ "
    "__attrs_post_init__ __post_init__".split(),
)
def test_what_set_up_assigns_comes_first(method: str, describe: Describe) -> None:
    own = (
        "class Own:\n    def later(self): self.a = 1\n"
        f"    def {method}(self): self.a = Part()\n    def last(self): self.a = 2"
    )
    assert describe("x = Own().a", before=own) == "a Part"


@pytest.mark.parametrize(
    ("bases", "expected"),
    [
        pytest.param(
            "class B(A): a = Part()\nclass C(A): a = 1\nclass D(B, C): ...", "a Part", id="left"
        ),
        pytest.param(
            "class B(A): ...\nclass C(A): a = Part()\nclass D(B, C): ...",
            "a Part",
            id="before the common base",
        ),
        pytest.param(
            "class B(A): ...\nclass C(B): a = Part()\nclass D(A, C): ...", "int", id="no order"
        ),
        pytest.param("class B: ...\nclass C(B): ...\nclass D(C, A): ...", "int", id="the last"),
    ],
)
def test_order_of_bases(bases: str, expected: str, describe: Describe) -> None:
    assert describe("x = D().a", before=f"class A: a = 1\n{bases}") == expected


def test_a_fixture_sets_attributes_before_other_methods_do(describe: Describe) -> None:
    own = (
        "class Own:\n    def early(self): self.a = 1\n"
        "    @pytest.fixture\n    def made(self): self.a = Part()"
    )
    assert describe("x = Own().a", before=own) == "a Part"
