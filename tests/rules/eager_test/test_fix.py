"""SOC102: one test a method, where no part sees what another has done."""

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
            "s = Stack([1])\nassert s.peek() == 1\nassert s.find(1) == 0\nassert s.peek() == 1",
            id="methods that take turns",
        ),
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
