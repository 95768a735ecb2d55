"""Attributes that are replaced for one run and put back afterwards."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType

_ABSENT = object()


class BuiltinMethod:
    """A function as a method, in the place of a built-in one: mocks with ``autospec`` tell the two apart."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    def __call__(self, *args: object, **options: object) -> object:
        return self._function(*args, **options)

    def __get__(self, instance: object, owner: type | None = None) -> object:
        return self if instance is None else MethodType(self._function, instance)


class Patches:
    """Replaces attributes and remembers what was there."""

    def __init__(self) -> None:
        self._undo: list[tuple[object, str, object]] = []

    def set(self, owner: object, name: str, value: object) -> None:
        """Put ``value`` in place of ``owner.name``."""
        self._undo.append((owner, name, owner.__dict__.get(name, _ABSENT)))
        setattr(owner, name, value)

    def set_slot(self, owner: object, name: str, value: object) -> None:
        """The same where ``owner`` keeps it elsewhere than in ``__dict__``: a function, a cell."""
        self._undo.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def inside(self, function: FunctionType, stand_in: FunctionType) -> FunctionType:
        """Have ``function`` do what ``stand_in`` does; returns a function that does what it did.

        ``function`` stays the same object, so code that has imported it by name is reached too.
        ``stand_in`` must have no closure; its names are looked up where ``function`` is defined.
        """
        original = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        original.__kwdefaults__ = function.__kwdefaults__
        self._undo.append((function, "__code__", function.__code__))
        function.__code__ = stand_in.__code__
        return original

    def mark(self) -> int:
        """How much has been replaced by now, for ``undo``."""
        return len(self._undo)

    def undo(self, mark: int = 0) -> None:
        """Put everything back that was replaced since ``mark``, last replaced first."""
        while len(self._undo) > mark:
            owner, name, value = self._undo.pop()
            if value is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
