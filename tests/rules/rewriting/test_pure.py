"""Which expressions have no effect, and what calling a function changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.python.values import FunctionValue
from socrates_rules.rewriting.mutation import mutation_of
from socrates_rules.rewriting.pure import is_pure

OpenModule = Callable[..., FileContext]

CLASSES = """\
import abc
import dataclasses
import logging
from pathlib import Path
from unittest import mock

LOG = []

class Plain:
    '''Fills in its attributes.'''
    def __init__(self, owner):
        '''Nothing else.'''
        self.owner = owner
        self.items: list = []
        pass

class Empty: pass
class Child(Plain): pass
class Nested:
    def __init__(self):
        self.plain = Plain("me")
class Loud:
    def __init__(self):
        LOG.append(self)
class Elsewhere:
    def __init__(self):
        Plain.last = self
class Made:
    def __new__(cls): return LOG
class Guarded:
    def __setattr__(self, name, value): LOG.append(name)
class Registered(metaclass=abc.ABCMeta): pass
class Inherited(logging.Handler): pass

@dataclasses.dataclass
class Record:
    one: int = 1

@dataclasses.dataclass
class Checked:
    one: int = 1
    def __post_init__(self): LOG.append(self)

@LOG.append
class Decorated: pass

def silent(name):
    value = [name]
    return value

def noisy(name):
    return LOG.append(name)

def idle():
    '''Nothing.'''
    pass
    return
async def later(): return 1
def early(a=LOG.clear()): return 1
def early_by_name(*, a=LOG.clear()): return 1
def looping():
    for item in LOG: pass
@LOG.append
def wrapped(): return 1
def twice(): return 1
twice = wrapped
def many(*args): return 1
def any_names(**options): return 1
def by_place(a, /): return 1
def by_name(*, a, b=1): return 1
def typed():
    value: list = []
    return value
def one(): return two()
def two(): return three()
def three(): return four()
def four(): return 1
def zero(): return one()

class Again:
    def __init__(self):
        self.again = Again()
class Bound: pass
Bound = LOG
def rebind():
    global Rebound
    Rebound = LOG
class Rebound: pass
class Patched: pass
class Wrapped:
    @LOG.append
    def __init__(self): pass
class Listing:
    def __init__(self, items=()):
        self.items = list(items)
class Shown:
    kept = []
    def __init__(self):
        self.kept = 1
class Described:
    kept = Plain(1)
    def __init__(self):
        self.kept = 1
class Property:
    def kept(self): pass
    def __init__(self):
        self.kept = 1
class Unnamed:
    def __init__():
        Unnamed.kept = 1
class Abstract(abc.ABC): pass
@dataclasses.dataclass
class Heir(Record): pass
@dataclasses.dataclass
class Fielded:
    one: list = dataclasses.field(default_factory=list)
@dataclasses.dataclass
class Hidden:
    one: int = dataclasses.field(default=1, repr=False)
@dataclasses.dataclass
class Noisy:
    one: list = dataclasses.field(default_factory=noisy)
@dataclasses.dataclass
class Unclear:
    one: int = dataclasses.field(default=LOG)
@dataclasses.dataclass
class Called:
    one: int = noisy(1)
@dataclasses.dataclass(frozen=True)
class Pair:
    one: int
    two: int = 2
