"""Whose reply a failing assertion looked at, read off the code of the test."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.record.assertions.asserted_reply import actor_looked_at
from socrates_amplify.record.messages import ReplyRead


class Replies:
    """Stands in for a recorder: ``take("a")`` reads a reply of actor ``a``; ``keep`` one that stays."""

    def __init__(self, file: Path) -> None:
        self.test_file = str(file)
        self.reply_reads: list[ReplyRead] = []

    def trace(self) -> None:
        """Nothing is left to resolve."""

    def take(self, name: str, stays: bool = False) -> list[str]:
        sent: Any = SimpleNamespace(actor=SimpleNamespace(address=name), stays=stays)
        read = ReplyRead(self.test_file, sent, sys._getframe(1))
        read.value = value = [name]
        self.reply_reads.append(read)
        return value

    def keep(self, name: str) -> list[str]:
        sent: Any = SimpleNamespace(actor=SimpleNamespace(address=name), stays=True)
        self.reply_reads.append(ReplyRead(self.test_file, sent, sys._getframe(1)))
        return [name]


HELPERS = """\
import json
from json import loads as take, loads as keep
def helper(take, name):
    return take(name)
def every(take, names):
    for name in names:
        take(name)
    return names
def once(take, name):
    return take(name)
class Box:
    pass
"""
LOOKED_AT = {
    "take('a')\ntake('b')\nassert 0": "b",
    "assert not take('a')": "a",
    "take('b')\nassert not take('a')": "a",
    "assert take('a') == take('b')": "",
    "x = take('a')\ntake('b')\nassert not x": "a",
    "x = take('a')\ny = x + []\ntake('b')\nassert not y": "a",
    "x = y = take('a')\ntake('b')\nassert not y": "a",
    "x: list = take('a')\ntake('b')\nassert not x": "a",
    "x = take('a')\nx = take('b')\ntake('c')\nassert not x": "b",
    "x = take('a')\nx += take('b')\ntake('c')\nassert not x": "",
    "x = take('a')\nx += ['z']\ntake('c')\nassert not x": "a",
    "x = []\nx.append(take('a'))\ntake('b')\nassert not x": "a",
    "x = {}\nx['k'] = take('a')\ntake('b')\nassert not x": "a",
    "x = Box()\nx.k = take('a')\ntake('b')\nassert not x": "a",
    "x, y = take('a'), take('b')\ntake('c')\nassert not x": "a",
    "x, y = take('a'), take('b')\ntake('c')\nassert not y": "b",
    "if (x := take('a')):\n    take('b')\nassert not x": "a",
    "for x in take('a'):\n    take('b')\nassert not x": "a",
    "for name in 'ab':\n    assert take(name) == ['a']": "b",
    "for name in 'ba':\n    assert take(name) == ['b']": "a",
    "assert not [take(name) for name in 'ab']": "",
    "assert not [take(name) for name in 'aa']": "a",
    "assert not helper(take, 'a')": "a",
    "take('b')\nassert not helper(take, 'a')": "a",
    "assert not every(take, 'ab')": "",
    "for name in 'ab':\n    assert once(take, name) == ['a']": "b",
    "x = keep('a')\nassert not x": "a",
    "x = keep('a')\ny = keep('b')\nassert not x": "a",
    "x = keep('a')\ny = keep('b') + x\nassert not y": "",
    "box = Box()\nbox.a = keep('a')\nbox.b = keep('b')\nassert not box.a": "",
    "x = json.dumps(keep('a'))\ny = json.dumps(keep('b'))\nassert json.loads(y) == 0": "b",
    "keep('a')\nkeep('b')\nassert 0": "",
    "keep('a')\nkeep('a')\nassert 0": "a",
    "with open(take('a')[0] * 0 or '/dev/null') as x:\n    take('b')\nassert not x": "a",
    "def inner():\n    return take('b')\nx = take('a')\ninner()\nassert not x": "a",
    "assert 0": "",
}


@pytest.mark.parametrize(("body", "expected"), LOOKED_AT.items())
def test_actor(tmp_path: Path, body: str, expected: str) -> None:
    file = tmp_path / "test_it.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HELPERS}def test_it():\n{lines}"
    file.write_text(text)
    replies: Any = Replies(file)
    names: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), names)
    names |= {"take": replies.take, "keep": replies.keep}
    with pytest.raises(AssertionError) as raised:
        names["test_it"]()
    last = raised.tb
    while last.tb_next is not None:
        last = last.tb_next
    assert actor_looked_at(replies, last.tb_frame, last.tb_lineno) == expected


@pytest.mark.parametrize(
    ("taken", "stay", "expected"),
    [
        pytest.param("ab", False, "b", id="the last one"),
        pytest.param("ab", True, "", id="several that stay"),
        pytest.param("aa", True, "a", id="one that stays"),
        pytest.param("", False, "", id="none"),
    ],
)
def test_actor_without_a_frame(tmp_path: Path, taken: str, stay: bool, expected: str) -> None:
    replies: Any = Replies(tmp_path / "test_it.py")
    for name in taken:
        replies.take(name, stay)
    assert actor_looked_at(replies, None, 1) == expected
