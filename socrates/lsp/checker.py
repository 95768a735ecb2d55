"""Answers about texts that may not be saved: findings, fixes, a fixed text.

Not safe for threads: one thread asks all questions. Nothing here knows an editor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from socrates.builtin import SyntaxErrorRule
from socrates.classes.lazy import dataclass
from socrates.discovery.files import TestFile, as_test_file
from socrates.errors import SocratesError
from socrates.findings import Finding, PluginError
from socrates.fix import Fix
from socrates.fixes.ask import ask
from socrates.fixes.lines import lines_of
from socrates.fixes.rounds import Checked, fix_in_rounds
from socrates.lsp.options import Options
from socrates.lsp.place import Place, Signature, Stale, open_place, signature_of
from socrates.lsp.text import to_bytes
from socrates.model.python.source import decode
from socrates.suppress import UNUSED_CODE, Suppression

__all__ = ["Answer", "Checker", "Question", "Stale"]


@dataclass(frozen=True, slots=True)
class Question:
    """A text to look at, and the texts of the other files that are open.

    ``is_stale`` is asked between rules; when it says yes, the answer is given up with Stale.
    """

    path: Path
    text: str
    others: Mapping[Path, str]
    is_stale: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a check says of one text. ``broken``: it does not parse, and that is the only finding.

    ``problem`` is a mistake in the settings, said in one line; the findings are then those of
    the last settings that were good.
    """

    text: str
    root: Path
    findings: tuple[Finding, ...] = ()
    broken: bool = False
    dependencies: frozenset[str] = frozenset()
    errors: tuple[PluginError, ...] = ()
    problem: str = ""
    docs_url: str | None = None


class Checker:
    """Keeps settings and project between questions, and reads them again when they change."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._places: dict[tuple[Path, Path | None], Place] = {}
        self._by_folder: dict[Path, tuple[Signature, Place | None, str]] = {}

    def check(self, question: Question) -> Answer:
        """The findings that ``socrates check`` would show for the text. Raises Stale."""
        place, problem = self._place(question.path)
        if place is None:
            return Answer(question.text, question.path.parent, problem=problem)
        file = as_test_file(question.path, place.settings)
        root = place.settings.root
        if file is None:
            return Answer(question.text, root, problem=problem)
        place.lay_over(question.path, question.others)
        result = place.analyse(file, to_bytes(question.text), question.is_stale)
        shown = place.shown(result, question.text)
        broken = not result.summary.tests and bool(result.findings)
        broken = broken and all(f.code == SyntaxErrorRule.code for f in result.findings)
        dependencies = frozenset(result.dependencies)
        return Answer(
            question.text,
            root,
            shown,
            broken,
            dependencies,
            result.errors,
            problem,
            place.settings.docs_url,
        )

    def fixes(self, question: Question, findings: Iterable[Finding]) -> dict[Finding, Fix]:
        """The fixes of findings that ``check`` gave for the same text."""
        found = self._ready(question)
        if found is None:
            return {}
        place, file = found
        return ask(place.analyser, file, to_bytes(question.text), findings)

    def silenced(self, question: Question, comment: Suppression) -> tuple[Finding, ...]:
        """The findings that the text would have without a comment. Raises Stale."""
        lines = list(lines_of(question.text))
        row, start, _, end = comment.span
        line = lines[row - 1]
        blanks = "#".ljust(end - start)  # as wide, so that everything stays where it is
        lines[row - 1] = line[: start - 1] + blanks + line[end - 1 :]
        without = replace(question, text="".join(lines))
        known = set(self.check(question).findings)
        return tuple(
            finding
            for finding in self.check(without).findings
            if finding not in known and finding.code != UNUSED_CODE
        )

    def fixed(self, question: Question) -> str | None:
        """The text after all safe fixes; None when there are none."""
        found = self._ready(question)
        if found is None:
            return None
        place, file = found

        def check(data: bytes) -> Checked | None:
            result = place.analyse(file, data, question.is_stale)
            if any(finding.code == SyntaxErrorRule.code for finding in result.findings):
                return None
            shown = place.shown(result, decode(data))
            return Checked(result.findings, shown, frozenset(result.summary.tests))

        def asked(data: bytes, findings: Sequence[Finding]) -> dict[Finding, Fix]:
            return ask(place.analyser, file, data, findings)

        data = to_bytes(question.text)
        first = check(data)
        if first is None:
            return None
        outcome = fix_in_rounds(data, first, asked, check, unsafe=False)
        return decode(outcome.data) if outcome.applied else None

    def _ready(self, question: Question) -> tuple[Place, TestFile] | None:
        place, _ = self._place(question.path)
        file = None if place is None else as_test_file(question.path, place.settings)
        if place is None or file is None:
            return None
        place.lay_over(question.path, question.others)
        return place, file

    def _place(self, path: Path) -> tuple[Place | None, str]:
        """The settings and project of a file, read anew when a file that says so has changed."""
        folder = path.parent
        known = self._by_folder.get(folder)
        baseline = known[1].baseline_path if known and known[1] else None
        signature = signature_of(folder, baseline)
        if known is not None and known[0] == signature:
            return known[1], known[2]
        place: Place | None = known[1] if known else None
        problem = ""
        try:
            place = open_place(path, self.options)
        except SocratesError as error:
            problem = _as_option(str(error))
        if place is not None and not problem:
            key = (place.settings.root, place.settings.config_file)
            same = self._places.get(key)
            if same is not None and same.settings == place.settings and same.has_same_baseline():
                place = same
            self._places[key] = place
            signature = signature_of(folder, place.baseline_path)
        self._by_folder[folder] = (signature, place, problem)
        return place, problem


def _as_option(message: str) -> str:
    """A message about a flag as one about the option that stands for it."""
    if message.startswith("--"):
        return f"initializationOptions: {message.removeprefix('--')}"
    return message
