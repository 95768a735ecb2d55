"""``socrates init``: settings and a pre-commit hook that fit the project.

``look`` gathers what there is, ``plan`` makes of it the files to write, ``hook`` knows the file of
pre-commit. Nothing here writes: the command shows the plan first and then carries it out.
"""

from socrates.init.look import Found, look
from socrates.init.plan import FileChange, Plan, plan

__all__ = ["FileChange", "Found", "Plan", "look", "plan"]
