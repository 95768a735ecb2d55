"""Files whose names look like options, as a hook may hand them over: they stay files.

pre-commit appends a user's ``args`` to the entry of a hook, and the names of files to that. What
follows ``--`` is a file, whatever it looks like. Where a user's ``args`` lack the ``--``, a word
that names a file in the current folder is taken for the file, never for an option, and the
command says that it had to guess.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

HOOK_FLAG = "--force-exclude"
END = "--"


def as_files(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments with such files as ``./-name``, and the names that it had to guess about."""
    if END in argv:
        end = argv.index(END)
        return [*argv[:end], *(_plain(word) for word in argv[end + 1 :])], []
    if HOOK_FLAG not in argv:
        return list(argv), []
    guessed = [word for word in argv if word.startswith("-") and _is_file(word)]
    return [_plain(word) if word in guessed else word for word in argv], guessed


def _is_file(word: str) -> bool:
    """Whether there is such a file; the flag of the hook itself is none, whatever lies there."""
    return word != HOOK_FLAG and os.path.lexists(word)


def _plain(word: str) -> str:
    return f"./{word}" if word.startswith("-") else word
