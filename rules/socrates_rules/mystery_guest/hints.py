"""What says that a module may reach outside: where nothing does, no more of this rule is loaded."""

from __future__ import annotations

import re

from socrates_rules.mystery_guest.resources import ROOTS

_HINT = re.compile(
    rf"\b({'|'.join(sorted(ROOTS))})\b|\bopen\(|environ|urlopen|Popen|read_text|read_bytes|write_text|"
    r"write_bytes|\bPath\b|\bimport \*"
)


def may_touch(text: str) -> bool:
    """Whether a module's text names anything that reaches outside: most don't, and are skipped."""
    return bool(_HINT.search(text))
