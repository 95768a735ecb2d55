"""The pre-commit stanza, and where it goes in a file that is there already."""

from __future__ import annotations

import json
import re

from socrates import __version__

_ITEM = re.compile(r"^(?P<indent>[ \t]*)-[ \t]+repo:", re.MULTILINE)
_REPOS = re.compile(r"^repos:[ \t]*(?:#.*)?$", re.MULTILINE)
_NEXT_KEY = re.compile(r"^[^\s#-]", re.MULTILINE)
_OURS = re.compile(r"socrates-(?:check|fix|lint)\b")

_STANZA = """\
- repo: local
  hooks:
    - id: socrates-check
      name: socrates check
      entry: socrates check --force-exclude
      args: [--]
{language}
      types: [python]
      require_serial: true
"""
PUBLISHED = f"socrates-lint=={__version__}"
_IN_PRE_COMMITS_ENVIRONMENT = """\
      language: python
      additional_dependencies: ["{needs}"]"""
_IN_YOURS = """\
      language: system  # the `socrates` of the environment that you commit in"""


def requirement(direct_url: str | None) -> str | None:
    """What pip installs this Socrates by; None if only this machine has it.

    ``direct_url`` is what pip has noted about an installation that is not from an index.
    """
    if direct_url is None:
        return PUBLISHED
    try:
        noted = json.loads(direct_url)
        source = noted["vcs_info"]
        return f"socrates-lint @ {source['vcs']}+{noted['url']}@{source['commit_id']}"
    except (ValueError, KeyError, TypeError):
        return None


def new_file(needs: str | None = PUBLISHED) -> str:
    """A file with nothing but our hook. ``needs`` is what to install for it, None for nothing."""
    return f"repos:\n{_indented('  ', needs)}"


def is_there(text: str) -> bool:
    """Whether the file has a hook of ours."""
    return _OURS.search(text) is not None


def added_to(text: str, needs: str | None = PUBLISHED) -> str | None:
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
    joined = f"{block}\n{_indented(indent, needs)}" + (f"\n{rest}" if rest.strip() else "")
    return joined.replace("\n", "\r\n") if "\r\n" in text else joined


def _indented(indent: str, needs: str | None) -> str:
    language = _IN_YOURS if needs is None else _IN_PRE_COMMITS_ENVIRONMENT.format(needs=needs)
    stanza = _STANZA.format(language=language)
    return "".join(f"{indent}{line}\n" for line in stanza.splitlines())
