"""Which objects an expression shows as text."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates_rules.sensitive_equality.text import texts_in

OpenModule = Callable[..., FileContext]
DEEP, DEEPER = "[" * 6 + "str(a)" + "]" * 6, "[" * 7 + "str(a)" + "]" * 7
TEXTS = {
    "str(a)": ["a by str"],
    "repr(a)": ["a by repr"],
    "ascii(a)": ["a by ascii"],
    "format(a)": ["a by format"],
    "str(a, b)": [],
    "str(*a)": [],
    "str(a, errors=b)": [],
    "len(a)": [],
    "a.__str__()": ["a by str"],
    "a.__repr__()": ["a by repr"],
    "super().__str__()": [],
    "a.name()": [],
    "'{}'.format(a)": ["a by str"],
    "'{0}'.format(a)": ["a by str"],
    "'{!r}'.format(a)": ["a by repr"],
    "'{0!r}'.format(a)": ["a by repr"],
    "'{!s}'.format(a)": ["a by str"],
    "'{0!s}'.format(a)": ["a by str"],
    "'{}'.format(a, b)": [],
    "'{:>3}'.format(a)": [],
    "f'{a}'": ["a by str"],
    "f'{a!r}'": ["a by repr"],
    "f'{a!s}'": ["a by str"],
    "f'{a:>3}'": [],
    "f'{a} {b}'": [],
    "'%s' % a": ["a by str"],
    "'%r' % a": ["a by repr"],
    "'%s' % (a,)": ["a by str"],
    "'%s' % (a, b)": [],
    "'%d' % a": [],
    "'%s' + a": [],
    "(str(a), b, [repr(b)])": ["a by str", "b by repr"],
    "{str(a)}": ["a by str"],
    "[str(x) for x in a]": ["x by str"],
    "{str(x) for x in a}": ["x by str"],
    "{x: str(x) for x in a}": ["x by str"],
    "list(str(x) for x in a)": ["x by str"],
    "sorted([str(a)], key=b)": ["a by str"],
    "list(map(str, a))": ["each of a by str"],
    "map(repr, a)": ["each of a by repr"],
    "map(len, a)": [],
    "str(a).strip()": ["a by str"],
    "str(a)[0]": ["a by str"],
    "a[0]": [],
    "text": ["a by str"],
    "later": [],
    DEEP: ["a by str"],
    DEEPER: [],
}


@pytest.mark.parametrize(("code", "expected"), TEXTS.items())
def test_texts(open_module: OpenModule, code: str, expected: list[str]) -> None:
    body = f"text = str(a)\n    x = {code}\n    later = str(a)"
    file = open_module(f"def test_it(a, b):\n    {body}\n")
    test = file.tests[0]
    found = [
        f"{'each of ' * text.each}{ast.unparse(text.subject)} by {text.method}"
        for text in texts_in(test.node.body[1].value, test.scope)
    ]
    assert found == expected
