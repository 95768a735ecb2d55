"""What an example of a rule is: a named piece of test code, what is found in it, and its fix.

An example is a test of its rule and a piece of its documentation at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from textwrap import dedent
from typing import TYPE_CHECKING

from socrates.classes.lazy import dataclass

if TYPE_CHECKING:
    from socrates.fix import Applicability

TEST_MODULE = "test_example.py"
"""The name of the file where an example is a single text."""

MARK = "  # <-"
"""Ends a line of an example that a finding points at."""

Code = Mapping[str, str] | str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What a fix makes of an example: the new text of its test module, or of the files it names."""

    applicability: Applicability
    code: Code


def safe(code: Code) -> Fixed:
    """The result of a fix that keeps names and verdicts."""
    return Fixed("safe", code)


def unsafe(code: Code) -> Fixed:
    """The result of a fix that a person should look at."""
    return Fixed("unsafe", code)


@dataclass(frozen=True, slots=True)
class Example:
    """A named piece of test code with the findings that the rule must make of it.

    ``files`` maps paths of a small project to their text, the test module last; a single text is
    ``test_example.py``. Indentation that all lines share is taken away, so triple-quoted code may
    be indented as its surroundings.

    ``expect`` maps the test's name (``TestX::test_y`` or ``test_y``) to ``severity: message``, or
    to the severity alone; an example with an empty ``expect`` is a good one, in which the rule
    must stay silent. A finding points at the line of the test's ``def``, or at the line in the test
    that ends in ``  # <-``.

    ``fixed`` is what the rule's fix makes of it, and ``page`` says that the rule's page shows it.
    """

    name: str
    files: Code
    expect: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    fixed: Fixed | None = None
    page: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The files as they are checked: dedented, without marks."""
        return {name: text.replace(f"{MARK}\n", "\n") for name, text in self.marked_texts.items()}

    @property
    def marked_texts(self) -> dict[str, str]:
        """The files as they are shown: dedented, with marks."""
        files = {TEST_MODULE: self.files} if isinstance(self.files, str) else self.files
        return {name: _dedented(text) for name, text in files.items()}

    @property
    def fixed_texts(self) -> dict[str, str]:
        """The files that the fix changes, as they are after it."""
        if self.fixed is None:
            return {}
        code = self.fixed.code
        files = {list(self.marked_texts)[-1]: code} if isinstance(code, str) else code
        return {name: _dedented(text) for name, text in files.items()}

    @property
    def severities(self) -> dict[str, str]:
        """The tests with a finding, and its severity."""
        return {test: verdict.partition(":")[0] for test, verdict in self.expect.items()}

    @property
    def messages(self) -> dict[str, str]:
        """The tests with a finding, and its message; empty where none is given."""
        return {test: verdict.partition(": ")[2] for test, verdict in self.expect.items()}


def _dedented(text: str) -> str:
    return dedent(text).removeprefix("\n")
