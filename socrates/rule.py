"""What a rule is: metadata, a docstring with fixed headings, examples, and one method.

The examples (``socrates.example``) are the rule's tests and its documentation at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from socrates.classes.lazy import dataclass
from socrates.example import Example

if TYPE_CHECKING:
    from socrates.findings import Finding
    from socrates.fix import Fix
    from socrates.model.context import FileContext

__all__ = ["Example", "Option", "OptionType", "Rule"]

OptionType = Literal["int", "str", "bool", "list"]


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of one rule, under ``[tool.socrates.rules.NAME]``."""

    name: str
    type: OptionType
    default: int | str | bool | tuple[str, ...]
    help: str


class Rule(ABC):
    """Subclass this, fill in the metadata and write ``check``.

    The docstring has the headings ``What it does``, ``Why is this bad``, ``Example`` and
    ``Use instead``; ``socrates rule`` and the documentation print it.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    advice: ClassVar[str]
    since: ClassVar[str] = "0.1.0"
    severities: ClassVar[tuple[str, ...]] = ("info", "warning")
    strict_raises_info: ClassVar[bool] = True
    """Whether ``--strict`` turns an ``info`` of the rule into a ``warning``."""
    fix_order: ClassVar[int] = 50
    """Where fixes overlap, those of the rule with the lower number go first."""
    fixes_safely: ClassVar[bool] = False
    """Whether the rule makes safe fixes: reports then carry them without being asked."""
    options: ClassVar[tuple[Option, ...]] = ()
    examples: ClassVar[tuple[Example, ...]] = ()

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        self._values: dict[str, object] = {option.name: option.default for option in self.options}
        self._values.update(options or {})

    @property
    def values(self) -> Mapping[str, object]:
        """The options in force."""
        return self._values

    def number(self, name: str) -> int:
        """The value of an ``int`` option."""
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        """The value of a ``bool`` option."""
        return bool(self._values[name])

    def texts(self, name: str) -> tuple[str, ...]:
        """The value of a ``list`` option."""
        value = self._values[name]
        assert isinstance(value, (list, tuple))
        return tuple(str(item) for item in value)

    @abstractmethod
    def check(self, file: FileContext) -> Iterable[Finding]:
        """All findings in one test module. Ask ``file`` about tests, fixtures, helpers and units."""

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        """What takes a finding of this rule away, or None when only a person can say.

        Asked only when fixes are wanted, with a finding that ``check`` made of the same file.
        """
        return None