"""
PURE = {
    "{**a}": False,
    "dict(**a)": False,
    "dict({'a': 1})": True,
    "dict('ab')": False,
    "dict([1])": False,
    "list([1])": True,
    "list({'a': 1})": True,
    "list([1], [2])": False,
    "lambda b=1: b": True,
    "lambda b=f(): b": False,
    "lambda *, b=f(): b": False,
    "lambda *, b, c=1: b": True,
    "not True": True,
    "not a": False,
    "'a' + 'b'": True,
    "'a' * 3": False,
    "1 / 0": False,
    "10 - 999999": True,
    "10 * 1000000": False,
    "1000000 * 10": False,
    "bool(None)": True,
    "int(-3)": True,
    "int(1000000)": False,
    "len": True,
    "Patched()": False,
    "idle()": True,
    "later()": False,
    "early()": False,
    "early_by_name()": False,
    "looping()": False,
    "wrapped()": False,
    "twice()": False,
    "many()": False,
    "any_names()": False,
    "by_place(1)": False,
    "by_name(a=1)": True,
    "by_name(b=1)": False,
    "by_name(1)": False,
    "typed()": True,
    "one()": True,
    "zero()": False,
    "silent(1, 2)": False,
    "silent(other=1)": False,
    "Again()": False,
    "Bound()": False,
    "Rebound()": False,
    "Wrapped()": False,
    "Listing()": True,
    "Listing([1])": True,
    "Listing(a)": False,
    "Listing(items=a)": False,
    "Shown()": True,
    "Described()": False,
    "Property()": False,
    "Unnamed()": False,
    "Abstract()": True,
    "Empty(1)": False,
    "Empty(a=1)": False,
    "Heir()": False,
    "Fielded()": True,
    "Fielded([1])": True,
    "Hidden()": True,
    "Noisy()": False,
    "Unclear()": False,
    "Called()": False,
    "Pair(1)": True,
    "Pair(1, two=1)": True,
    "Pair(1, one=1)": False,
    "Pair()": False,
    "Pair(two=1)": False,
    "1": True,
    "a": True,
    "LOG": True,
    "name": False,
    "lambda: LOG.clear()": True,
    "(1, [2, 'a'])": True,
    "[f()]": False,
    "{'a': 1}": True,
    "{a: 1}": False,
    "{'a': f()}": False,
    "{1, 2}": True,
    "{a}": False,
    "-1": True,
    "-a": False,
    "1 + 2": True,
    "a + 1": False,
    "1 + a": False,
    "a.b": False,
    "a[0]": False,
    "f'{a}'": False,
    "list('ab')": True,
    "list(a)": False,
    "int('3')": True,
    "int('three')": False,
    "str(a)": False,
    "list(*a)": False,
    "list(f())": False,
    "dict(a=f())": False,
    "dict(a=1)": True,
    "Path('a')": True,
    "mock.Mock()": True,
    "f()": False,
    "open('a')": False,
    "Plain('me')": True,
    "Plain(f())": False,
    "Plain()": False,
    "Plain(owner='me')": True,
    "Plain('me', owner='me')": False,
    "Record(1)": True,
    "Record(1, 2)": False,
    "Record(two=2)": False,
    "silent('a')": True,
    "silent()": False,
    "noisy('a')": False,
    "Empty()": True,
    "Child('me')": True,
    "Nested()": True,
    "Loud()": False,
    "Elsewhere()": False,
    "Made()": False,
    "Guarded()": False,
    "Registered()": False,
    "Inherited()": False,
    "Record()": True,
    "Checked()": False,
    "Decorated()": False,
}


@pytest.mark.parametrize(("code", "expected"), PURE.items())
def test_expression(open_module: OpenModule, code: str, expected: bool) -> None:
    file = open_module(f"{CLASSES}\ndef test_it(a):\n    x = {code}\n\nNAME = 'Patched'\n")
    test = file.tests[0]
    assert is_pure(test.node.body[0].value, test.scope, file) is expected


NEW = """
list dict set tuple frozenset object str int float bool bytes bytearray io.StringIO io.BytesIO
collections.OrderedDict collections.deque collections.Counter unittest.mock.Mock
unittest.mock.MagicMock types.SimpleNamespace
"""
TAKES_NAMES = "dict types.SimpleNamespace collections.OrderedDict collections.Counter"
TAKES_CONSTANTS = """
str(1) int('1') float('1') bool(1) range(3) frozenset('a') set('a') datetime.date(2024,1,1)
datetime.datetime(2024,1,1) datetime.time(1) datetime.timedelta(days=1) decimal.Decimal('1')
fractions.Fraction(1,2) uuid.UUID('12345678123456781234567812345678') pathlib.Path('a')
pathlib.PurePath('a') collections.deque('a') tuple('a')
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        *((f"{name}()", True) for name in NEW.split()),
        *((f"{name}(a=1)", True) for name in TAKES_NAMES.split()),
        *((code, True) for code in TAKES_CONSTANTS.split()),
        *(
            (code, False)
            for code in ("io.StringIO('a')", "object(a=1)", "datetime.date(2024,13,1)")
        ),
    ],
)
def test_object_of_the_standard_library(open_module: OpenModule, code: str, expected: bool) -> None:
    modules = "collections, datetime, decimal, fractions, io, pathlib, types, unittest.mock, uuid"
    file = open_module(f"import {modules}\n\ndef test_it():\n    x = {code}\n")
    test = file.tests[0]
    assert is_pure(test.node.body[0].value, test.scope, file) is expected


@pytest.mark.parametrize(
    ("decorator", "field"),
    [
        ("dataclasses.dataclass", "dataclasses.field(default_factory=list)"),
        ("attr.s", "attr.ib(factory=dict)"),
        ("attr.dataclass", "attr.ib(default=1)"),
        ("attr.define", "attr.field(factory=list)"),
        ("attr.frozen", "attr.field(default=1)"),
        ("attrs.define", "attrs.field(factory=list)"),
        ("attrs.frozen", "attrs.field(default=1)"),
    ],
)
def test_class_whose_fields_are_filled_in(
    open_module: OpenModule, decorator: str, field: str
) -> None:
    text = f"import attr, attrs, dataclasses\n\n@{decorator}\nclass A:\n    one: int = {field}\n"
    file = open_module(f"{text}\ndef test_it():\n    x = A()\n")
    test = file.tests[0]
    assert is_pure(test.node.body[0].value, test.scope, file)


