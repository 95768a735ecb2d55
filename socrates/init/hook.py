"""The pre-commit stanza, and where it goes in a file that is there already."""

from __future__ import annotations

import re

from socrates import __version__

_ITEM = re.compile(r"^(?P<indent>[ \t]*)-[ \t]+repo:", re.MULTILINE)
_REPOS = re.compile(r"^repos:[ \t]*(?:#.*)?$", re.MULTILINE)
_NEXT_KEY = re.compile(r"^[^\s#-]", re.MULTILINE)
_OURS = re.compile(r"socrates-(?:check|fix|lint)\b")

_STANZA = f"""\
- repo: local
  hooks:
    - id: socrates-check
      name: socrates check
      entry: socrates check --force-exclude
      args: [--]
      language: python
      additional_dependencies: ["socrates-lint=={__version__}"]
      types: [python]
      require_serial: true
"""


def new_file() -> str:
    """A file with nothing but our hook."""
    return f"repos:\n{_indented('  ')}"


def is_there(text: str) -> bool:
    """Whether the file has a hook of ours."""
    return _OURS.search(text) is not None


def added_to(text: str) -> str | None:
    """The file with our hook behind the last one; None if it is written in a way we can't tell."""
    head = _REPOS.search(text.replace("\r\n", "\n"))
    if head is None:
        return None
    plain = text.replace("\r\n", "\n")
    following = _NEXT_KEY.search(plain, head.end())
    end = following.start() if following else len(plain)
    item = _ITEM.search(plain, head.end(), end)
    if item is None and plain[head.end() : end].strip():
        return None
    indent = item["indent"] if item else "  "
    block = plain[:end].rstrip()
    rest = plain[end:]
    joined = f"{block}\n{_indented(indent)}" + (f"\n{rest}" if rest.strip() else "")
    return joined.replace("\n", "\r\n") if "\r\n" in text else joined


def _indented(indent: str) -> str:
    return "".join(f"{indent}{line}\n" for line in _STANZA.splitlines())
