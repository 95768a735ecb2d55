"""What stands for the classes ``datetime`` and ``date``, and for their module, in a controlled run.

Only the time that it is differs. Instances are those of the real classes, and a stand-in compares,
hashes, checks instances and is derived from as the real class is: only ``is`` tells them apart.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from socrates_amplify.originals import Dates

Now = Callable[[], float]
"""Seconds since 1970, as ``time.time`` tells them."""
_OURS = "_socrates_stands_for"


class _StandsFor(NamedTuple):
    real: type
    instead: Mapping[str, Callable[..., object]]
    """What is answered in place of class methods that tell the time."""


class _StandIn(type):
    """The class of classes that answer as a real one does, but for the time that it is."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], members: dict[str, Any], **options: Any
    ) -> Any:
        """A class that is derived from a stand-in is derived from the real class."""
        return type(name, tuple(_real(base) for base in bases), members, **options)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _real(cls)(*args, **kwargs)

    def __getattribute__(cls, name: str) -> Any:
        real, instead = type.__getattribute__(cls, _OURS)
        return instead[name] if name in instead else getattr(real, name)

    def __setattr__(cls, name: str, value: object) -> None:
        setattr(_real(cls), name, value)

    def __delattr__(cls, name: str) -> None:
        delattr(_real(cls), name)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _real(cls))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _real(cls))

    def __eq__(cls, other: object) -> bool:
        return _real(cls) is _real(other)

    def __hash__(cls) -> int:
        return hash(_real(cls))

    def __repr__(cls) -> str:
        return repr(_real(cls))

    def __dir__(cls) -> list[str]:
        return dir(_real(cls))


class _StandInModule(ModuleType):
    """The module, with stand-ins for its two classes. What is set here is set there."""

    def __init__(self, stand_ins: Mapping[Any, object]) -> None:
        object.__setattr__(self, _OURS, stand_ins)

    def __getattribute__(self, name: str) -> Any:
        value = getattr(Dates.module, name)
        if value is Dates.datetime or value is Dates.date:
            return object.__getattribute__(self, _OURS)[value]
        return value

    def __setattr__(self, name: str, value: object) -> None:
        setattr(Dates.module, name, _real(value))

    def __delattr__(self, name: str) -> None:
        delattr(Dates.module, name)

    def __eq__(self, other: object) -> bool:
        return other is Dates.module or type(other) is _StandInModule

    def __hash__(self) -> int:
        return hash(Dates.module)

    def __repr__(self) -> str:
        return repr(Dates.module)

    def __dir__(self) -> list[str]:
        return dir(Dates.module)


def stand_ins(now: Now) -> dict[int, Any]:
    """What stands for the classes and their module, by the id of what it stands for."""
    of = {
        Dates.datetime: _stand_in(Dates.datetime, _telling_datetimes(now)),
        Dates.date: _stand_in(Dates.date, {"today": lambda: Dates.date.fromtimestamp(now())}),
    }
    found: dict[int, Any] = {id(real): stand_in for real, stand_in in of.items()}
    return {**found, id(Dates.module): _StandInModule(of)}


def _telling_datetimes(now: Now) -> dict[str, Callable[..., object]]:
    real = Dates.datetime

    def utcnow() -> object:
        if sys.version_info >= (3, 12):
            warnings.warn(_DEPRECATED, DeprecationWarning, stacklevel=2)
        return real.fromtimestamp(now(), Dates.utc).replace(tzinfo=None)

    return {
        "now": lambda tz=None: real.fromtimestamp(now(), tz),
        "utcnow": utcnow,
        "today": lambda: real.fromtimestamp(now()),
    }


_DEPRECATED = (
    "datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version. "
    "Use timezone-aware objects to represent datetimes in UTC: "
    "datetime.datetime.now(datetime.UTC)."
)
"""As the real one says it."""


def _stand_in(real: type, telling: dict[str, Callable[..., object]]) -> type:
    # Pydantic asks a class that it does not know how to check it.
    telling["__get_pydantic_core_schema__"] = lambda source, handler: handler(real)
    return type.__new__(_StandIn, real.__name__, (real,), {_OURS: _StandsFor(real, telling)})


def _real(value: Any) -> Any:
    """What a stand-in stands for; anything else as it is."""
    return type.__getattribute__(value, _OURS).real if type(value) is _StandIn else value
