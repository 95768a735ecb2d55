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
"""
PURE = {
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
    file = open_module(f"{CLASSES}\ndef test_it(a):\n    x = {code}\n")
    test = file.tests[0]
    assert is_pure(test.node.body[0].value, test.scope, file) is expected


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

class Stack:
    def read(self):
        return self.items

    def fill(self, item):
        self.items.append(item)

    def method(self, other):
        {body}
"""
CHANGES = {
    "pass": "none",
    "return len(self.items)": "none",
    "raise ValueError('no')": "none",
    "return double(2)": "none",
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
