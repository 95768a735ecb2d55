"""``dataclass`` as the standard library has it, made at an eighth of the cost.

The standard library writes and compiles up to eleven methods for each class while its module is imported:
0.8 ms for a frozen class with slots. A command that starts has hundreds of them. Here, ``__init__`` is
written when it is first looked at, and the other methods are closures.

Classes behave as those of ``dataclasses``, which takes them for its own: ``replace``, ``fields`` and
``asdict`` work, and either kind can be derived from the other. Nothing here needs ``InitVar``,
``unsafe_hash``, or fields with ``init=False`` or ``kw_only``: they are not supported.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import reprlib
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **how):
        """Make a dataclass of a class: ``@dataclass``, or ``@dataclass(frozen=True, ...)``."""
        return _made(cls) if cls else functools.partial(_made, **how)


def _made(
    cls: Any,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
) -> Any:
    own = dict(vars(cls))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    told = vars(made)["__dataclass_params__"]
    told.init, told.frozen, told.eq, told.order, told.repr = True, frozen, eq, order, repr
    methods: dict[str, object] = {"__init__": _FirstInit(made, frozen)}
    if repr:
        methods["__repr__"] = _repr_of(made)
    if eq:
        methods |= _comparisons(made, order)
        methods["__hash__"] = _hash_of(made) if frozen else None
    if frozen:
        methods |= _refusals(made)
    if frozen and slots:
        # By default, a copy of an object with slots is filled by assigning to it.
        methods |= {"__getstate__": _state, "__setstate__": _fill}
    for name, method in methods.items():
        if own.get(name) is None:  # Python says None of __hash__ where __eq__ is defined
            setattr(made, name, method)
    return made


class _FirstInit:
    """Stands where ``__init__`` will be: whoever looks at it, to call it or to read it, has it written."""

    def __init__(self, cls: Any, frozen: bool) -> None:
        self._cls = cls
        self._frozen = frozen

    def __get__(self, made: object, owner: type) -> Any:
        if vars(self._cls).get("__init__") is self:
            self._cls.__init__ = _written_init(self._cls, self._frozen)
        return vars(self._cls)["__init__"].__get__(made, owner)


def _written_init(cls: Any, frozen: bool) -> Callable[..., None]:
    """A function with a parameter for each field."""
    missing = dataclasses.MISSING
    known: dict[str, Any] = {"_missing": missing, "_set": object.__setattr__}
    head, body = ["self"], []
    fields = dataclasses.fields(cls)
    for field in fields:
        name = value = field.name
        if field.default is not missing:
            known[f"_default_{name}"] = field.default
            head.append(f"{name}=_default_{name}")
        elif field.default_factory is not missing:
            known[f"_default_{name}"] = field.default_factory
            head.append(f"{name}=_missing")
            value = f"_default_{name}() if {name} is _missing else {name}"
        else:
            head.append(name)
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = "\n        ".join(body or ["pass"])
    written = f"    def __init__({', '.join(head)}):\n        {lines}\n    return __init__\n"
    made: dict[str, Any] = {}
    module = sys.modules.get(cls.__module__)
    exec(f"def make({', '.join(known)}):\n{written}", vars(module) if module else {}, made)
    init: Callable[..., None] = made["make"](**known)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    return init


def _values(names: list[str]) -> Callable[[object], Any]:
    """What reads these fields from an object."""
    return operator.attrgetter(*names) if names else lambda _: ()


def _comparisons(cls: Any, order: bool) -> Mapping[str, object]:
    """Objects of one class are compared by their fields."""
    values = _values([field.name for field in dataclasses.fields(cls) if field.compare])

    def comparing(compare: Callable[[Any, Any], object]) -> Callable[[object, object], object]:
        def compared(self: object, other: object) -> object:
            if other.__class__ is self.__class__:
                return compare(values(self), values(other))
            return NotImplemented

        return compared

    methods: dict[str, object] = {"__eq__": comparing(operator.eq)}
    if order:
        methods |= {"__lt__": comparing(operator.lt), "__le__": comparing(operator.le)}
        methods |= {"__gt__": comparing(operator.gt), "__ge__": comparing(operator.ge)}
    return methods


def _hash_of(cls: Any) -> Callable[[object], int]:
    fields = dataclasses.fields(cls)
    values = _values(
        [one.name for one in fields if (one.compare if one.hash is None else one.hash)]
    )
    return lambda self: hash(values(self))


def _repr_of(cls: Any) -> Callable[[object], str]:
    names = [field.name for field in dataclasses.fields(cls) if field.repr]

    def shown(self: object) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({told})"

    return reprlib.recursive_repr()(shown)


def _refusals(cls: Any) -> Mapping[str, object]:
    """Fields of a frozen object are neither assigned nor deleted, nor is anything added to it."""
    names = frozenset(field.name for field in dataclasses.fields(cls))

    def assigned(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def deleted(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": assigned, "__delattr__": deleted}


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _fill(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
