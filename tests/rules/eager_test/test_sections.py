"""What a test of several methods is cut into."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates.syntax.unparse import unparse
from socrates_rules.eager_test.sections import Cut, cut

OpenModule = Callable[..., FileContext]
STACK = """\
import functools

import somewhere

LOG = []


class Stack:
    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        self.items.append(item)

    def peek(self):
        return self.items[-1]

    def find(self, item):
        return self.items.index(item)

    def log(self):
        LOG.append(1)


def noisy():
    LOG.append(1)


@functools.cache
def wrapped(stack):
    made = list(stack.items)
    made.append(1)
    return somewhere.count(made)


@functools.cache
def grown(stack):
    stack.items.append(1)
    return somewhere.count(stack)
"""
HEAD = "import pytest\nfrom stack import Stack, grown, noisy, wrapped\n\n\ndef read(s):\n    return s.peek()\n\n\n"


def parts_of(open_module: OpenModule, body: str) -> Cut:
    text = f"{HEAD}class TestStack:\n    def test_it(self):\n{indent(body, ' ' * 8)}\n"
    file = open_module({"stack.py": STACK, "test_it.py": text})
    test = file.tests[0]
    return cut(file, test, file.production_calls(test, ()), has_fixtures=True)


def told(parts: Cut) -> list[str]:
    """Each part on a line of its own."""
    values = [f"value {unparse(node)}" for node in parts.values]
    shared = [f"shared {unparse(node)}" for node in parts.shared]
    sections = [
        f"{section.method.rpartition('.')[2]}({', '.join(sorted(section.needs))}): "
        + "; ".join(map(unparse, section.statements))
        for section in parts.sections
    ]
    return [*values, *shared, *sections]


PEEK, FIND = "assert s.peek() == 1", "assert s.find(1) == 0"
SHARED = "shared s = Stack([1])"
CUTS = {
    f"s = Stack([1])\n{PEEK}\n{FIND}": [SHARED, f"peek(s): {PEEK}", f"find(s): {FIND}"],
    f"n = 1\ns = Stack([n])\n{PEEK}\n{FIND}": [
        "value n = 1",
        "shared s = Stack([n])",
        f"peek(s): {PEEK}",
        f"find(s): {FIND}",
    ],
    f"n = (-1, 2)\ns = Stack([1])\n{PEEK}\nassert s.find(1) not in n": [
        "value n = (-1, 2)",
        SHARED,
        f"peek(s): {PEEK}",
        "find(n, s): assert s.find(1) not in n",
    ],
    f"n = (1, [])\ns = Stack([1])\n{PEEK}\nassert s.find(1) not in n": [
        SHARED,
        f"peek(s): {PEEK}",
        "find(s): n = (1, []); assert s.find(1) not in n",
    ],
    f"n = [1]\ns = Stack(n)\n{PEEK}\n{FIND}": [
        "shared n = [1]",
        "shared s = Stack(n)",
        f"peek(s): {PEEK}",
        f"find(s): {FIND}",
    ],
    f"s = Stack([1])\n{PEEK}\nx = 1\nassert s.find(x) == 0": [
        SHARED,
        f"peek(s): {PEEK}",
        "find(s): x = 1; assert s.find(x) == 0",
    ],
    f"s = Stack([1])\n{PEEK}\n{FIND}\ns.push(2)": [
        SHARED,
        f"peek(s): {PEEK}",
        f"find(s): {FIND}; s.push(2)",
    ],
    f"s = Stack([1])\nt = Stack([2])\n{PEEK}\nassert t.find(2) == 0": [
        "peek(Stack): s = Stack([1]); assert s.peek() == 1",
        "find(Stack): t = Stack([2]); assert t.find(2) == 0",
    ],
    f"s = Stack([1])\n{PEEK}\nassert s.peek() == 2\n{FIND}": [
        SHARED,
        f"peek(s): {PEEK}; assert s.peek() == 2",
        f"find(s): {FIND}",
    ],
    f"s = Stack([1])\n{PEEK}\n{FIND}\nassert s.peek() == 2": [
        SHARED,
        f"peek(s): {PEEK}; assert s.peek() == 2",
        f"find(s): {FIND}",
    ],
    f"s = Stack([1])\n{PEEK}\nassert wrapped(s) == 1\n{FIND}": [
        SHARED,
        f"peek(s, wrapped): {PEEK}; assert wrapped(s) == 1",
        f"find(s): {FIND}",
    ],
    f"s = Stack([1])\nx = s.peek()\nassert str(x) == '1'\n{FIND}": [
        SHARED,
        "peek(s, str): x = s.peek(); assert str(x) == '1'",
        f"find(s): {FIND}",
    ],
    f"s = Stack([1])\n{PEEK}\nwith pytest.raises(ValueError):\n    s.find(2)": [
        SHARED,
        f"peek(s): {PEEK}",
        "find(ValueError, pytest, s): with pytest.raises(ValueError):\n    s.find(2)",
    ],
    f"s = Stack([1])\nt = s.peek()\nmade = [t]\nmade[0] = 2\nassert made\n{FIND}": [
        SHARED,
        "peek(s): t = s.peek(); made = [t]; made[0] = 2; assert made",
        f"find(s): {FIND}",
    ],
}


@pytest.mark.parametrize(("body", "expected"), CUTS.items())
def test_parts(open_module: OpenModule, body: str, expected: list[str]) -> None:
    assert told(parts_of(open_module, body)) == expected


REFUSED = {
    f"s = Stack([1])\nassert read(s) == 1\n{FIND}": "helpers call the methods",
    "s = Stack([1])\nassert s.find(s.peek()) == 0": "one statement calls several methods",
    f"s = Stack([1])\ns.peek()\n{FIND}": "only one of its calls is checked",
    "t = [1]\ns = Stack([1])\nassert s.peek() in t\nt = 2\nassert t\nassert s.find(t)": "changes what is shared",
    "t = [1]\ns = Stack([1])\nassert s.peek() in t\ndef t(): pass\nassert t\nassert s.find(t)": "changes what is shared",
    "t = [1]\ns = Stack([1])\nassert s.peek() in t\nclass t: pass\nassert t\nassert s.find(t)": "changes what is shared",
    f"s = Stack([1])\n{PEEK}\ns.items = []\nassert 1\n{FIND}": "changes what is shared",
    f"s = Stack([1])\n{PEEK}\ndel s.items[0]\nassert 1\n{FIND}": "changes what is shared",
    "s = Stack([1])\nx = s.peek()\nassert x\nassert s.find(x)": "uses what another has made",
    f"s = Stack([1])\ns.push(1)\nassert s\n{FIND}": "may leave a trace",
    f"s = Stack([1])\ns.log()\nassert s\n{FIND}": "may leave a trace",
    f"s = Stack([1])\n{PEEK}\nassert noisy()\n{FIND}": "may leave a trace",
    f"s = Stack([1])\n{PEEK}\nassert grown(s)\n{FIND}": "may leave a trace",
    f"s = Stack([1])\n{PEEK}\nwrapped(s)\nassert s\n{FIND}": "may leave a trace",
    f"s = Stack([1])\n{PEEK}\ny = s.find(1)\nassert y == 0\nassert s.peek() == y": "uses what another",
    "s = Stack([1])\nx = s.peek()\nassert x\nx = s.find(1)\nassert x\nassert s.peek() == x": "uses what another",
    f"s = Stack([1])\n{PEEK}\ns.log()\nassert s\n{PEEK}": "may leave a trace",
}


REPEATED = (
    f"s = Stack([1])\nimport os\n{PEEK}\n{FIND}",
    f"s = t = Stack([1])\n{PEEK}\n{FIND}",
    f"s = (t := Stack([1]))\n{PEEK}\n{FIND}",
    f"s = Stack([1])\nf = lambda: 1\n{PEEK}\n{FIND}",
    f"s = 1\ns = Stack([1])\n{PEEK}\n{FIND}",
    f"n = noisy()\ns = Stack([1])\n{PEEK}\nassert s.find(n)",
)


@pytest.mark.parametrize("body", REPEATED)
def test_arrangement_that_each_part_repeats(open_module: OpenModule, body: str) -> None:
    parts = parts_of(open_module, body)
    told = "\n".join(map(unparse, parts.repeated))
    assert (parts.shared, body.startswith(f"{told}\nassert")) == ((), True)


@pytest.mark.parametrize(("body", "reason"), REFUSED.items())
def test_test_that_is_not_cut(open_module: OpenModule, body: str, reason: str) -> None:
    with pytest.raises(NoFix, match=reason):
        parts_of(open_module, body)
