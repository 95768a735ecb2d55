"""Both parsers give the same tree, positions included, on code that both accept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from socrates.model.python.source import SourceError, decode
from socrates.syntax.parsers import cpython, reference
from socrates.syntax.refused import Refused

ROOT = Path(__file__).parents[3]

EXPRESSIONS = """
()
(a,)
a,
(a), b
((a, b))
(((a)))
(a)+(b)
a . b
(a).b
a[b]
a[b,]
a[b, c:d:e, *f]
a[:]
a[::]
a[b:]
a[:b:]
a[*b]
a[(b, c)]
f()
f(a, *b, c=1, **d)
f(a for a in b)
f((a for a in b))
f(a for a in b if c).d
f(a for a in b)(c)
f(*a, k=1, *b)
f(a := 1)
(a := 1)
[a := 1, b]
(yield)
(yield a, b)
(yield from a)
lambda: (yield)
lambda a, /, b=1, *c, d, e=2, **f: a
lambda *, a: a
lambda a,: a
not a
not not a
-a ** -b
a if b else c if d else e
a and b and c or d and not e
(a and b) and c
a < b <= c is not d not in e
a is  not b
{}
{a, *b}
{a: b, **c}
[*a, b]
[a for b in c if d if e for f in g]
{a: b for c, in d}
{a for a, (b, *c) in d}
(a async for a in b)
1_000.5e-3j
0xFF + 0b1 + 0o17 + 00
1e400
'a' "b" '''c'''
u'a' 'b'
'a' u'b'
b'a' rb'\\d'
'\\N{BULLET}\\x41\\u20ac\\U0001F600\\101\\777'
'\\q\\é'
'é' + 'ü'
'\\ud800'
...
None, True, False
ünïcödé
ﬁeld
x = ﬁ
f''
f'a'
f'a{b}c'
f'{a!r}{b!s:>10}{c:{d}}{e:a{f!r}b}'
f'{a=}{b = }{c=!s}{d=:>3}'
f'{a, b}'
f'{(a, b)}'
f'{ {1: 2} }'
f'{{a}}{b}}}'
f'a' 'b' f'{c}'
u'a' f'{b}' 'c'
'' f'{a}' ''
rf'\\d{a}'
f'\\N{BULLET}{a}\\n'
f'\\{a}'
f'{a["b"]}'
f'{lambda_}'
f'{(lambda: 1)}'
f'{yield_!r:^{width}.{precision}}'
await_
"""

STATEMENTS = """
x = 1
x = y = 1,
x, = y
*a, b = c
(a) = b
[a, (b, *c)] = d
a.b[c] = d
a += yield
a: int
a: int = 1
a.b: int
a[b]: int = c, d
return
return a,
return *a, b
raise
raise a from b
assert a, b
del a
del a,
del (a), b
del (a, b)
del [a]
import a
import a . b as c, d
from . import a
from ... import a
from .... a import b
from a import *
from a import (b as c, d,)
global a, b
pass; pass
pass;
a; b;
if a: b
if a: b; c;
while a: b
for a, in b: c
for a in *b, c: d
with a: b
with a as b, c as (d, e): f
with (a): b
with (a, b): c
with (a, b) as c: d
with (a as b, c as d,): e
with (a), (b): c
with (yield): a
async def f(): pass
def f(a, b: c = d, /, e=1, *args: *f, g, h=2, **kwargs: i) -> j: pass
def f(*, a): pass
class A: pass
class A(): pass
class A(b, *c, d=1, **e): pass
type = 1
match = case = 1
match(a)
match[a]
print(a, end='')
"""

TRICKY = [
    *EXPRESSIONS.strip().split("\n"),
    *STATEMENTS.strip().split("\n"),
    "",
    "\n",
    "\n\n# only a comment",
    "x",
    "x\n\n\n",
    "\fx = 1\n\f\ny = 2\n",
    "if a:\n\tb\n\tif c:\n\t\td\n",
    "x = 1 \\\n  + 2\n",
    "\\\nx = 1\n",
    "x = (  # why\n  1,  # one\n\n  2\n)  # done\n",
    "def f(\n    a,  # first\n    b,\n):  # head\n    # body\n    return a\n    # after\n# end\n",
    "if a:\n  b\nelif c:\n  d\nelif e: f;\nelse:\n  g\nh\n",
    "try:\n  a\nexcept:\n  b\n",
    "try:\n  a\nexcept (A, B) as e:\n  b\nexcept C: c\nelse:\n  d\nfinally:\n  e;\n",
    "try:\n  a\nexcept* A as e:\n  b\nexcept  * B: pass\n",
    "for a in b:\n  c\nelse:\n  d\n",
    "async def f():\n  async for a in b:\n    c\n  async with d as e, f:\n    await g\n",
    "@a\n\n# why\n@ b\nclass C:\n  @c\n  async def f(self): ...\n",
    "def f():\n  '''Doc\n  string.'''\n  nonlocal x\n",
    "x = '''a\r\nb\rc'''\r\ny = 1\rz = 2\n",
    "x = f'''a\r\n{b}\r\n'''\r\n",
    "é = 'é'; ü = f'é{ü}é' + é\n",
    "match a, b:\n  case 1 | -2.5 | 1 - 2j | 'a' 'b' | None: pass\n  case (c): d\n",
    "match a:\n  case [b, *_], (c,), (), [], (d, *e): pass\n  case *_, f: pass\n  case g,: pass\n",
    "match (a):\n  case {'b': 1, c.d: e, **rest}: pass\n  case {}: pass\n  case {**r}: pass\n",
    "match a:\n  case B(): pass\n  case b.C(1, d=2,) if e: pass\n  case (F() | G()) as h: pass\n",
    "match a:\n  case _: pass\n  case (b as c): pass\n  case ((1)): pass\n  case (None): pass\n",
    "match *a, b:\n  case _:\n    pass\n",
    "if a:\n  pass\n  # inside\n # between\nx\n",
    "class A:\n  x: int = 1;  y = 2;\n\n  def f(self): return self;\n",
    "x = [\n\n  a for a in b\n  if c\n]\n",
    "f'''{a}\n {b}\n{c:>\n}'''\n",
    "'a' f'''\né {a\n} {b}'''\n",
    "@a.b(c)\ndef f(): pass\n",
    "x = ('a'\n     'b'  # why\n     f'{c}'\n)\n",
]


@pytest.mark.parametrize("text", TRICKY)
def test_snippets_have_the_same_tree(first_difference, text):
    assert first_difference(cpython.parse(text), reference.parse(text)) == ""


@pytest.mark.parametrize(
    "folder", ["socrates", "rules", "amplify", "examples", "benchmarks", "tests"]
)
def test_files_of_this_repository_have_the_same_trees(
    first_difference, folder
):  # socrates: ignore[SOC105] our own sources are the corpus
    """Every sixth file: ``benchmarks/parser_parity.py`` compares whole corpora."""
    different = {}
    for path in sorted((ROOT / folder).rglob("*.py"))[::6]:
        try:
            text = decode(path.read_bytes())
            own = cpython.parse(text)
        except (SourceError, Refused):
            continue  # made to be refused
        different[path] = first_difference(own, reference.parse(text))
    assert {path: found for path, found in different.items() if found} == {}
    assert different


@given(st.randoms(use_true_random=False))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_random_programs_have_the_same_tree(program, first_difference, source):
    text = program(source)
    own = cpython.parse(text)
    try:
        other = reference.parse(text)
    except Refused:
        return  # libcst does not take all blanks that Python takes
    assert first_difference(own, other) == ""


def test_most_random_programs_are_accepted_by_libcst(program):
    refused = 0
    for seed in range(100):
        try:
            reference.parse(program(random.Random(seed)))
        except Refused:
            refused += 1
    assert refused <= 15
