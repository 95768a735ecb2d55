"""SOC102: one test per method, where no part sees what another has done."""

from __future__ import annotations

import pytest

STACK = {
    "stack.py": """\
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
            LOG.append(self.items)
            return LOG
    """
}
HEAD = "from stack import Stack\n\n\nclass TestStack:\n"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "s = Stack()\ns.push(1)\nassert s.items == [1]\nassert s.peek() == 1",
            id="the second part needs what the first has done",
        ),
        pytest.param(
            "s = Stack([1])\nassert s.log()\nassert s.peek() == 1",
            id="a method that leaves a trace elsewhere",
        ),
        pytest.param(
            "s = Stack([1])\ntop = s.peek()\nassert top == 1\nassert s.find(top) == 0",
            id="a variable of another part",
        ),
        pytest.param("s = Stack([1])\nassert s.find(s.peek()) == 0", id="one statement"),
        pytest.param(
            "s = Stack([1])\ns.peek()\nassert s.find(1) == 0", id="a part that checks nothing"
        ),
    ],
)
def test_left_alone(fix_text, body: str) -> None:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"{HEAD}    def test_it(self):\n{lines}"
    fixed = fix_text(text, "SOC102", STACK)
    assert (fixed.text, bool(fixed.before)) == (text, True)


SEPARABLE = """\
{before}from stack import Stack


class TestStack{bases}:
{above}    def test_it(self{parameters}):
        s = Stack([1])
        assert s.peek() == 1
        assert s.find(1) == 0
{after}"""


def separable(
    before: str = "", bases: str = "", above: str = "", parameters: str = "", after: str = ""
) -> str:
    """A test that is split unless something around it is in the way."""
    return SEPARABLE.format(
        before=before, bases=bases, above=above, parameters=parameters, after=after
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(separable(), id="nothing around it"),
        pytest.param(
            separable("import pytest\n", above="    @pytest.mark.slow\n"), id="below a mark"
        ),
        pytest.param(
            separable().replace("== 1\n", "== len(str(3))\n"), id="with builtins that only look"
        ),
        pytest.param(
            separable().replace("== 1\n", "== pytest.approx(1)\n"), id="with an approximation"
        ),
        pytest.param(
            separable().replace("== 1\n", "== Stack([1]).items[0]\n"), id="with another object"
        ),
        pytest.param(
            separable().replace("== 0\n", "== 0\n        assert s.peek() == 1\n"),
            id="of methods that take turns",
        ),
        pytest.param(
            separable(after="\n    def test_its_name_goes_on(self):\n        assert True\n"),
            id="beside a test whose name goes on",
        ),
        pytest.param(
            separable(after="\n\nclass TestOther:\n    def test_it(self):\n        assert True\n"),
            id="beside a test of the same name in another class",
        ),
    ],
)
def test_split(fix_text, text: str) -> None:
    fixed = fix_text(text, "SOC102", STACK)
    names = (
        "def test_it(self):\n        s =",
        "def test_it_peek(self, s)",
        "def test_it_find(self, s)",
    )
    assert [name in fixed.text for name in names] == [False, True, True]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            separable().replace("== 1\n", "== print(1)\n"), id="a builtin that does something"
        ),
        pytest.param(separable().replace("== 1\n", "== other(1)\n"), id="an unknown function"),
        pytest.param(
            separable().replace("        s =", "        Stack.limit(3)\n        s ="),
            id="an arrangement that reaches beyond its variables",
        ),
        pytest.param(
            separable().replace(
                "        s = Stack([1])\n", "        s = Stack()\n" + 4 * "        s.items += [1]\n"
            ),
            id="an arrangement that adds to what it is not known to own",
        ),
        pytest.param(
            separable().replace(
                "        s = Stack([1])\n",
                "        s = Stack([1])\n" + 4 * "        s.items.append(1)\n",
            ),
            id="an arrangement too long to be repeated",
        ),
        pytest.param(
            separable().replace(
                "assert s.peek() == 1",
                "top = s.peek()\n        s = Stack([1])\n        assert top == 1",
            ),
            id="a part that changes what is shared",
        ),
        pytest.param(
            separable().replace(
                "assert s.peek() == 1",
                "top = s.peek()\n        s.items = [2]\n        assert top == 1",
            ),
            id="a part that changes the shared object",
        ),
        pytest.param(
            separable("from tools import cached\n", above="    @cached\n"), id="unknown decorator"
        ),
        pytest.param(
            separable(after="\n\ndef again():\n    TestStack().test_it()\n"),
            id="called elsewhere",
        ),
        pytest.param(separable(after='\n\nNAMES = ["TestStack.test_it"]\n'), id="named in a text"),
        pytest.param(
            separable(
                after="\n\nclass TestDeeper(TestStack):\n    def test_it(self):\n        assert True\n"
            ),
            id="overridden",
        ),
        pytest.param(
            separable(
                "import pytest\n",
                above='    @pytest.mark.parametrize("n", [1, 2])\n',
                parameters=", n",
            ),
            id="parametrized by what one part does not read",
        ),
        pytest.param(
            separable(
                "from unittest import mock\n",
                above='    @mock.patch("os.sep")\n',
                parameters=", sep",
            ),
            id="patched",
        ),
    ],
)
def test_not_split(fix_text, text: str) -> None:
    fixed = fix_text(text, "SOC102", STACK)
    assert (fixed.text, [f.test for f in fixed.before]) == (
        text,
        ["test_example.py::TestStack::test_it"],
    )


@pytest.mark.parametrize(
    ("text", "arrangement"),
    [
        pytest.param(
            separable("import unittest\n", bases="(unittest.TestCase)"),
            "s = Stack([1])",
            id="unittest has no fixtures",
        ),
        pytest.param(
            separable("import pytest\n\ns = 3\n"),
            "s = Stack([1])",
            id="the fixture's name is a constant of the module",
        ),
        pytest.param(
            separable(after="\n    def test_other(self, s):\n        assert s\n"),
            "s = Stack([1])",
            id="the fixture's name is a parameter of another test",
        ),
        pytest.param(
            separable().replace("        s =", "        import os\n        s ="),
            "import os\n        s = Stack([1])",
            id="an import",
        ),
        pytest.param(
            separable().replace("        s =", "        s = 1\n        s ="),
            "s = 1\n        s = Stack([1])",
            id="a variable with two values",
        ),
        pytest.param(
            separable().replace("Stack([1])", "Stack()\n        s.items.append(1)"),
            "s = Stack()\n        s.items.append(1)",
            id="something is done to a variable",
        ),
        pytest.param(
            separable(
                "import pytest\n",
                above='    @pytest.mark.parametrize("n", [1, 2])\n',
                parameters=", n",
            ).replace("Stack([1])", "Stack([1, n, 1])"),
            "s = Stack([1, n, 1])",
            id="parametrized by what the arrangement reads",
        ),
    ],
)
def test_arrangement_is_repeated_where_it_cannot_be_a_fixture(
    fix_text, text: str, arrangement: str
) -> None:
    fixed = fix_text(text, "SOC102", STACK)
    bodies = [
        f"        {arrangement}\n        assert {check}\n"
        for check in ("s.peek() == 1", "s.find(1) == 0")
    ]
    assert [body in fixed.text for body in bodies] == [True, True]
