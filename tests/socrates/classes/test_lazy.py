"""Our dataclasses behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

from socrates.classes.lazy import dataclass as lazy

HOW: dict[str, dict[str, bool]] = {
    "usual": {},
    "frozen": {"frozen": True},
    "frozen, with slots": {"frozen": True, "slots": True},
    "ordered": {"frozen": True, "slots": True, "order": True},
    "without eq": {"eq": False},
    "without repr": {"slots": True, "repr": False},
}


class Plain:
    """What both make a dataclass of."""

    name: str
    count: int = 0
    seen: list[str] = dataclasses.field(default_factory=list, compare=False)
    secret: str = dataclasses.field(default="", repr=False, hash=False)


def both(how: dict[str, bool]) -> tuple[Any, Any]:
    """The same class, by the standard library and by us."""
    made = []
    for dataclass in (dataclasses.dataclass, lazy):
        body = {key: value for key, value in vars(Plain).items() if key not in _NO_BODY}
        made.append(dataclass(**how)(type("Plain", (), body)))
    return made[0], made[1]


_NO_BODY = ("__dict__", "__weakref__")


def _told(work: Callable[[], object]) -> object:
    """What some work returns, or the type and text of what it raises."""
    try:
        return work()
    except Exception as error:
        return type(error), str(error)


ASKED: dict[str, Callable[[Any], object]] = {
    "repr": lambda cls: repr(cls("a", 1, ["b"], "c")).partition(" object at ")[0],
    "keywords": lambda cls: dataclasses.astuple(cls(count=2, name="a")),
    "a factory for each": lambda cls: cls("a").seen is cls("a").seen,
    "an unknown keyword": lambda cls: cls("a", other=1),
    "a missing argument": lambda cls: cls(),
    "equal": lambda cls: (cls("a") == cls("a"), cls("a", 1, ["b"]) == cls("a", 1, ["c"])),
    "unequal": lambda cls: (cls("a") != cls("b"), cls("a") == ("a", 0, [], "")),
    "hash": lambda cls: len(set(map(hash, [cls("a", 1, [], "c"), cls("a", 1, [], "d")]))),
    "order": lambda cls: (cls("a") < cls("b"), cls("a") >= cls("b"), cls("a") <= cls("a")),
    "assigned": lambda cls: setattr(cls("a"), "name", "b"),
    "added": lambda cls: hasattr(cls, "__slots__") or setattr(cls("a"), "other", "b"),
    "deleted": lambda cls: delattr(cls("a"), "name"),
    "replaced": lambda cls: dataclasses.replace(cls("a"), count=3).count,
    "as a dictionary": lambda cls: dataclasses.asdict(cls("a")),
    "copied": lambda cls: dataclasses.astuple(copy.copy(cls("a", 1))),
    "matched": lambda cls: cls.__match_args__,
    "parameters of the init": lambda cls: list(inspect.signature(cls).parameters),
    "annotations": lambda cls: cls.__init__.__annotations__,
    "type hints": lambda cls: get_type_hints(cls.__init__),
    "parameters": lambda cls: repr(cls.__dataclass_params__).replace("slots=True", "slots=False"),
    "a subclass of theirs": lambda cls: _derived(dataclasses.dataclass, cls),
    "a subclass of ours": lambda cls: _derived(lazy, cls),
}


def _derived(dataclass: Any, cls: Any) -> object:
    frozen = cls.__dataclass_params__.frozen
    sub = type("Sub", (cls,), {"__annotations__": {"more": "int"}, "more": 7})
    made = dataclass(frozen=frozen)(sub)("a", more=8)
    return dataclasses.astuple(made), _told(lambda: setattr(made, "more", 9))


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_answers_as_the_standard_library_does(
    how: dict[str, bool], ask: Callable[[Any], object]
) -> None:
    theirs, ours = both(how)
    assert _told(lambda: ask(ours)) == _told(lambda: ask(theirs))


@lazy(frozen=True, slots=True)
class Point:
    """Can be pickled: it is found by its name."""

    x: int
    y: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no point."""
        if self.x < 0:
            raise ValueError(self.x)

    def __repr__(self) -> str:
        """Methods of its own are kept."""
        return f"<{self.x}, {self.y}>"


def test_objects_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)


def test_what_follows_the_init_is_called() -> None:
    with pytest.raises(ValueError, match="-1"):
        Point(-1)


def test_methods_of_its_own_are_kept() -> None:
    assert repr(Point(3)) == "<3, 0>"


def test_the_init_is_written_when_it_is_looked_at() -> None:
    _, made = both({"frozen": True})
    before = vars(made)["__init__"]
    made("a")
    assert vars(made)["__init__"] is not before
