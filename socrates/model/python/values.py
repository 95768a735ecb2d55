"""What an expression may be: the few kinds of value that rules ask about."""

from __future__ import annotations

from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.model.python.module import ClassInfo, FunctionNode, ModuleInfo
from socrates.model.python.names import Scope

PRIMITIVES = frozenset({"str", "int", "float", "bool", "bytes", "complex", "NoneType", "bytearray"})


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class that the project defines."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the project itself."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function or method of the project; ``owner`` is the class that ``self`` belongs to.

    ``parent`` is the scope that a function stands in when it is nested in another one.
    """

    module: ModuleInfo
    node: FunctionNode
    owner: ClassInfo | None = None
    defined_in: ClassInfo | None = None
    parent: Scope | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several functions and classes, whichever a condition or a table picks."""

    choices: tuple[FunctionValue | ClassValue, ...]


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the project."""

    module: ModuleInfo


@dataclass(frozen=True, slots=True)
class External:
    """Something of other people's code by its dotted name: ``pathlib.Path``, ``requests.get``."""

    name: str


@dataclass(frozen=True, slots=True)
class ExternalResult:
    """What calling something of other people's code gave: ``ExternalResult("pathlib.Path")``."""

    name: str


@dataclass(frozen=True, slots=True)
class Builtin:
    """A value of a builtin type: ``str``, ``int``, ``list``, ``dict``, ..."""

    type: str

    @property
    def is_primitive(self) -> bool:
        """Whether it is a plain scalar or text."""
        return self.type in PRIMITIVES


Value = (
    Instance
    | ClassValue
    | FunctionValue
    | OneOf
    | ModuleValue
    | External
    | ExternalResult
    | Builtin
)
