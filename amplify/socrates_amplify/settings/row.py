"""What a setting of the amplifier is: a field of ``AmplifySettings`` that carries its own row.

The settings file, ``socrates config``, the documentation and the flags of ``socrates amplify`` are
all read off these rows, so a setting is declared once, in ``amplify.py`` beside this module.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any, TypeVar

from socrates.classes.lazy import dataclass
from socrates.rule import Option
from socrates_amplify.settings.values import ValueType

T = TypeVar("T")

Written = int | str | bool | tuple[str, ...]
"""A value as a settings file has it."""

_METADATA = "setting"


class Topic(enum.Enum):
    """What a flag is about. Flags of one topic stand together in ``--help``, in the rows' order."""

    WHAT_TO_TRY = enum.auto()
    SEARCH = enum.auto()
    JOBS = enum.auto()
    EXECUTOR = enum.auto()
    RESULTS = enum.auto()


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of a setting. Its name is the setting's key; ``metavar`` stands for its value."""

    topic: Topic
    help: str
    metavar: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its type, its default as a settings file would say it, its meaning, its flag.

    With ``may_be_unset`` the amplifier finds None where nothing is set, and the written default
    says the same in a file: ``max-defects = 0`` is no limit.
    """

    type: ValueType[Any]
    written: Written
    help: str
    flag: Flag | None = None
    may_be_unset: bool = False
    name: str = ""
    """The field of ``AmplifySettings``."""

    @property
    def key(self) -> str:
        """The name in a settings file, and that of the flag after ``--``."""
        return self.name.replace("_", "-")

    @property
    def option(self) -> Option:
        """The setting for ``socrates config`` and the documentation."""
        return Option(self.key, self.type.option, self.written, self.help)

    def read(self, value: object) -> object:
        """The value of a settings file as ``AmplifySettings`` keeps it; SocratesError if wrong."""
        if self.may_be_unset and value == self.written:
            return None
        checked: object = self.type.read(value, self.key)
        return checked


def setting(kind: ValueType[T], written: Written, help_text: str, flag: Flag | None = None) -> T:
    """A field that always has a value; ``written`` is its default, in the words of a file."""
    row = Setting(kind, written, help_text, flag)
    return dataclasses.field(default=kind.read(written, "default"), metadata={_METADATA: row})


def optional(
    kind: ValueType[T], written: Written, help_text: str, flag: Flag | None = None
) -> T | None:
    """A field that is None where nothing is set; ``written`` says so in the words of a file."""
    row = Setting(kind, written, help_text, flag, may_be_unset=True)
    return dataclasses.field(default=None, metadata={_METADATA: row})


def settings_of(declared: type[Any]) -> Mapping[str, Setting]:
    """The settings that a dataclass declares, by key, in the order of their declaration."""
    named = [
        dataclasses.replace(field.metadata[_METADATA], name=field.name)
        for field in dataclasses.fields(declared)
        if _METADATA in field.metadata
    ]
    return {row.key: row for row in named}
