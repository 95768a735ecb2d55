"""A table of formats: names, and the module that renders each."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from socrates.classes.lazy import dataclass
from socrates_amplify.report.context import ReportContext

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Format:
    """One row: ``module`` has the function ``render(subject, context) -> str``.

    ``module`` is imported when its format is asked for, so that ``json`` costs no terminal library.
    A format that is no ``choice`` of ``--output-format`` is written by a flag of its own.
    """

    name: str
    module: str
    choice: bool = True


class FormatTable(Generic[T]):
    """The formats that something of type ``T`` can be written in."""

    def __init__(self, *rows: Format) -> None:
        self.rows = rows
        self.names = tuple(row.name for row in rows)
        self.choices = tuple(row.name for row in rows if row.choice)

    def render(self, subject: T, name: str, context: ReportContext) -> str:
        """``subject`` in the format of that name, as text that ends with a newline."""
        (row,) = (row for row in self.rows if row.name == name)
        module = importlib.import_module(row.module)
        renderer = cast("Callable[[T, ReportContext], str]", module.render)
        return renderer(subject, context)
