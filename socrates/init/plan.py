"""From what was found to the files to write: pure, so that it can be shown first."""

from __future__ import annotations

from collections.abc import Iterator

from socrates.baseline import DEFAULT_FILE
from socrates.classes.lazy import dataclass
from socrates.config.find import OWN_FILE, PYPROJECT
from socrates.files.toml import NotToml, parse_toml
from socrates.init import hook
from socrates.init.look import HOOK_FILE, Found

MANY = 10
"""From so many findings on, they are accepted in a baseline instead of failing the first run."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file to write, relative to the project. ``before`` is None for a new one."""

    filename: str
    before: str | None
    after: str
    show: bool = True
    """Off for generated files, which are too long to be shown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be written, and in words what was found and what is left alone."""

    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]


def plan(found: Found) -> Plan:
    """The plan for a project. A file that says something about us already is left alone."""
    changes: list[FileChange] = []
    notes = [_summary(found)]
    wants_baseline = found.failing >= MANY and not found.has_settings
    if found.has_settings:
        notes.append("settings are there already; left alone")
    else:
        changes.append(_settings(found, wants_baseline))
        if found.frameworks:
            names = ", ".join(found.frameworks)
            notes.append(f"{names} in use: `socrates amplify` tries the tests under faults")
    if wants_baseline and not found.has_baseline:
        changes.append(FileChange(DEFAULT_FILE, None, found.baseline, show=False))
        notes.append(f"{found.failing} findings go into {DEFAULT_FILE}; only new ones will count")
    changed, note = _hook(found)
    changes += changed
    notes += note
    return Plan(tuple(changes), tuple(notes))


def _summary(found: Found) -> str:
    where = ", ".join(found.testpaths) or "the whole folder"
    tests = "1 test" if found.tests == 1 else f"{found.tests} tests"
    files = "1 file" if found.test_files == 1 else f"{found.test_files} files"
    return f"{found.root.name}: {tests} in {files} ({where}), {found.failing} findings that count"


def _settings(found: Found, wants_baseline: bool) -> FileChange:
    """The section at the end of pyproject.toml, or a file of our own where there is none."""
    if found.pyproject is not None:
        lines = list(_section(found, wants_baseline, "tool.socrates"))
        before = found.pyproject
        end = "\r\n" if "\r\n" in before else "\n"
        gap = "" if not before.strip() else end if before.endswith("\n") else end * 2
        after = before + gap + end.join(lines) + end
        if _has_our_table(after):
            return FileChange(PYPROJECT, before, after)
    lines = list(_section(found, wants_baseline, ""))
    return FileChange(OWN_FILE, None, "\n".join(lines) + "\n")


def _has_our_table(text: str) -> bool:
    """Whether the text is TOML with our table: other ways to write ``tool`` don't allow it."""
    try:
        return "socrates" in parse_toml(text)["tool"]
    except (NotToml, KeyError, TypeError):
        return False


def _section(found: Found, wants_baseline: bool, table: str) -> Iterator[str]:
    if table:
        yield f"[{table}]"
    yield f"# Checks what pytest collects: {', '.join(found.testpaths) or 'tests below this folder'}."
    if found.styles:
        yield f"# Written with {', '.join(found.styles)}."
    yield "# `socrates config` explains every key, `socrates rule NAME` every rule."
    yield ""
    yield "# The lowest severity that fails: info, warning or error."
    yield 'fail-on = "warning"'
    yield ""
    yield "# Take the textbook at its word: every info becomes a warning."
    yield "# strict = true"
    yield ""
    if wants_baseline:
        counts = ", ".join(f"{code}: {number}" for code, number in found.codes.items())
        yield f"# What was there when Socrates came ({counts}). `socrates baseline --shrink`"
        yield "# drops what has been mended since."
        yield f'baseline = "{DEFAULT_FILE}"'
        yield ""
    yield "# Globs to skip on top of what git ignores."
    yield '# extend-exclude = ["tests/data"]'
    yield from _ignores(found, table)
    if found.frameworks:
        yield ""
        yield f"# {', '.join(found.frameworks)} in use: `socrates amplify` runs the clean tests under faults."
        yield f"[{table}.amplify]" if table else "[amplify]"
        yield "# The most executions for one test."
        yield "# budget = 100"
        yield "# In a pull request: `socrates amplify --since origin/main`, with .socrates in CI's cache."
        yield "# Files whose changes concern no test:"
        yield '# since-ignore = ["*.md", "docs/*"]'


def _ignores(found: Found, table: str) -> Iterator[str]:
    if found.outside:
        yield ""
        yield "# Tests that are meant to talk to the world."
        yield f"[{table}.per-file-ignores]" if table else "[per-file-ignores]"
        for folder in found.outside:
            yield f'"{folder}/*" = ["mystery-guest"]'


def _hook(found: Found) -> tuple[list[FileChange], list[str]]:
    if found.hooks is None:
        if found.repository == found.root:
            return [FileChange(HOOK_FILE, None, hook.new_file(found.requirement))], []
        if found.repository is None:
            return [], ["no git repository, so no pre-commit hook"]
        place = found.repository / HOOK_FILE
        return [], [f"the git repository starts above; a pre-commit hook belongs into {place}"]
    if hook.is_there(found.hooks):
        return [], [f"{HOOK_FILE}: has a hook of ours already; left alone"]
    after = hook.added_to(found.hooks, found.requirement)
    if after is None:
        stanza = hook.new_file(found.requirement).partition("\n")[2]
        return [], [f"{HOOK_FILE}: can't tell where a hook goes; add it by hand:\n{stanza}"]
    return [FileChange(HOOK_FILE, found.hooks, after)], []