@pytest.mark.parametrize(
    "hook",
    "__new__ __setattr__ __post_init__ __attrs_pre_init__ __attrs_post_init__ __del__ "
    "__getattribute__ __init_subclass__ __attrs_init__".split(),
)
def test_class_with_a_method_that_python_calls(open_module: OpenModule, hook: str) -> None:
    text = f"class A:\n    def {hook}(self): pass\n\ndef test_it():\n    x = A()\n"
    file = open_module(text)
    test = file.tests[0]
    assert not is_pure(test.node.body[0].value, test.scope, file)


FUNCTIONS = """\
LOG = []

class Thing:
    def __init__(self):
        self.items = []

class Loud:
    def __init__(self):
        LOG.append(1)

def double(x):
    return x * 2

def fill(thing):
    thing.items = []

def deep(): return deep_1()
def deep_1(): return deep_2()
def deep_2(): return deep_3()
def deep_3(): return 1
def too_deep(): return deep_0()
def deep_0(): return deep()

class Stack:
    def read(self):
        return self.items

    def fill(self, item):
        self.items.append(item)

    def reset(self):
        self.items = []

    def method(self, other):
        {body}
"""
CHANGES = {
    "pass": "none",
    "return len(self.items)": "none",
    "raise ValueError('no')": "none",
    "return double(2)": "none",
    "return deep()": "none",
    "return too_deep()": "unknown",
    "self.reset(); return 1": "own",
    "fill(self)": "unknown",
    "fill()": "unknown",
    "double(2).fill(1)": "unknown",
    "double(2).append(1)": "unknown",
    "made = {}; made['a'] = 1": "none",
    "made = set(); made.add(1)": "none",
    "made = dict(); made.update(a=1)": "none",
    "made = {1}; made.add(2)": "none",
    "made = {x: 1 for x in other}; made.clear()": "none",
    "made = {x for x in other}; made.clear()": "none",
    "made = tuple(); made.append(1)": "unknown",
    "made, b = other; made.append(1)": "unknown",
    "for made in other: made.append(1)": "unknown",
    "del other[0]": "unknown",
    "del self.items[0]": "own",
    "def inner():\n            nonlocal other\n            other = 1": "unknown",
    "raise KeyError": "none",
    "return KeyError('a')": "none",
    "return UserWarning('a')": "none",
    "return Exception('a')": "none",
    "return StopIteration()": "unknown",
    "from os import sep": "unknown",
    "yield from other": "unknown",
    "return self.read()": "none",
    "return self.items.index(other)": "none",
    "return Thing()": "none",
    "made = []; made.append(1)": "none",
    "made = list(); made.append(1)": "none",
    "made = [x for x in other]; made.sort()": "none",
    "self.a = 1": "own",
    "self.a[0] = 1": "own",
    "del self.a": "own",
    "self.items.pop()": "own",
    "self.fill(1)": "own",
    "other.a = 1": "unknown",
    "other.append(1)": "unknown",
    "other.fill(1)": "unknown",
    "made = other; made.append(1)": "unknown",
    "made = []; made = other; made.append(1)": "unknown",
    "LOG.append(1)": "unknown",
    "return Loud()": "unknown",
    "other()": "unknown",
    "print(1)": "unknown",
    "self.items.sort_of()": "unknown",
    "global LOG; LOG = []": "unknown",
    "yield 1": "unknown",
    "import os": "unknown",
    "with other: pass": "unknown",
}


@pytest.mark.parametrize(("body", "expected"), CHANGES.items())
def test_what_a_call_changes(open_module: OpenModule, body: str, expected: str) -> None:
    production = FUNCTIONS.format(body=body)
    file = open_module(
        {
            "stack.py": production,
            "test_it.py": "from stack import Stack\n\ndef test_it():\n    x = Stack().method\n",
        }
    )
    test = file.tests[0]
    method = file.infer(test.node.body[0].value, test.scope)
    assert isinstance(method, FunctionValue), "the method can be found"
    assert mutation_of(method, file) == expected


@pytest.mark.parametrize(
    "definition",
    ["async def method(self): pass", "@cached\n    def method(self): pass"],
)
def test_function_that_cannot_be_judged(open_module: OpenModule, definition: str) -> None:
    file = open_module(
        {
            "stack.py": f"class Stack:\n    {definition}\n",
            "test_it.py": "from stack import Stack\n\ndef test_it():\n    x = Stack().method\n",
        }
    )
    test = file.tests[0]
    method = file.infer(test.node.body[0].value, test.scope)
    assert isinstance(method, FunctionValue), "the method can be found"
    assert mutation_of(method, file) == "unknown"


@pytest.mark.parametrize(("depth", "expected"), [(4, "none"), (5, "unknown")])
def test_calls_are_followed_so_deep(open_module: OpenModule, depth: int, expected: str) -> None:
    file = open_module("def plain(): pass\n\ndef test_it():\n    x = plain\n")
    test = file.tests[0]
    function = file.infer(test.node.body[0].value, test.scope)
    assert mutation_of(function, file, depth) == expected
