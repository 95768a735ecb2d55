"""Fixes: what they are, where they come from, and how they get into files.

Rules make fixes (``Rule.fix``), with libcst and only when asked. What lives here knows no rule:
the data, asking the rules, applying in rounds with a re-check, and writing.
"""

from socrates.fix import Applicability, Edit, Fix, NoFix, apply_edits, overlap
from socrates.fixes.ask import fixes_for

__all__ = ["Applicability", "Edit", "Fix", "NoFix", "apply_edits", "fixes_for", "overlap"]
